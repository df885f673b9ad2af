"""Reports the values of a case of values.json through the kit."""

import array
import collections
import decimal
import enum
import fractions
import json
import struct
import types
import uuid

import tracegauge


class Case:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, form="i"):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def words(self):
        self.take(2 * max(self.number(), 0))
        raw = self.take(self.number())
        try:
            return raw.decode(errors="surrogatepass")
        except UnicodeDecodeError:
            return raw.decode(errors="surrogateescape")

    def value(self):
        tag = self.take(1)
        if tag in b"nTF":
            return {b"n": None, b"T": True, b"F": False}[tag]
        if tag == b"i":
            return int(self.words())
        if tag in b"dg":
            return self.number("d" if tag == b"d" else "f")
        if tag == b"s":
            return self.words()
        if tag == b"G":
            return uuid.UUID(self.words())
        if tag == b"P":
            return self.value(), self.value()
        if tag == b"V":
            return every(self.value())
        if tag == b"b":
            return self.take(self.number())
        if tag == b"[":
            return [self.value() for _ in range(self.number())]
        if tag == b"{":
            return {self.words(): self.value() for _ in range(self.number())}
        if tag == b"J":
            return json.loads(self.words())
        nested = []
        for _ in range(self.number() - 1):
            nested = [nested]
        return nested


class Number(enum.IntEnum):
    FIVE = 5


class Level(enum.Enum):
    FIVE = 5


class Bits(enum.Flag):
    ONE = 1
    FOUR = 4


class Access(enum.Enum):
    Read = "r"


class Mode(str, enum.Enum):
    READ = "Read"


Pair = collections.namedtuple("Pair", "name value")


def every(value):
    """Returns a value in each of the types that the kit writes in the same way."""
    if isinstance(value, int):
        return [value, Number.FIVE, Level.FIVE, Bits.ONE | Bits.FOUR, decimal.Decimal(value)]
    if isinstance(value, float):
        return [value, decimal.Decimal(value), fractions.Fraction(value)]
    if isinstance(value, str):
        return [value, Access.Read, Mode.READ]
    if isinstance(value, uuid.UUID):
        return [value, str(value)]
    if isinstance(value, bytes):
        return [value, bytearray(value), memoryview(value)]
    if isinstance(value, tuple):
        return [value, list(value), Pair(*value)]
    if isinstance(value, list):
        return [value, tuple(value), collections.deque(value), array.array("q", value), set(value), frozenset(value)]
    if isinstance(value, dict):
        return [value, collections.OrderedDict(value), types.MappingProxyType(value)]
    return [value]


def read(data, reporter):
    case = Case(data)
    while case.at < len(data):
        tag = case.take(1)
        if tag == b"R":
            members = {case.words(): case.value() for _ in range(case.number())}
            reporter.record({"record": "row", **members})
        elif tag == b"X":
            why, kind, offset = case.words(), case.words(), case.number()
            raise tracegauge.Rejection(why, kind or None, None if offset < 0 else offset)
        elif tag == b"U":
            raise tracegauge.Rejection.unsupported(case.words())


tracegauge.run(name="replay", version="1.0.0", read=read)
