"""A reader of dial9-trace-format, version 1, written from the format's document.

Where the document is silent:
- A type code outside the table is rejected where an event needs it; the schema itself
  can be read without.
- `has_timestamp` other than 0 and 1 is rejected.
- A schema that comes again is identical if its bytes are.
- Pool ids are resolved as an event is read; an id that has no string yet is a missing
  value, and one that comes again has its new string from there on.
- A LEB128 may be longer than it need be, up to ten bytes.
"""

import struct

import tracegauge
from cursor import Cursor, text
from tracegauge import Rejection

MAGIC = b"TRC\0"
VERSION = 1
U64_MAX = 2**64 - 1

I64 = struct.Struct("<q")
F64 = struct.Struct("<d")


class Schema:
    __slots__ = ("name", "timed", "fields", "raw")


class Trace:
    """One stream: its bytes, and what its frames have defined so far."""

    def __init__(self, data, reporter):
        self.cursor = Cursor(data, 0, len(data), "incomplete")
        self.reporter = reporter
        self.schemas = {}
        self.pool = {}
        self.base = 0

    def read(self):
        self.header()
        cursor = self.cursor
        while cursor.at < cursor.end:
            at = cursor.at
            tag = cursor.u8("tag")
            frame = FRAMES.get(tag)
            if frame is None:
                raise Rejection(f"a frame has the unknown tag {tag:#04x}", "malformed", at)
            frame(self)

    def header(self):
        cursor = self.cursor
        start = cursor.data[:4]
        if not MAGIC.startswith(start):
            raise Rejection(f"the stream begins with {start.hex()}", "malformed", 0)
        cursor.skip(4, "magic")
        version = cursor.u8("version")
        if version != VERSION:
            raise Rejection(f"the version is {version}", "unsupported", 4)

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
        read = VALUES.get(code)
        if read is None:
            raise Rejection(f"a value has the unknown type {code}", "malformed", self.cursor.at)
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
        # The fault is at the first address that is not there whole.
        whole = min(count, cursor.left() // 8)
        at = cursor.skip(8 * whole, "addresses")
        if whole < count:
            cursor.need(8, "address")
        return struct.unpack_from(f"<{count}Q", cursor.data, at)

    def string_map(self):
        count = self.cursor.u32("pair count")
        return [(self.string(), self.string()) for _ in range(count)]


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


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-dial9", version="1", read=read)
