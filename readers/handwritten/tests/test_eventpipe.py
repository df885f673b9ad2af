"""Tests the event types of NetPerf 3 and NetTrace 4 and 5, and the values of their fields, in files
of both formats."""

import unittest
from unittest import mock

from support import answer, pack

import netperf
import netperf_writer
import nettrace4
import nettrace4_writer
from eventpipe_writer import (
    BYTE, CHAR, INT32, STRING, array_of, members, metadata, object_of, simple, sized_members, tag, utf16,
)
from test_netperf import only
from values import Budget

FIELDS_TAG = 2


def in_netperf(described, payloads):
    rows = netperf_writer.event(described, 0), *(netperf_writer.event(payload) for payload in payloads)
    return answer(netperf.read, netperf_writer.file(rows))


def in_nettrace(described, payloads):
    events = [nettrace4_writer.events(*map(nettrace4_writer.blob, payloads))] if payloads else []
    return answer(nettrace4.read, nettrace4_writer.file(nettrace4_writer.described(described), *events))


FORMATS = in_netperf, in_nettrace


def in_tag(*described, **more):
    return metadata(fields=members(), tags=tag(FIELDS_TAG, sized_members(*described, **more)))


class Case(unittest.TestCase):
    def values(self, described, *payloads):
        """Returns the values, which must be the same in both formats."""
        found = []
        for read in FORMATS:
            records, closing = read(described, payloads)
            self.assertEqual(closing, {"end": "accept"})
            found.append([record["fields"] for record in only("event", records)])
        self.assertEqual(found[0], found[1])
        return found[0]

    def rejected(self, kind, described, *payloads, from_end=None):
        """Checks a rejection. `from_end` is the number of metadata bytes from the fault to the
        end."""
        for read, source in zip(FORMATS, (netperf_writer, nettrace4_writer)):
            records, closing = read(described, payloads)
            self.assertEqual((closing["end"], closing.get("class")), ("reject", kind), closing)
            if from_end is not None:
                self.assertEqual(closing["offset"], place_of(described, source) + len(described) - from_end)


def place_of(described, writer):
    if writer is netperf_writer:
        return writer.file([writer.event(described, 0)]).index(described)
    return writer.file(writer.described(described)).index(described)


class Values(Case):
    def value(self, kind, payload, typed=lambda kind: metadata(fields=members(("v", kind)))):
        return self.values(typed(kind), payload)[0][0][1]

    def test_each_type_in_canonical_form(self):
        for code, payload, value in [
            (3, b"\0\0\0\1", True),
            (3, b"\0\0\0\0", False),
            (CHAR, b"A\0", 65),
            (5, b"\xff", -1),
            (BYTE, b"\xff", 255),
            (7, b"\xff\xff", -1),
            (8, b"\xff\xff", 65535),
            (INT32, b"\xff\xff\xff\xff", -1),
            (10, b"\xff\xff\xff\xff", 2**32 - 1),
            (11, pack("q", -(2**53)), str(-(2**53))),
            (12, pack("Q", 2**64 - 1), str(2**64 - 1)),
            (13, pack("f", 0.1), 0.1),
            (14, pack("d", float("-inf")), "-Infinity"),
            (15, bytes(range(16)), {"hex": bytes(range(16)).hex()}),
            (16, pack("Q", 131646520896001234), "2018-03-04T15:48:09.6001234Z"),
            (16, pack("Q", 0), "1601-01-01T00:00:00.0000000Z"),
            (17, bytes(range(16)), "03020100-0504-0706-0809-0a0b0c0d0e0f"),
            (STRING, utf16("aĀ😀"), "aĀ😀"),
            (STRING, utf16("\ud800"), {"hex": "00d8"}),
        ]:
            with self.subTest(code=code, payload=payload):
                self.assertEqual(self.value(simple(code), payload), value)

    def test_dates_that_are_none(self):
        self.assertEqual(list(self.value(simple(16), pack("q", -1))), ["missing"])

    def test_objects(self):
        inner = members(("a", simple(BYTE)), ("b", object_of(members())), ("c", simple(STRING)))
        self.assertEqual(self.value(object_of(inner), b"\7" + utf16("x")), [["a", 7], ["b", []], ["c", "x"]])

    def test_arrays_are_of_fields_that_say_their_size(self):
        pair = object_of(sized_members(("a", simple(BYTE)), ("b", simple(8))))
        for element, payload, value in [
            (simple(8), b"\2\0\1\0\2\0", [1, 2]),
            (simple(CHAR), b"\2\0h\0i\0", "hi"),
            (simple(STRING), b"\1\0" + utf16("x"), ["x"]),
            (array_of(simple(BYTE)), b"\2\0\1\0\7\0\0", [[7], []]),
            (pair, b"\1\0\1\2\0", [[["a", 1], ["b", 2]]]),
        ]:
            self.assertEqual(self.value(array_of(element), payload, lambda kind: in_tag(("v", kind))), value)
        fields = members(("v", array_of(simple(BYTE))))
        self.rejected("malformed", metadata(fields=fields), from_end=4 + 4 + 4)

    def test_short_payloads_spoil_all_that_follows(self):
        described = metadata(fields=members(*((name, simple(code)) for name, code in zip("abc", (BYTE, 10, BYTE)))))
        for payload, whole in [(b"", 0), (b"\1\2\3\4", 1), (b"\1\2\3\4\5", 2), (b"\1\2\3\4\5\6more", 3)]:
            found = [value for _, value in self.values(described, payload)[0]]
            self.assertEqual([isinstance(value, int) for value in found], [True] * whole + [False] * (3 - whole))
            self.assertTrue(all(list(value) == ["missing"] for value in found[whole:]))
        for kind, payload in [(simple(STRING), b"a\0b"), (array_of(simple(BYTE)), b"\2\0\1")]:
            found = self.values(in_tag(("v", kind), ("w", simple(BYTE))), payload)[0]
            self.assertEqual([list(value) for _, value in found], [["missing"]] * 2)


class Metadata(Case):
    def test_members(self):
        for read in FORMATS:
            records, closing = read(metadata(fields=b""), [b"unread"])
            self.assertEqual(closing, {"end": "accept"})
            known = {
                "provider": "P", "event_id": 7, "name": "E", "keywords": str(2**63), "version": 3, "level": 4,
            }
            self.assertEqual(only("metadata", records), [{"record": "metadata", **known}])
            event, = only("event", records)
            self.assertEqual({name: event.get(name) for name in known}, known)
            self.assertNotIn("fields", event)

    def test_tags(self):
        opcode = tag(1, b"\x09more") + tag(77, b"what") + tag(0, b"")
        fields = tag(FIELDS_TAG, sized_members(("w", simple(BYTE)), rest=b"later") + b"later")
        described = metadata(fields=members(("v", simple(INT32))), tags=opcode + fields)
        for read in FORMATS:
            records, _ = read(described, [b"\1"])
            self.assertEqual(only("metadata", records)[0]["opcode"], 9)
            self.assertEqual(only("event", records)[0]["opcode"], 9)
            self.assertEqual(only("event", records)[0]["fields"], [["w", 1]])

    def test_fields_as_they_are_described(self):
        inner = members(("s", simple(STRING)))
        sized = sized_members(("d", simple(16)))
        for described, fields in [
            (metadata(fields=members(("v", simple(INT32)), ("o", object_of(inner)))), [
                ["v", {"code": "int32"}], ["o", {"code": "object", "object_fields": [["s", {"code": "string"}]]}],
            ]),
            (in_tag(("a", array_of(object_of(sized)))), [["a", {
                "code": "array", "element_type": {"code": "object", "object_fields": [["d", {"code": "date_time"}]]},
            }]]),
        ]:
            for read in FORMATS:
                self.assertEqual(only("metadata", read(described, [])[0])[0]["fields"], fields)

    def test_what_does_not_fit(self):
        bad = pack("i", -1)
        for described, from_end in [
            (metadata(fields=bad), 4),
            (metadata(fields=pack("i", 2**31 - 1)), 0),
            (metadata(fields=b"\1\0"), 2),
            (metadata(fields=members(("", simple(0)))), 4 + 2),
            (metadata(fields=members(("", simple(2)))), 4 + 2),
            (metadata(fields=members(("", simple(20)))), 4 + 2),
            (metadata(fields=pack("i", 1) + simple(BYTE) + b"a\0"), 2),
            (metadata(tags=bad + b"\1"), 5),
            (metadata(tags=pack("i", 1) + b"\1"), 0),
            (metadata(tags=b"\1\0\0\0"), 0),
            (metadata(tags=tag(1, b"")), 0),
            (in_tag(("", simple(BYTE)))[:-10] + pack("i", 3) + utf16("") + simple(BYTE), 10),
            (in_tag(("", simple(BYTE)))[:-10] + pack("i", 11) + utf16("") + simple(BYTE), 6),
            (in_tag(("", simple(99))), 4),
        ]:
            with self.subTest(described=described):
                self.rejected("malformed", described, from_end=from_end)
        for cut in range(1, len(metadata(fields=b""))):
            self.rejected("malformed", metadata(fields=b"")[:-cut])

    def test_numbers_name_one_type_each(self):
        other = metadata(2**31 - 1)
        for read, first in [
            (lambda rows: answer(netperf.read, netperf_writer.file([netperf_writer.event(row, 0) for row in rows])), 1),
            (lambda rows: answer(nettrace4.read, nettrace4_writer.file(nettrace4_writer.described(*rows))), 1),
        ]:
            self.assertEqual(read([metadata(), other])[1], {"end": "accept"})
            self.assertEqual(read([metadata(), metadata()])[1]["class"], "malformed")


class Bounds(Case):
    def nested(self, depth, wrap):
        kind = simple(BYTE)
        for _ in range(depth - 1):
            kind = wrap(kind)
        return kind

    def test_types_nest_as_deep_as_a_reader_must_go_and_further(self):
        for depth in (64, 100):
            kind = self.nested(depth, lambda kind: object_of(members(("", kind))))
            self.assertIn("42", str(self.values(metadata(fields=members(("v", kind))), b"\x2a")))
            kind = self.nested(depth, lambda kind: object_of(sized_members(("", kind))))
            self.assertIn("42", str(self.values(in_tag(("v", kind)), b"\x2a")))
            kind = self.nested(depth, array_of)
            self.assertIn("42", str(self.values(in_tag(("v", kind)), b"\1\0" * (depth - 1) + b"\x2a")))

    def test_deeper_types_are_refused(self):
        endless = (pack("ii", 1, 1)) * 100000
        self.rejected("unsupported", metadata(fields=endless))
        for depth in (101, 20000):
            self.rejected("unsupported", in_tag(("v", array_of(b"") * depth + simple(BYTE))))

    def test_elements_of_no_size_are_counted(self):
        described = in_tag(("v", array_of(array_of(object_of(sized_members())))))
        self.assertEqual(len(self.values(described, b"\1\0\xff\xff")[0][0][1][0]), 65535)
        self.rejected("unsupported", described, b"\x40\0" + b"\xff\xff" * 64)

    def test_many_fields_of_many_events_are_counted(self):
        described = metadata(fields=members(*[("", simple(BYTE))] * 10))

        def little(_):
            budget = Budget(0)
            budget.left = 100
            return budget

        with mock.patch.object(netperf, "Budget", little), mock.patch.object(nettrace4, "Budget", little):
            self.values(described, *[b""] * 10)
            self.rejected("unsupported", described, *[b""] * 11)


if __name__ == "__main__":
    unittest.main()
