"""Tests the NetPerf reader on files assembled here."""

import unittest

from support import answer, pack

import netperf
from eventpipe_writer import BYTE, FAST_SERIALIZATION, INT32, members, metadata, object_type, simple, time
from netperf_writer import (
    FILE, block, definition, event, file, old_file, old_metadata, old_start, references, start,
)

GUID = bytes(range(16))
GUID_TEXT = "03020100-0504-0706-0809-0a0b0c0d0e0f"
NO_GUID_TEXT = "00000000-0000-0000-0000-000000000000"
TRACE = {
    "record": "trace", "sync_time_utc": "2024-05-06T07:08:09.123Z", "sync_time_ticks": 1000,
    "tick_frequency": 10**9,
}
PROCESS = {"pointer_size": 8, "process_id": 4711, "number_of_processors": 2, "sampling_rate": 10**6}
DEFINED = event(metadata(), 0)


def only(kind, records):
    return [record for record in records if record["record"] == kind]


class Case(unittest.TestCase):
    def events(self, data):
        records, closing = answer(netperf.read, data)
        self.assertEqual(closing, {"end": "accept"})
        return only("event", records)

    def rejected(self, kind, data, offset=None, format_name=""):
        records, closing = answer(netperf.read, data, format_name)
        self.assertEqual((closing["end"], closing.get("class")), ("reject", kind), closing)
        if offset is not None:
            self.assertEqual(closing["offset"], offset)
        return records


class Streams(Case):
    def test_the_smallest_files(self):
        self.assertEqual(answer(netperf.read, file()), ([TRACE | PROCESS], {"end": "accept"}))
        for version in (1, 2):
            self.assertEqual(answer(netperf.read, old_file(version)), ([TRACE], {"end": "accept"}))

    def test_stream_headers(self):
        self.rejected("malformed", b"Nettrace" + file(), 0)
        self.rejected("malformed", pack("i", -1) + file()[4:], 0)
        self.rejected("malformed", FAST_SERIALIZATION[:-1] + b"2" + file()[24:], 4)
        self.rejected("incomplete", FAST_SERIALIZATION[:9], 4)
        self.rejected("malformed", FAST_SERIALIZATION + b"\x01", 24)
        self.rejected("malformed", FAST_SERIALIZATION + b"\x05" + file()[25:], 24)

    def test_types(self):
        self.rejected("unsupported", file(version=4), 27)
        self.rejected("unsupported", file(version=2), 27)
        self.rejected("unsupported", file(minimum=4), 31)
        self.rejected("unsupported", old_start(3), 27)
        self.rejected("unsupported", old_start(0), 27)
        self.rejected("unsupported", FAST_SERIALIZATION + object_type(FILE, 2, 4, 3), 31)
        self.rejected("malformed", FAST_SERIALIZATION + object_type(b"EventBlock", 1, 4), 39)
        self.rejected("unsupported", FAST_SERIALIZATION + object_type(b"Track", 3, 4), 39)
        self.rejected("malformed", file()[:35] + pack("i", -1), 35)
        self.rejected("incomplete", file()[:35] + pack("i", 2**31 - 1) + file()[39:], 39)
        at = len(start())
        self.rejected("malformed", start() + start()[24:], at + 15)
        self.rejected("unsupported", start() + object_type(b"SPBlock", 1, 4) + b"\x06\x01", at + 15)
        self.rejected("unsupported", start() + block(at, version=2), at + 3)
        self.rejected("unsupported", start() + block(at, minimum=2), at + 7)
        for place, tag in [(0, 0), (0, 3), (1, 5), (2, 4), (25, 1), (30, 1)]:
            raw = bytearray(file([]))
            raw[at + place] = tag
            self.rejected("malformed", bytes(raw), at + place)

    def test_the_version_that_the_case_says(self):
        files = {1: old_file(1), 2: old_file(2), 3: file()}
        for version, data in files.items():
            for other in files:
                _, closing = answer(netperf.read, data, f"netperf-v{other}")
                self.assertEqual(closing.get("class"), None if other == version else "unsupported")

    def test_the_end_is_a_tag(self):
        self.rejected("incomplete", start(), len(start()))
        self.assertEqual(self.events(file(end=b"\x01\0\0\0trailing")), [])
        records = self.rejected("incomplete", file([DEFINED, event()], end=b""))
        self.assertEqual(len(only("event", records)), 1)

    def test_every_cut_is_noticed(self):
        whole = file([DEFINED, event(b"12345", stack=b"12345678")], [event()])
        for cut in range(len(whole)):
            self.rejected("incomplete", whole[:cut])

    def test_times_that_are_none(self):
        data = bytearray(file())
        self.assertEqual(data[45:49], pack("hh", 2024, 5))
        data[47:49] = pack("h", 13)
        records, closing = answer(netperf.read, bytes(data))
        self.assertNotIn("sync_time_utc", records[0])
        self.assertEqual(closing, {"end": "accept"})


class Blocks(Case):
    def test_members_of_an_event(self):
        described = event(metadata(fields=members(("v", simple(BYTE)))), 0)
        row = event(b"\x2a", stack=pack("QQ", 1, 2**64 - 1), activity=GUID, timestamp=-5)
        self.assertEqual(self.events(file([described, row])), [{
            "record": "event", "provider": "P", "event_id": 7, "name": "E", "keywords": str(2**63), "version": 3,
            "level": 4, "timestamp": -5, "thread_id": 77, "activity_id": GUID_TEXT,
            "related_activity_id": NO_GUID_TEXT, "stack": [1, str(2**64 - 1)], "fields": [["v", 42]],
        }])

    def test_stacks(self):
        for size, stack, found in [
            (8, b"", []), (4, b"\1\0\0\0\2\0\0\0", [1, 2]), (8, b"\1\0\0\0", None), (3, b"\1\0\0\0", None),
            (8, bytes(80000), [0] * 10000),
        ]:
            event_read, = self.events(file([DEFINED, event(stack=stack)], pointer_size=size))
            self.assertEqual(event_read.get("stack"), found)

    def test_padding_is_not_looked_at(self):
        for rest in (b"", b"abc", b"more than padding"):
            self.assertEqual(len(self.events(file([DEFINED, event(rest=rest), event()]))), 2)
        raw = bytearray(file([DEFINED], [event()]))
        at = len(file([DEFINED], end=b"")) + 30
        self.assertEqual((at % 4, raw[at]), (3, 0))
        raw[at] = 7
        self.assertEqual(len(self.events(bytes(raw))), 1)

    def test_metadata_comes_first(self):
        self.assertEqual(len(self.events(file([DEFINED], [], [event()]))), 1)
        at = len(start()) + 30
        self.rejected("malformed", file([event(), DEFINED]), at + 4)
        self.rejected("malformed", file([DEFINED, event(metadata_id=2)]), at + len(DEFINED) + 4)

    def test_events_that_do_not_fit(self):
        at = len(start()) + 30
        self.assertEqual(at % 4, 0)
        good = event(b"1234", stack=b"12345678")
        for place, value, offset in [
            (0, -1, 0), (0, 51, 4), (0, 2**31 - 1, 4), (0, 55, 56), (0, 59, 60), (0, 63, 64),
            (52, -1, 52), (52, 2**31 - 1, 56), (52, 16, 72), (60, -1, 60), (60, 9, 64), (60, 2**31 - 1, 64),
        ]:
            raw = bytearray(good)
            raw[place:place + 4] = pack("i", value)
            with self.subTest(place=place, value=value):
                self.rejected("malformed", file([bytes(raw)]), at + offset)
        for tail in (b"\0", b"\0\0\0", bytes(4)):
            self.rejected("malformed", file([DEFINED, tail]))

    def test_blocks_that_do_not_fit(self):
        at = len(start()) + 26
        for size, kind, offset in [(-1, "malformed", at), (2**31 - 1, "incomplete", at + 4), (0, "malformed", at + 4)]:
            raw = bytearray(file([DEFINED, event()]))
            raw[at:at + 4] = pack("i", size)
            self.rejected(kind, bytes(raw), offset)


class SingleObjects(Case):
    def described(self, version, defined=b""):
        return event(old_metadata(version, defined), 0, rest=b"")

    def test_members_of_an_event(self):
        for version, provider in [(1, {"provider_guid": GUID_TEXT}), (2, {"provider": "P"})]:
            place = len(old_start(version))
            fields = members(("v", simple(INT32)))
            rows = self.described(version, definition(fields)), event(pack("i", -2), place, pack("Q", 9), rest=b"")
            records, _ = answer(netperf.read, old_file(version, *rows))
            self.assertEqual(only("metadata", records), [{
                "record": "metadata", **provider, "event_id": 7, "version": 3, "name": "E",
                "fields": [["v", {"code": "int32"}]],
            }])
            self.assertEqual(self.events(old_file(version, *rows)), [{
                "record": "event", **provider, "event_id": 7, "version": 3, "name": "E", "keywords": str(2**63),
                "level": 4, "timestamp": 10, "thread_id": 77, "activity_id": NO_GUID_TEXT,
                "related_activity_id": NO_GUID_TEXT, "stack": [9], "fields": [["v", -2]],
            }])

    def test_types_without_definition(self):
        data = old_file(2, self.described(2), event(b"unread", len(old_start(2)), rest=b""))
        found, = self.events(data)
        self.assertFalse({"name", "keywords", "level", "fields"} & found.keys())

    def test_types_are_called_by_the_place_of_their_event(self):
        place = len(old_start(2))
        size = len(self.described(2))
        rows = self.described(2), self.described(2, definition(members()))
        self.assertEqual(len(self.events(old_file(2, *rows, *(event(b"", at, rest=b"") for at in (place, place + size))))), 2)
        for bad in (1, place + 4, place - 1):
            self.rejected("malformed", old_file(2, rows[0], event(b"", bad, rest=b"")), place + size + 4)
        self.rejected("malformed", old_file(2, event(b"", place + 60, rest=b""), rows[0]), place + 4)

    def test_nothing_stands_between_events(self):
        self.rejected("malformed", old_file(2, event(old_metadata(2), 0, rest=b"\0")))

    def test_definitions_that_do_not_fit(self):
        for raw in [
            old_metadata(2)[:-4] + pack("i", -1), old_metadata(2)[:-4] + pack("i", 1), old_metadata(2, b"1234"),
            old_metadata(2, definition(pack("i", 1))), old_metadata(2, definition(members(("v", simple(19))))),
        ]:
            self.rejected("malformed", old_file(2, event(raw, 0, rest=b"")))
        self.events(old_file(2, event(old_metadata(2, definition(members()) + b"more") + b"more", 0, rest=b"")))

    def test_labels(self):
        end = len(old_start(2))
        table, last = end + 1, end + 9
        for raw, offset in [
            (pack("iIII", 1, end, table, 2**32 - 1), 13),
            (pack("iIII", 1, end, table, end + 17), 13),
            (pack("iIII", 1, end, table, 0), 13),
            (pack("iIII", 1, end, table, last + 4), 13),
            (pack("iIII", 1, end, 23, last), 9),
            (pack("iIII", 1, end, table + 5, last), 9),
            (pack("iIII", 2, end, table, last), 1),
            (pack("iIII", 2**31 - 1, end, table, last), 1),
            (pack("iIII", -1, end, table, last), 1),
            (pack("iIII", 0, end, table, last), -36),
            (pack("iIII", 1, end - 1, table, last), 5),
            (pack("iIII", 1, end + 1, table, last), 5),
        ]:
            with self.subTest(raw=raw):
                self.rejected("malformed", old_file(2, labels=lambda end: b"\x06" + raw), end + offset)
        self.rejected("malformed", old_file(2, labels=lambda end: b"\x01" + references(end)[1:]), end)
        self.rejected("incomplete", old_start(2) + bytes(16), end)
        self.events(old_file(2, labels=lambda end: b"\x06gap" + pack("iIII", 1, end, end + 4, end + 12)))

    def test_the_object_says_which_label_is_its_own(self):
        def labels(end):
            return b"\x06" + pack("iIIII", 2, 99, end, end + 1, end + 13)

        raw = bytearray(old_file(2, self.described(2), labels=labels))
        at = len(old_start(2)) - 36
        for index, kind in [(1, None), (0, "malformed"), (2, "malformed"), (-1, "malformed")]:
            raw[at:at + 4] = pack("i", index)
            self.assertEqual(answer(netperf.read, bytes(raw))[1].get("class"), kind)

    def test_no_cut_is_taken_for_a_whole(self):
        rows = self.described(2), event(b"12345", len(old_start(2)), rest=b"")
        whole = old_file(2, *rows)
        self.assertEqual(len(FILE), 38)
        self.assertEqual(len(time()), 32)
        for cut in range(len(whole)):
            self.assertEqual(answer(netperf.read, whole[:cut])[1]["end"], "reject", cut)


if __name__ == "__main__":
    unittest.main()
