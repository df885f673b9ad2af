"""Event rows in an EventBlock: their headers, and the positions of their payloads."""

import struct

from tracegauge import Rejection

COMPRESSED = 1
U32 = 2**32 - 1
U64 = 2**64 - 1

UNCOMPRESSED_HEADER = struct.Struct("<IIQQIIQII")


class Row:
    """The header of an event. `places` contains the positions of the members that this row itself
    contains. The other members are inherited from the previous row."""

    __slots__ = (
        "metadata_id", "sequence_number", "capture_thread", "processor", "thread", "stack_id",
        "timestamp", "label_list_id", "is_sorted", "payload_size", "payload_at", "start", "places",
    )

    def __init__(self):
        self.metadata_id = self.sequence_number = self.capture_thread = self.processor = 0
        self.thread = self.stack_id = self.timestamp = self.label_list_id = self.payload_size = 0

    def place(self, member):
        return self.places.get(member, self.start)


def rows(block):
    """Yields the rows of an EventBlock, as a single object that is reused for each row."""
    at = block.at
    size = block.u16("HeaderSize")
    if size < 20:
        raise Rejection(f"HeaderSize is {size}, less than the header has", "malformed", at)
    header = block.part(size - 2, "header")
    read = compressed if header.u16("Flags") & COMPRESSED else uncompressed
    row = Row()
    if not block.left():
        raise Rejection("an event block has no events", "malformed", block.at)
    while block.left():
        row.start = block.at
        row.places = {}
        read(row, block)
        yield row


def compressed(row, block):
    start, places = row.start, row.places
    flags = block.u8("flags of an event")
    sequence_number = row.sequence_number
    if flags & 1:
        places["metadata_id"] = block.at
        row.metadata_id = block.varuint(32, "MetadataId")
    if flags & 2:
        sequence_number += block.varuint(32, "SequenceNumber")
        places["capture_thread"] = block.at
        row.capture_thread = block.varuint(64, "CaptureThreadIndex")
        row.processor = block.varuint(32, "ProcessorNumber")
    row.sequence_number = (sequence_number + 1) & U32
    if flags & 4:
        places["thread"] = block.at
        row.thread = block.varuint(64, "ThreadIndex")
    if flags & 8:
        places["stack_id"] = block.at
        row.stack_id = block.varuint(32, "StackId")
    row.timestamp = (row.timestamp + block.varuint(64, "TimeStamp")) & U64
    if flags & 16:
        places["label_list_id"] = block.at
        row.label_list_id = block.varuint(32, "LabelListId")
    row.is_sorted = flags & 64 != 0
    if flags & 128:
        row.payload_size = block.varuint(32, "PayloadSize")
    row.payload_at = block.skip(row.payload_size, "payload")


def uncompressed(row, block):
    event = block.part(block.u32("EventSize"), "event")
    at = event.at
    (
        metadata_id, row.sequence_number, row.thread, row.capture_thread, row.processor, row.stack_id,
        row.timestamp, row.label_list_id, row.payload_size,
    ) = event.unpack(UNCOMPRESSED_HEADER, "header of an event")
    row.places = {
        "metadata_id": at, "thread": at + 8, "capture_thread": at + 16, "stack_id": at + 28,
        "label_list_id": at + 40,
    }
    row.metadata_id = metadata_id & 0x7FFFFFFF
    # The specification names the bit but does not describe it. All writers set it if the event is
    # not sorted.
    row.is_sorted = metadata_id >> 31 == 0
    if row.payload_size != event.left():
        why = f"PayloadSize is {row.payload_size}, and EventSize leaves {event.left()} bytes"
        raise Rejection(why, "malformed", at + 44)
    row.payload_at = event.at
