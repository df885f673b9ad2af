"""The parts of a NetPerf file, for tests. Each function returns bytes."""

import eventpipe_writer
from eventpipe_writer import FAST_SERIALIZATION, NO_GUID, object_type, time, trace_data, utf16
from support import pack

FILE = b"Microsoft.DotNet.Runtime.EventPipeFile"


def event(payload=b"", metadata_id=1, stack=b"", activity=NO_GUID, related=NO_GUID, rest=None, timestamp=10):
    """Returns an event. `rest` follows the stack. If it is None, padding to 4 bytes follows."""
    raw = pack("iiq", metadata_id, 77, timestamp) + activity + related
    raw += pack("i", len(payload)) + payload + pack("i", len(stack)) + stack
    raw += bytes(-len(raw) % 4) if rest is None else rest
    return pack("i", len(raw)) + raw


def block(at, *events, version=1, minimum=0):
    return eventpipe_writer.block(at, object_type(b"EventBlock", version, 4, minimum), b"".join(events))


def start(pointer_size=8, version=3, minimum=0):
    kind = object_type(b"Trace", version, 4, minimum)
    return FAST_SERIALIZATION + kind + trace_data(pointer_size) + b"\x06"


def file(*blocks, end=b"\x01", **trace):
    """Returns a file of version 3. Each block is given as the list of its events."""
    raw = start(**trace)
    for events in blocks:
        raw += block(len(raw), *events)
    return raw + end


def old_start(version):
    return FAST_SERIALIZATION + object_type(FILE, version, 4) + pack("i", 0) + time()


def old_file(version, *events, labels=None):
    """Returns a file of version 1 or 2. `labels` receives the position where the events end and
    returns the bytes after them."""
    raw = old_start(version) + b"".join(events)
    return raw + (labels or references)(len(raw))


def references(end):
    return b"\x06" + pack("iIII", 1, end, end + 1, end + 9)


def definition(fields, name="E"):
    return pack("i", 7) + utf16(name) + pack("Qii", 2**63, 3, 4) + fields


def old_metadata(version, defined=b""):
    provider = {1: bytes(range(16)), 2: utf16("P")}[version]
    return provider + pack("iii", 7, 3, len(defined)) + defined
