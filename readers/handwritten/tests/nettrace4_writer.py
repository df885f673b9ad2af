"""The parts of a NetTrace 4 file, for tests. Each function returns bytes."""

import eventpipe_writer
from eventpipe_writer import FAST_SERIALIZATION, NO_GUID, metadata, object_type, trace_data
from nettrace_writer import varuint
from support import pack

EVENT, METADATA, STACK, SEQUENCE_POINT = b"EventBlock", b"MetadataBlock", b"StackBlock", b"SPBlock"


def start(pointer_size=8, version=4, minimum=4):
    kind = object_type(b"Trace", version, 5, minimum)
    return b"Nettrace" + FAST_SERIALIZATION + kind + trace_data(pointer_size) + b"\x06"


def file(*blocks, end=b"\x01", version=2, **trace):
    """Returns a file. Each block is given as a pair of its type and its bytes."""
    raw = start(**trace)
    for name, data in blocks:
        raw += eventpipe_writer.block(len(raw), object_type(name, version, 5, version), data)
    return raw + end


def rows(*blobs, flags=1, reserved=b""):
    return pack("hhqq", 20 + len(reserved), flags, 0, 0) + reserved + b"".join(blobs)


def events(*blobs, **header):
    return EVENT, rows(*blobs, **header)


def blob(payload=b"", metadata_id=1, step=1, capture=11, processor=3, thread=12, stack=0, time=10):
    """Returns a compressed blob that contains all its members, and the GUIDs 1 and 2."""
    values = [metadata_id, step - 1, capture, processor, thread, stack, time]
    guids = bytes(15) + b"\1" + bytes(15) + b"\2"
    return b"\xff" + b"".join(map(varuint, values)) + guids + varuint(len(payload)) + payload


def uncompressed(payload=b"", metadata_id=1, number=5, stack=0, padding=b"", time=10):
    raw = pack("IIQQIIq", metadata_id, number, 12, 11, 3, stack, time) + NO_GUID * 2 + pack("I", len(payload))
    raw += payload + padding
    return pack("I", len(raw)) + raw


def described(*metadata):
    """Returns a metadata block that begins like the runtime's: its first blob has the sequence
    number 0."""
    first = b"\x83\x00" + varuint(2**32 - 1) + b"\x00" + varuint(2**32 - 1)
    heads = [first, *[b"\x80"] * len(metadata)]
    return METADATA, rows(*(head + b"\x05" + varuint(len(raw)) + raw for head, raw in zip(heads, metadata)))


def typed(*fields):
    """Returns metadata 1 with these fields."""
    return described(metadata(1, eventpipe_writer.members(*fields)))


def stacks(first, *raw):
    return STACK, pack("ii", first, len(raw)) + b"".join(pack("i", len(one)) + one for one in raw)


def sequence_point(*threads, rest=b""):
    listed = b"".join(pack("QI", thread, number) for thread, number in threads)
    return SEQUENCE_POINT, pack("qi", -99, len(threads)) + listed + rest
