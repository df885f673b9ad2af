"""Event types in NetPerf and NetTrace 4 and 5: their names, and the types of their fields."""

import datetime

from tracegauge import Rejection
from values import PRIMITIVES, Type, elements, missing, read_fields, terminated_string

# Readers must support at least 64 nested types. This limit is well within Python's own.
MAX_DEPTH = 100

OBJECT, DECIMAL, DATE_TIME, ARRAY = 1, 15, 16, 19

OPCODE_TAG, FIELDS_TAG = 1, 2

NAMES = {
    1: "object", 3: "boolean", 4: "char", 5: "sbyte", 6: "byte", 7: "int16", 8: "uint16", 9: "int32", 10: "uint32",
    11: "int64", 12: "uint64", 13: "single", 14: "double", 15: "decimal", 16: "date_time", 17: "guid", 18: "string",
    19: "array",
}


class Metadata:
    """The payload of a metadata event of NetPerf 3 and NetTrace. `members` are the members that
    events of this type also have."""

    __slots__ = ("id", "members", "fields")

    def __init__(self, cursor):
        self.id = cursor.i32("metadata id")
        self.members = {
            "provider": terminated_string(cursor),
            "event_id": cursor.i32("event id"),
            "name": terminated_string(cursor),
            "keywords": cursor.u64("keywords"),
            "version": cursor.i32("version"),
            "level": cursor.i32("level"),
        }
        self.fields = fields(cursor) if cursor.left() else None
        while cursor.left():
            self.tag(cursor)

    def record(self):
        record = {"record": "metadata", **self.members}
        if self.fields is not None:
            record["fields"] = described(self.fields)
        return record

    def tag(self, cursor):
        """Reads a tag, which since .NET 5 may follow the fields and add information."""
        size = cursor.length("size of a tag")
        kind = cursor.u8("kind of a tag")
        body = cursor.part(size, "tag")
        if kind == OPCODE_TAG:
            self.members["opcode"] = body.u8("opcode")
        elif kind == FIELDS_TAG:
            self.fields = sized_fields(body)


def fields(cursor, depth=1):
    """Returns pairs of name and type for fields without a size, whose type precedes their name."""
    found = []
    for _ in range(cursor.length("number of fields")):
        kind = type_of(cursor, fields, depth)
        found.append((terminated_string(cursor), kind))
    return found


def sized_fields(cursor, depth=1):
    """Returns the same pairs for fields with a size, whose name precedes their type."""
    found = []
    for _ in range(cursor.length("number of fields")):
        at = cursor.at
        size = cursor.i32("size of a field")
        if size < 4:
            raise Rejection(f"a field of {size} bytes does not hold its own size", "malformed", at)
        field = cursor.part(size - 4, "field")
        name = terminated_string(field)
        found.append((name, type_of(field, sized_fields, depth)))
    return found


def type_of(cursor, members, depth):
    """Reads a type. `members` reads the fields of an object."""
    at = cursor.at
    if depth > MAX_DEPTH:
        raise Rejection(f"a type is nested more than {MAX_DEPTH} deep", "unsupported", at)
    code = cursor.i32("type code")
    if code in SIMPLE:
        return simple(code)
    if code == OBJECT:
        return object_of(members(cursor, depth + 1))
    # Arrays were introduced together with the fields that have a size.
    if code == ARRAY and members is sized_fields:
        return array_of(type_of(cursor, members, depth + 1))
    raise Rejection(f"the type code {code} is unknown", "malformed", at)


def described(listed):
    """Returns fields in the form used in records, or None if no fields are listed."""
    return None if listed is None else [(name, _described(kind)) for name, kind in listed]


def _described(kind):
    return {
        "code": NAMES[kind.code],
        "element_type": _described(kind.element) if kind.element else None,
        "object_fields": described(kind.members),
    }


def simple(code):
    kind = Type(code, None, None, None)
    kind.size, kind.read = SIMPLE[code]
    return kind


def object_of(members):
    kind = Type(OBJECT, None, None, members)
    kind.read = lambda payload: read_fields(members, payload)
    return kind


def array_of(element):
    kind = Type(ARRAY, element, None, None)
    kind.read = lambda payload: elements(element, payload.u16("element count"), payload)
    return kind


def file_time(payload):
    """Reads a time in units of 100 nanoseconds since 1601."""
    ticks = payload.u64("DateTime")
    try:
        date = datetime.datetime(1601, 1, 1) + datetime.timedelta(seconds=ticks // 10**7)
    except OverflowError:
        return missing("there is no such date")
    return f"{date.isoformat()}.{ticks % 10**7:07}Z"


SIMPLE = PRIMITIVES | {
    DECIMAL: (16, lambda payload: payload.take(16, "Decimal")),
    DATE_TIME: (8, file_time),
}
