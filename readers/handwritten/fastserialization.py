"""FastSerialization, the encoding of NetPerf and NetTrace 4 and 5: a stream header, and objects
that are each preceded by their whole type. Also the parts of the first object that these formats
share.
"""

import struct

from tracegauge import Rejection
from values import iso_date

NAME = b"!FastSerialization.1"

NULL, BEGIN, BEGIN_PRIVATE, END = 1, 4, 5, 6

TIME_PARTS = "year", "month", "day of the week", "day", "hour", "minute", "second", "millisecond"


def stream_header(cursor):
    at = cursor.at
    size = cursor.i32("length of the stream header")
    if size != len(NAME):
        raise Rejection(f"the stream header is of {size} bytes", "malformed", at)
    at = cursor.at
    name = cursor.take(size, "stream header")
    if name != NAME:
        raise Rejection(f"the stream header is {name!r}", "malformed", at)


class ObjectType:
    """The type of an object: its name, its version, the oldest reader version that can read it, and
    the positions of all three."""

    __slots__ = ("name", "version", "minimum", "at", "name_at")

    def __init__(self, cursor, begin):
        tag(cursor, begin, "begin of a type")
        tag(cursor, NULL, "type of a type")
        self.at = cursor.at
        self.version = cursor.i32("version of a type")
        self.minimum = cursor.i32("minimum version of a type")
        size = cursor.length("length of a type's name")
        self.name_at = cursor.at
        self.name = cursor.take(size, "name of a type")
        tag(cursor, END, "end of a type")

    def refuse_newer(self, version):
        """Rejects a type that is newer than `version` or requires a newer reader."""
        if self.version > version:
            raise Rejection(f"{self.name!r} has the version {self.version}", "unsupported", self.at)
        if self.minimum > version:
            why = f"{self.name!r} needs a reader of version {self.minimum}"
            raise Rejection(why, "unsupported", self.at + 4)


def tag(cursor, expected, what):
    at = cursor.at
    found = cursor.u8(what)
    if found != expected:
        raise Rejection(f"{what}: the tag {found} in place of {expected}", "malformed", at)


def objects(cursor, begin):
    """Yields the type of each object. The caller must read its data before the next type."""
    while True:
        at = cursor.at
        found = cursor.u8("begin of an object, or end of the stream")
        if found == NULL:
            return
        if found != begin:
            raise Rejection(f"the tag {found} begins no object", "malformed", at)
        yield ObjectType(cursor, begin)
        tag(cursor, END, "end of an object")


def refuse_first(kind, known):
    """Rejects a first object that is not a Trace."""
    why = f"the first object is of type {kind.name!r}"
    raise Rejection(why, "malformed" if kind.name in known else "unsupported", kind.name_at)


def block(cursor):
    """Returns a cursor over a block's data, which begins at the next multiple of 4 bytes."""
    size = cursor.length("size of a block")
    cursor.skip(-cursor.at % 4, "padding of a block")
    return cursor.part(size, "block")


def trace_time(cursor):
    """Reads the start time of the trace, as members of its record."""
    return {
        "sync_time_utc": iso_date([cursor.i16(part) for part in TIME_PARTS]),
        "sync_time_ticks": cursor.i64("ticks of the trace"),
        "tick_frequency": cursor.i64("tick frequency"),
    }


def trace_process(cursor):
    names = "pointer_size", "process_id", "number_of_processors", "sampling_rate"
    return {name: cursor.i32(name) for name in names}


def addresses(data, start, size, pointer_size):
    """Returns a stack, or None if the address size is unknown or does not divide the size."""
    form = {4: "I", 8: "Q"}.get(pointer_size)
    if form is None or size % pointer_size:
        return None
    return struct.unpack_from(f"<{size // pointer_size}{form}", data, start)
