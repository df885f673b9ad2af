"""Payloads: the types of fields in NetTrace 6, and the functions that read their values."""

import struct

from values import PRIMITIVES, Type, elements, iso_date, missing, plain, read_fields

OBJECT = 1


def make_type(code, element=None, count=None, members=None):
    """Creates a type from its code, or returns None if there is no such code."""
    made = Type(code, element, count, members)
    if code in FIXED:
        made.size, read = FIXED[code]
        made.read = read
    elif code in COMPOSED:
        size, read = COMPOSED[code]
        made.size = size(made)
        made.read = lambda payload: read(made, payload)
    else:
        return None
    return made


def array(kind, payload):
    return elements(kind.element, payload.u16("element count"), payload)


def fixed_length_array(kind, payload):
    return elements(kind.element, kind.count, payload)


def rel_loc(kind, payload):
    place = payload.u32("RelLoc")
    return located(kind, payload, payload.at + (place & 0xFFFF), place >> 16)


def data_loc(kind, payload):
    place = payload.u32("DataLoc")
    return located(kind, payload, payload.first + (place & 0xFFFF), place >> 16)


def located(kind, payload, at, size):
    """Reads a value from another range. Later fields can be read even if the range is wrong."""
    if at + size > payload.last:
        return missing(f"{size} bytes at {at - payload.first} are not all within the payload")
    width = kind.element.size
    if size % width if width else size:
        return missing(f"{size} bytes are no whole number of elements of {width} bytes")
    count = size // width if width else 0
    return elements(kind.element, count, payload.located(at, size))


def varint(payload):
    value = payload.varuint(64, "VarInt")
    return (value >> 1) ^ -(value & 1)


def date_time(payload):
    date = iso_date(struct.unpack("<8h", payload.take(16, "DateTime")))
    return missing("there is no such date") if date is None else date


# Simple types, each with its size, or None if it varies, and the function that reads it.
FIXED = PRIMITIVES | {
    16: (16, date_time),
    20: (None, varint),
    21: (None, lambda payload: payload.varuint(64, "VarUInt")),
    23: plain("B"),
    26: (1, lambda payload: payload.u8("Boolean8") != 0),
}


def _object_size(kind):
    sizes = [member.size for _, member in kind.members]
    return None if None in sizes else sum(sizes)


def _fixed_array_size(kind):
    return None if kind.element.size is None else kind.element.size * kind.count


# Composite types, each with functions that determine the size and read the value.
COMPOSED = {
    OBJECT: (_object_size, lambda kind, payload: read_fields(kind.members, payload)),
    19: (lambda kind: None, array),
    22: (_fixed_array_size, fixed_length_array),
    24: (lambda kind: 4, rel_loc),
    25: (lambda kind: 4, data_loc),
}
