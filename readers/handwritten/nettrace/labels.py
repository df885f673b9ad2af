"""Label lists, which apply to events of any type."""

from primitives import key_value, string
from tracegauge import Rejection
from values import guid_text

LAST = 0x80


def key_varint(cursor):
    key = string(cursor, "key")
    value = cursor.varuint(64, "value")
    return key, (value >> 1) ^ -(value & 1)


LABELS = {
    1: lambda cursor: guid_text(cursor.take(16, "ActivityId")),
    2: lambda cursor: guid_text(cursor.take(16, "RelatedActivityId")),
    3: lambda cursor: cursor.take(16, "TraceId"),
    4: lambda cursor: cursor.u64("SpanId"),
    5: key_value,
    6: key_varint,
    7: lambda cursor: cursor.u8("OpCode"),
    8: lambda cursor: cursor.u64("Keywords"),
    9: lambda cursor: cursor.u8("Level"),
    10: lambda cursor: cursor.u8("Version"),
}

# The members for which labels override the metadata.
OVERRIDES = {7: "opcode", 8: "keywords", 9: "level", 10: "version"}


def label_list(cursor):
    """Reads a label list as pairs of kind and value."""
    labels = []
    kind = 0
    while not kind & LAST:
        at = cursor.at
        kind = cursor.u8("Kind of label")
        read = LABELS.get(kind & ~LAST)
        if read is None:
            raise Rejection(f"a label has the unknown kind {kind & ~LAST}", "malformed", at)
        labels.append((kind & ~LAST, read(cursor)))
    return labels


def overrides(labels):
    return {OVERRIDES[kind]: value for kind, value in labels if kind in OVERRIDES}
