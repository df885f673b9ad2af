"""What several blocks are made of, beside plain integers."""

from cursor import text


def string(cursor, what):
    """UTF-8 after its length in bytes."""
    return text(cursor.take(cursor.varuint(32, f"length of {what}"), what))


def key_value(cursor):
    return string(cursor, "key"), string(cursor, "value")
