"""What several blocks are made of, beside plain integers."""

from cursor import text


def string(cursor, what):
    """UTF-8 after its length in bytes."""
    return text(cursor.take(cursor.varuint(32, f"length of {what}"), what))


def key_value(cursor):
    return string(cursor, "key"), string(cursor, "value")


def guid_text(raw):
    """The first three parts are integers, and so stand with their lowest byte first."""
    parts = raw[3::-1], raw[5:3:-1], raw[7:5:-1], raw[8:10], raw[10:]
    return "-".join(part.hex() for part in parts)
