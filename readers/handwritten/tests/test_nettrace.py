"""Tests the NetTrace reader on files assembled here."""

import unittest

from support import answer, pack

import nettrace
from nettrace_writer import (
    EVENT, HEADER, LABEL_LIST, METADATA, REMOVE_THREAD, STACK, THREAD, block, event, event_block, fields,
    label_lists, metadata, metadata_block, sequence_point, sized, stacks, start, string, thread, trace,
    uncompressed, varuint,
)

END = block(0)
GUID = bytes(range(16))
GUID_TEXT = "03020100-0504-0706-0809-0a0b0c0d0e0f"


def read(*parts):
    return answer(nettrace.read, b"".join(parts))


def events_of(records):
    return [record for record in records if record["record"] == "event"]


class Case(unittest.TestCase):
    def events(self, *parts):
        records, closing = read(*parts, END)
        self.assertEqual(closing, {"end": "accept"})
        return events_of(records)

    def rejected(self, kind, *parts, offset=None):
        records, closing = read(*parts)
        self.assertEqual((closing["end"], closing.get("class")), ("reject", kind), closing)
        if offset is not None:
            self.assertEqual(closing["offset"], offset)
        return records


class Streams(Case):
    def test_the_smallest_file(self):
        records, closing = read(HEADER, trace(), END)
        self.assertEqual(len(HEADER + trace() + END), 68)
        self.assertEqual(closing, {"end": "accept"})
        self.assertEqual(records, [{
            "record": "trace", "sync_time_utc": "2024-05-06T07:08:09.123Z", "sync_time_ticks": 1000,
            "tick_frequency": 10**9, "pointer_size": 8, "key_values": [],
        }])

    def test_headers(self):
        self.rejected("malformed", b"Nettracf", offset=0)
        self.rejected("incomplete", HEADER[:6], offset=0)
        self.rejected("unsupported", b"Nettrace" + pack("III", 20, 6, 0), offset=8)
        for major in (4, 7):
            self.rejected("unsupported", b"Nettrace" + pack("III", 0, major, 0), offset=12)
        self.assertEqual(read(b"Nettrace" + pack("III", 0, 6, 77), trace(), END)[1], {"end": "accept"})

    def test_blocks_that_are_skipped(self):
        self.events(HEADER, trace(rest=b"more"), block(9, b"\xff"), block(255))
        self.assertEqual(read(HEADER, trace(), block(0, b"more"), b"trailing")[1], {"end": "accept"})

    def test_the_end_is_a_block(self):
        self.rejected("incomplete", HEADER, trace(), offset=64)
        records = self.rejected("incomplete", start(), event_block(event()), block(9, b"12")[:-1])
        self.assertEqual(len(events_of(records)), 1)

    def test_the_trace_comes_first_and_once(self):
        self.rejected("malformed", HEADER, END, offset=20)
        self.rejected("malformed", HEADER, block(THREAD), trace(), END, offset=20)
        self.rejected("malformed", HEADER, trace(), trace(), END, offset=64)

    def test_every_cut_is_noticed(self):
        whole = start([("v", b"\x06")]) + stacks(1, b"12345678") + event_block(event(b"\0", stack=1)) + END
        for cut in range(len(whole)):
            self.assertEqual(read(whole[:cut])[1].get("class"), "incomplete", cut)


class Rows(Case):
    def test_members_of_an_event(self):
        info = b"\x01" + string("main") + b"\x02" + varuint(2**64 - 1) + b"\x03\x05" + b"\x04" + string("k") + string("v")
        optional = b"\x01\x09" + b"\x03" + pack("Q", 2**63) + b"\x07" + GUID + b"\x08\x04" + b"\x09\x02"
        optional += b"\x04" + string("a {v}") + b"\x05" + string("d") + (b"\x06" + string("k") + string("v")) * 2
        records, closing = read(
            HEADER, trace(), block(THREAD, thread(1, info) + thread(2)),
            metadata_block(metadata(1, [("v", b"\x06")], optional, rest=b"more"), header=b"later"),
            stacks(1, b"", pack("QQ", 1, 2**64 - 1)),
            event_block(event(b"\x2a", stack=2, thread_index=2, time=2**53), reserved=b"later"), END,
        )
        self.assertEqual(closing, {"end": "accept"})
        guid = {"provider_guid": GUID_TEXT, "opcode": 9, "keywords": str(2**63), "level": 4, "version": 2}
        self.assertEqual(events_of(records), [{
            "record": "event", "provider": "P", "name": "E", "event_id": 7, **guid,
            "timestamp": str(2**53), "sequence_number": 1, "is_sorted": True, "processor": 3,
            "thread": {"key_values": []}, "stack": [1, str(2**64 - 1)], "fields": [["v", 42]],
            "capture_thread": {
                "name": "main", "os_process_id": str(2**64 - 1), "os_thread_id": 5, "key_values": [["k", "v"]],
            },
        }])
        self.assertEqual([record for record in records if record["record"] == "metadata"], [{
            "record": "metadata", "provider": "P", "name": "E", "event_id": 7, **guid,
            "message_template": "a {v}", "description": "d", "key_values": [["k", "v"], ["k", "v"]],
            "fields": [["v", {"code": "byte"}]],
        }])

    def test_what_a_row_does_not_give_is_taken_over(self):
        rows = event(b"\1", time=10, step=2**32 - 1) + b"\x00\x05\x02" + b"\x20\x05\x03" + b"\x80\x80\x00\x00"
        found = self.events(start([("v", b"\x06")]), event_block(rows))
        numbers = [(e["sequence_number"], e["timestamp"], e["is_sorted"]) for e in found]
        self.assertEqual(numbers, [(2**32 - 1, 10, True), (0, 15, False), (1, 20, False), (2, 20, False)])
        self.assertEqual([e["fields"][0][1] for e in found[:3]], [1, 2, 3])
        self.assertEqual(list(found[3]["fields"][0][1]), ["missing"])

    def test_timestamps_wrap(self):
        found = self.events(start(), event_block(event(time=10), event(time=2**64 - 3)))
        self.assertEqual([e["timestamp"] for e in found], [10, 7])

    def test_uncompressed_rows(self):
        rows = uncompressed(b"\1"), uncompressed(b"\2", metadata_id=1 | 1 << 31)
        found = self.events(start([("v", b"\x06")]), event_block(*rows, flags=0xFFFE - 2**16))
        self.assertEqual([e["is_sorted"] for e in found], [True, False])
        self.assertEqual([e["fields"] for e in found], [[["v", 1]], [["v", 2]]])
        self.assertEqual([e["sequence_number"] for e in found], [5, 5])
        padded = pack("I", 52) + uncompressed()[4:] + b"\0" * 4
        self.rejected("malformed", start(), event_block(padded, flags=0), END)

    def test_a_processor_that_is_not_known(self):
        row = uncompressed().replace(pack("I", 3), b"\xff" * 4)
        self.assertNotIn("processor", self.events(start(), event_block(row, flags=0))[0])

    def test_labels_override_the_metadata(self):
        lists = label_lists(
            5,
            [(1, GUID), (2, GUID), (3, GUID), (4, pack("Q", 1)), (5, string("k") + string("v"))],
            [(6, string("k") + b"\x03"), (7, b"\1"), (8, pack("Q", 2)), (9, b"\3"), (10, b"\4")],
        )
        first, second = self.events(start(), lists, event_block(event(labels=5), event(labels=6)))
        self.assertEqual(first["labels"], [
            [1, GUID_TEXT], [2, GUID_TEXT], [3, {"hex": GUID.hex()}], [4, 1], [5, ["k", "v"]],
        ])
        self.assertNotIn("opcode", first)
        self.assertEqual(second["labels"], [[6, ["k", -2]], [7, 1], [8, 2], [9, 3], [10, 4]])
        self.assertEqual([second[m] for m in ("opcode", "keywords", "level", "version")], [1, 2, 3, 4])

    def test_addresses_have_the_width_of_the_trace(self):
        rest = metadata_block(metadata(1)) + block(THREAD, thread(1)) + stacks(1, pack("II", 1, 2))
        found = self.events(HEADER, trace(pointer_size=4), rest, event_block(event(stack=1)))
        self.assertEqual(found[0]["stack"], [1, 2])
        found = self.events(HEADER, trace(pointer_size=5), rest, event_block(event(stack=1)))
        self.assertNotIn("stack", found[0])


class References(Case):
    def test_what_is_not_there(self):
        head = len(start()) + 4 + 20
        for at, row in [
            (1, event(metadata_id=2)), (3, event(capture=2)), (5, event(thread_index=0)),
            (6, event(stack=1)), (8, event(labels=1)),
        ]:
            self.rejected("malformed", start(), event_block(row), END, offset=head + at)

    def test_a_sequence_point_drops_what_it_says(self):
        rows = stacks(1, b""), label_lists(1, [(7, b"\1")])
        for flags, row, kept in [
            (0, event(), True), (0, event(stack=1), False), (0, event(labels=1), False),
            (1, event(), False), (2, event(), False), (0xFC, event(), True),
        ]:
            _, closing = read(start(), *rows, sequence_point(flags, [(1, 9), (8, 1)]), event_block(row), END)
            self.assertEqual(closing["end"], "accept" if kept else "reject", (flags, row))
        self.events(start(), *rows, sequence_point(3), *rows, metadata_block(metadata(1)), block(THREAD, thread(1)))

    def test_removed_threads(self):
        gone = block(REMOVE_THREAD, varuint(1) + varuint(5))
        self.events(start(), gone, block(THREAD, thread(1)), event_block(event()))
        self.rejected("malformed", start(), gone, event_block(event()), END)
        self.rejected("malformed", start(), gone, gone, END)

    def test_what_is_defined_twice(self):
        self.rejected("malformed", start(), metadata_block(metadata(1)), END)
        self.rejected("malformed", start(), block(THREAD, thread(1)), END)
        self.rejected("malformed", start(), stacks(1, b"", b""), stacks(2, b""), END)


class Blocks(Case):
    def test_empty_blocks(self):
        empty = block(THREAD), block(REMOVE_THREAD), stacks(1), label_lists(1), metadata_block()
        self.events(HEADER, trace(), *empty)
        self.rejected("malformed", start(), event_block(), END)

    def test_rows_that_do_not_fit(self):
        huge = pack("II", 1, 2**32 - 1)
        for part in [
            block(STACK, huge), block(LABEL_LIST, huge), block(LABEL_LIST, pack("II", 1, 1) + b"\x07\x01"),
            label_lists(0, [(7, b"\1")]), label_lists(1, [(11, b"\1")]), block(STACK, pack("II", 1, 0) + b"\0"),
            block(THREAD, pack("H", 9) + b"\1"), block(THREAD, sized(b"")), block(THREAD, thread(2, b"\x05")),
            block(METADATA, b"\0\0" + pack("H", 99)), metadata_block(metadata(2, optional=b"\x02\x00")),
            metadata_block(sized(metadata(2)[2:-3])), block(EVENT, pack("hhqq", 19, 1, 0, 0)),
            event_block(event() + b"\x80"), event_block(event(b"123")[:-1]),
        ]:
            self.rejected("malformed", start(), part, END)
        self.rejected("malformed", HEADER, trace(key_values=[])[:-4] + pack("i", 1), END)

    def test_numbers_that_do_not_fit(self):
        for raw in (b"\xff\xff\xff\xff\x1f", b"\x80\x80\x80\x80\x80\x00"):
            self.rejected("malformed", start(), metadata_block(sized(raw + metadata(2)[3:])), END)
        self.rejected("malformed", start(), block(THREAD, sized(b"\xff" * 9 + b"\x02")), END)
        self.events(start(), metadata_block(sized(b"\x82\x80\x00" + metadata(2)[3:])))

    def test_types_that_are_not_there(self):
        relative = [bytes([kind, of]) for kind in (24, 25) for of in (18, 20, 21)]
        for kind in [b"\x00", b"\x02", b"\x0f", b"\x1b", b"\x18\x13\x06", b"\x13", b"\x16\x06", *relative]:
            self.rejected("malformed", HEADER, trace(), metadata_block(metadata(1, [("v", kind)])), END)


if __name__ == "__main__":
    unittest.main()
