"""Tests a reader on the cases in `cases/`, and judges it as `tracegauge run` does.

Written by tracegauge corpus export; changes will be overwritten. Standard library only.
"""

import collections.abc
import functools
import json
import os
import pathlib
import re
import sys
import traceback
import zlib

import tracegauge_comparison as comparison
import tracegauge_reader as reader

FOLDER = pathlib.Path(__file__).resolve().parent
STRICT = bool(os.environ.get("TRACEGAUGE_STRICT"))
OUTCOMES = ("wrong-records", "wrong-reject", "wrong-accept", "undeclared-gap", "protocol", "crash")
# Exceptions that count as rejections only if REJECTIONS lists exactly these, not a base class such
# as Exception.
MISTAKES = (AssertionError, AttributeError, MemoryError, NameError, RecursionError, TypeError)
# Control characters, and all characters that the XML of pytest reports cannot contain.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# unittest and pytest hide the stack frames of this file.
__unittest = True


class Answer:
    """What the reader did with a trace: accept, reject, unsupported or crash."""

    def __init__(self, said, records=None, why=""):
        self.said, self.records, self.why = said, records, why


class Known:
    """The list of known failures."""

    def __init__(self, path, cases):
        self.path, self.entries = path, []
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 3 or words[0] not in OUTCOMES:
                raise ValueError(f"{path.name}:{number}: expected OUTCOME CASE REASON, found: {line}")
            pattern = re.compile(re.escape(words[1]).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)
            if not any(pattern.fullmatch(case) for case in cases):
                raise ValueError(f"{path.name}:{number}: no case matches {words[1]}; remove the line")
            self.entries.append((number, words[0], pattern, words[2]))

    def about(self, case):
        """Returns the first entry for a case, or None."""
        for entry in self.entries:
            if entry[2].fullmatch(case):
                return entry
        return None


def listed(folder):
    """Returns the names of the exported cases."""
    lines = [line for path in folder.glob("*.txt") for line in path.read_text(encoding="utf-8").splitlines()]
    return [line.split("\t")[0] for line in lines]


@functools.lru_cache(maxsize=None)
def known_failures():
    return Known(FOLDER / "known-failures.txt", listed(FOLDER / "cases"))


def check(test, name):
    """Tests the reader on the case in the file called `name`."""
    __tracebackhide__ = True
    known = known_failures()
    path = FOLDER / "cases" / name
    case = load(path)
    answer = ask(path)
    outcome, told = judge(case, answer, tuple(reader_setting("OMITS", ())))
    conclude(test, case, outcome, report(case, path, answer, outcome, told), known)


def conclude(test, case, outcome, text, known):
    """Passes, fails or skips the test."""
    __tracebackhide__ = True
    entry = known.about(case["case"])
    if entry:
        number, wanted, _, reason = entry
        if outcome == wanted:
            test.skipTest(printable(f"known failure: {reason}"))
        fail(test, f"{known.path.name}:{number}: listed as {wanted}, but the outcome is {outcome}; correct the entry\n{text}")
    if outcome == "pass":
        return
    counts = case["level"] == "must" or STRICT or outcome in ("crash", "protocol")
    if case["level"] == "disputed" or not counts:
        hint = "" if case["level"] == "disputed" else "; TRACEGAUGE_STRICT=1 makes it a failure"
        test.skipTest(f"{outcome}, which does not count: the case is {case['level']}{hint}")
    fail(test, text)


def printable(text):
    """Escapes the characters in a message that cannot be shown."""
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def fail(test, text):
    __tracebackhide__ = True
    text = printable(text)
    if "PYTEST_CURRENT_TEST" in os.environ and "pytest" in sys.modules:
        # The traceback would show only this file, and would take pytest 50 ms per failure.
        sys.modules["pytest"].fail(text, pytrace=False)
    raise test.failureException(text) from None


def load(path):
    """Loads the expectation next to a trace, and checks that the trace has not changed."""
    case = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    data = path.read_bytes()
    if len(data) != case["length"] or zlib.crc32(data) != int(case["crc32"], 16):
        raise AssertionError(
            f"{path} is not the trace that was exported ({len(data)} bytes, expected {case['length']}). If git "
            "converted its line endings, check it out again with cases/.gitattributes in place; "
            "otherwise, export the cases again."
        )
    return case


def ask(path):
    """Runs the reader on a trace and returns its answer."""
    rejections = tuple(getattr(reader, "REJECTIONS", ()))
    try:
        records = reader.read(str(path))
        # If this is a generator, the trace is read during the iteration.
        return Answer("accept", None if records is None else list(records))
    except NotImplementedError:
        raise
    except reader_setting("Unsupported", ()) as error:
        return Answer("unsupported", why=str(error))
    except Exception as error:
        is_mistake = isinstance(error, MISTAKES) and type(error) not in rejections
        if isinstance(error, rejections) and not is_mistake:
            return Answer("reject", why=f"{type(error).__name__}: {error}")
        return Answer("crash", why="".join(traceback.format_exception(type(error), error, error.__traceback__, -8)).rstrip())


def reader_setting(name, default):
    return getattr(reader, name, default)


def judge(case, answer, omits):
    """Returns the outcome of a case and a description of the difference."""
    if answer.said == "crash":
        return "crash", [f"raised   {answer.why}"]
    if answer.said not in case["allowed"]:
        return {"accept": "wrong-accept", "reject": "wrong-reject"}.get(answer.said, "undeclared-gap"), []
    if answer.said != "accept" or answer.records is None:
        return "pass", []
    for index, record in enumerate(answer.records):
        if not isinstance(record, collections.abc.Mapping) or not isinstance(record.get("record"), str):
            wanted = 'a dict whose "record" names its kind'
            return "protocol", told(index, "", wanted, comparison.described(record))
    if not case["compared"]:
        return "pass", []
    return compare(case, answer.records, omits)


def compare(case, records, omits):
    """Compares the records with each allowed set of records.

    If none matches, the difference from the set with the longest match is reported.
    """
    limit = sys.getrecursionlimit()
    # Values may be nested as deeply as the format allows. The reader runs with the original limit.
    sys.setrecursionlimit(max(limit, 50_000))
    try:
        found = []
        for rows in case["records"]:
            expected = comparison.values(rows)
            difference = comparison.difference_of_records(expected, records, case["open"], comparison.Seen(omits))
            if difference is None:
                return "pass", []
            found.append(difference)
    finally:
        sys.setrecursionlimit(limit)
    return "wrong-records", told(*max(found, key=lambda difference: difference[0]))


def told(index, path, wanted, actual):
    path = path.removeprefix(".")
    return [
        f"differs   record {index}{': ' + path if path else ''}",
        f"          expected {wanted}",
        f"          actual   {actual}",
    ]


def report(case, path, answer, outcome, told):
    """Describes a failure: the case, the rule, the location, the bytes and the difference."""
    actual = answer.said if not answer.why or answer.said == "crash" else f"{answer.said}: {answer.why}"
    lines = [
        f"{outcome}: {case['case']}",
        *case["about"],
        f"expected  {' or '.join(case['allowed'])}",
        f"actual    {comparison.cut(actual)}",
        *told,
        f"trace     {path}",
    ]
    return "\n".join(lines)
