"""Tests the dial9 reader on frames made here and on files of the real writer."""

import unittest

from support import FOLDER, answer, pack

import dial9

HEADER = b"TRC\0\x01"
REAL = FOLDER.parents[1] / "corpus/real/dial9-v1"


def name(text):
    return pack("H", len(text)) + text


def schema(type_id, fields, label=b"E", timed=0):
    listed = b"".join(name(field) + bytes([code]) for field, code in fields)
    return b"\x01" + pack("H", type_id) + name(label) + pack("BH", timed, len(fields)) + listed


def event(type_id, values=b""):
    return b"\x02" + pack("H", type_id) + values


def data(raw):
    return pack("I", len(raw)) + raw


def read(*frames, dialect=""):
    return answer(dial9.read, HEADER + b"".join(frames), f"dial9-v1{dialect}")


class Values(unittest.TestCase):
    def value(self, code, raw):
        records, closing = read(schema(0, [(b"v", code)]), event(0, raw))
        self.assertEqual(closing, {"end": "accept"})
        return records[0]["fields"][0][1]

    def test_each_type_in_canonical_form(self):
        for code, raw, value in [
            (1, pack("q", -(2**63)), "-9223372036854775808"),
            (2, pack("d", -0.0), -0.0),
            (2, pack("d", float("-inf")), "-Infinity"),
            (3, b"\x02", True),
            (4, data("mäx".encode()), "mäx"),
            (4, data(b"a\xff"), {"hex": "61ff"}),
            (5, data(b"\0\xff"), {"hex": "00ff"}),
            (7, pack("I", 3), {"missing": "no string has the pool id 3"}),
            (8, pack("IQQ", 2, 1, 2**53), [1, "9007199254740992"]),
            (9, b"\xff" * 9 + b"\x01", "18446744073709551615"),
            (9, b"\x80\x00", 0),
            (10, pack("I", 2) + (data(b"k") + data(b"v")) * 2, [["k", "v"], ["k", "v"]]),
            (11, b"\xfe", 254),
            (12, b"\xfe\xff", 65534),
            (13, b"\xfe\xff\xff\xff", 4294967294),
        ]:
            with self.subTest(code=code, raw=raw):
                self.assertEqual(self.value(code, raw), value)

    def test_pooled_strings_are_those_known_at_the_event(self):
        pool = [b"\x03" + pack("II", 1, 3) + data(text) for text in (b"old", b"new")]
        use = event(0, pack("I", 3))
        records, _ = read(schema(0, [(b"v", 7)]), use, pool[0], use, pool[1], use)
        texts = [record["fields"][0][1] for record in records]
        self.assertEqual(texts[1:], ["old", "new"])
        self.assertEqual(list(texts[0]), ["missing"])


class Time(unittest.TestCase):
    def test_the_base_moves_with_every_event_and_every_reset(self):
        step = event(0, b"\xff\xff\xff")
        reset = b"\x05" + pack("Q", 7)
        records, _ = read(schema(0, [], timed=1), step, step, reset, step)
        self.assertEqual([record["timestamp"] for record in records], [16777215, 33554430, 16777222])

    def test_a_sum_past_64_bits_is_rejected_and_the_greatest_is_not(self):
        reset = b"\x05" + pack("Q", 2**64 - 2)
        records, closing = read(schema(0, [], timed=1), reset, event(0, b"\1\0\0"), event(0, b"\1\0\0"))
        self.assertEqual([record["timestamp"] for record in records], [str(2**64 - 1)])
        self.assertEqual((closing["class"], closing["offset"]), ("malformed", 5 + 9 + 9 + 6 + 3))


class Rejections(unittest.TestCase):
    def rejected(self, kind, offset, *frames):
        _, closing = read(*frames)
        self.assertEqual((closing["end"], closing.get("class"), closing.get("offset")), ("reject", kind, offset))

    def test_each_names_its_kind_and_byte(self):
        one = schema(0, [(b"v", 4)])
        at = 5 + len(one)
        self.rejected("malformed", 5, b"\x04")
        self.rejected("malformed", 6, event(0))
        self.rejected("malformed", at + 1, one, schema(0, [(b"w", 4)]))
        self.rejected("malformed", 10, schema(0, [], label=b"\xff"))
        self.rejected("incomplete", at + 7, one, event(0, pack("I", 2**32 - 1)))
        self.rejected("malformed", 5 + 13 + 3, schema(0, [(b"v", 6)]), event(0, b"\0" * 99))
        for raw in (b"\xff" * 10 + b"\x00", b"\xff" * 9 + b"\x02"):
            self.rejected("malformed", 5 + 13 + 3, schema(0, [(b"v", 9)]), event(0, raw))

    def test_headers(self):
        for raw, kind, offset in [
            (b"", "incomplete", 0), (b"TR", "incomplete", 0), (b"TRX", "malformed", 0),
            (b"TRC\0", "incomplete", 4), (b"TRC\0\x02", "unsupported", 4),
        ]:
            with self.subTest(raw=raw):
                _, closing = answer(dial9.read, raw, "dial9-v1")
                self.assertEqual((closing["class"], closing["offset"]), (kind, offset))

    def test_counts_of_billions_cost_nothing(self):
        for code in (4, 5, 8, 10):
            frames = schema(0, [(b"v", code)]), event(0, pack("I", 2**32 - 1) + b"\0" * 9)
            with self.subTest(code=code):
                self.assertEqual(read(*frames)[1]["class"], "incomplete")
        self.assertEqual(read(b"\x03" + pack("I", 2**32 - 1))[1]["class"], "incomplete")

    def test_every_cut_is_noticed_unless_it_is_between_frames(self):
        frames = [schema(0, [(b"v", 10), (b"w", 9)], timed=1), event(0, b"abc" + pack("I", 1) + data(b"k") * 2 + b"\x80\1")]
        whole = HEADER + b"".join(frames)
        edges = {5, 5 + len(frames[0]), len(whole)}
        for cut in range(len(whole) + 1):
            _, closing = answer(dial9.read, whole[:cut], "dial9-v1")
            self.assertEqual(closing.get("class"), None if cut in edges else "incomplete", cut)


class Dialects(unittest.TestCase):
    def value(self, code, raw, *before, dialect="@containers"):
        records, closing = read(*before, schema(0, [(b"v", code)]), event(0, raw), dialect=dialect)
        self.assertEqual(closing, {"end": "accept"})
        return records[0]["fields"][0][1]

    def test_fields_that_may_be_absent(self):
        for dialect in ("@optional", "@stackpool", "@containers"):
            self.assertIsNone(self.value(0x80 | 12, b"\0", dialect=dialect))
            self.assertEqual(self.value(0x80 | 12, b"\7\1\0", dialect=dialect), 1)
        for code, dialect in ((0x80 | 12, ""), (0x80 | 6, "@optional"), (14, "@stackpool")):
            _, closing = read(schema(0, [(b"v", code)]), event(0, b"\0" * 9), dialect=dialect)
            self.assertEqual((closing["class"], closing["offset"]), ("malformed", 21))

    def test_pooled_stacks(self):
        pool = b"\x04" + pack("IIIQQ", 1, 3, 2, 1, 2)
        self.assertEqual(self.value(6, pack("I", 3), pool, dialect="@stackpool"), [1, 2])
        self.assertEqual(list(self.value(6, pack("I", 4), pool)), ["missing"])

    def test_values_that_say_their_type(self):
        u8 = b"\x0b\x07"
        self.assertEqual(self.value(14, pack("I", 2) + u8 + b"\x04" + data(b"a")), [7, "a"])
        self.assertEqual(self.value(15, pack("I", 1) + u8 + b"\x0e" + pack("I", 1) + u8), [[7, [7]]])
        _, closing = read(schema(0, [(b"v", 14)]), event(0, pack("I", 1) + b"\0"), dialect="@containers")
        self.assertEqual((closing["class"], closing["offset"]), ("malformed", 25))

    def test_deep_values_are_read_or_refused(self):
        def nested(depth):
            return (pack("I", 1) + b"\x0e") * (depth - 1) + pack("I", 0)

        self.assertEqual(str(self.value(14, nested(100))), "[" * 100 + "]" * 100)
        _, closing = read(schema(0, [(b"v", 14)]), event(0, nested(10000)), dialect="@containers")
        self.assertEqual(closing["class"], "unsupported")

    def test_annotations_are_passed_over(self):
        entry = pack("H", 0) + name(b"unit") + data(b"ns")
        self.assertEqual(self.value(11, b"\1", b"\x06\x80\x01" + pack("H", 2) + entry * 2), 1)

    def test_a_header_in_mid_stream_forgets_all(self):
        first = schema(0, []), event(0), HEADER
        self.assertEqual(read(*first, schema(0, [], label=b"F"), event(0), dialect="@optional")[1], {"end": "accept"})
        records, closing = read(*first, event(0), dialect="@optional")
        self.assertEqual((len(records), closing["class"]), (1, "malformed"))
        self.assertEqual(read(*first)[1]["class"], "malformed")


class RealFiles(unittest.TestCase):
    def test_every_field_type(self):
        records, closing = answer(dial9.read, (REAL / "codec_every_field_type.trc").read_bytes(), "dial9-v1")
        self.assertEqual(closing, {"end": "accept"})
        self.assertEqual([record.get("timestamp") for record in records], [5, 16777220, None, 1000000, 3])
        self.assertEqual(dict(records[1]["fields"])["pooled"], "mäx")

    def test_the_events_of_the_encoder(self):
        records, closing = answer(dial9.read, (REAL / "encoder_mixed_200.trc").read_bytes(), "dial9-v1")
        self.assertEqual((len(records), closing), (200, {"end": "accept"}))
        self.assertEqual(records[0]["fields"], [["worker", 1], ["task", 58051]])

    def test_a_later_dialect_is_rejected_at_its_first_use(self):
        records, closing = answer(dial9.read, (REAL / "optional_fields_v035.trc").read_bytes(), "dial9-v1")
        self.assertEqual((records, closing["class"]), ([], "malformed"))
        raw = (REAL / "optional_fields_v035.trc").read_bytes()
        records, closing = answer(dial9.read, raw, "dial9-v1@optional")
        self.assertEqual([dict(record["fields"])["a"] for record in records], [None, 300])


if __name__ == "__main__":
    unittest.main()
