"""A reader of NetPerf, versions 1, 2 and 3, written from the format's document and the notes on
its holes.

Where these are silent or contradict themselves:
- It rejects: a type or an object that is newer than it knows, or that asks for a newer reader;
  a type of object that it does not know, since nothing says how long such an object is; any tag
  but those of objects and of the end; a second Trace object; metadata that is defined again; an
  array among fields that say no size; a part of a tag at the end of metadata; in versions 1
  and 2, bytes that are left in an event after its stack.
- It accepts, and ignores: padding that is not zero, bytes after the end of the stream in
  version 3, bytes that are left in an event after its stack in version 3, and in metadata
  after a definition in versions 1 and 2, stacks of metadata events, tags of unknown kinds, days
  of the week; event blocks without events.
- An event type whose metadata ends before any list of fields has none, rather than an empty one.
- What follows the fields in metadata of version 3 is read as the tags that NetTrace 5 has there. Of
  two field lists the one in the tag holds, of two tags of a kind the last.
- In versions 1 and 2 the labels must lead from the file's last four bytes to the end of the
  events, each past what it leads to, but need not stand side by side; what the definition repeats of the metadata before
  it (event id and version) is not looked at; an event type without a definition has no name,
  keywords, level or fields, rather than empty ones.
- A stack that is not a whole number of addresses is left out, and so is a time that is none.
- A payload that is too short for its fields spoils the fields and not the event. A Decimal is
  shown as its bytes, and a DateTime is a FILETIME.
- Where the case says a version, a file of another one is unsupported.
"""

import tracegauge
import rows
from cursor import Cursor
from eventpipe import Metadata
from fastserialization import (
    BEGIN, END, block, objects, refuse_first, stream_header, tag, trace_process, trace_time,
)
from tracegauge import Rejection
from values import Budget, read_fields

SINGLE_OBJECT = b"Microsoft.DotNet.Runtime.EventPipeFile"
TRACE, EVENT_BLOCK = b"Trace", b"EventBlock"

TRACE_VERSION, EVENT_BLOCK_VERSION = 3, 1

# Of versions 1 and 2, which have no place for it.
POINTER_SIZE = 8


class Trace:
    """One file: its bytes, and the event types known so far, by what events call them."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.budget = Budget(len(data))
        self.pointer_size = POINTER_SIZE
        self.metadata = {}

    def read(self):
        stream_header(self.cursor)
        types = objects(self.cursor, BEGIN)
        # The generator is left alone where the file is one object: no end of stream follows.
        first = next(types, None)
        if first is None:
            raise Rejection("there is no object", "malformed", self.cursor.at - 1)
        if first.name == SINGLE_OBJECT:
            self.single_object(first)
        else:
            self.trace(first)
            for kind in types:
                self.event_block(kind)

    def expect(self, kind, version):
        """Says no where the case is of another version than the file."""
        expected = self.reporter.format.partition("@")[0]
        if expected.startswith("netperf-v") and expected != f"netperf-v{version}":
            raise Rejection(f"the file has version {version}", "unsupported", kind.at)

    # Version 3

    def trace(self, kind):
        if kind.name != TRACE:
            refuse_first(kind, {EVENT_BLOCK})
        if kind.version != TRACE_VERSION:
            raise Rejection(f"the trace has version {kind.version}", "unsupported", kind.at)
        kind.refuse_newer(TRACE_VERSION)
        self.expect(kind, TRACE_VERSION)
        members = trace_time(self.cursor) | trace_process(self.cursor)
        self.pointer_size = members["pointer_size"]
        self.reporter.record({"record": "trace", **members})

    def event_block(self, kind):
        if kind.name == TRACE:
            raise Rejection("a second Trace object", "malformed", kind.name_at)
        if kind.name != EVENT_BLOCK:
            raise Rejection(f"an object is of the unknown type {kind.name!r}", "unsupported", kind.name_at)
        kind.refuse_newer(EVENT_BLOCK_VERSION)
        self.events(block(self.cursor), self.numbered)

    def numbered(self, event):
        """Metadata of version 3, under a number of its own."""
        metadata = Metadata(event.payload)
        return metadata.id, metadata

    # Versions 1 and 2

    def single_object(self, kind):
        if kind.version not in rows.PROVIDERS:
            raise Rejection(f"the object has version {kind.version}", "unsupported", kind.at)
        kind.refuse_newer(kind.version)
        self.expect(kind, kind.version)
        cursor = self.cursor
        at = cursor.at
        reference = cursor.i32("forward reference")
        members = trace_time(cursor)
        end = rows.end_of_events(cursor, reference, at)
        self.reporter.record({"record": "trace", **members})

        def placed(event):
            """Metadata of this version, called by the place where its event begins."""
            return event.start, rows.Metadata(event.payload, kind.version)

        self.events(cursor.part(end - cursor.at, "events"), placed, exact=True)
        tag(cursor, END, "end of the object")

    # All versions

    def events(self, cursor, define, exact=False):
        while cursor.left():
            event = rows.Event(cursor, exact, self.budget)
            if event.metadata_id:
                self.event(event)
                continue
            key, metadata = define(event)
            if key in self.metadata:
                raise Rejection(f"metadata {key} is defined again", "malformed", event.payload.first)
            self.metadata[key] = metadata
            self.reporter.record(metadata.record())

    def event(self, event):
        kind = self.metadata.get(event.metadata_id)
        if kind is None:
            raise Rejection(f"there is no metadata {event.metadata_id}", "malformed", event.start + 4)
        record = {"record": "event", **kind.members, **event.members()}
        record["stack"] = event.stack(self.pointer_size)
        if kind.fields is not None:
            record["fields"] = read_fields(kind.fields, event.payload)
        self.reporter.record(record)


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-netperf", version="1", read=read)
