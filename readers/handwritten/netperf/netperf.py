"""A reader of NetPerf, versions 1, 2 and 3, written from the format's specification and the notes
on its gaps.

Decisions where these are silent or contradict themselves:
- It rejects: a type or an object that is newer than supported or requires a newer reader; an
  unknown type of object, because its length is unknown; any tag except those of objects and of
  the end; a second Trace object; redefined metadata; an array among fields without a size; an
  incomplete tag at the end of metadata; in versions 1 and 2, extra bytes in an event after its
  stack.
- It accepts and ignores: nonzero padding; in version 3, bytes after the end of the stream and
  extra bytes in an event after its stack; in versions 1 and 2, extra bytes in metadata after a
  definition; stacks of metadata events; tags of unknown kinds; days of the week; event blocks
  without events.
- An event type whose metadata ends before any list of fields has no list, rather than an empty
  one.
- Bytes after the fields in metadata of version 3 are read as tags as in NetTrace 5. If there are
  two field lists, the one in the tag applies. Of two tags of the same kind, the last one applies.
- In versions 1 and 2, the labels must lead from the file's last four bytes to the end of the
  events. Each must be after its target, but they need not be adjacent. The event id and version
  that a definition repeats from the metadata before it are not checked. An event type without a
  definition has no name, keywords, level or fields, rather than empty ones.
- A stack that is not a whole number of addresses is omitted, as is an invalid time.
- A payload that is too short for its fields affects only the fields and not the event. A Decimal
  is reported as its bytes, and a DateTime is a FILETIME.
- If the request names a version, a file of another version is unsupported.
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

# The pointer size for versions 1 and 2, which do not store it.
POINTER_SIZE = 8


class Trace:
    """A file, with its bytes and the event types known so far, by the keys used in events."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.budget = Budget(len(data))
        self.pointer_size = POINTER_SIZE
        self.metadata = {}

    def read(self):
        stream_header(self.cursor)
        types = objects(self.cursor, BEGIN)
        # If the file is a single object, the generator is not used further, because no end of the
        # stream follows.
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
        """Rejects a file whose version is not the requested one."""
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
        """Reads metadata of version 3, which has its own number as its key."""
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
            """Reads metadata of this version, whose key is the position of its event."""
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
