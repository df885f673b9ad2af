"""The tracegauge reader protocol. With this module, an adapter is a single function.

It uses only the standard library.

    import tracegauge

    def read(data, reporter):
        for event in parse(data):
            reporter.record({"record": "event", **event})

    tracegauge.run(name="my-reader", version="1.4.0", read=read)

If the last argument is a path, the program reads that file (mode once). Without arguments,
it answers requests on standard input (mode serve). `read` returns if the reader accepts the
trace and raises a Rejection if the reader rejects it. Any other exception counts as a crash:
it ends the process, so that the harness detects it.
"""

import collections
import collections.abc
import decimal
import enum
import json
import numbers
import os
import sys
import traceback
import uuid
from json.encoder import encode_basestring_ascii as quote
from math import inf

PROTOCOL = 1

# Exit statuses of sysexits.h. Only 65 and 69 are answers in the protocol.
REJECT, NO_INPUT, UNSUPPORTED, CRASH, BAD_PROTOCOL = 65, 66, 69, 70, 76

# Records are buffered up to this many characters before they are written.
GATHERED = 1 << 16


class Rejection(Exception):
    """Raised by `read` if the reader rejects a trace."""

    def __init__(self, why, kind=None, offset=None):
        """Creates a rejection. `why` is a text or the reader's own exception. `kind` is
        malformed, incomplete or unsupported. `kind` and `offset` may be omitted if unknown."""
        why = _plain(why)
        super().__init__(why)
        self.status = REJECT
        self.closing = {"end": "reject", "why": why, "class": kind, "offset": offset}

    @classmethod
    def unsupported(cls, feature):
        """Creates a rejection because the reader does not support a feature. It does not mean
        that the trace is faulty."""
        feature = _plain(feature)
        rejection = cls(feature)
        rejection.status = UNSUPPORTED
        rejection.closing = {"end": "unsupported", "feature": feature}
        return rejection


class Rendered:
    """A value that is already rendered as JSON, for values shared by many records."""

    __slots__ = ("json",)

    def __init__(self, value):
        self.json = canonical(value)


# The most frequent types of values that contain no other values.
_SCALARS = frozenset((float, bool, bytes, type(None), Rendered))


def canonical(value):
    """Returns a value as JSON in the protocol's canonical form.

    Accepts everything that `json` accepts, and bytes. Bytes may be raw bytes or text that is
    not well-formed, and are written as hex. The same applies to a str with surrogates, which
    `errors="surrogateescape"` produces from bytes that are not UTF-8. An int is written with
    all its digits, so that numbers from `json.loads` do not change.

    Also accepts Decimal and other numbers, uuid.UUID, any mapping, deque, array.array, NumPy
    arrays, and set for flags. A member of an Enum is written as its value if that is an int,
    and otherwise as its name. If the class is also an int or a str, the member is written like
    any other int or str.
    """
    try:
        return _nested(value)
    except RecursionError:
        return _deep(value)


def _nested(value):
    kind = type(value)
    if kind is str:
        return _text(value)
    if kind is int:
        return str(value)
    if kind is list or kind is tuple:
        return "[" + ",".join(map(_nested, value)) + "]"
    if kind is dict:
        members = [f"{_name(name)}:{_nested(member)}" for name, member in value.items()]
        return "{" + ",".join(members) + "}"
    inside = None if kind in _SCALARS else _container(value)
    return _plain_value(value) if inside is None else _nested(inside)


def _deep(value):
    """Renders values like `_nested`, but without recursion. The parts still to be written are on
    a stack, with the next one last. A Rendered on the stack is written verbatim."""
    written, waiting = [], [value]
    while waiting:
        part = waiting.pop()
        holder = _container(part)
        if holder is None:
            written.append(_plain_value(part))
            continue
        if isinstance(holder, list):
            inside = [[item] for item in holder]
            opening, closing = "[", "]"
        else:
            inside = [[_raw(_name(name) + ":"), member] for name, member in holder.items()]
            opening, closing = "{", "}"
        written.append(opening)
        waiting.append(_raw(closing))
        for at in reversed(range(len(inside))):
            waiting.extend(reversed(inside[at]))
            if at:
                waiting.append(_raw(","))
    return "".join(written)


def _raw(json_text):
    rendered = Rendered(None)
    rendered.json = json_text
    return rendered


def _container(value):
    """Returns a value that contains other values as a list or a dict, and None for any other."""
    if isinstance(value, (list, tuple, collections.deque)):
        return list(value)
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        # The order of a set can differ between runs, but the answer must not.
        return sorted(value, key=canonical)
    if not isinstance(value, memoryview) and hasattr(value, "tolist"):
        items = value.tolist()
        # For a NumPy scalar, this method does not return a list.
        return items if isinstance(items, list) else None
    return None


def _plain_value(value):
    """Renders a value that contains no other values. Instances of subclasses, such as IntEnum,
    are written like those of their base class."""
    if isinstance(value, str):
        return _text(str.__str__(value))
    if isinstance(value, Rendered):
        return value.json
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, enum.Enum):
        return _plain_value(value.value if isinstance(value.value, int) else value.name)
    if isinstance(value, decimal.Decimal):
        return str(value) if value.is_finite() else _number(float(value))
    if isinstance(value, numbers.Real):
        return _number(float(value))
    if value is None:
        return "null"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return '{"hex":"' + value.hex() + '"}'
    if isinstance(value, uuid.UUID):
        return quote(str(value))
    raise TypeError(f"no JSON form for {type(value).__name__}")


def _text(value):
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        return '{"hex":"' + _bytes_of(value).hex() + '"}'
    return quote(value)


def _bytes_of(text):
    """Returns the bytes of a str with surrogates: those encoded by `surrogateescape`, or else
    each surrogate as the three bytes that UTF-8 would use for it."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def _name(name):
    """Renders the name of a member, which must be a string in JSON."""
    return quote(_plain(name))


def _plain(text):
    """Returns well-formed text, for places where bytes are not allowed. Replaces invalid parts."""
    if isinstance(text, (bytes, bytearray, memoryview)):
        return str(text, "utf-8", "replace")
    text = str(text)
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return _bytes_of(text).decode(errors="replace")
    return text


def _number(value):
    if value != value:
        return '"NaN"'
    if value in (inf, -inf):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    return repr(value)


class Reporter:
    """Writes the records of one case in the order in which the reader reports them."""

    def __init__(self, format_name):
        #: The tracegauge name of the case's format.
        self.format = format_name
        self._lines = []
        self._length = 0

    def record(self, record):
        """Reports one record, which must be a dict with a `record` member that names its kind."""
        line = canonical(record)
        self._lines.append(line)
        self._length += len(line)
        if self._length > GATHERED:
            self.flush()

    def close(self, closing):
        self.record(closing)
        self.flush()

    def flush(self):
        if self._lines:
            self._lines.append("")
            _write(1, "\n".join(self._lines).encode("ascii"))
            self._lines = []
            self._length = 0


def run(*, name, version, read, reports="records"):
    """Runs the adapter. `reports` is "verdict" for a reader that reports no records."""
    if sys.argv[-1] in ("--help", "-h"):
        _write(1, f"usage: {name} [TRACE]; without TRACE, answers requests on standard input\n".encode())
        return
    if len(sys.argv) > 1:
        sys.exit(_read_case(sys.argv[-1], os.environ.get("TRACEGAUGE_FORMAT", ""), read))
    hello = {"tracegauge": PROTOCOL, "name": name, "version": version, "reports": reports}
    for line in sys.stdin.buffer:
        _answer(line, hello, read)


def _answer(line, hello, read):
    try:
        request = json.loads(line)
    except ValueError:
        _die(BAD_PROTOCOL, f"the request is not JSON: {line!r}")
    if not isinstance(request, dict):
        _die(BAD_PROTOCOL, f"the request is not a JSON object: {line!r}")
    if "tracegauge" in request:
        if request["tracegauge"] != PROTOCOL:
            _die(BAD_PROTOCOL, f"unsupported protocol version: {line!r}")
        Reporter("").close(hello)
    elif isinstance(request.get("file"), str):
        _read_case(request["file"], request.get("format", ""), read)
    else:
        _die(BAD_PROTOCOL, f"the request has no `file`: {line!r}")


def _read_case(path, format_name, read):
    """Reads one case and writes its closing line. Returns the exit status for mode once."""
    reporter = Reporter(format_name)
    data = _load(path)
    try:
        read(data, reporter)
    except Rejection as rejection:
        reporter.close(rejection.closing)
        return rejection.status
    except Exception:
        reporter.flush()
        # Python's own exit status for an exception is 1, which means "rejected, perhaps crashed".
        _die(CRASH, traceback.format_exc())
    reporter.close({"end": "accept"})
    return 0


def _load(path):
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError as error:
        _die(NO_INPUT, str(error))


def _die(status, why):
    _write(2, f"{why.rstrip()}\n".encode(errors="backslashreplace"))
    sys.exit(status)


def _write(descriptor, data):
    # Bypasses Python's buffering, so that all output of a case is written before the next begins.
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]
