"""Reports the values of a case of values.json through the kit."""

import json
import struct

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
