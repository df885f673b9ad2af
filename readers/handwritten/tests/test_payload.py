"""Tests NetTrace payloads: values by type, missing values, and too many values."""

import unittest

from support import answer, pack

import nettrace
from nettrace_writer import block, event, event_block, fields, start

BYTE, ARRAY, FIXED, REL, DATA = b"\x06", b"\x13", b"\x16", b"\x18", b"\x19"


def read(kinds, payload, times=1):
    described = [(f"f{at}", kind) for at, kind in enumerate(kinds)]
    records, closing = answer(nettrace.read, start(described) + event_block(event(payload) * times) + block(0))
    values = [[value for _, value in record["fields"]] for record in records if record["record"] == "event"]
    return values, closing


def location(at, size):
    return pack("HH", at, size)


class Values(unittest.TestCase):
    def value(self, kind, payload):
        values, closing = read([kind], payload)
        self.assertEqual(closing, {"end": "accept"})
        return values[0][0]

    def test_each_type_in_canonical_form(self):
        inner = fields(("a", BYTE), ("b", b"\x08"))
        for kind, payload, value in [
            (b"\x01" + inner, b"\1\2\0", [["a", 1], ["b", 2]]),
            (b"\x01" + fields(), b"", []),
            (b"\x03", b"\2\0\0\0", True),
            (b"\x04", b"A\0", 65),
            (b"\x05", b"\xff", -1),
            (b"\x07", b"\xff\xff", -1),
            (b"\x09", b"\xff\xff\xff\xff", -1),
            (b"\x0a", b"\xff\xff\xff\xff", 2**32 - 1),
            (b"\x0b", pack("q", -(2**53)), str(-(2**53))),
            (b"\x0c", pack("Q", 2**64 - 1), str(2**64 - 1)),
            (b"\x0d", pack("f", 0.1), 0.1),
            (b"\x0d", pack("f", 3.4028234663852886e38), 3.4028235e38),
            (b"\x0d", pack("f", float("nan")), "NaN"),
            (b"\x0e", pack("d", 0.1), 0.1),
            (b"\x10", pack("8h", 2024, 2, 9, 29, 23, 59, 59, 7), "2024-02-29T23:59:59.007Z"),
            (b"\x11", bytes(range(16)), "03020100-0504-0706-0809-0a0b0c0d0e0f"),
            (b"\x12", "aĀ😀".encode("utf-16-le") + b"\0\0", "aĀ😀"),
            (b"\x12", b"\x00\xd8\0\0", {"hex": "00d8"}),
            (ARRAY + b"\x08", b"\2\0\1\0\2\0", [1, 2]),
            (ARRAY + b"\x17", b"\2\0hi", "hi"),
            (ARRAY + b"\x04", b"\1\0h\0", "h"),
            (ARRAY + b"\x17", b"\1\0\xff", {"hex": "ff"}),
            (b"\x14", b"\x01", -1),
            (b"\x14", b"\xff" * 9 + b"\x01", str(-(2**63))),
            (b"\x14", b"\xfe" + b"\xff" * 8 + b"\x01", str(2**63 - 1)),
            (b"\x15", b"\xff\x00", 127),
            (FIXED + BYTE + b"\2\0", b"\1\2", [1, 2]),
            (FIXED + BYTE + b"\0\0", b"", []),
            (b"\x17", b"A", 65),
            (REL + BYTE, location(1, 2) + b"\0\1\2", [1, 2]),
            (DATA + BYTE, location(5, 2) + b"\0\1\2", [1, 2]),
            (b"\x1a", b"\2", True),
        ]:
            with self.subTest(kind=kind, payload=payload):
                self.assertEqual(self.value(kind, payload), value)

    def test_places_inside_objects_are_of_the_whole_payload(self):
        inner = b"\x01" + fields(("r", REL + BYTE), ("d", DATA + BYTE))
        values, _ = read([BYTE, inner, ARRAY + BYTE], b"\x07" + location(6, 1) + location(0, 1) + b"\1\0\x2a")
        self.assertEqual(values, [[7, [["r", [42]], ["d", [7]]], [42]]])

    def test_large_fixed_arrays(self):
        self.assertEqual(len(self.value(FIXED + BYTE + b"\xff\xff", b"\0" * 65535)), 65535)


class Missing(unittest.TestCase):
    def shape(self, kinds, payload):
        """Returns the values, with None for missing ones."""
        values, closing = read(kinds, payload)
        self.assertEqual(closing, {"end": "accept"})
        return [None if isinstance(value, dict) and list(value) == ["missing"] else value for value in values[0]]

    def test_a_short_payload_spoils_all_that_follows(self):
        self.assertEqual(self.shape([BYTE, b"\x0a", BYTE], b"\1\2\3"), [1, None, None])
        self.assertEqual(self.shape([BYTE, BYTE], b"\1\2more"), [1, 2])
        for kind, payload in [
            (b"\x12", b"a\0b"), (ARRAY + BYTE, b"\2\0\1"), (b"\x14", b"\xff" * 10 + b"\0"), (b"\x15", b"\x80"),
            (ARRAY + b"\x15", b"\2\0\1"), (FIXED + b"\x01" + fields(("a", b"\x08")) + b"\2\0", b"\0\0\0"),
        ]:
            self.assertEqual(self.shape([kind, BYTE], payload), [None, None], (kind, payload))

    def test_a_range_outside_spoils_one_value(self):
        for kind, place in [
            (REL + BYTE, location(1, 2)), (DATA + BYTE, location(6, 1)), (REL + b"\x08", location(0, 1)),
            (REL + b"\x01" + fields(), location(0, 1)),
        ]:
            self.assertEqual(self.shape([kind, BYTE], place + b"\1\2"), [None, 1], (kind, place))


class Bounds(unittest.TestCase):
    def test_types_nest_as_deep_as_a_reader_must_go_and_further(self):
        for depth in (64, 100):
            values, closing = read([ARRAY * (depth - 1) + BYTE], b"\1\0" * (depth - 1) + b"\x2a")
            self.assertEqual(closing, {"end": "accept"})
            self.assertEqual(str(values[0][0]).strip("[]"), "42")
        nested = BYTE
        for _ in range(99):
            nested = b"\x01" + fields(("", nested))
        values, closing = read([nested], b"\x2a")
        self.assertEqual(closing, {"end": "accept"})
        self.assertIn("42", str(values[0][0]))

    def test_deeper_types_are_refused(self):
        for kind in (ARRAY * 100 + BYTE, ARRAY * 60000 + BYTE):
            self.assertEqual(read([kind], b"")[1]["class"], "unsupported")

    def test_elements_of_no_size_are_counted(self):
        nothing = b"\x01" + fields()
        kind = FIXED + FIXED + nothing + b"\xff\xff" + b"\xff\xff"
        self.assertEqual(read([kind], b"")[1]["class"], "unsupported")
        self.assertEqual(read([FIXED + nothing + b"\xff\xff"], b"")[1], {"end": "accept"})
        self.assertEqual(read([FIXED + nothing + b"\xff\xff"], b"", times=100)[1]["class"], "unsupported")

    def test_ranges_over_each_other_are_counted(self):
        everything = location(0, 65532) * 16383
        self.assertEqual(read([DATA + DATA + DATA + BYTE], everything)[1]["class"], "unsupported")


if __name__ == "__main__":
    unittest.main()
