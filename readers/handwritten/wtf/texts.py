"""Texts in arguments and in the header, and JSON in both."""

import itertools
import json
import re
from math import inf

from tracegauge import Rejection, Rendered

# The maximum nesting, which the parsers of Python and many other languages support. Values that are
# nested more deeply are not reported.
MAX_DEPTH = 200
OPENING, CLOSING = ("[", "{"), ("]", "}")
TOKEN = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"|[^"\[\]{}]+|"', re.DOTALL)
SURROGATE = re.compile("[\ud800-\udfff]")
ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Text(str):
    """A text with its raw bytes and their position."""

    __slots__ = ("at", "raw")

    def __new__(cls, text, at, raw):
        self = super().__new__(cls, text)
        self.at, self.raw = at, raw
        return self


def ascii_text(cursor, what):
    """Reads a text, or None if it is empty, because the format does not distinguish the two."""
    raw = cursor.take(cursor.u16(f"length of {what}"), what)
    return str(raw, "latin-1") or None


def utf8(cursor, what):
    """Reads a text in which each UTF-16 code unit is encoded separately, including the surrogates
    of a pair. Returns None if there are no code units. In that case, no byte count follows."""
    start = cursor.at
    units = cursor.u16(f"characters of {what}")
    if units == 0:
        return None
    raw = cursor.take(cursor.u16(f"bytes of {what}"), what)
    at = cursor.at - len(raw)
    try:
        decoded = str(raw, "utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Rejection(f"{what} is not well formed: {error.reason}", "malformed", at + error.start) from None
    astral = ASTRAL.search(decoded)
    if astral:
        before = decoded[:astral.start()].encode("utf-8", "surrogatepass")
        raise Rejection(f"{what} has a character of 4 bytes", "malformed", at + len(before))
    try:
        # Join surrogate pairs to characters.
        joined = decoded.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        before = decoded[:error.start // 2].encode("utf-8", "surrogatepass")
        raise Rejection(f"{what} has half a surrogate pair", "malformed", at + len(before)) from None
    if len(decoded) != units:
        raise Rejection(f"{what} has {len(decoded)} characters, not {units}", "malformed", start)
    return Text(joined, at, raw)


def header_text(cursor, what):
    """Reads a text as literally specified: a length of 2 bytes, and UTF-8."""
    raw = cursor.take(cursor.u16(f"length of {what}"), what)
    at = cursor.at - len(raw)
    try:
        return Text(str(raw, "utf-8"), at, raw) if raw else None
    except UnicodeDecodeError as error:
        raise Rejection(f"{what} is not UTF-8: {error.reason}", "malformed", at + error.start) from None


def json_value(text, what):
    """Parses JSON. If it is nested too deeply for Python's parser, returns the outermost value,
    with nested values replaced by zeros."""
    try:
        return parse(text) if depth(text) <= MAX_DEPTH else parse_deep(text)
    except ValueError as error:
        raise Rejection(f"{what} is not JSON: {error}", "malformed", text.at) from None


def parse(text):
    return json.loads(text, parse_int=number, parse_float=number, parse_constant=constant)


def parse_deep(text):
    """Parses from the inside out: each list or object separately, with nested ones replaced by
    zeros."""
    pending = [[]]
    outermost = None
    for token in TOKEN.findall(text):
        if token in OPENING:
            pending.append([])
        pending[-1].append(token)
        if token in CLOSING and len(pending) > 1:
            outermost = parse("".join(pending.pop()))
            pending[-1].append(" 0 ")
    # If all brackets match, a single zero is left.
    parse("".join(itertools.chain(*pending)))
    return outermost


def number(digits):
    """Parses a number as a double. Infinite numbers are reported in the protocol's form, because
    JSON has no numbers for them."""
    value = float(digits)
    if value in (inf, -inf):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def constant(name):
    raise ValueError(f"{name} is no value")


def shown_json(text, what):
    """Returns JSON in the form used in records, or None if it is nested too deeply. The JSON value
    null is not returned as None."""
    value = json_value(text, what)
    if depth(text) > MAX_DEPTH:
        return None
    if SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        return text.raw
    return Rendered(value)


def depth(text):
    """Returns the nesting depth of the brackets, provided that the text is JSON."""
    level = deepest = 0
    for token in TOKEN.findall(text):
        if token in OPENING:
            level += 1
            deepest = max(deepest, level)
        elif token in CLOSING:
            level -= 1
    return deepest
