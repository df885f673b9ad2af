"""A reader of NetTrace, version 6, written from the format's specification.

Decisions where the specification is silent or contradicts itself:
- It rejects: a known block kind other than Trace before the TraceBlock; a second TraceBlock;
  an id or a thread index that is defined twice; a reference to an undefined stack; unknown
  kinds of optional metadata, thread information and labels, because they have no length and
  nothing after them can be found; numbers with more bytes than their width requires; an
  EventSize that does not match the header and payload.
- It accepts and ignores: unknown flags; extra bytes at the end of Trace, SequencePoint and
  LabelList blocks; minimum and maximum of an event block; days of the week.
- Stack 0 and label list 0 are empty. Timestamps and sequence numbers wrap around.
- Threads are checked before a sequence point flushes them, and the threads that it lists need
  not exist.
- A payload that is too short for its fields, or a range outside the payload, affects only the
  fields and not the event.
"""

import struct

import tracegauge
import events
import labels
import metadata
from cursor import Cursor
from primitives import key_value, string
from tracegauge import Rejection, Rendered
from values import Budget, Payload, iso_date, read_fields

MAGIC = b"Nettrace"
MAJOR = 6

END_OF_STREAM, TRACE = 0, 1
NO_PROCESSOR = 2**32 - 1
FLUSH_THREADS, FLUSH_METADATA = 1, 2

TRACE_START = struct.Struct("<8hqqii")

THREAD_INFO = {
    1: ("name", lambda cursor: string(cursor, "Name")),
    2: ("os_process_id", lambda cursor: cursor.varuint(64, "OSProcessId")),
    3: ("os_thread_id", lambda cursor: cursor.varuint(64, "OSThreadId")),
    4: ("key_values", key_value),
}


class Trace:
    """A stream, with its bytes and the rows to which later blocks can refer."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.budget = Budget(len(data))
        self.traced = False
        self.address_form = None
        self.threads = {}
        self.metadata = {}
        self.stacks = {}
        self.label_lists = {}

    def read(self):
        self.stream_header()
        kind = None
        while kind != END_OF_STREAM:
            kind, block = self.block()
            if kind in BLOCKS:
                BLOCKS[kind](self, block)

    def block(self):
        """Returns the kind of the next block and a cursor over its bytes."""
        cursor = self.cursor
        at = cursor.at
        header = cursor.u32("block header")
        kind = header >> 24
        block = cursor.part(header & 0xFFFFFF, f"block of kind {kind}")
        if kind == TRACE and self.traced:
            raise Rejection("a second TraceBlock", "malformed", at)
        if kind in (END_OF_STREAM, *BLOCKS) and kind != TRACE and not self.traced:
            raise Rejection(f"a block of kind {kind} before the TraceBlock", "malformed", at)
        self.traced = self.traced or kind == TRACE
        return kind, block

    def stream_header(self):
        cursor = self.cursor
        start = cursor.data[:8]
        if not MAGIC.startswith(start):
            raise Rejection(f"the stream begins with {start.hex()}", "malformed", 0)
        cursor.skip(8, "magic")
        reserved = cursor.u32("Reserved")
        if reserved:
            raise Rejection(f"Reserved is {reserved:#x}, as before version 6", "unsupported", 8)
        major = cursor.u32("MajorVersion")
        if major != MAJOR:
            raise Rejection(f"the major version is {major}", "unsupported", 12)
        cursor.u32("MinorVersion")

    def trace(self, block):
        at = block.at
        *time, ticks, frequency, pointer_size, count = block.unpack(TRACE_START, "trace")
        if count < 0:
            raise Rejection(f"KeyValueCount is {count}", "malformed", at + 36)
        self.address_form = {4: "I", 8: "Q"}.get(pointer_size)
        self.reporter.record({
            "record": "trace",
            "sync_time_utc": iso_date(time),
            "sync_time_ticks": ticks,
            "tick_frequency": frequency,
            "pointer_size": pointer_size,
            "key_values": [key_value(block) for _ in range(count)],
        })

    def event_block(self, block):
        for row in events.rows(block):
            self.event(row)

    def event(self, row):
        kind = self.find(self.metadata, row.metadata_id, row, "metadata_id", "metadata")
        record = {"record": "event", **kind.members}
        record["timestamp"] = row.timestamp
        record["sequence_number"] = row.sequence_number
        record["is_sorted"] = row.is_sorted
        if row.processor != NO_PROCESSOR:
            record["processor"] = row.processor
        record["capture_thread"] = self.find(self.threads, row.capture_thread, row, "capture_thread", "thread")
        record["thread"] = self.find(self.threads, row.thread, row, "thread", "thread")
        if row.stack_id:
            record["stack"] = self.find(self.stacks, row.stack_id, row, "stack_id", "stack")
        if row.label_list_id:
            found = self.find(self.label_lists, row.label_list_id, row, "label_list_id", "label list")
            record["labels"], overriding = found
            record.update(overriding)
        end = row.payload_at + row.payload_size
        payload = Payload(self.cursor.data, row.payload_at, end, self.budget)
        record["fields"] = read_fields(kind.fields, payload)
        self.reporter.record(record)

    def find(self, table, key, row, member, what):
        found = table.get(key)
        if found is None and key not in table:
            raise Rejection(f"there is no {what} {key}", "malformed", row.place(member))
        return found

    def metadata_block(self, block):
        for at, row in metadata.rows(block):
            if row.id in self.metadata:
                raise Rejection(f"metadata {row.id} is defined again", "malformed", at)
            self.metadata[row.id] = row
            self.reporter.record({"record": "metadata", **row.members, **row.more})

    def sequence_point(self, block):
        timestamp = block.u64("TimeStamp")
        flags = block.u32("Flags")
        for _ in range(block.u32("ThreadCount")):
            block.varuint(64, "ThreadIndex")
            block.varuint(32, "SequenceNumber")
        self.stacks.clear()
        self.label_lists.clear()
        if flags & FLUSH_THREADS:
            self.threads.clear()
        if flags & FLUSH_METADATA:
            self.metadata.clear()
        self.reporter.record({
            "record": "sequence_point",
            "timestamp": timestamp,
            "flush_threads": flags & FLUSH_THREADS != 0,
            "flush_metadata": flags & FLUSH_METADATA != 0,
        })

    def stack_block(self, block):
        first = block.u32("First Id")
        for stack_id in range(first, first + block.u32("Count")):
            at = block.at
            size = block.u32("StackSize")
            start = block.skip(size, "stack")
            if stack_id in self.stacks:
                raise Rejection(f"stack {stack_id} is defined again", "malformed", at)
            self.stacks[stack_id] = self.addresses(start, size)
        if block.left():
            raise Rejection(f"{block.left()} bytes follow the last stack", "malformed", block.at)

    def addresses(self, start, size):
        """Returns a stack, or None if the address size is unknown or does not divide the size."""
        width = struct.calcsize(self.address_form) if self.address_form else 0
        if not width or size % width:
            return None
        form = f"<{size // width}{self.address_form}"
        return Rendered(struct.unpack_from(form, self.cursor.data, start))

    def thread_block(self, block):
        while block.left():
            row = block.part(block.u16("RowSize"), "thread row")
            at = row.at
            index = row.varuint(64, "Index")
            if index in self.threads:
                raise Rejection(f"thread {index} is defined again", "malformed", at)
            members = thread_info(row)
            self.threads[index] = Rendered(members)
            self.reporter.record({"record": "thread", **members})

    def remove_thread_block(self, block):
        while block.left():
            at = block.at
            index = block.varuint(64, "Index")
            block.varuint(32, "SequenceNumber")
            if self.threads.pop(index, None) is None:
                raise Rejection(f"there is no thread {index} to remove", "malformed", at)

    def label_list_block(self, block):
        at = block.at
        first = block.u32("firstIndex")
        if first == 0:
            raise Rejection("firstIndex is 0", "malformed", at)
        for index in range(first, first + block.u32("count")):
            found = labels.label_list(block)
            self.label_lists[index] = Rendered(found), labels.overrides(found)


def thread_info(row):
    members = {"key_values": []}
    while row.left():
        at = row.at
        kind = row.u8("Kind of thread information")
        if kind not in THREAD_INFO:
            raise Rejection(f"thread information has the unknown kind {kind}", "malformed", at)
        name, read = THREAD_INFO[kind]
        if name == "key_values":
            members[name].append(read(row))
        else:
            members[name] = read(row)
    return members


BLOCKS = {
    TRACE: Trace.trace,
    2: Trace.event_block,
    3: Trace.metadata_block,
    4: Trace.sequence_point,
    5: Trace.stack_block,
    6: Trace.thread_block,
    7: Trace.remove_thread_block,
    8: Trace.label_list_block,
}


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-nettrace", version="1", read=read)
