"""Tests the NetTrace 4 reader on files assembled here."""

import unittest

from support import answer, pack

import nettrace4
from eventpipe_writer import BYTE, FAST_SERIALIZATION, metadata, object_type, simple, tag
from nettrace4_writer import (
    EVENT, METADATA, SEQUENCE_POINT, STACK, blob, described, events, file, rows, sequence_point, stacks, start,
    typed, uncompressed,
)
from nettrace_writer import varuint
from test_netperf import only

TRACE = {
    "record": "trace", "sync_time_utc": "2024-05-06T07:08:09.123Z", "sync_time_ticks": 1000,
    "tick_frequency": 10**9, "pointer_size": 8, "process_id": 4711, "number_of_processors": 2,
    "sampling_rate": 10**6,
}
GUIDS = {
    "activity_id": "00000000-0000-0000-0000-000000000001",
    "related_activity_id": "00000000-0000-0000-0000-000000000002",
}
NO_GUID_TEXT = "00000000-0000-0000-0000-000000000000"


class Case(unittest.TestCase):
    def events(self, *blocks, **trace):
        records, closing = answer(nettrace4.read, file(*blocks, **trace))
        self.assertEqual(closing, {"end": "accept"})
        return only("event", records)

    def rejected(self, kind, data, offset=None):
        records, closing = answer(nettrace4.read, data)
        self.assertEqual((closing["end"], closing.get("class")), ("reject", kind), closing)
        if offset is not None:
            self.assertEqual(closing["offset"], offset)
        return records


class Streams(Case):
    def test_the_smallest_file(self):
        self.assertEqual(answer(nettrace4.read, file()), ([TRACE], {"end": "accept"}))

    def test_headers(self):
        self.rejected("malformed", b"Nettracf" + file()[8:], 0)
        self.rejected("incomplete", file()[:5], 0)
        self.rejected("incomplete", file()[:12], 12)
        self.rejected("malformed", file()[8:], 0)
        self.rejected("unsupported", b"Nettrace" + pack("III", 0, 6, 0) + bytes(99), 8)
        self.rejected("malformed", file()[:31] + b"2" + file()[32:], 12)

    def test_types(self):
        for version in (3, 5):
            self.rejected("unsupported", file().replace(pack("ii", 4, 4), pack("ii", version, 4)), 35)
        self.rejected("unsupported", start(minimum=5), 39)
        self.rejected("malformed", start()[:32] + b"\x01", 32)
        self.rejected("malformed", b"Nettrace" + FAST_SERIALIZATION + object_type(b"SPBlock", 2, 5), 47)
        self.rejected("unsupported", b"Nettrace" + FAST_SERIALIZATION + object_type(b"Track", 2, 5), 47)
        at = len(start())
        self.rejected("malformed", start() + start()[32:], at + 15)
        self.rejected("unsupported", start() + object_type(b"Block", 2, 5) + b"\x06\x01", at + 15)
        self.rejected("unsupported", file(typed(), version=3), at + 3)
        self.events(typed(), version=1)
        for place, bad in [(0, 4), (1, 4), (2, 6), (28, 1)]:
            raw = bytearray(file(typed()))
            raw[at + place] = bad
            self.rejected("malformed", bytes(raw), at + place)

    def test_the_end_is_a_tag(self):
        self.rejected("incomplete", start(), len(start()))
        self.assertEqual(self.events(end=b"\x01\0\0\0"), [])
        records = self.rejected("incomplete", file(typed(), events(blob()), end=b""))
        self.assertEqual(len(only("event", records)), 1)

    def test_every_cut_is_noticed(self):
        whole = file(typed(("v", simple(BYTE))), stacks(1, bytes(8)), events(blob(b"\1", stack=1)), sequence_point((1, 2)))
        for cut in range(len(whole)):
            self.rejected("incomplete", whole[:cut])

    def test_blocks_begin_at_multiples_of_four_from_the_magic_on(self):
        for shift in range(4):
            self.assertEqual(len(self.events(typed(("x" * shift, simple(BYTE))), events(blob(b"1" * shift)))), 1)
        raw = file(typed(), stacks(1, b""), end=b"")
        place = raw.index(STACK) + len(STACK) + 1 + 4
        self.assertNotEqual(place % 4, 0)
        changed = raw[:place] + b"\7" + raw[place + 1:] + b"\x01"
        self.assertEqual(answer(nettrace4.read, changed)[1], {"end": "accept"})


class Blobs(Case):
    def test_members_of_an_event(self):
        row = blob(b"\x2a", stack=1, time=2**53)
        found = self.events(typed(("v", simple(BYTE))), stacks(1, pack("QQ", 1, 2**64 - 1)), events(row, reserved=b"later"))
        self.assertEqual(found, [{
            "record": "event", "provider": "P", "event_id": 7, "name": "E", "keywords": str(2**63), "version": 3,
            "level": 4, "timestamp": str(2**53), "thread_id": 12, "capture_thread_id": 11, "processor": 3,
            "sequence_number": 1, "is_sorted": True, "stack": [1, str(2**64 - 1)], **GUIDS, "fields": [["v", 42]],
        }])

    def test_what_a_blob_does_not_give_is_taken_over(self):
        given = {"thread_id": 12, "capture_thread_id": 11, "processor": 3, **GUIDS}
        taken = b"\x00\x05\2", b"\x40\x00\3", b"\x80\x01\x00"
        found = self.events(typed(("v", simple(BYTE))), events(blob(b"\1", step=2**32 - 1), *taken))
        for event in found:
            self.assertEqual({name: event.get(name) for name in given}, given)
        numbers = [(e["sequence_number"], e["timestamp"], e["is_sorted"]) for e in found]
        self.assertEqual(numbers, [(2**32 - 1, 10, True), (0, 15, False), (1, 15, True), (2, 16, False)])
        self.assertEqual([e["fields"][0][1] for e in found[:3]], [1, 2, 3])
        self.assertEqual(list(found[3]["fields"][0][1]), ["missing"])

    def test_each_block_begins_with_zeros(self):
        first = b"\x01\x01\x09"
        found = self.events(typed(), events(blob()), events(first))
        wanted = {
            "timestamp": 9, "thread_id": 0, "capture_thread_id": 0, "processor": 0, "sequence_number": 1,
            "is_sorted": False, "activity_id": NO_GUID_TEXT, "related_activity_id": NO_GUID_TEXT, "fields": [],
        }
        self.assertEqual({name: found[1].get(name) for name in wanted}, wanted)
        self.assertNotIn("stack", found[1])

    def test_sequence_numbers_of_metadata_stand_still(self):
        """Observes the numbers through a block that begins with the number 0, like a metadata
        block."""
        counted = b"\x02\x06\x00\x00" + b"\x00"
        rows_of_zero = METADATA, rows(b"\x82\x06\x00\x00\x00" + varuint(len(metadata())) + metadata())
        self.assertEqual(self.events(rows_of_zero), [])
        zero = METADATA, rows(b"\x80\x00" + varuint(len(metadata(0))) + metadata(0))
        found = self.events(zero, events(counted, b"\x00\x00", b"\x02\x01\x00\x00\x00"))
        self.assertEqual([e["sequence_number"] for e in found], [7, 7, 9])

    def test_processors_that_are_not_known(self):
        self.assertNotIn("processor", self.events(typed(), events(blob(processor=2**32 - 1)))[0])

    def test_timestamps_are_signed_and_wrap(self):
        found = self.events(typed(), events(blob(time=2**64 - 3), blob(time=5), blob(time=2**63 - 2)))
        self.assertEqual([e["timestamp"] for e in found], [-3, 2, str(-(2**63))])

    def test_uncompressed_blobs(self):
        odd = uncompressed(b"\1", metadata_id=1 | 1 << 31, padding=b"\0\0\0", stack=1, time=-1)
        found = self.events(typed(("v", simple(BYTE))), stacks(1, bytes(8)), events(odd, uncompressed(b"\2"), flags=-2))
        self.assertEqual([e["is_sorted"] for e in found], [False, True])
        self.assertEqual([e["fields"][0][1] for e in found], [1, 2])
        self.assertEqual([e.get("stack") for e in found], [[0], None])
        wanted = {
            "timestamp": -1, "thread_id": 12, "capture_thread_id": 11, "processor": 3, "sequence_number": 5,
            "activity_id": NO_GUID_TEXT, "related_activity_id": NO_GUID_TEXT,
        }
        self.assertEqual({name: found[0].get(name) for name in wanted}, wanted)
        listed = METADATA, rows(uncompressed(metadata(), metadata_id=0), flags=0)
        self.assertEqual(len(self.events(listed, events(blob()))), 1)

    def test_blobs_that_do_not_fit(self):
        for part in [
            (EVENT, pack("hhqq", 19, 1, 0, 0) + blob()), (EVENT, pack("hhqq", -1, 1, 0, 0) + blob()),
            (EVENT, pack("hhqq", 99, 1, 0, 0) + blob()), events(blob(b"123")[:-1]), events(blob() + b"\xff"),
            events(b"\x01\xff\xff\xff\xff\x1f\0"), events(b"\x01\x81\x80\x80\x80\x80\x00\0"),
            events(b"\x01\x01" + b"\xff" * 9 + b"\x02"), events(b"\x81\x01\x00" + varuint(2**32 - 1)),
            events(uncompressed()[:-1], flags=0), events(pack("I", 75) + uncompressed()[4:], flags=0),
            events(pack("I", 2**32 - 1) + uncompressed()[4:], flags=0), (EVENT, b""), (METADATA, b""), events(),
            events(uncompressed()[:-4] + pack("I", 1), flags=0),
        ]:
            with self.subTest(part=part):
                self.rejected("malformed", file(typed(), part))

    def test_numbers_that_do_not_fit(self):
        """Checks that every kind of number is rejected at its own position."""
        wide, wider = b"\xff" * 4 + b"\x1f", b"\xff" * 9 + b"\x02"
        at = len(file(typed(), end=b"")) + 3 + 12 + len(EVENT) + 1 + 4
        at += -at % 4 + 20
        for row, before in [
            (b"\x01" + wide, 1), (b"\x02" + wide, 1), (b"\x02\0" + wider, 2), (b"\x02\0\0" + wide, 3),
            (b"\x04" + wider, 1), (b"\x08" + wide, 1), (b"\x00" + wider, 1), (b"\x80\0" + wide, 2),
        ]:
            self.rejected("malformed", file(typed(), events(row + bytes(16))), at + before)

    def test_block_sizes(self):
        raw = file(typed())
        place = raw.index(METADATA) + len(METADATA) + 1
        for size, kind, offset in [(-1, "malformed", 0), (2**31 - 1, "incomplete", 4 + -place % 4)]:
            self.rejected(kind, raw[:place] + pack("i", size) + raw[place + 4:], place + offset)


class References(Case):
    def test_metadata_comes_first(self):
        self.rejected("malformed", file(events(blob())))
        at = len(file(typed(), end=b"")) + 3 + 12 + len(EVENT) + 1 + 4
        at += -at % 4 + 20
        self.rejected("malformed", file(typed(), events(blob(metadata_id=2))), at + 1)
        self.rejected("malformed", file(typed(), events(uncompressed(metadata_id=2), flags=0)), at + 4)
        self.rejected("malformed", file(typed(), events(b"\x00\x00")), at)
        self.assertEqual(len(self.events(typed(), sequence_point(), events(blob()))), 1)

    def test_stacks_hold_until_the_next_sequence_point(self):
        first = stacks(1, b"", pack("Q", 5))
        found = self.events(typed(), first, events(*(blob(stack=row) for row in (0, 1, 2))))
        self.assertEqual([e.get("stack") for e in found], [None, [], [5]])
        at = len(file(typed(), first, end=b"")) + 3 + 12 + len(EVENT) + 1 + 4
        at += -at % 4 + 20
        self.rejected("malformed", file(typed(), first, events(b"\x09\1\3\0")), at + 2)
        self.rejected("malformed", file(typed(), first, events(uncompressed(stack=3), flags=0)), at + 32)
        self.rejected("malformed", file(typed(), first, sequence_point(), events(blob(stack=1))))
        self.rejected("malformed", file(typed(), first, stacks(2, b"")))
        self.events(typed(), first, sequence_point(), first, events(blob(stack=1)))

    def test_stacks_of_any_size(self):
        for size, raw, found in [(4, pack("II", 1, 2), [1, 2]), (8, bytes(4), None), (5, bytes(5), None)]:
            event, = self.events(typed(), stacks(1, raw), events(blob(stack=1)), pointer_size=size)
            self.assertEqual(event.get("stack"), found)

    def test_stack_blocks_that_do_not_fit(self):
        for raw in [
            pack("ii", 1, 2**31 - 1), pack("ii", 1, -1), pack("iii", 1, 1, -1), pack("iii", 1, 1, 2**31 - 1),
            pack("ii", 1, 0) + b"\0", b"\0\0\0\0",
        ]:
            self.rejected("malformed", file((STACK, raw)))
        self.assertEqual(answer(nettrace4.read, file(stacks(1)))[1], {"end": "accept"})


class SequencePoints(Case):
    def test_members(self):
        records, _ = answer(nettrace4.read, file(sequence_point((2**64 - 1, 2**32 - 1), (1, 0), rest=b"later")))
        self.assertEqual(only("sequence_point", records), [{
            "record": "sequence_point", "timestamp": -99, "threads": [
                {"thread_id": str(2**64 - 1), "sequence_number": 2**32 - 1}, {"thread_id": 1, "sequence_number": 0},
            ],
        }])

    def test_threads_that_do_not_fit(self):
        for count in (-1, 1, 2**31 - 1):
            self.rejected("malformed", file((SEQUENCE_POINT, pack("qi", 0, count))))


class Metadata(Case):
    def test_rows_of_a_block(self):
        block = described(metadata(1), metadata(2, name="F", tags=tag(1, b"\x05")))
        records, closing = answer(nettrace4.read, file((METADATA, rows()), block, events(blob(metadata_id=2))))
        self.assertEqual(closing, {"end": "accept"})
        self.assertEqual([record["name"] for record in only("metadata", records)], ["E", "F"])
        self.assertEqual(only("event", records)[0]["opcode"], 5)


if __name__ == "__main__":
    unittest.main()
