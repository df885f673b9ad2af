"""Values in the payloads of events, with types that the file itself describes. This module is
shared by NetTrace and NetPerf.

A payload that is too short or a value that points outside it does not invalidate the trace. The
affected values are reported as missing, with the reason.
"""

import datetime
import struct

from cursor import Cursor
from tracegauge import Rejection

# Arrays of these types are text.
CODE_UNITS = {4: (2, "utf-16-le"), 23: (1, "utf-8")}


class Budget:
    """A limit on the number of values in a trace. Without it, a few bytes could declare billions
    of values, with elements of size zero or with overlapping ranges."""

    def __init__(self, file_size):
        self.left = (1 << 20) + 16 * file_size

    def spend(self, count):
        self.left -= count
        if self.left < 0:
            raise TooMuch("the payloads hold more values than a file of this size should", "unsupported")


class TooMuch(Rejection):
    """Rejects the whole trace, rather than a single value."""


class Payload(Cursor):
    """A payload, with the bytes of one event's fields. `first` and `last` are the limits of the
    whole payload. `broken` is the reason why the values after some position cannot be found."""

    __slots__ = ("first", "last", "budget", "broken")

    def __init__(self, data, at, end, budget):
        super().__init__(data, at, end, "malformed")
        self.first, self.last, self.budget, self.broken = at, end, budget, None

    def located(self, at, size):
        """Returns a cursor over a range of the same payload."""
        part = Payload(self.data, at, at + size, self.budget)
        part.first, part.last = self.first, self.last
        return part


class Type:
    """A type. `size` is in bytes, or None if it varies between values."""

    __slots__ = ("code", "element", "count", "members", "size", "read")

    def __init__(self, code, element, count, members):
        self.code, self.element, self.count, self.members = code, element, count, members
        self.size, self.read = None, None


def read_fields(fields, payload):
    """Reads pairs of name and value. If a value cannot be found, it and all later values are
    missing."""
    payload.budget.spend(len(fields))
    pairs = []
    for name, kind in fields:
        if payload.broken is None:
            try:
                pairs.append((name, kind.read(payload)))
                continue
            except TooMuch:
                raise
            except Rejection as rejection:
                payload.broken = str(rejection)
        pairs.append((name, missing(payload.broken)))
    return pairs


def missing(why):
    return {"missing": why}


def elements(kind, count, payload):
    if kind.code in CODE_UNITS:
        width, encoding = CODE_UNITS[kind.code]
        return code_units(payload.take(width * count, "code units"), encoding)
    if kind.size:
        payload.need(kind.size * count, "array")
    found = []
    for _ in range(count):
        # Spend the budget value by value, because a payload may end before it has the declared
        # number of values.
        payload.budget.spend(1)
        found.append(kind.read(payload))
        if payload.broken is not None:
            raise Rejection(payload.broken)
    return found


def code_units(raw, encoding):
    """Decodes text. Ill-formed text is returned as bytes."""
    try:
        return str(raw, encoding)
    except UnicodeDecodeError:
        return raw


def terminated_string(payload):
    data, start, at = payload.data, payload.at, payload.at
    while True:
        at = data.find(b"\0\0", at, payload.end)
        if at < 0:
            raise Rejection("a string has no terminator", "malformed", start)
        if (at - start) % 2 == 0:
            break
        at += 1
    payload.at = at + 2
    return code_units(data[start:at], "utf-16-le")


def iso_date(parts):
    """Formats a date, or returns None if it is invalid. The day of the week is ignored."""
    year, month, _, day, hour, minute, second, ms = parts
    try:
        date = datetime.datetime(year, month, day, hour, minute, second, ms * 1000)
    except ValueError:
        return None
    # The protocol has no form without a time zone, and the format specifies none for payloads.
    return date.isoformat(timespec="milliseconds") + "Z"


def single(payload):
    raw = payload.take(4, "Single")
    value = struct.unpack("<f", raw)[0]
    if value - value != 0:
        return value
    # Find the shortest number that rounds to this one in 32 bits.
    for digits in range(1, 10):
        short = float(f"{value:.{digits}g}")
        if abs(short) < 3.5e38 and _fits(short, raw):
            return short
    return value


def _fits(value, raw):
    try:
        return struct.pack("<f", value) == raw
    except OverflowError:
        return False


def plain(form):
    form = struct.Struct("<" + form)
    return form.size, lambda payload: payload.unpack(form, "value")[0]


def guid_text(raw):
    """Formats a GUID. Its first three parts are integers and therefore little-endian."""
    parts = raw[3::-1], raw[5:3:-1], raw[7:5:-1], raw[8:10], raw[10:]
    return "-".join(part.hex() for part in parts)


# Types with the same meaning in all versions, by code. Each has its size, or None if it varies, and
# the function that reads it.
PRIMITIVES = {
    3: (4, lambda payload: payload.u32("Boolean") != 0),
    4: plain("H"),
    5: plain("b"),
    6: plain("B"),
    7: plain("h"),
    8: plain("H"),
    9: plain("i"),
    10: plain("I"),
    11: plain("q"),
    12: plain("Q"),
    13: (4, single),
    14: plain("d"),
    17: (16, lambda payload: guid_text(payload.take(16, "Guid"))),
    18: (None, terminated_string),
}
