"""Tests the wtf-trace reader on files assembled here and on a file of the real writer."""

import json
import unittest

from support import FOLDER, answer
from wtf_writer import DEFINE_ARGUMENTS, Writer

import wtf

REAL = FOLDER.parents[1] / "corpus/real/wtf-v3"
W = Writer()
LETTER = Writer("<", letter=True)
HEADER = W.header()


def read(*events, header=HEADER):
    return answer(wtf.read, header + b"".join(events), "wtf-v3")


class Case(unittest.TestCase):
    def records(self, *events):
        records, closing = read(*events)
        self.assertEqual(closing, {"end": "accept"})
        return records

    def rejected(self, kind, offset, *events, header=HEADER):
        """Checks a rejection. `offset` is relative to the end of the header."""
        records, closing = read(*events, header=header)
        said = closing["end"], closing.get("class"), closing.get("offset")
        self.assertEqual(said, ("reject", kind, offset + len(header)), closing)
        return records

    def value(self, kind, raw):
        record, = self.records(W.define(5, "e", f"{kind} v"), W.event(5, raw))
        (name, value), = record["args"]
        self.assertEqual(name, "v")
        return value


class Headers(Case):
    def header(self, header, form="wtf-v3"):
        return answer(wtf.read, header, form)[1]

    def test_both_dialects(self):
        for writer, form in ((W, "wtf-v3"), (LETTER, "wtf-v3@doc")):
            self.assertEqual(self.header(writer.header(), form), {"end": "accept"})
        self.assertEqual(self.header(W.header(), "wtf-v3@doc")["offset"], 0)
        self.assertEqual(self.header(LETTER.header())["offset"], 0)

    def test_magic_and_versions(self):
        for raw, kind, offset in [
            (b"", "incomplete", 0), (b"\xde\xad\xbe", "incomplete", 0), (b"\xde\xad\xbf", "malformed", 0),
            (HEADER[:6], "incomplete", 4), (HEADER[:8], "incomplete", 8),
            (W.header(version=2), "unsupported", 8), (W.header(version=10), "unsupported", 8),
        ]:
            closing = self.header(raw)
            self.assertEqual((closing["class"], closing["offset"]), (kind, offset), raw)

    def test_contexts(self):
        for context in ('{"contextType":"script","uri":1}', ' {"a":[{}],"contextType":"script"}\n'):
            for writer, form in ((W, "wtf-v3"), (LETTER, "wtf-v3@doc")):
                self.assertEqual(self.header(writer.header(context), form), {"end": "accept"})
        for context, place in [
            (None, 12), ("", 12), ("{", 16), ("{}", 16), ("[]", 16), ('"script"', 16), ("null", 16),
            ('{"contextType":7}', 16), ('{"contextType":"script",}', 16), ("NaN", 16),
        ]:
            closing = self.header(W.header(context))
            self.assertEqual((closing["class"], closing["offset"]), ("malformed", place), context)
            if context:
                closing = self.header(LETTER.header(context), "wtf-v3@doc")
                self.assertEqual((closing["class"], closing["offset"]), ("malformed", 14), context)

    def test_contexts_other_than_scripts(self):
        closing = self.header(W.header('{"contextType":"worker"}'))
        self.assertEqual((closing["class"], closing["offset"]), ("unsupported", 16))

    def test_metadata(self):
        for metadata in (None, "{}", "null", "[1]", "7", '"x"'):
            for writer, form in ((W, "wtf-v3"), (LETTER, "wtf-v3@doc")):
                self.assertEqual(self.header(writer.header(metadata=metadata), form), {"end": "accept"})
        self.assertEqual(self.header(W.header(metadata="{'a':1}"))["class"], "malformed")

    def test_characters_beyond_16_bits_in_either_spelling(self):
        context = '{"contextType":"script","title":"\U0001f600"}'
        self.assertEqual(self.header(W.header(context)), {"end": "accept"})
        self.assertEqual(self.header(LETTER.header(context), "wtf-v3@doc"), {"end": "accept"})
        halves = context.replace("\U0001f600", "\ud83d\ude00").encode("utf-8", "surrogatepass")
        self.assertEqual(self.header(LETTER.header(halves), "wtf-v3@doc")["class"], "malformed")

    def test_json_that_is_nested_deep(self):
        deep = '{"contextType":"script","x":' + "[" * 30000 + "]" * 30000 + "}"
        self.assertEqual(self.header(W.header(deep)), {"end": "accept"})
        for wrong in (deep[:-1] + "]", deep[:-2], deep + "]", "[" + deep + "]", deep.replace("[]", "[1 2]"), deep + "1",
                      deep.replace("[]", "[1[]]")):
            self.assertEqual(self.header(W.header(wrong))["class"], "malformed", wrong[-3:])


class Values(Case):
    def test_each_type(self):
        for kind, raw, value in [
            ("bool", b"\0", False), ("bool", b"\x07", True),
            ("int8", b"\x80", -128), ("byte", b"\xff", -1), ("uint8", b"\xff", 255), ("octet", b"\xff", 255),
            ("int16", b"\x80\1", -32767), ("short", b"\0\1", 1), ("uint16", b"\xff\xfe", 65534),
            ("unsigned short", b"\1\0", 256), ("int32", b"\xff" * 4, -1), ("long", b"\0\0\0\1", 1),
            ("uint32", b"\xff" * 4, 2**32 - 1), ("unsigned long", b"\0\0\1\0", 256),
            ("float32", b"\0\0\xc0\x3f", 1.5), ("float", b"\0\0\x80\x7f", "Infinity"),
            ("ascii", W.ascii("h\xe4"), "hä"), ("ascii", b"\0\0", None),
            ("utf8", W.utf8("h世"), "h世"), ("DOMString", W.utf8("\U0001f600"), "\U0001f600"),
            ("utf8", b"\0\0", None),
            ("flowId", b"\x80\0\0\0", 2**31), ("time32", b"\0\0\x30\x39", 12345),
            ("int8[]", b"\0\0\0\2\xff\1", [-1, 1]), ("sequence<octet>", b"\0\0\0\2\xff\1", [255, 1]),
            ("int16[]", b"\0\0\0\1\xff\xfe", [-2]), ("unsigned short[]", b"\0\0\0\1\xff\xfe", [65534]),
            ("sequence<int32>", b"\0\0\0\1" + b"\xff" * 4, [-1]), ("uint32[]", b"\0\0\0\0", []),
            ("float32[]", b"\0\0\0\2\0\0\xc0\x3f\0\0\0\0", [1.5, 0.0]),
        ]:
            with self.subTest(kind=kind, raw=raw):
                self.assertEqual(self.value(kind, raw), value)

    def test_json(self):
        for text, value in [
            ("null", None), ("[null,true]", [None, True]), ('{"a":null}', {"a": None}), (" 42 ", 42),
            ('"\\ud83d\\ude00"', "\U0001f600"), ('"\U0001f600"', "\U0001f600"), ("12345678901234567890", 12345678901234567890.0),
            ("1e400", "Infinity"), ("-1" + "0" * 5000, "-Infinity"), ('{"a":1,"a":"]"}', {"a": "]"}),
            ('"\\ud800"', {"hex": b'"\\ud800"'.hex()}), ("[" * 200 + "]" * 200, json.loads("[" * 200 + "]" * 200)),
        ]:
            with self.subTest(text=text):
                self.assertEqual(self.value("any", W.utf8(text)), value)
        self.assertIsNone(self.value("any", b"\0\0"))
        start = W.define(5, "e", "any v")
        for text in ("", "{", "nul", "Infinity", "01", '"\1"', "1 2", "\ufeff1"):
            raw = W.utf8(text) if text else W.utf8(" ")
            self.rejected("malformed", len(start) + 6 + 4, start, W.event(5, raw))
        for depth in (201, 30000):
            self.assertIsNone(self.value("any", W.utf8("[" * depth + "]" * depth)))
            raw = W.utf8("[" * depth + "]" * (depth - 1))
            self.rejected("malformed", len(start) + 6 + 4, start, W.event(5, raw))

    def test_texts_that_are_not_well_formed(self):
        start = W.define(5, "e", "utf8 v")
        at = len(start) + 6
        for raw, units, place in [
            (b"ab\xff", 3, 6), (b"a\xc3", 2, 5), (b"\xc0\x80", 1, 4), (b"ab", 3, 0), (b"ab", 1, 0),
            ("xä\U0001f600".encode(), 3, 7), (b"a\xed\xa0\x80", 2, 5), (b"ab\xed\xb8\x80\xed\xa0\xbd", 4, 6),
            (b"\xed\xa0\x80", 9, 4),
        ]:
            with self.subTest(raw=raw):
                self.rejected("malformed", at + place, start, W.event(5, W.utf8(raw, units)), W.event(5, W.utf8("")))
        self.rejected("malformed", at, start, W.event(5, W.utf8(b"abc", 3, size=2)))
        self.rejected("incomplete", at + 4, start, W.event(5, W.utf8(b"ab", 999, size=999)))
        self.assertEqual(len(self.value("utf8", W.utf8("x" * 65535))), 65535)

    def test_the_letter_has_the_other_byte_order(self):
        events = LETTER.define(5, "e", "uint16 a, uint32[] b, float32 c, utf8 d")
        raw = b"\1\0" + b"\1\0\0\0\2\0\0\0" + b"\0\0\xc0\x3f" + LETTER.utf8("\U0001f600")
        records, closing = answer(wtf.read, LETTER.header() + events + LETTER.event(5, raw), "wtf-v3@doc")
        self.assertEqual(closing, {"end": "accept"})
        self.assertEqual(records[0]["args"], [["a", 1], ["b", [2]], ["c", 1.5], ["d", "\U0001f600"]])
        self.assertEqual(records[0]["time_us"], 7)


class Definitions(Case):
    def test_members_of_an_event(self):
        plain, scope = self.records(
            W.define(1, "wtf.event#define", DEFINE_ARGUMENTS, flags=40), W.define(9, "a\nb"),
            W.define(10, "s", "int8 x,int8 __proto__", kind=1), W.event(9, time=2**32 - 1), W.event(10, b"\1\2", time=1),
        )
        self.assertEqual(plain, {
            "record": "event", "name": "a\nb", "class": "instance", "time_us": 2**32 - 1, "args": [],
        })
        self.assertEqual(scope, {
            "record": "event", "name": "s", "class": "scope", "time_us": 1, "args": [["x", 1], ["__proto__", 2]],
        })

    def test_the_class_may_be_another(self):
        record, = self.records(W.define(9, "e", kind=7), W.event(9))
        self.assertEqual(record["class"], 7)

    def test_how_arguments_are_spelled(self):
        for args, names in [
            ("uint8 a,uint8 b", ["a", "b"]), ("  uint8 a ,  unsigned  b", None), ("uint8  a", ["a"]),
            ("uint8 a!?, uint8 b=7", ["a", "b"]), ("uint8 a b", None), ("uint8", None), ("uint8 ", None),
            ("uint8 a,", None), (",", None), ("!uint8 a", None), ("uint8 a,uint8 a", ["a", "a"]),
        ]:
            with self.subTest(args=args):
                records, closing = read(W.define(9, "e", args), W.event(9, b"\0\0"[:len(names or ())]))
                if names is None:
                    self.assertEqual(closing["class"], "malformed")
                else:
                    self.assertEqual([name for name, _ in records[0]["args"]], names)

    def test_types_that_are_not_known(self):
        place = 6 + 8 + 3 + 2 + len("uint8 a,")
        for kind in ("float64", "ascii[]", "any[]", "bool[]", "utf8[]", "flowId[]", "time32[]", "int8[][]",
                     "sequence<ascii>", "Uint8", "sequence<int8", "[]"):
            with self.subTest(kind=kind):
                self.rejected("malformed", place, W.define(9, "e", f"uint8 a,{kind} v"))
                self.rejected("malformed", place + 2, W.define(9, "e", f"uint8 a,  {kind} v"))

    def test_ids_and_names(self):
        self.rejected("malformed", 0, W.event(9))
        self.rejected("malformed", 0, W.event(0))
        self.rejected("malformed", 6, W.define(0, "e"))
        self.rejected("malformed", 6 + 8, W.define(9, ""))
        for other in (W.define(1, "e", DEFINE_ARGUMENTS), W.define(1, "wtf.event#define", "uint16 wireId")):
            self.rejected("malformed", 6, other)

    def test_defined_again(self):
        first = W.define(9, "e", "uint8 a"), W.event(9, b"\1")
        self.assertEqual(len(self.records(*first, *first)), 2)
        names = [record["name"] for record in self.records(*first, W.define(9, "f", "uint8 a"), W.event(9, b"\1"))]
        self.assertEqual(names, ["e", "f"])
        one, other = self.records(*first, W.define(8, "e", "uint16 b"), W.event(8, b"\0\2"))
        self.assertEqual((one["args"], other["args"]), ([["a", 1]], [["b", 2]]))

    def test_scopes_need_not_match(self):
        events = W.define(5, "wtf.scope#leave", flags=40), W.define(6, "s", kind=1)
        self.assertEqual(len(self.records(*events, W.event(5), *[W.event(6)] * 20000)), 20001)


class Zones(Case):
    def zones(self, *events):
        return [record.get("zone") for record in self.records(W.zones(), W.define(9, "e"), *events)]

    def test_events_have_the_zone_that_was_set_last(self):
        found = self.zones(
            W.event(9), W.zone(5, "a", location="x.js"), W.event(9), W.zone(6, "b"), W.set_zone(5), W.event(9),
            W.event(9), W.set_zone(6), W.event(9), W.zone(6, "c"), W.event(9), W.set_zone(6), W.event(9),
        )
        a, b = {"name": "a", "type": "script", "location": "x.js"}, {"name": "b", "type": "script"}
        self.assertEqual(found, [None, None, a, a, b, b, {**b, "name": "c"}])

    def test_a_zone_that_is_deleted_can_be_set(self):
        found = self.zones(W.zone(5, "a"), W.delete_zone(5), W.set_zone(5), W.event(9))
        self.assertEqual(found, [{"name": "a", "type": "script"}])

    def test_a_zone_must_be_created(self):
        start = W.zones()
        self.rejected("malformed", len(start) + 6, start, W.set_zone(5))

    def test_without_the_flag_they_are_events_like_others(self):
        record, = self.records(W.define(4, "wtf.zone#set", "uint16 zoneId", flags=8), W.set_zone(5))
        self.assertEqual((record["name"], record["args"]), ("wtf.zone#set", [["zoneId", 5]]))

    def test_with_the_flag_the_types_of_their_arguments_are_known(self):
        self.assertEqual(self.records(W.define(4, "wtf.zone#set", "uint16 any_name", flags=40)), [])
        self.rejected("malformed", 6 + 8 + 14 + 2, W.define(4, "wtf.zone#set", "uint32 zoneId", flags=40))


class Cuts(Case):
    def test_every_cut_is_noticed_unless_it_is_between_events(self):
        args = "uint8 a, ascii b, utf8 c, any d, uint32[] e"
        raw = b"\1" + W.ascii("ab") + W.utf8("c") + W.utf8("[1]") + W.pack("II", 1, 2)
        parts = [HEADER, W.zones(), W.define(9, "e", args), W.zone(5, "a"), W.set_zone(5), W.event(9, raw), W.event(9, raw)]
        whole, edges = b"".join(parts), set()
        for number in range(1, len(parts) + 1):
            edges.add(len(b"".join(parts[:number])))
        for name in ("wtf.zone#delete", "wtf.zone#set"):
            edges.add(whole.index(name.encode()) - 16)
        for cut in range(len(whole) + 1):
            _, closing = answer(wtf.read, whole[:cut], "wtf-v3")
            self.assertEqual(closing.get("class"), None if cut in edges else "incomplete", cut)

    def test_counts_of_billions_cost_nothing(self):
        for kind in ("int8[]", "float32[]"):
            for count in (2**32 - 1, 2**31 - 1):
                start = W.define(9, "e", f"{kind} v")
                self.rejected("incomplete", len(start) + 6 + 4 + 8, start, W.event(9, W.pack("I", count) + b"\0" * 8))


class RealFiles(unittest.TestCase):
    def expected(self, event):
        arguments = event["args"] or {}
        if event["name"].startswith("wtf.timeRange#"):
            # The real reader numbers the ranges across all files that it reads, starting with 1.
            arguments["id"] -= 1
        if event["name"] == "t#time32":
            # The real reader returns these values in milliseconds.
            arguments["v"] = round(arguments["v"] * 1000)
        return event["name"], event["time_us"], arguments

    def test_every_argument_type(self):
        file = REAL / "v3_snapshot_small.wtf-trace"
        sidecar = json.loads(file.with_name(file.name + ".json").read_text())
        records, closing = answer(wtf.read, file.read_bytes(), "wtf-v3")
        self.assertEqual(closing, {"end": "accept"})
        found = [(record["name"], record["time_us"], dict(record["args"])) for record in records]
        self.assertEqual(found, [self.expected(event) for event in sidecar["events"]])
        zones = [record["zone"]["name"] for record in records]
        self.assertEqual((zones.count("zoneA"), zones.count("zoneB")), (92, 46))

    def test_the_later_format(self):
        raw = (REAL / "foreign_cff_v10.wtf-trace").read_bytes()
        for form, place in (("wtf-v3", 0), ("wtf-v3@doc", 8)):
            records, closing = answer(wtf.read, raw, form)
            self.assertEqual((records, closing["end"], closing["offset"]), ([], "reject", place))


if __name__ == "__main__":
    unittest.main()
