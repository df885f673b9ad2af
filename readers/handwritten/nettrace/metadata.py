"""Metadata rows: the name of an event type, and the layout of the payload of its events."""

from payload import OBJECT, make_type
from primitives import key_value, string
from tracegauge import Rejection
from values import guid_text

# Readers must support at least 64 nested types. This limit is well within Python's own.
MAX_DEPTH = 100

ARRAY, FIXED_LENGTH_ARRAY, REL_LOC, DATA_LOC = 19, 22, 24, 25

# The specification's names of the codes, in the form used in records.
NAMES = {
    1: "object",
    3: "boolean32",
    4: "utf16_code_unit",
    5: "sbyte",
    6: "byte",
    7: "int16",
    8: "uint16",
    9: "int32",
    10: "uint32",
    11: "int64",
    12: "uint64",
    13: "single",
    14: "double",
    16: "date_time",
    17: "guid",
    18: "null_terminated_utf16_string",
    19: "array",
    20: "var_int",
    21: "var_uint",
    22: "fixed_length_array",
    23: "utf8_code_unit",
    24: "rel_loc",
    25: "data_loc",
    26: "boolean8",
}

OPTIONAL = {
    1: ("opcode", lambda cursor: cursor.u8("OpCode")),
    3: ("keywords", lambda cursor: cursor.u64("Keywords")),
    4: ("message_template", lambda cursor: string(cursor, "MessageTemplate")),
    5: ("description", lambda cursor: string(cursor, "Description")),
    6: ("key_values", key_value),
    7: ("provider_guid", lambda cursor: guid_text(cursor.take(16, "ProviderGuid"))),
    8: ("level", lambda cursor: cursor.u8("Level")),
    9: ("version", lambda cursor: cursor.u8("Version")),
}

EVENT_MEMBERS = {"opcode", "keywords", "provider_guid", "level", "version"}


class Metadata:
    """A row. `members` are the members that its events also have, and `more` are the others."""

    __slots__ = ("id", "members", "more", "fields")

    def __init__(self, row):
        self.id = row.varuint(32, "MetaDataId")
        self.members = {
            "provider": string(row, "ProviderName"),
            "event_id": row.varuint(32, "EventId"),
            "name": string(row, "EventName"),
        }
        self.fields = fields(row, 1)
        self.more = optional(row)
        for name in EVENT_MEMBERS & self.more.keys():
            self.members[name] = self.more.pop(name)
        self.more["fields"] = described(self.fields)


def rows(block):
    """Yields the rows of a MetadataBlock, each with its position."""
    block.skip(block.u16("HeaderSize"), "header")
    while block.left():
        at = block.at
        yield at, Metadata(block.part(block.u16("Size of a metadata row"), "metadata row"))


def optional(row):
    part = row.part(row.u16("Size of OptionalMetadata"), "OptionalMetadata")
    members = {"key_values": []}
    while part.left():
        at = part.at
        kind = part.u8("Kind of optional metadata")
        if kind not in OPTIONAL:
            raise Rejection(f"optional metadata has the unknown kind {kind}", "malformed", at)
        name, read = OPTIONAL[kind]
        if name == "key_values":
            members[name].append(read(part))
        else:
            members[name] = read(part)
    return members


def fields(cursor, depth):
    """Reads FieldDescriptions as pairs of name and type."""
    found = []
    for _ in range(cursor.u16("Count of fields")):
        field = cursor.part(cursor.u16("FieldSize"), "field description")
        found.append((string(field, "FieldName"), type_of(field, depth)))
    return found


def described(listed):
    """Returns fields in the form used in records, or None if no fields are listed."""
    return None if listed is None else [(name, _described(kind)) for name, kind in listed]


def _described(kind):
    return {
        "code": NAMES[kind.code],
        "element_type": _described(kind.element) if kind.element else None,
        "element_count": kind.count,
        "object_fields": described(kind.members),
    }


def type_of(cursor, depth):
    at = cursor.at
    if depth > MAX_DEPTH:
        raise Rejection(f"a type is nested more than {MAX_DEPTH} deep", "unsupported", at)
    code = cursor.u8("TypeCode")
    element = count = members = None
    if code in (ARRAY, FIXED_LENGTH_ARRAY, REL_LOC, DATA_LOC):
        element = type_of(cursor, depth + 1)
    if code == FIXED_LENGTH_ARRAY:
        count = cursor.u16("ElementCount")
    if code == OBJECT:
        members = fields(cursor, depth + 1)
    if code in (REL_LOC, DATA_LOC) and element.size is None:
        raise Rejection(f"a type {code} has elements that are not of a fixed size", "malformed", at)
    made = make_type(code, element, count, members)
    if made is None:
        raise Rejection(f"the type code {code} is unknown", "malformed", at)
    return made
