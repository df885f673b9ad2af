"""The parts of a NetTrace 6 file, for tests. Each function returns bytes."""

from support import pack

HEADER = b"Nettrace" + pack("III", 0, 6, 0)
END, TRACE, EVENT, METADATA, SEQUENCE_POINT, STACK, THREAD, REMOVE_THREAD, LABEL_LIST = range(9)


def varuint(value):
    raw = b""
    while value > 0x7F:
        raw += bytes([value & 0x7F | 0x80])
        value >>= 7
    return raw + bytes([value])


def string(text):
    raw = text.encode() if isinstance(text, str) else text
    return varuint(len(raw)) + raw


def sized(raw):
    return pack("H", len(raw)) + raw


def block(kind, raw=b""):
    return pack("I", len(raw) | kind << 24) + raw


def trace(pointer_size=8, key_values=(), rest=b""):
    pairs = b"".join(string(key) + string(value) for key, value in key_values)
    start = pack("8hqqii", 2024, 5, 1, 6, 7, 8, 9, 123, 1000, 10**9, pointer_size, len(key_values))
    return block(TRACE, start + pairs + rest)


def thread(index, info=b""):
    return sized(varuint(index) + info)


def fields(*described):
    return pack("H", len(described)) + b"".join(sized(string(name) + kind) for name, kind in described)


def metadata(row_id, described=(), optional=b"", provider="P", event_id=7, name="E", rest=b""):
    start = varuint(row_id) + string(provider) + varuint(event_id) + string(name)
    return sized(start + fields(*described) + sized(optional) + rest)


def metadata_block(*rows, header=b""):
    return block(METADATA, sized(header) + b"".join(rows))


def event_block(*rows, flags=1, reserved=b""):
    return block(EVENT, pack("hhqq", 20 + len(reserved), flags, 0, 0) + reserved + b"".join(rows))


def event(payload=b"", metadata_id=1, step=1, capture=1, thread_index=1, stack=0, time=10, labels=0):
    """Returns a compressed row that contains all its members."""
    values = [metadata_id, step - 1, capture, 3, thread_index, stack, time, labels, len(payload)]
    return b"\xdf" + b"".join(map(varuint, values)) + payload


def uncompressed(payload=b"", metadata_id=1, number=5, thread_index=1, capture=1, stack=0, time=10, labels=0):
    header = pack("IIQQIIQII", metadata_id, number, thread_index, capture, 3, stack, time, labels, len(payload))
    return pack("I", len(header) + len(payload)) + header + payload


def stacks(first, *raw):
    return block(STACK, pack("II", first, len(raw)) + b"".join(pack("I", len(one)) + one for one in raw))


def label_lists(first, *lists):
    """Returns label lists. Each list consists of pairs of kind and raw value."""
    raw = b""
    for labels in lists:
        for at, (kind, value) in enumerate(labels):
            raw += bytes([kind | (0x80 if at == len(labels) - 1 else 0)]) + value
    return block(LABEL_LIST, pack("II", first, len(lists)) + raw)


def sequence_point(flags=0, threads=()):
    listed = b"".join(varuint(index) + varuint(number) for index, number in threads)
    return block(SEQUENCE_POINT, pack("QII", 99, flags, len(threads)) + listed)


def start(described=()):
    """Returns everything before the first event: thread 1, and metadata 1 with these fields."""
    return HEADER + trace() + metadata_block(metadata(1, described)) + block(THREAD, thread(1))
