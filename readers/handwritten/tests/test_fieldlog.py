"""Tests the FieldLog reader on files assembled here and on files of the real writer."""

import json
import re
import unittest

from fieldlog_writer import GUID_TEXT, TIME, Log, pack
from support import FOLDER, answer

import fieldlog
import fieldlog_sidecar
import tracegauge

REAL = FOLDER.parents[1] / "corpus/real"

COMMON = {
    "time": TIME, "counter": -3, "priority": "info", "session": GUID_TEXT, "thread": 9, "web_request": 2**32 - 1,
}
OLDER = {name: value for name, value in COMMON.items() if name != "web_request"}

ENVIRONMENT = {
    "os_type": "server", "os_version": "server_2016", "os_edition": "s2008_small_business", "os_service_pack": "SP1",
    "os_build": 9600, "os_service_pack_build": -1, "os_product_name": "Windows", "os_language": "de-DE",
    "os_last_boot": TIME, "clr_type": "Mono", "mouse_buttons": 5, "touch_points": 255, "screen_dpi": 96,
    "culture": "de", "current_directory": "/tmp", "environment_variables": "A=1\nB=2", "cpu_count": 2,
    "host_name": "host", "user_name": "user", "executable_path": "/a.exe", "command_line": "a.exe x",
    "app_version": "1.0", "app_configuration": "Debug", "clr_version": "4.0", "time_zone_offset": -90,
    "process_memory": 1, "peak_process_memory": 2, "total_memory": str(2**53), "available_memory": -1,
    "process_id": 77, "screen_width": 1920, "screen_height": 1080, "screen_bits": 24, "work_left": 1,
    "work_top": 2, "work_width": 1919, "work_height": 65535, "screen_count": 2, "flags": 0xBF,
}
OLDER_ENVIRONMENT = {name: value for name, value in ENVIRONMENT.items() if name != "app_configuration"}


def read(log):
    return answer(fieldlog.read, log if isinstance(log, bytes) else log.raw)


class Case(unittest.TestCase):
    def records(self, log):
        records, closing = read(log)
        self.assertEqual(closing, {"end": "accept"})
        return records

    def rejected(self, kind, offset, log):
        records, closing = read(log)
        said = closing["end"], closing.get("class"), closing.get("offset")
        self.assertEqual(said, ("reject", kind, offset), closing)
        return records


class Items(Case):
    def test_text_and_data(self):
        log = Log()
        log.record(2, log.base() + log.texts("täxt", None))
        log.record(3, log.base() + log.texts("", "a\0b\ufeff"))
        self.assertEqual(self.records(log), [
            {"record": "text", **COMMON, "text": "täxt"},
            {"record": "data", **COMMON, "name": "", "value": "a\0b\ufeff"},
        ])

    def test_the_documented_sizes(self):
        for version, base, environment in ((1, 33, 134), (2, 37, 138)):
            log = Log(version)
            self.assertEqual((len(log.base()), len(log.environment())), (base, environment))

    def test_members_of_an_older_file(self):
        log = Log(1)
        log.record(2, log.base() + log.texts("a", "b"))
        log.record(4, log.base() + log.exception([log.exception()], [log.frame()]) + log.text("c") + log.environment())
        log.record(5, log.base() + b"\6" + pack("i", 1) + log.text("s"))
        text, exception, scope = self.records(log)
        self.assertEqual(text, {"record": "text", **OLDER, "text": "a", "details": "b"})
        data = {"type": "T", "message": "m", "code": -2147467259, "data": "D"}
        frame = {"module": "a.exe", "type": "P", "method": "Main", "file": "a.cs", "line": 12, "column": -1}
        inner = {**data, "frames": [], "inner": []}
        self.assertEqual(exception, {
            "record": "exception", **OLDER, "exception": {**data, "frames": [frame], "inner": [inner]},
            "context": "c", "environment": OLDER_ENVIRONMENT,
        })
        self.assertEqual(scope, {
            "record": "scope", "repeated": False, **OLDER, "type": "web_request_start", "level": 1, "name": "s",
        })

    def test_exceptions_in_exceptions(self):
        log = Log()
        inner = [log.exception([log.exception(message=None)], message="1"), log.exception(message="2")]
        log.record(4, log.base() + log.exception(inner, [log.frame()] * 2) + log.text(None) + log.environment())
        record, = self.records(log)
        self.assertNotIn("context", record)
        self.assertEqual(record["environment"], ENVIRONMENT)
        exception = record["exception"]
        self.assertEqual((exception["type_module"], exception["token"]), ("mod", 0x2000001))
        self.assertEqual([frame["il_offset"] for frame in exception["frames"]], [17, 17])
        first, second = exception["inner"]
        self.assertEqual((first["message"], second["message"]), ("1", "2"))
        self.assertNotIn("message", first["inner"][0])
        self.assertEqual(second["inner"], [])

    def test_scopes(self):
        web = pack("11i", *[-1] * 11)
        for kind, raw, members in [
            (0, b"", {"type": "enter"}), (1, b"", {"type": "leave"}), (3, b"", {"type": "thread_end"}),
            (2, b"\x07", {"type": "thread_start", "thread_flags": 7}), (5, b"", {"type": "log_shutdown"}),
            (6, web, {"type": "web_request_start", "web": {}}), (7, b"", {"type": "web_request_end"}),
            (8, b"any", {"type": 8}),
        ]:
            for repeated in (False, True):
                log = Log()
                log.record(6 if repeated else 5, log.base() + bytes([kind]) + pack("i", -1) + log.text("n") + raw)
                record, = self.records(log)
                self.assertEqual(record, {
                    "record": "scope", "repeated": repeated, **COMMON, "level": -1, "name": "n", **members,
                })
        log = Log()
        log.record(5, log.base() + b"\4" + pack("i", 0) + log.text(None) + log.environment())
        record, = self.records(log)
        self.assertEqual((record["type"], record["environment"]), ("log_start", ENVIRONMENT))

    def test_values_that_no_enumeration_has_are_numbers(self):
        log = Log()
        log.record(2, log.base(priority=255) + log.texts("a", "b"))
        log.record(5, log.base() + b"\x09" + pack("i", 0) + log.text("n"))
        text, scope = self.records(log)
        self.assertEqual((text["priority"], scope["type"]), (255, 9))


class Strings(Case):
    def test_a_string_can_be_used_again_and_stand_twice(self):
        log = Log()
        first, second = log.text("a"), log.text("a")
        log.record(2, log.base() + first + second)
        log.record(2, log.base() + second + first)
        self.assertEqual([record["text"] + record["details"] for record in self.records(log)], ["aa", "aa"])

    def test_what_is_not_utf_8_is_shown_as_bytes(self):
        log = Log()
        log.record(2, log.base() + log.texts(b"a\xff", b"\xed\xa0\x80"))
        record, = self.records(log)
        self.assertEqual((record["text"], record["details"]), ({"hex": "61ff"}, {"hex": "eda080"}))

    def test_other_offsets_are_rejected(self):
        log = Log()
        string = log.record(1, b"abcd")
        item = log.record(2, log.base() + pack("ii", string, string))
        for offset in (0, -2, 10 + 4, string + 1, item, 2**31 - 1, len(log.raw) + 49):
            wrong = Log()
            wrong.raw = log.raw
            wrong.record(2, wrong.base() + pack("ii", -1, offset))
            wrong.record(1, b"later")
            records = self.rejected("malformed", len(log.raw) + 4 + 41, wrong)
            self.assertEqual(len(records), 1)


class Records(Case):
    def test_headers(self):
        for raw, kind, offset in [
            (b"", "incomplete", 0), (b"FieldLog", "incomplete", 0), (b"FieldLoh", "malformed", 0),
            (b"FieldLog ", "malformed", 0), (b"FieldLog\0", "incomplete", 9),
            (b"FieldLog\0\0", "unsupported", 9), (b"FieldLog\0\3", "unsupported", 9),
        ]:
            with self.subTest(raw=raw):
                self.rejected(kind, offset, raw)
        for version in (1, 2):
            self.assertEqual(self.records(Log(version)), [])

    def test_types_that_are_not_in_use_are_skipped(self):
        log = Log()
        for kind in range(7, 16):
            log.record(kind, b"\xff" * kind)
        log.record(2, log.base() + log.texts("a", "b"))
        self.assertEqual(len(self.records(log)), 1)
        at = log.record(0, b"")
        self.rejected("malformed", at, log)

    def test_what_follows_the_members_is_skipped(self):
        log = Log()
        for rest in (b"", b"\0", b"\xff" * 99):
            log.record(2, log.base() + log.texts("a", "b") + rest)
        self.assertEqual(len(self.records(log)), 3)

    def test_a_record_that_is_too_short_names_the_member_that_is_cut(self):
        log = Log()
        body = log.base() + log.texts("a", "b")
        start = len(log.raw)
        places = {0: 0, 7: 0, 8: 8, 12: 12, 13: 13, 28: 13, 29: 29, 33: 33, 36: 33, 37: 37, 44: 41}
        for length, place in places.items():
            cut = Log()
            cut.raw = log.raw
            cut.record(2, body[:length])
            cut.record(2, body)
            with self.subTest(length=length):
                self.rejected("malformed", start + 4 + place, cut)

    def test_an_older_environment_in_a_newer_file(self):
        log = Log()
        start = log.base() + b"\4" + pack("i", 0) + log.text(None)
        older = log.environment()[:-4]
        at = log.record(5, start + older)
        self.assertEqual(read(log)[1]["class"], "malformed")
        self.assertEqual(len(log.raw), at + 4 + 46 + 134)

    def test_dates(self):
        for ticks, date in ((0, "0001-01-01T00:00:00.0000000Z"), (3155378975999999999, "9999-12-31T23:59:59.9999999Z")):
            log = Log()
            log.record(2, log.base(ticks=ticks) + log.texts("a", "b"))
            self.assertEqual(self.records(log)[0]["time"], date)
        for ticks in (-1, 3155378976000000000, -(2**63), 2**63 - 1):
            log = Log()
            texts = log.texts("a", "b")
            at = log.record(2, log.base(ticks=ticks) + texts)
            self.rejected("malformed", at + 4, log)
            log = Log()
            start = log.base() + b"\4" + pack("i", 0) + log.text(None)
            at = log.record(5, start + log.environment(boot=ticks))
            self.rejected("malformed", at + 4 + 46 + 23, log)

    def test_every_cut_is_noticed_unless_it_is_between_records(self):
        log = Log()
        edges = {len(log.raw)}
        for text in ("a", ""):
            log.text(text)
            edges.add(len(log.raw))
        start = log.base() + b"\2" + pack("i", 0) + pack("i", 10) + b"\1"
        log.record(5, start)
        edges.add(len(log.raw))
        for cut in range(len(log.raw) + 1):
            _, closing = read(log.raw[:cut])
            self.assertEqual(closing.get("class"), None if cut in edges else "incomplete", cut)


class Hostile(Case):
    def test_lengths_and_counts_of_millions_cost_nothing(self):
        for kind in range(1, 16):
            log = Log()
            at = log.record(kind, b"", length=0xFFFFFFF)
            self.rejected("incomplete", at + 4, log)
        for counts in ((2**31 - 1, 0), (0, 2**31 - 1), (100_000_000, 0), (0, 100_000_000)):
            log = Log()
            log.record(4, log.base() + log.exception(counts=counts) + pack("i", -1) + log.environment())
            self.assertEqual(read(log)[1]["class"], "malformed")

    def test_counts_below_zero(self):
        for counts, place in (((-1, 0), 24), ((0, -1), 28)):
            log = Log()
            data = log.exception(counts=counts)
            at = log.record(4, log.base() + data + pack("i", -1) + log.environment())
            self.rejected("malformed", at + 4 + 37 + place, log)

    def nested(self, depth):
        log = Log()
        start, none = pack("7i", -1, -1, 0, -1, 0, -1, 0), pack("i", 0)
        data = (start + pack("i", 1)) * depth + start + none
        log.record(4, log.base() + data + pack("i", -1) + log.environment())
        return log

    def test_exceptions_that_are_nested_deep(self):
        for depth in (0, 1, 48, 49, 50, 51, 99, 100, 120):
            record, = self.records(self.nested(depth))
            shown, exception = 0, record["exception"]
            while exception["inner"]:
                shown, exception = shown + 1, exception["inner"][0]
            self.assertEqual(shown, depth)
            self.assertEqual(record["environment"], ENVIRONMENT)
        for depth in (1000, 9999):
            # The nesting exceeds the limit of Python's own parser.
            lines = []
            reporter = tracegauge.Reporter("fieldlog-v2")
            reporter.record = lambda record: lines.append(tracegauge.canonical(record))
            fieldlog.read(self.nested(depth).raw, reporter)
            line, = lines
            inner = '{"code":0,"frames":[],"inner":[]}'
            for _ in range(depth):
                inner = f'{{"code":0,"frames":[],"inner":[{inner}]}}'
            self.assertEqual(line.count('"inner":['), depth + 1)
            self.assertEqual(re.sub('"token":0,|"[a-z_]+":null,', "", line).count(inner), 1)
        for depth in (10_000, 400_000):
            self.assertEqual(read(self.nested(depth))[1]["class"], "unsupported")


class RealFiles(Case):
    def test_they_hold_what_the_real_reader_finds(self):
        files = sorted(REAL.glob("fieldlog-v*/*.fl"))
        self.assertEqual(len(files), 5)
        for file in files:
            sidecar = json.loads(file.with_name(file.name + ".json").read_text())
            with self.subTest(file=file.name):
                self.assertEqual(self.records(file.read_bytes()), list(fieldlog_sidecar.records(sidecar)))


if __name__ == "__main__":
    unittest.main()
