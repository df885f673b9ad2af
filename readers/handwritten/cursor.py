"""A position in bytes, with methods for reading. Integers are little-endian, except in `unpack`."""

import struct

from tracegauge import Rejection

_U16 = struct.Struct("<H").unpack_from
_I16 = struct.Struct("<h").unpack_from
_U32 = struct.Struct("<I").unpack_from
_I32 = struct.Struct("<i").unpack_from
_I64 = struct.Struct("<q").unpack_from
_U64 = struct.Struct("<Q").unpack_from


class Cursor:
    """Reads from `at` up to `end`.

    `cut` is the kind of the rejection if there are too few bytes: incomplete if the file is
    truncated, and malformed if a part inside the file is too short. `what` describes the
    thing being read, for the message of the rejection.
    """

    __slots__ = ("data", "at", "end", "cut")

    def __init__(self, data, at, end, cut):
        self.data, self.at, self.end, self.cut = data, at, end, cut

    def left(self):
        return self.end - self.at

    def need(self, size, what):
        if size > self.end - self.at:
            why = f"{what} takes {size} bytes and only {self.end - self.at} are left"
            raise Rejection(why, self.cut, self.at)

    def skip(self, size, what):
        """Skips `size` bytes and returns the position at which they begin."""
        if size > self.end - self.at:
            self.need(size, what)
        at = self.at
        self.at = at + size
        return at

    def u8(self, what):
        return self.data[self.skip(1, what)]

    def u16(self, what):
        return _U16(self.data, self.skip(2, what))[0]

    def i16(self, what):
        return _I16(self.data, self.skip(2, what))[0]

    def u32(self, what):
        return _U32(self.data, self.skip(4, what))[0]

    def i32(self, what):
        return _I32(self.data, self.skip(4, what))[0]

    def length(self, what):
        """Reads a signed count or size, which must not be negative."""
        at = self.at
        length = self.i32(what)
        if length < 0:
            raise Rejection(f"{what} is {length}", "malformed", at)
        return length

    def u64(self, what):
        return _U64(self.data, self.skip(8, what))[0]

    def i64(self, what):
        return _I64(self.data, self.skip(8, what))[0]

    def unpack(self, form, what):
        """Reads the values of a `struct.Struct`."""
        return form.unpack_from(self.data, self.skip(form.size, what))

    def take(self, size, what):
        at = self.skip(size, what)
        return self.data[at:self.at]

    def part(self, size, what):
        """Returns a cursor over the next `size` bytes and skips them."""
        at = self.skip(size, what)
        return Cursor(self.data, at, self.at, "malformed")

    def varuint(self, bits, what):
        """Reads a LEB128 number of at most `bits` bits, stored in at most as many bytes as these
        bits need."""
        data, start, end = self.data, self.at, self.end
        at, value, shift = start, 0, 0
        while True:
            if at >= end:
                raise Rejection(f"{what} is cut", self.cut, start)
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
            if shift >= bits:
                raise Rejection(f"{what} has more bytes than {bits} bits can need", "malformed", start)
        if value >> bits:
            raise Rejection(f"{what} is {value}, more than {bits} bits hold", "malformed", start)
        self.at = at
        return value


def text(raw):
    """Decodes UTF-8. Ill-formed text is returned as bytes, which are reported as hex."""
    try:
        return str(raw, "utf-8")
    except UnicodeDecodeError:
        return raw
