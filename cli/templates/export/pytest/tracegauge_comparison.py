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
# Suffix of a declared member that the reader omits only if the value is empty, zero or false.
WHEN_EMPTY = " when empty"

short = reprlib.Repr()
short.maxstring = short.maxother = short.maxlong = 200


class Value:
    """An expected value: a row of a case, and the values that it contains."""

    __slots__ = ("label", "kind", "content", "inner")

    def __init__(self, label, kind, content, inner):
        self.label, self.kind, self.content, self.inner = label, kind, content, inner

    def is_owed(self):
        return self.kind not in NOT_OWED

    def is_empty(self):
        """Returns whether the value is empty, zero or false. Many JSON writers omit such values."""
        kind, content = self.kind, self.content
        if kind in ("f32", "f64"):
            return content.strip("0") in ("", ".")
        zeros = {"bool": False, "int": "0", "text": "", "bytes": "", "list": 0, "pairs": 0}
        return content[0] == "0" if kind == "flags" else kind in zeros and content == zeros[kind]


class Seen:
    """The members and kinds that a reader declares as omitted, and its undeclared omissions."""

    def __init__(self, omits=()):
        self.omits, self.left_out = omits, []

    def omits_kind(self, kind):
        return kind in self.omits

    def leaves_out(self, name, value):
        """Records a missing member, unless it or a member that contains it is declared as omitted."""
        for omitted in self.omits:
            declared = omitted.removesuffix(WHEN_EMPTY)
            if declared != omitted and not value.is_empty():
                continue
            rest = name.removeprefix(declared)
            if rest == "" or rest != name and rest[0] in ".[":
                return
        self.left_out.append((f".{value.label}", shown(value), "no such member"))

    def within(self, before, step):
        """Prepends `step` to the paths of all undeclared omissions from the index `before` on."""
        for index, (path, *words) in enumerate(self.left_out[before:], before):
            self.left_out[index] = (step + path, *words)


def values(rows):
    """Returns the values that the rows describe."""
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
    """Returns the first difference between two lists of records, or None.

    A difference is (record, path, expected, actual). A wrong value takes precedence over an
    omitted member.
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
    """Returns how `actual` differs from the expected value: (path, expected, actual), or None."""
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
            # An unknown member may be the reason why another member is wrong.
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
    """Returns whether the value is None, or a mapping whose values are all None or such mappings."""
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
    """Compares ordered pairs. A pair without a value may be omitted."""
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
    """Returns whether `actual` is the expected JSON value. Null members must not be omitted."""
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
    """Returns whether a value without inner values is correct, in any of the allowed forms."""
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
    """Returns the number of an enumeration member, or its name if its value is not an integer.

    Members that are also an int or a str are returned unchanged. Adapters write the same values, so
    that these tests and `run` agree.
    """
    if not isinstance(actual, enum.Enum) or isinstance(actual, (int, str)):
        return actual
    return actual.value if isinstance(actual.value, int) else actual.name


def items(actual):
    """Returns the items of a list of any supported type, or None if the value is not a list."""
    if isinstance(actual, (list, tuple, collections.deque)):
        return actual
    if isinstance(actual, memoryview) or not hasattr(actual, "tolist"):
        return None
    # A NumPy scalar has this method too.
    found = actual.tolist()
    return found if isinstance(found, list) else None


def digits(actual):
    """Returns the digits of a number, the name of a NaN or infinity, or None if it is not a number."""
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
    """Converts a number with all its digits, or a decimal string, to an integer."""
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
    """Rounds to the nearest 32-bit float."""
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def _is_json_number(content, actual):
    text = actual if isinstance(actual, str) else digits(actual)
    if text in NAMED:
        # A number that exceeds the range of a double becomes infinite.
        return math.isinf(float(content)) and float(content) == float(text)
    if text is None or isinstance(actual, str) or "x" in text:
        return False
    return float(content) == float(text)


def _is_missing(actual):
    is_object = isinstance(actual, collections.abc.Mapping) and len(actual) == 1
    return is_object and isinstance(actual.get("missing"), str)


def _hex(actual):
    """Returns the hexadecimal digits of bytes, or None if the value is not bytes."""
    if isinstance(actual, (bytes, bytearray, memoryview)):
        return bytes(actual).hex()
    if isinstance(actual, collections.abc.Mapping) and len(actual) == 1:
        text = actual.get("hex")
        return text.lower() if isinstance(text, str) and HEX.fullmatch(text) else None
    return None


def _is_ill_formed(content, actual):
    """Returns whether the value is a string in which surrogates represent the ill-formed bytes."""
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
    """Describes an expected value."""
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
        return cut(f"{content[0]} (flags: {', '.join(content[2]) or 'none'}; remaining bits: {content[1]})")
    if kind == "missing":
        return f"nothing, because the value is missing: {cut(content)}"
    return "nothing" if kind in ("absent", "json-null") else json.dumps(content)


def described(actual):
    """Describes a value that the reader returned."""
    return f"{cut(short.repr(actual))} ({type(actual).__name__})"


def cut(text):
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)} characters)"
