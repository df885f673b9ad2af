"""Arguments of events: their types according to a definition, and their values."""

import re
import struct

from texts import ascii_text, shown_json, utf8
from tracegauge import Rejection

FLOAT = struct.Struct("<f")

# The type is everything up to the last space before the name. Text after the name is ignored.
ARGUMENT = re.compile(r"([A-Za-z0-9 \[\]<>]+) ([A-Za-z0-9_]+)")
ARRAY = re.compile(r"(.+)\[\]|sequence<(.+)>")

ALIASES = {
    "byte": "int8", "octet": "uint8", "short": "int16", "unsigned short": "uint16",
    "long": "int32", "unsigned long": "uint32", "float": "float32", "DOMString": "utf8",
}

# The `struct` codes of the types that an array can contain.
NUMBERS = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f"}


def signature(text, at):
    """Returns pairs of name and canonical type. `at` is the position of the text."""
    found = []
    for part in text.split(",") if text else ():
        begin = at + len(part) - len(part.lstrip(" "))
        match = ARGUMENT.match(part)
        if match is None:
            raise Rejection(f"{part!r} is no type and name of an argument", "malformed", begin)
        kind = canonical(match[1].strip(" "))
        if kind is None:
            raise Rejection(f"an argument has the unknown type {match[1]!r}", "malformed", begin)
        found.append((match[2], kind))
        at += len(part) + 1
    return found


def canonical(kind):
    """Returns the name of the type in the table, or None if it has none."""
    array = ARRAY.fullmatch(kind)
    if array:
        element = array[1] or array[2]
        element = ALIASES.get(element, element)
        return element + "[]" if element in NUMBERS else None
    kind = ALIASES.get(kind, kind)
    return kind if kind in TYPES else None


def read_arguments(arguments, cursor):
    return [(name, TYPES[kind](cursor, name)) for name, kind in arguments]


def text(cursor, name):
    found = utf8(cursor, name)
    return None if found is None else str(found)


def any_value(cursor, name):
    found = utf8(cursor, name)
    return None if found is None else shown_json(found, name)


def number(code):
    if code == "f":
        return lambda cursor, name: cursor.unpack(FLOAT, name)[0]
    return lambda cursor, name: cursor.word(code, name)


def array(code):
    size = struct.calcsize(code)

    def read(cursor, name):
        count = cursor.u32(f"count of {name}")
        # The fault is at the first incomplete element.
        whole = min(count, cursor.left() // size)
        at = cursor.skip(size * whole, name)
        if whole < count:
            cursor.need(size, f"an element of {name}")
        mark = "<" if code == "f" else cursor.mark
        return list(struct.unpack_from(f"{mark}{count}{code}", cursor.data, at))

    return read


TYPES = {
    "bool": lambda cursor, name: cursor.u8(name) != 0,
    "ascii": ascii_text,
    "utf8": text,
    "any": any_value,
    "flowId": number("I"),
    "time32": number("I"),
    **{kind: number(code) for kind, code in NUMBERS.items()},
    **{kind + "[]": array(code) for kind, code in NUMBERS.items()},
}
