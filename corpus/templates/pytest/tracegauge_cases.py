"""Tests a reader on the cases in `cases/`, and judges it as `tracegauge run --strict` does.

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
# What no reader says no with, even one that lists Exception among its rejections.
MISTAKES = (AssertionError, AttributeError, MemoryError, NameError, RecursionError, TypeError)
# What XML, in which pytest writes reports, cannot contain, and other control characters.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# unittest and pytest leave frames of this file out of what they show.
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
                raise ValueError(f"{path.name}:{number}: a line is OUTCOME CASE REASON: {line}")
            pattern = re.compile(re.escape(words[1]).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)
            if not any(pattern.fullmatch(case) for case in cases):
                raise ValueError(f"{path.name}:{number}: no case matches {words[1]}: remove the line")
            self.entries.append((number, words[0], pattern, words[2]))

    def about(self, case):
        """The first entry about a case, or None."""
        for entry in self.entries:
            if entry[2].fullmatch(case):
                return entry
        return None


def listed(folder):
    """The names of the exported cases."""
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
    """Lets the test pass, fail or be skipped."""
    __tracebackhide__ = True
    entry = known.about(case["case"])
    if entry:
        number, wanted, _, reason = entry
        if outcome == wanted:
            test.skipTest(printable(f"known failure: {reason}"))
        fail(test, f"{known.path.name}:{number}: listed as {wanted}, but it is {outcome}: correct the list\n{text}")
    if outcome == "pass":
        return
    counts = case["level"] == "must" or STRICT or outcome in ("crash", "protocol")
    if case["level"] == "disputed" or not counts:
        hint = "" if case["level"] == "disputed" else "; TRACEGAUGE_STRICT=1 makes it a failure"
        test.skipTest(f"{outcome}, which does not count: the case is {case['level']}{hint}")
    fail(test, text)


def printable(text):
    """A message with escapes for characters that cannot be shown."""
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def fail(test, text):
    __tracebackhide__ = True
    text = printable(text)
    if "PYTEST_CURRENT_TEST" in os.environ and "pytest" in sys.modules:
        # The traceback would show nothing but this file, and takes pytest 50 ms a failure.
        sys.modules["pytest"].fail(text, pytrace=False)
    raise test.failureException(text) from None


def load(path):
    """The expectation beside a trace, which is seen to be as it was exported."""
    case = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    data = path.read_bytes()
    if len(data) != case["length"] or zlib.crc32(data) != int(case["crc32"], 16):
        raise AssertionError(
            f"{path} is not the trace that was exported ({len(data)} bytes, {case['length']} then). If git "
            "converted line ends, check it out again with cases/.gitattributes in place; else export again."
        )
    return case


def ask(path):
    """What the reader does with a trace."""
    rejections = tuple(getattr(reader, "REJECTIONS", ()))
    try:
        records = reader.read(str(path))
        # A generator reads as it goes.
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
    """The outcome of a case, and in words what differs."""
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
    """Of several sets of records one must fit; what is told is where the one that fits longest ends."""
    limit = sys.getrecursionlimit()
    # Values nest as deep as the format allows; the reader itself runs with the limit that it finds.
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
    """A failure: the case, the rule with its sentence, the location, the bytes, what differs."""
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
