"""A cursor with a configurable byte order of integers."""

import struct

from cursor import Cursor


class Words(Cursor):
    """A cursor whose byte order is given by `mark`, the character for it in `struct`."""

    __slots__ = ("mark", "forms")

    def __init__(self, data, mark):
        super().__init__(data, 0, len(data), "incomplete")
        self.mark = mark
        self.forms = {code: struct.Struct(mark + code) for code in "bBhHiI"}

    def word(self, code, what):
        return self.unpack(self.forms[code], what)[0]

    def u16(self, what):
        return self.word("H", what)

    def u32(self, what):
        return self.word("I", what)
