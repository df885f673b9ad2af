"""Events of NetPerf, and the substitutes for blocks in versions 1 and 2: metadata that is
identified by its position, and a label for the end of the events."""

import struct

from eventpipe import described, fields
from fastserialization import addresses
from tracegauge import Rejection
from values import Payload, guid_text, terminated_string

HEADER = struct.Struct("<iiq16s16si")

# The end tag, a table of one forward reference, and the two labels that lead to it.
END_SIZE = 1 + 8 + 4 + 4


class Event:
    """An event: its header, and the positions of its payload and its stack."""

    __slots__ = (
        "start", "metadata_id", "thread_id", "timestamp", "activity_id", "related_activity_id",
        "payload", "stack_at", "stack_size",
    )

    def __init__(self, cursor, exact, budget):
        """Reads an event. If `exact` is true, nothing may follow the stack, not even padding."""
        self.start = cursor.at
        body = cursor.part(cursor.length("EventSize"), "event")
        at = body.at + HEADER.size - 4
        (
            self.metadata_id, self.thread_id, self.timestamp, self.activity_id, self.related_activity_id,
            payload_size,
        ) = body.unpack(HEADER, "header of an event")
        if payload_size < 0:
            raise Rejection(f"PayloadSize is {payload_size}", "malformed", at)
        payload_at = body.skip(payload_size, "payload")
        self.payload = Payload(body.data, payload_at, body.at, budget)
        self.stack_size = body.length("size of the stack")
        self.stack_at = body.skip(self.stack_size, "stack")
        if exact and body.left():
            raise Rejection(f"{body.left()} bytes follow the stack of an event", "malformed", body.at)

    def members(self):
        return {
            "timestamp": self.timestamp,
            "thread_id": self.thread_id,
            "activity_id": guid_text(self.activity_id),
            "related_activity_id": guid_text(self.related_activity_id),
        }

    def stack(self, pointer_size):
        return addresses(self.payload.data, self.stack_at, self.stack_size, pointer_size)


# The member for the provider and the function that reads it, by version.
PROVIDERS = {
    1: ("provider_guid", lambda cursor: guid_text(cursor.take(16, "provider"))),
    2: ("provider", terminated_string),
}


class Metadata:
    """The payload of a metadata event of versions 1 and 2."""

    __slots__ = ("members", "fields")

    def __init__(self, cursor, version):
        name, provider = PROVIDERS[version]
        self.members = {
            name: provider(cursor),
            "event_id": cursor.i32("event id"),
            "version": cursor.i32("event version"),
        }
        self.fields = None
        size = cursor.length("size of the definition")
        if size:
            self.define(cursor.part(size, "definition"))

    def define(self, cursor):
        cursor.skip(4, "event id")
        self.members["name"] = terminated_string(cursor)
        self.members["keywords"] = cursor.u64("keywords")
        cursor.skip(4, "version")
        self.members["level"] = cursor.i32("level")
        self.fields = fields(cursor)

    def record(self):
        """Returns the metadata record, which has no keywords and no level in these versions."""
        shown = {name: value for name, value in self.members.items() if name not in ("keywords", "level")}
        record = {"record": "metadata", **shown}
        if self.fields is not None:
            record["fields"] = described(self.fields)
        return record


def end_of_events(cursor, reference, reference_at):
    """Returns the position where the events end. The last four bytes of the file lead to the
    position of the table of forward references, and the object contains the index of its own
    reference."""
    cursor.need(END_SIZE, "end of the file")
    last = len(cursor.data) - 4
    place = label(cursor, last, last - 4)
    table = label(cursor, place, place - 4)
    count = struct.unpack_from("<i", cursor.data, table)[0]
    if not 0 <= count <= (place - table - 4) // 4:
        raise Rejection(f"there are {count} forward references", "malformed", table)
    if not 0 <= reference < count:
        raise Rejection(f"the forward reference {reference} is none of {count}", "malformed", reference_at)
    return label(cursor, table + 4 + 4 * reference, table - 1)


def label(cursor, place, last):
    """Returns the target of a label, which must be after the first fields of the object and not
    after `last`."""
    target = struct.unpack_from("<I", cursor.data, place)[0]
    if not cursor.at <= target <= last:
        raise Rejection(f"a label leads to {target}", "malformed", place)
    return target
