"""Elements used in several blocks, other than plain integers."""

from cursor import text


def string(cursor, what):
    """Reads a length in bytes and a string in UTF-8."""
    return text(cursor.take(cursor.varuint(32, f"length of {what}"), what))


def key_value(cursor):
    return string(cursor, "key"), string(cursor, "value")
