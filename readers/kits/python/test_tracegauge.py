"""Tests both modes of the protocol with the example adapter: python3 -m unittest"""

import collections
import enum
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "cli/templates/python"))

import tracegauge  # noqa: E402 - found by the path above
from tracegauge import Rendered, canonical  # noqa: E402

ADAPTER = HERE / "examples/lines.py"


class Canonical(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(
            canonical([2**53 - 1, -(2**70), -0.0, math.nan, -math.inf, 0.1, 1e300, True, None]),
            '[9007199254740991,-1180591620717411303424,-0.0,"NaN","-Infinity",0.1,1e+300,true,null]',
        )

    def test_members_texts_and_bytes(self):
        self.assertEqual(
            canonical({"a": b"\0\xff", "b": [("k", "v")], "none": None, "e": "é\n😀"}),
            '{"a":{"hex":"00ff"},"b":[["k","v"]],"none":null,"e":"\\u00e9\\n\\ud83d\\ude00"}',
        )
        self.assertEqual(canonical({"a": Rendered([2**53])}), '{"a":[9007199254740992]}')

    def test_subclasses_are_written_as_what_they_extend(self):
        level = enum.IntEnum("level", ["LOW", "HIGH"])
        pair = collections.namedtuple("pair", "name value")
        self.assertEqual(canonical([level.HIGH, pair("k", 1), collections.OrderedDict(a=1)]), '[2,["k",1],{"a":1}]')

    def test_what_nests_deep_is_written_the_same_way(self):
        values = [[], {}, [1, ["a", {"b": None, 3: [True, 2.5]}], b"\1", Rendered([7])], {"x": [], "y": {"z": ()}}]
        for value in values:
            self.assertEqual(tracegauge._deep(value), canonical(value))
        deep = []
        for _ in range(100_000):
            deep = [deep]
        self.assertEqual(canonical(deep), "[" * 100_001 + "]" * 100_001)

    def test_a_reason_is_always_a_text(self):
        for why, text in [(ValueError("v"), "v"), (b"a\xff", "a\ufffd"), ("a\udcff", "a\ufffd"), (None, "None")]:
            self.assertEqual(tracegauge.Rejection(why).closing["why"], text)
            self.assertEqual(tracegauge.Rejection.unsupported(why).closing["feature"], text)

    def test_what_has_no_form_is_a_mistake_of_the_adapter(self):
        with self.assertRaises(TypeError):
            canonical({"a": object()})


class Process(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def once(self, *arguments):
        return self.run_adapter(arguments, env={**os.environ, "TRACEGAUGE_FORMAT": "lines-v1"})

    def serve(self, *requests):
        return self.run_adapter([], input="".join(f"{request}\n" for request in requests))

    def run_adapter(self, arguments, **how):
        command = [sys.executable, str(ADAPTER), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, **how)

    def request(self, name, content):
        return json.dumps({"case": name, "format": "f", "file": self.file(name, content)})

    def test_once_prints_records_and_the_closing_line(self):
        done = self.once("--any-option", self.file("two", b"a\nb"))
        self.assertEqual(done.stdout.splitlines(), [
            '{"record":"line","format":"lines-v1","text":"a"}',
            '{"record":"line","format":"lines-v1","text":"b"}',
            '{"end":"accept"}',
        ])
        self.assertEqual(done.returncode, 0)

    def test_once_tells_each_verdict_by_its_exit_status_too(self):
        rejected = self.once(self.file("bad", b"a\xff"))
        self.assertEqual(rejected.returncode, 65)
        self.assertRegex(rejected.stdout, r'^\{"end":"reject","why":".+","class":"malformed","offset":1\}\n$')
        gap = self.once(self.file("gap", b"unsupported"))
        self.assertEqual(gap.returncode, 69)
        self.assertEqual(gap.stdout, '{"end":"unsupported","feature":"lines that say so"}\n')
        missing = self.once("/nonexistent/case")
        self.assertEqual((missing.returncode, missing.stdout), (66, ""))

    def test_serve_answers_every_request_in_order(self):
        done = self.serve(
            '{"tracegauge":1,"hello":true}', self.request("c-1", b"x"), self.request("c-2", b"\xff"),
            self.request("c-3", b"unsupported"), self.request("c-4", b"y"),
        )
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], '{"tracegauge":1,"name":"lines","version":"1.0.0","reports":"records"}')
        self.assertEqual(lines[1:3], ['{"record":"line","format":"f","text":"x"}', '{"end":"accept"}'])
        self.assertRegex(lines[3], '^{"end":"reject"')
        self.assertRegex(lines[4], '^{"end":"unsupported"')
        self.assertEqual(lines[5:], ['{"record":"line","format":"f","text":"y"}', '{"end":"accept"}'])
        self.assertEqual(done.returncode, 0)

    def test_serve_answers_before_it_is_asked_again(self):
        command = [sys.executable, str(ADAPTER)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            for name in ("c-1", "c-2"):
                process.stdin.write(self.request(name, b"x") + "\n")
                process.stdin.flush()
                answer = [process.stdout.readline() for _ in range(2)]
                self.assertEqual(answer[1], '{"end":"accept"}\n')

    def test_many_records_all_arrive(self):
        done = self.once(self.file("many", b"\n".join(b"%d" % at for at in range(50000))))
        lines = done.stdout.splitlines()
        self.assertEqual((len(lines), json.loads(lines[49999])["text"]), (50001, "49999"))

    def test_what_else_is_raised_is_a_crash(self):
        done = self.serve(self.request("c-1", b"x\nraise\ny"), self.request("c-2", b"x"))
        self.assertEqual(done.returncode, tracegauge.CRASH)
        self.assertEqual(done.stdout, '{"record":"line","format":"f","text":"x"}\n')
        self.assertIn("TypeError: asked to", done.stderr)

    def test_another_protocol_is_refused(self):
        for line in ('{"tracegauge":2,"hello":true}', "noise", "[]", '{"case":"c-1"}'):
            done = self.serve(line)
            self.assertEqual((done.returncode, done.stdout), (tracegauge.BAD_PROTOCOL, ""), line)


if __name__ == "__main__":
    unittest.main()
