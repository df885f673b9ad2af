"""Holds what a reader read against what a case expects. Standard library only."""

import json
import os
import pathlib
import re
import struct
import sys
import unittest

import reader

CASES = pathlib.Path(__file__).resolve().parent / "cases"
STRICT = bool(os.environ.get("TRACEGAUGE_STRICT"))
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAMED = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
LEFT_OUT = object()

# Some cases nest values as deep as their format allows.
sys.setrecursionlimit(50_000)

recommendation = unittest.skipUnless(STRICT, "a recommendation; set TRACEGAUGE_STRICT to test it")


def check(test, name):
    """Tests the reader on the case in the file called `name`."""
    path = CASES / name
    case = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    try:
        records = reader.read(str(path))
    except NotImplementedError:
        raise
    except reader.REJECTIONS as error:
        if case["expect"] == "accept":
            raise AssertionError(f"rejected, and it is valid: {case['why']}") from error
        return
    if case["expect"] == "reject":
        test.fail(f"accepted, and it breaks {', '.join(case['violation']['rules'])}: {case['why']}")
    if case["expect"] == "accept" and records is not None:
        found = [difference(wanted, list(records), case["open"]) for wanted in case["records"]]
        if found and None not in found:
            test.fail(f"{found[0]}: {case['why']}")


def difference(wanted, records, is_open):
    """The first difference between lists of records, in words; None where they are equal."""
    for index, (expected, actual) in enumerate(zip(wanted, records)):
        for member, value in actual.items():
            # A member that has no value is as good as left out.
            if value is not None and not same(expected.get(member, LEFT_OUT), value):
                right = expected.get(member, "no such member")
                return f"record {index}: {member} is {value!r} and should be {right!r}"
    if len(records) < len(wanted) or (len(records) > len(wanted) and not is_open):
        return f"{len(records)} records and not {len(wanted)}"
    return None


def same(expected, actual):
    """Whether a value is right, in any of the ways in which it may be written."""
    if expected == {"free": True}:
        return True
    if actual is None:
        return expected is LEFT_OUT or expected is None or is_missing(expected)
    if is_missing(expected):
        return is_missing(actual)
    if isinstance(expected, dict) and "number" in expected and ("$enum" in expected or "$flags" in expected):
        return same_number(expected, actual)
    if isinstance(actual, (bytes, bytearray, memoryview)):
        return expected == {"hex": bytes(actual).hex()}
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, dict):
        return isinstance(actual, dict) and same_members(expected, actual)
    if isinstance(expected, list):
        return isinstance(actual, (list, tuple)) and same_items(expected, list(actual))
    if isinstance(actual, float) or isinstance(expected, float):
        return same_float(expected, actual)
    if isinstance(actual, int) or isinstance(expected, int):
        return str(expected) == str(actual)
    return expected == actual or is_same_guid(expected, actual)


def same_number(expected, actual):
    """A member of an enumeration, or a set of flags: its number, its name or names."""
    if isinstance(actual, (list, tuple)):
        return sorted(map(str, actual)) == sorted(map(str, expected.get("$flags", [None])))
    return str(actual) in (expected["number"], expected.get("$enum"))


def same_members(expected, actual):
    if expected.keys() == {"hex"}:
        return actual.keys() == {"hex"} and actual["hex"].lower() == expected["hex"]
    present = [(name, value) for name, value in actual.items() if value is not None]
    return all(same(expected.get(name, LEFT_OUT), value) for name, value in present)


def same_items(expected, actual):
    """Pairs whose value is missing may be left out."""
    at = 0
    for item in expected:
        if at < len(actual) and same(item, actual[at]):
            at += 1
        elif not (isinstance(item, list) and len(item) == 2 and is_missing(item[1])):
            return False
    return at == len(actual)


def same_float(expected, actual):
    try:
        left, right = (float(NAMED.get(value, value)) for value in (expected, actual))
    except (TypeError, ValueError):
        return False
    if left == right or (left != left and right != right):
        return True
    # A float of 32 bits: the shortest digits of one reader, all of another.
    return len(re.sub(r"e.*|\D", "", repr(left))) <= 9 and single(left) == single(right)


def single(value):
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return value


def is_missing(value):
    return isinstance(value, dict) and value.keys() == {"missing"}


def is_same_guid(expected, actual):
    if not isinstance(expected, str) or not GUID.fullmatch(expected):
        return False
    return str(actual).strip("{}").lower() == expected
