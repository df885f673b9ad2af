"""A reader of NetTrace, versions 4 and 5, written from the notes on these versions and from the
remarks about earlier versions in the specification of version 6. Anything that it does not list
as a change is assumed to be the same in versions 4 and 5.

Decisions where these are silent or contradict themselves:
- It rejects: a type or an object that is newer than supported or requires a newer reader; an
  unknown type of object, because its length is unknown; any tag except those of private objects
  and of the end; a second Trace object; redefined metadata or stacks; a reference to an undefined
  stack; event blocks without events; negative sizes and counts; an array among fields without a
  size; an incomplete tag at the end of metadata; numbers with more bytes than their width
  requires.
- It accepts and ignores: nonzero padding; bytes after the end of the stream and at the end of a
  sequence point; unknown flags; minimum and maximum of an event block; metadata ids in metadata
  blocks; tags of unknown kinds; days of the week.
- The end of an uncompressed event is given by EventSize. Bytes after its payload are padding.
- Bit 31 of the metadata id of such an event is set if it is not sorted.
- An event type whose metadata ends before any list of fields has no list, rather than an empty
  one.
- If there are two field lists, the one in the tag applies. Of two tags of the same kind, the last
  one applies.
- Stack 0 is empty, and processor 0xffffffff is unknown. Sequence numbers and timestamps wrap
  around, and timestamps are signed.
- A stack that is not a whole number of addresses is omitted, as is an invalid time.
- A payload that is too short for its fields affects only the fields and not the event. A Decimal
  is reported as its bytes, and a DateTime is a FILETIME.
"""

import tracegauge
import blobs
from cursor import Cursor
from eventpipe import Metadata
from fastserialization import (
    BEGIN_PRIVATE, addresses, block, objects, refuse_first, stream_header, trace_process, trace_time,
)
from tracegauge import Rejection, Rendered
from values import Budget, Payload, guid_text, read_fields

MAGIC = b"Nettrace"

TRACE = b"Trace"
TRACE_VERSION, BLOCK_VERSION = 4, 2

NO_PROCESSOR = 2**32 - 1


class Trace:
    """A stream, with its bytes and the definitions to which its events can refer."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.budget = Budget(len(data))
        self.pointer_size = None
        self.metadata = {}
        self.stacks = {}

    def read(self):
        self.magic()
        stream_header(self.cursor)
        types = objects(self.cursor, BEGIN_PRIVATE)
        first = next(types, None)
        if first is None:
            raise Rejection("there is no object", "malformed", self.cursor.at - 1)
        self.trace(first)
        for kind in types:
            self.block(kind)

    def magic(self):
        cursor = self.cursor
        start = cursor.data[:8]
        if not MAGIC.startswith(start):
            raise Rejection(f"the stream begins with {start.hex()}", "malformed", 0)
        cursor.skip(8, "magic")
        if cursor.data[8:12] == b"\0\0\0\0":
            raise Rejection("the stream is of version 6 or later", "unsupported", 8)

    def trace(self, kind):
        if kind.name != TRACE:
            refuse_first(kind, BLOCKS)
        if kind.version != TRACE_VERSION:
            raise Rejection(f"the trace has version {kind.version}", "unsupported", kind.at)
        kind.refuse_newer(TRACE_VERSION)
        members = trace_time(self.cursor) | trace_process(self.cursor)
        self.pointer_size = members["pointer_size"]
        self.reporter.record({"record": "trace", **members})

    def block(self, kind):
        if kind.name == TRACE:
            raise Rejection("a second Trace object", "malformed", kind.name_at)
        read = BLOCKS.get(kind.name)
        if read is None:
            raise Rejection(f"an object is of the unknown type {kind.name!r}", "unsupported", kind.name_at)
        kind.refuse_newer(BLOCK_VERSION)
        read(self, block(self.cursor))

    def event_block(self, cursor):
        found = blobs.blobs(cursor)
        if not cursor.left():
            raise Rejection("an event block has no events", "malformed", cursor.at)
        for blob in found:
            self.event(blob)

    def event(self, blob):
        kind = self.metadata.get(blob.metadata_id)
        if kind is None:
            why = f"there is no metadata {blob.metadata_id}"
            raise Rejection(why, "malformed", blob.place("metadata_id"))
        record = {
            "record": "event",
            **kind.members,
            "timestamp": blob.timestamp,
            "thread_id": blob.thread_id,
            "capture_thread_id": blob.capture_thread_id,
            "sequence_number": blob.sequence_number,
            "is_sorted": blob.is_sorted,
            "activity_id": guid_text(blob.activity_id),
            "related_activity_id": guid_text(blob.related_activity_id),
        }
        if blob.processor != NO_PROCESSOR:
            record["processor"] = blob.processor
        if blob.stack_id:
            if blob.stack_id not in self.stacks:
                raise Rejection(f"there is no stack {blob.stack_id}", "malformed", blob.place("stack_id"))
            record["stack"] = self.stacks[blob.stack_id]
        payload = Payload(self.cursor.data, blob.payload_at, blob.payload_at + blob.payload_size, self.budget)
        if kind.fields is not None:
            record["fields"] = read_fields(kind.fields, payload)
        self.reporter.record(record)

    def metadata_block(self, cursor):
        for blob in blobs.blobs(cursor):
            end = blob.payload_at + blob.payload_size
            metadata = Metadata(Cursor(self.cursor.data, blob.payload_at, end, "malformed"))
            if metadata.id in self.metadata:
                raise Rejection(f"metadata {metadata.id} is defined again", "malformed", blob.payload_at)
            self.metadata[metadata.id] = metadata
            self.reporter.record(metadata.record())

    def stack_block(self, cursor):
        first = cursor.i32("first id")
        for stack_id in range(first, first + cursor.length("number of stacks")):
            at = cursor.at
            size = cursor.length("size of a stack")
            start = cursor.skip(size, "stack")
            if stack_id in self.stacks:
                raise Rejection(f"stack {stack_id} is defined again", "malformed", at)
            self.stacks[stack_id] = Rendered(addresses(cursor.data, start, size, self.pointer_size))
        if cursor.left():
            raise Rejection(f"{cursor.left()} bytes follow the last stack", "malformed", cursor.at)

    def sequence_point(self, cursor):
        timestamp = cursor.i64("timestamp")
        threads = []
        for _ in range(cursor.length("number of threads")):
            threads.append({"thread_id": cursor.u64("thread id"), "sequence_number": cursor.u32("sequence number")})
        self.stacks.clear()
        self.reporter.record({"record": "sequence_point", "timestamp": timestamp, "threads": threads})


BLOCKS = {
    b"EventBlock": Trace.event_block,
    b"MetadataBlock": Trace.metadata_block,
    b"StackBlock": Trace.stack_block,
    b"SPBlock": Trace.sequence_point,
}


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-nettrace4", version="1", read=read)
