"""Compares what a reader returned with what a case expects.

Written by tracegauge corpus export; changes will be overwritten. Standard library only.
"""

import collections.abc
import decimal
import enum
import json
import math
import numbers
import re
import reprlib
import struct
import uuid

HOLDERS = {"record", "list", "object", "pairs", "json-list", "json-object"}
NOT_OWED = {"absent", "missing", "free"}
NAMED = {"NaN", "Infinity", "-Infinity"}
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,39})")
HEX = re.compile(r"([0-9A-Fa-f]{2})*")
GUID = re.compile(r"\{(.*)\}")
# No integer of a format has more digits.
MOST_DIGITS = 40
END = "the end of the list"
# Behind the name of a member: it is left out where it is empty, zero or false, and nowhere else.
WHEN_EMPTY = " when empty"

short = reprlib.Repr()
short.maxstring = short.maxother = short.maxlong = 200


class Value:
    """An expected value: a row of a case and the rows of what it holds."""

    __slots__ = ("label", "kind", "content", "inner")

    def __init__(self, label, kind, content, inner):
        self.label, self.kind, self.content, self.inner = label, kind, content, inner

    def is_owed(self):
        return self.kind not in NOT_OWED

    def is_empty(self):
        """Whether it is empty, zero or false, as what many writers leave out by themselves."""
        kind, content = self.kind, self.content
        if kind in ("f32", "f64"):
            return content.strip("0") in ("", ".")
        zeros = {"bool": False, "int": "0", "text": "", "bytes": "", "list": 0, "pairs": 0}
        return content[0] == "0" if kind == "flags" else kind in zeros and content == zeros[kind]


class Seen:
    """What a reader has no way to report, and what it leaves out besides."""

    def __init__(self, omits=()):
        self.omits, self.left_out = omits, []

    def omits_kind(self, kind):
        return kind in self.omits

    def leaves_out(self, name, value):
        """A member that is not there. What is inside of what is declared is declared, too."""
        for omitted in self.omits:
            declared = omitted.removesuffix(WHEN_EMPTY)
            if declared != omitted and not value.is_empty():
                continue
            rest = name.removeprefix(declared)
            if rest == "" or rest != name and rest[0] in ".[":
                return
        self.left_out.append((f".{value.label}", shown(value), "no such member"))

    def within(self, before, step):
        """What was left out since there were `before` is within `step`."""
        for index, (path, *words) in enumerate(self.left_out[before:], before):
            self.left_out[index] = (step + path, *words)


def values(rows):
    """The values that rows describe."""
    rows, found = iter(rows), []
    for row in rows:
        found.append(_value(row, rows))
    return found


def _value(row, rows):
    label, kind, content = row
    count = content * (2 if kind == "pairs" else 1) if kind in HOLDERS else 0
    inner = []
    for _ in range(count):
        inner.append(_value(next(rows), rows))
    return Value(label, kind, content, inner)


def difference_of_records(expected, records, is_open, seen):
    """The first difference between lists of records: (record, path, expected, actual) or None.

    A member that is left out says less than a value that is wrong.
    """
    at, left_out = 0, None
    for index, actual in enumerate(records):
        kind = actual.get("record")
        while at < len(expected) and seen.omits_kind(expected[at].label) and expected[at].label != kind:
            at += 1
        if at == len(expected):
            return left_out if is_open else (index, "", "no further record", short.repr(actual))
        found = _record(expected[at], actual, seen)
        if found:
            return (index, *found)
        if seen.left_out and not left_out:
            left_out = (index, *seen.left_out[0])
        at += 1
    owed = [value for value in expected[at:] if not seen.omits_kind(value.label)]
    if owed:
        return (len(records), "", f"a record {owed[0].label}", "no further record")
    return left_out


def _record(expected, actual, seen):
    if actual.get("record") != expected.label:
        return (".record", json.dumps(expected.label), described(actual.get("record")))
    return _members(expected.inner, actual, {"record"}, expected.label, seen)


def difference(expected, actual, context="", seen=None):
    """Where `actual` is not the expected value: (path, expected, actual) in words; None if it is."""
    kind, seen = expected.kind, seen or Seen()
    if kind == "list":
        return _list(expected.inner, items(actual), actual, context, seen)
    if kind == "pairs":
        return _pairs(expected.inner, items(actual), actual, context, seen)
    if kind == "object":
        if not isinstance(actual, collections.abc.Mapping):
            return ("", "an object", described(actual))
        return _members(expected.inner, actual, (), context, seen)
    if kind in ("json-list", "json-object"):
        return None if _is_json(expected, actual) else ("", shown(expected), described(actual))
    if is_scalar(kind, expected.content, actual):
        return None
    return ("", shown(expected), described(actual))


def _members(expected, actual, ours, context, seen):
    for value in expected:
        name = f"{context}.{value.label}"
        if value.label not in actual:
            if value.is_owed():
                seen.leaves_out(name, value)
            continue
        before = len(seen.left_out)
        found = difference(value, actual[value.label], name, seen)
        if found:
            # A member that nobody knows may be why another is wrong.
            return _unknown(expected, actual, ours) or (f".{value.label}{found[0]}", *found[1:])
        seen.within(before, f".{value.label}")
    return _unknown(expected, actual, ours)


def _unknown(expected, actual, ours):
    known = {value.label for value in expected}.union(ours)
    for name, value in actual.items():
        if name not in known and not holds_nothing(value):
            return (f".{name}", "no such member", described(value))
    return None


def holds_nothing(actual):
    """Whether this is null, or an object in which there is nothing else."""
    if isinstance(actual, collections.abc.Mapping):
        for value in actual.values():
            if not holds_nothing(value):
                return False
        return True
    return actual is None


def _list(expected, actual, raw, context, seen):
    if actual is None:
        return ("", f"a list of {len(expected)}", described(raw))
    for index, value in enumerate(expected):
        if index == len(actual):
            return (f"[{index}]", shown(value), END)
        before = len(seen.left_out)
        found = difference(value, actual[index], f"{context}[]", seen)
        if found:
            return (f"[{index}]{found[0]}", *found[1:])
        seen.within(before, f"[{index}]")
    if len(actual) > len(expected):
        return (f"[{len(expected)}]", END, described(actual[len(expected)]))
    return None


def _pairs(expected, actual, raw, context, seen):
    """Pairs stand in order; one without a value may be left out."""
    if actual is None:
        return ("", f"a list of {len(expected) // 2} [name, value] pairs", described(raw))
    at = 0
    for index in range(0, len(expected), 2):
        name, value = expected[index], expected[index + 1]
        found, before = ("", shown(name), END), len(seen.left_out)
        if at < len(actual):
            found = _pair(name, value, items(actual[at]), actual[at], context, seen)
        if not found:
            seen.within(before, f"[{at}].value")
            at += 1
        elif value.is_owed():
            return (f"[{at}]{found[0]}", *found[1:])
        else:
            del seen.left_out[before:]
    if at < len(actual):
        return (f"[{at}]", END, described(actual[at]))
    return None


def _pair(name, value, pair, raw, context, seen):
    if pair is None or len(pair) != 2:
        return ("", "a pair [name, value]", described(raw))
    found = difference(name, pair[0])
    if found:
        return (f".name{found[0]}", *found[1:])
    found = difference(value, pair[1], f"{context}[]", seen)
    return (f".value{found[0]}", *found[1:]) if found else None


def _is_json(expected, actual):
    """Whether this is the JSON value: what is null in it is not left out."""
    if expected.kind == "json-list":
        actual = items(actual)
        if actual is None or len(actual) != len(expected.inner):
            return False
        for value, item in zip(expected.inner, actual):
            if not _is_json(value, item):
                return False
        return True
    if expected.kind == "json-object":
        if not isinstance(actual, collections.abc.Mapping) or len(actual) != len(expected.inner):
            return False
        for value in expected.inner:
            if value.label not in actual or not _is_json(value, actual[value.label]):
                return False
        return True
    return is_scalar(expected.kind, expected.content, actual)


def is_scalar(kind, content, actual):
    """Whether a value that holds no others is right, in each of the ways in which it may be written."""
    actual = plain(actual)
    if kind == "free":
        return True
    if kind in ("absent", "json-null"):
        return actual is None
    if kind == "missing":
        return actual is None or _is_missing(actual)
    if kind in ("bool", "json-bool"):
        return isinstance(actual, bool) and actual == content
    if kind in ("text", "json-text"):
        return isinstance(actual, str) and actual == content
    if kind == "int":
        return integer(actual) == int(content)
    if kind in ("f32", "f64"):
        return _is_float(kind, content, actual)
    if kind == "json-number":
        return _is_json_number(content, actual)
    if kind in ("bytes", "ill-formed"):
        return _hex(actual) == content or kind == "ill-formed" and _is_ill_formed(content, actual)
    if kind == "guid":
        return _is_guid(content, actual)
    if kind == "enum":
        name, number = content
        return isinstance(actual, str) and actual == name or integer(actual) == int(number)
    return _is_flags(content, actual)


def plain(actual):
    """What a member of an enumeration stands for: its number, or its name if it has no number. A class
    that is also an int or a str stands for that. Adapters write the same, so that `run` sees the same."""
    if not isinstance(actual, enum.Enum) or isinstance(actual, (int, str)):
        return actual
    return actual.value if isinstance(actual.value, int) else actual.name


def items(actual):
    """The items of a list in any of the types that lists have; None for what is no list."""
    if isinstance(actual, (list, tuple, collections.deque)):
        return actual
    if isinstance(actual, memoryview) or not hasattr(actual, "tolist"):
        return None
    # A NumPy scalar has this method too.
    found = actual.tolist()
    return found if isinstance(found, list) else None


def digits(actual):
    """The digits of a number, or the name of a float that has none; None for what is no number."""
    if isinstance(actual, bool):
        return None
    if isinstance(actual, numbers.Integral):
        number = int(actual)
        return str(number) if number.bit_length() < 1000 else hex(number)
    if isinstance(actual, decimal.Decimal):
        return str(actual) if actual.is_finite() else digits(float(actual))
    if isinstance(actual, numbers.Real):
        number = float(actual)
        if math.isnan(number):
            return "NaN"
        if math.isinf(number):
            return "Infinity" if number > 0 else "-Infinity"
        return repr(number)
    return None


def integer(actual):
    """The integer that this is: a number with all its digits, or a decimal string."""
    if isinstance(actual, str):
        return int(actual) if DECIMAL.fullmatch(actual) else None
    text = digits(actual)
    if text is None or text in NAMED or "x" in text:
        return None
    number = decimal.Decimal(text)
    if number and not -1 < number.adjusted() < MOST_DIGITS:
        return None
    return int(number) if number == int(number) else None


def _is_float(kind, content, actual):
    text = actual if isinstance(actual, str) else digits(actual)
    if text is None or text in NAMED or content == "NaN":
        return text == content
    if isinstance(actual, str) or "x" in text:
        return False
    wanted, number = float(content), float(text)
    if kind == "f32":
        wanted, number = _single(wanted), _single(number)
    return wanted == number and math.copysign(1, wanted) == math.copysign(1, number)


def _single(number):
    """The float of 32 bits that is nearest."""
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def _is_json_number(content, actual):
    text = actual if isinstance(actual, str) else digits(actual)
    if text in NAMED:
        # A number beyond all doubles is infinite as one.
        return math.isinf(float(content)) and float(content) == float(text)
    if text is None or isinstance(actual, str) or "x" in text:
        return False
    return float(content) == float(text)


def _is_missing(actual):
    is_object = isinstance(actual, collections.abc.Mapping) and len(actual) == 1
    return is_object and isinstance(actual.get("missing"), str)


def _hex(actual):
    """The hexadecimal digits of bytes; None for what is none."""
    if isinstance(actual, (bytes, bytearray, memoryview)):
        return bytes(actual).hex()
    if isinstance(actual, collections.abc.Mapping) and len(actual) == 1:
        text = actual.get("hex")
        return text.lower() if isinstance(text, str) and HEX.fullmatch(text) else None
    return None


def _is_ill_formed(content, actual):
    """Whether this is a string in which surrogates stand for what is not well-formed."""
    if not isinstance(actual, str):
        return False
    for encoding, errors in (("utf-8", "surrogateescape"), ("utf-16-le", "surrogatepass")):
        try:
            if actual.encode(encoding, errors).hex() == content:
                return True
        except UnicodeEncodeError:
            pass
    return False


def _is_guid(content, actual):
    text = str(actual) if isinstance(actual, uuid.UUID) else actual
    if not isinstance(text, str):
        return False
    braces = GUID.fullmatch(text)
    return (braces.group(1) if braces else text).lower() == content


def _is_flags(content, actual):
    number, rest, names = content
    if integer(actual) == int(number):
        return True
    listed = list(actual) if isinstance(actual, (set, frozenset)) else items(actual)
    if listed is None:
        return False
    left, bits = list(names), 0
    for item in listed:
        item = plain(item)
        bit = integer(item)
        if isinstance(item, str) and item in left:
            left.remove(item)
        elif bit is not None and 0 <= bit < 2**64:
            bits |= bit
        else:
            return False
    return not left and bits == int(rest)


def shown(expected):
    """An expected value in words."""
    kind, content = expected.kind, expected.content
    if kind in HOLDERS:
        word = "[name, value] pairs" if kind == "pairs" else "values" if "list" in kind else "members"
        return f"{kind} of {content} {word}"
    if kind in ("text", "json-text"):
        return cut(json.dumps(content, ensure_ascii=False))
    if kind in ("int", "f32", "f64", "json-number", "guid"):
        return content
    if kind == "bytes" or kind == "ill-formed":
        return cut(f"{len(content) // 2} bytes {content}")
    if kind == "enum":
        return f"{content[0]} ({content[1]})"
    if kind == "flags":
        return cut(f"{content[0]}, which is {', '.join(content[2]) or 'no flags'} and {content[1]}")
    if kind == "missing":
        return f"nothing, since it is missing: {cut(content)}"
    return "nothing" if kind in ("absent", "json-null") else json.dumps(content)


def described(actual):
    """What a reader returned, in words."""
    return f"{cut(short.repr(actual))} ({type(actual).__name__})"


def cut(text):
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"
