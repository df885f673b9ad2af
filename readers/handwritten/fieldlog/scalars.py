"""Functions that read the members of items. Each takes the body of a record and the name of
the member."""

import datetime
import struct

from cursor import Cursor
from tracegauge import Rejection

TICKS_A_SECOND = 10**7
YEAR_ONE = datetime.datetime(1, 1, 1)
# The last tick of the year 9999, the maximum value of a DateTime.
LAST_TICK = 3155378975999999999
NULL = -1


class Body(Cursor):
    """A cursor with the version of the file and its strings, by offset."""

    __slots__ = ("version", "strings")

    def __init__(self, data, at, end, cut):
        super().__init__(data, at, end, cut)
        self.version, self.strings = None, {}

    def body(self, size, what):
        """Returns a body of the next `size` bytes and skips them."""
        at = self.skip(size, what)
        body = Body(self.data, at, self.at, "malformed")
        body.version, body.strings = self.version, self.strings
        return body


def number(form):
    form = struct.Struct(">" + form)
    return lambda body, what: body.unpack(form, what)[0]


U8, I16, U16, I32, U32, I64 = map(number, "BhHiIq")


def string(body, what):
    """Returns the string record at the offset that is read, or None if it is null."""
    at = body.at
    offset = I32(body, what)
    if offset == NULL:
        return None
    found = body.strings.get(offset)
    if found is None:
        raise Rejection(f"{what} is at {offset}, where no string began before", "malformed", at)
    return found


def time(body, what):
    """Reads a time in ticks of 100 ns since the year 1."""
    at = body.at
    ticks = I64(body, what)
    if not 0 <= ticks <= LAST_TICK:
        raise Rejection(f"{what} is {ticks} ticks, and there is no such date", "malformed", at)
    seconds, fraction = divmod(ticks, TICKS_A_SECOND)
    date = YEAR_ONE + datetime.timedelta(seconds=seconds)
    # The protocol has no form without a time zone, and DateTime does not store one.
    return f"{date.isoformat()}.{fraction:07}Z"


def guid(body, what):
    """Reads a GUID. Its first three parts are little-endian integers, unlike all others."""
    raw = body.take(16, what)
    parts = raw[3::-1], raw[5:3:-1], raw[7:5:-1], raw[8:10], raw[10:]
    return "-".join(part.hex() for part in parts)


def count(body, what):
    at = body.at
    value = I32(body, what)
    if value < 0:
        raise Rejection(f"{what} is {value}", "malformed", at)
    return value


def enum(names):
    """Returns a function that reads a byte and returns its name, or the number if unnamed."""

    def read(body, what):
        value = U8(body, what)
        return names.get(value, value)

    return read
