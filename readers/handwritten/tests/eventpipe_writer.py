"""The common parts of NetPerf files and NetTrace 4 and 5 files, for tests. Each function returns
bytes."""

from support import pack

FAST_SERIALIZATION = pack("i", 20) + b"!FastSerialization.1"
NO_GUID = bytes(16)

BYTE, CHAR, INT32, STRING = 6, 4, 9, 18


def utf16(text):
    return text.encode("utf-16-le", "surrogatepass") + b"\0\0"


def object_type(name, version, begin, minimum=0):
    return bytes([begin, begin, 1]) + pack("iii", version, minimum, len(name)) + name + b"\x06"


def time(date=(2024, 5, 1, 6, 7, 8, 9, 123), ticks=1000, frequency=10**9):
    return pack("8hqq", *date, ticks, frequency)


def trace_data(pointer_size=8, **clock):
    return time(**clock) + pack("iiii", pointer_size, 4711, 2, 10**6)


def block(at, kind, raw):
    """Returns a block whose type begins at position `at` of the file."""
    start = kind + pack("i", len(raw))
    return start + bytes(-(at + len(start)) % 4) + raw + b"\x06"


def simple(code):
    return pack("i", code)


def members(*described):
    """Returns fields without a size, from pairs of name and type."""
    return pack("i", len(described)) + b"".join(kind + utf16(name) for name, kind in described)


def sized_members(*described, rest=b""):
    raw = [utf16(name) + kind + rest for name, kind in described]
    return pack("i", len(raw)) + b"".join(pack("i", 4 + len(one)) + one for one in raw)


def object_of(fields):
    return simple(1) + fields


def array_of(element):
    return simple(19) + element


def tag(kind, body):
    return pack("iB", len(body), kind) + body


def metadata(number=1, fields=members(), tags=b"", provider="P", event_id=7, name="E"):
    start = pack("i", number) + utf16(provider) + pack("i", event_id) + utf16(name)
    return start + pack("Qii", 2**63, 3, 4) + fields + tags
