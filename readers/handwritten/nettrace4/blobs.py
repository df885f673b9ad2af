"""Event blobs in event and metadata blocks: their headers, and the positions of their payloads."""

import struct

from tracegauge import Rejection

COMPRESSED = 1
U32 = 2**32 - 1
U64 = 2**64 - 1

# The header of a block, after its size.
HEADER_SIZE = 20
UNCOMPRESSED_HEADER = struct.Struct("<IIQQIIq16s16sI")


class Blob:
    """The header of an event. `places` contains the positions of the members that this blob itself
    contains. The other members are inherited from the previous blob."""

    __slots__ = (
        "metadata_id", "sequence_number", "capture_thread_id", "processor", "thread_id", "stack_id",
        "timestamp", "activity_id", "related_activity_id", "is_sorted", "payload_size", "payload_at",
        "start", "places",
    )

    def __init__(self):
        self.metadata_id = self.sequence_number = self.capture_thread_id = self.processor = 0
        self.thread_id = self.stack_id = self.timestamp = self.payload_size = 0
        self.activity_id = self.related_activity_id = bytes(16)

    def place(self, member):
        return self.places.get(member, self.start)


def blobs(block):
    """Yields the blobs of a block, as a single object that is reused for each blob. The header of
    the block is read first."""
    at = block.at
    size = block.i16("HeaderSize")
    if size < HEADER_SIZE:
        raise Rejection(f"HeaderSize is {size}, less than the header has", "malformed", at)
    header = block.part(size - 2, "header of a block")
    return each(block, compressed if header.u16("Flags") & COMPRESSED else uncompressed)


def each(block, read):
    blob = Blob()
    while block.left():
        blob.start = block.at
        blob.places = {}
        read(blob, block)
        yield blob


def compressed(blob, block):
    places = blob.places
    flags = block.u8("flags of an event")
    if flags & 1:
        places["metadata_id"] = block.at
        blob.metadata_id = block.varuint(32, "MetadataId")
    step = 0 if blob.metadata_id == 0 else 1
    if flags & 2:
        step = block.varuint(32, "SequenceNumber") + 1
        blob.capture_thread_id = block.varuint(64, "CaptureThreadId")
        blob.processor = block.varuint(32, "ProcessorNumber")
    blob.sequence_number = (blob.sequence_number + step) & U32
    if flags & 4:
        blob.thread_id = block.varuint(64, "ThreadId")
    if flags & 8:
        places["stack_id"] = block.at
        blob.stack_id = block.varuint(32, "StackId")
    blob.timestamp = signed(blob.timestamp + block.varuint(64, "TimeStamp"))
    if flags & 16:
        blob.activity_id = block.take(16, "ActivityId")
    if flags & 32:
        blob.related_activity_id = block.take(16, "RelatedActivityId")
    blob.is_sorted = flags & 64 != 0
    if flags & 128:
        blob.payload_size = block.varuint(32, "PayloadSize")
    blob.payload_at = block.skip(blob.payload_size, "payload")


def signed(value):
    """Returns the low 64 bits as a signed number."""
    return ((value + 2**63) & U64) - 2**63


def uncompressed(blob, block):
    event = block.part(block.u32("EventSize"), "event")
    at = event.at
    (
        metadata_id, blob.sequence_number, blob.thread_id, blob.capture_thread_id, blob.processor,
        blob.stack_id, blob.timestamp, blob.activity_id, blob.related_activity_id, blob.payload_size,
    ) = event.unpack(UNCOMPRESSED_HEADER, "header of an event")
    blob.places = {"metadata_id": at, "stack_id": at + 28}
    blob.metadata_id = metadata_id & 0x7FFFFFFF
    blob.is_sorted = metadata_id >> 31 == 0
    blob.payload_at = event.skip(blob.payload_size, "payload")
