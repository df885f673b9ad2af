"""A reader of dial9-trace-format, version 1, written from the format's specification. It also
supports the additions of later writers that use the same version number.

Decisions where the specification is silent:
- A type code outside the table is rejected only if an event needs it. The schema itself
  can be read without knowing it.
- `has_timestamp` other than 0 and 1 is rejected.
- A repeated schema is identical if its bytes are.
- Pool ids are resolved when an event is read. An id without a string is a missing value, and
  a redefined id has its new string from then on.
- A LEB128 number may be longer than necessary, up to ten bytes.
- A header in mid-stream, in the dialects that have it, discards all earlier definitions.
- An absent field is null. The contents of annotations are neither reported nor compared
  with the schemas.
"""

import contextlib
import struct

import tracegauge
from cursor import Cursor, text
from tracegauge import Rejection

MAGIC = b"TRC\0"
VERSION = 1
U64_MAX = 2**64 - 1

# The bit of a type code that marks an optional field, in later dialects.
OPTIONAL = 0x80
# The maximum nesting of lists and maps, well within Python's own limit.
MAX_DEPTH = 100

I64 = struct.Struct("<q")
F64 = struct.Struct("<d")


class Schema:
    __slots__ = ("name", "timed", "fields", "raw")


class Trace:
    """A stream, with its bytes and the definitions from the frames read so far."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.dialect = DIALECTS[reporter.format]
        self.depth = 0

    def forget(self):
        self.schemas = {}
        self.pool = {}
        self.stacks = {}
        self.base = 0

    def read(self):
        self.header()
        cursor = self.cursor
        frames = self.dialect.frames
        while cursor.at < cursor.end:
            at = cursor.at
            tag = cursor.u8("tag")
            frame = frames.get(tag)
            if frame is None:
                raise Rejection(f"a frame has the unknown tag {tag:#04x}", "malformed", at)
            frame(self)

    def header(self, magic=MAGIC):
        cursor = self.cursor
        at = cursor.at
        start = cursor.data[at:at + len(magic)]
        if not magic.startswith(start):
            raise Rejection(f"{start.hex()} stands where {magic.hex()} should", "malformed", at)
        cursor.skip(len(magic), "magic")
        at = cursor.at
        version = cursor.u8("version")
        if version != VERSION:
            raise Rejection(f"the version is {version}", "unsupported", at)
        self.forget()

    def header_again(self):
        """Reads another header, whose first byte has already been read as a tag."""
        self.header(MAGIC[1:])

    def schema(self):
        cursor = self.cursor
        start = cursor.at
        type_id = cursor.u16("type_id")
        schema = Schema()
        schema.name = self.name("event type name")
        at = cursor.at
        schema.timed = cursor.u8("has_timestamp")
        if schema.timed > 1:
            raise Rejection(f"has_timestamp is {schema.timed}", "malformed", at)
        schema.fields = []
        for _ in range(cursor.u16("field_count")):
            name = self.name("field name")
            schema.fields.append((name, cursor.u8("field_type")))
        schema.raw = cursor.data[start:cursor.at]
        known = self.schemas.setdefault(type_id, schema)
        if known.raw != schema.raw:
            raise Rejection(f"type {type_id} comes again with another schema", "malformed", start)

    def name(self, what):
        cursor = self.cursor
        raw = cursor.take(cursor.u16(f"length of {what}"), what)
        name = text(raw)
        if name is raw:
            raise Rejection(f"{what} is not UTF-8: {raw.hex()}", "malformed", cursor.at - len(raw))
        return name

    def event(self):
        cursor = self.cursor
        at = cursor.at
        type_id = cursor.u16("type_id")
        schema = self.schemas.get(type_id)
        if schema is None:
            raise Rejection(f"no schema for type {type_id}", "malformed", at)
        record = {"record": "event", "name": schema.name}
        if schema.timed:
            record["timestamp"] = self.timestamp()
        record["fields"] = [(name, self.value(code)) for name, code in schema.fields]
        self.reporter.record(record)

    def timestamp(self):
        cursor = self.cursor
        at = cursor.at
        delta = int.from_bytes(cursor.take(3, "timestamp_delta_ns"), "little")
        timestamp = self.base + delta
        if timestamp > U64_MAX:
            raise Rejection(f"{delta} ns after {self.base} ns is past 64 bits", "malformed", at)
        self.base = timestamp
        return timestamp

    def value(self, code):
        at = self.cursor.at
        if code & OPTIONAL and self.dialect.optional:
            code &= ~OPTIONAL
            if code in self.dialect.values and not self.cursor.u8("presence"):
                return None
        read = self.dialect.values.get(code)
        if read is None:
            raise Rejection(f"a value has the unknown type {code}", "malformed", at)
        return read(self)

    def string_pool(self):
        cursor = self.cursor
        for _ in range(cursor.u32("pool count")):
            pool_id = cursor.u32("pool_id")
            self.pool[pool_id] = self.string()

    def timestamp_reset(self):
        self.base = self.cursor.u64("timestamp_ns")

    def string(self):
        return text(self.bytes())

    def bytes(self):
        cursor = self.cursor
        return cursor.take(cursor.u32("length"), "data")

    def pooled_string(self):
        pool_id = self.cursor.u32("pool id")
        value = self.pool.get(pool_id)
        return {"missing": f"no string has the pool id {pool_id}"} if value is None else value

    def stack_frames(self):
        cursor = self.cursor
        count = cursor.u32("stack frame count")
        # The fault is at the first incomplete address.
        whole = min(count, cursor.left() // 8)
        at = cursor.skip(8 * whole, "addresses")
        if whole < count:
            cursor.need(8, "address")
        return struct.unpack_from(f"<{count}Q", cursor.data, at)

    def string_map(self):
        count = self.cursor.u32("pair count")
        return [(self.string(), self.string()) for _ in range(count)]

    def stack_pool(self):
        cursor = self.cursor
        for _ in range(cursor.u32("pool count")):
            pool_id = cursor.u32("pool_id")
            self.stacks[pool_id] = self.stack_frames()

    def pooled_stack_frames(self):
        pool_id = self.cursor.u32("pool id")
        value = self.stacks.get(pool_id)
        return {"missing": f"no stack has the pool id {pool_id}"} if value is None else value

    def annotations(self):
        cursor = self.cursor
        cursor.varuint(64, "type_id")
        for _ in range(cursor.u16("annotation count")):
            cursor.u16("field_index")
            self.name("annotation key")
            self.bytes()

    def dynamic_list(self):
        with self.nested():
            count = self.cursor.u32("element count")
            return [self.tagged() for _ in range(count)]

    def dynamic_map(self):
        with self.nested():
            count = self.cursor.u32("pair count")
            return [(self.tagged(), self.tagged()) for _ in range(count)]

    def tagged(self):
        cursor = self.cursor
        at = cursor.at
        tag = cursor.u8("type tag")
        read = self.dialect.values.get(tag)
        if read is None:
            raise Rejection(f"an element has the unknown type {tag}", "malformed", at)
        return read(self)

    @contextlib.contextmanager
    def nested(self):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            why = f"values are nested more than {MAX_DEPTH} deep"
            raise Rejection(why, "unsupported", self.cursor.at)
        yield
        self.depth -= 1


class Dialect:
    """The frames of a dialect by tag, and its values by type code."""

    def __init__(self, frames, values, optional):
        self.frames, self.values, self.optional = frames, values, optional


FRAMES = {
    0x01: Trace.schema,
    0x02: Trace.event,
    0x03: Trace.string_pool,
    0x05: Trace.timestamp_reset,
}

VALUES = {
    1: lambda trace: trace.cursor.unpack(I64, "I64")[0],
    2: lambda trace: trace.cursor.unpack(F64, "F64")[0],
    3: lambda trace: trace.cursor.u8("Bool") != 0,
    4: Trace.string,
    5: Trace.bytes,
    7: Trace.pooled_string,
    8: Trace.stack_frames,
    9: lambda trace: trace.cursor.varuint(64, "Varint"),
    10: Trace.string_map,
    11: lambda trace: trace.cursor.u8("U8"),
    12: lambda trace: trace.cursor.u16("U16"),
    13: lambda trace: trace.cursor.u32("U32"),
}
GLUED = {**FRAMES, MAGIC[0]: Trace.header_again}
STACK_POOL_FRAMES = {**GLUED, 0x04: Trace.stack_pool}
STACK_POOL_VALUES = {**VALUES, 6: Trace.pooled_stack_frames}
CONTAINER_FRAMES = {**STACK_POOL_FRAMES, 0x06: Trace.annotations}
CONTAINER_VALUES = {**STACK_POOL_VALUES, 14: Trace.dynamic_list, 15: Trace.dynamic_map}

DIALECTS = {
    "dial9-v1": Dialect(FRAMES, VALUES, optional=False),
    "dial9-v1@optional": Dialect(GLUED, VALUES, optional=True),
    "dial9-v1@stackpool": Dialect(STACK_POOL_FRAMES, STACK_POOL_VALUES, optional=True),
    "dial9-v1@containers": Dialect(CONTAINER_FRAMES, CONTAINER_VALUES, optional=True),
}


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-dial9", version="1", read=read)
