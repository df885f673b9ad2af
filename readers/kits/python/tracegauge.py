"""The tracegauge reader protocol, so that an adapter is one function. Standard library only.

    import tracegauge

    def read(data, reporter):
        for event in parse(data):
            reporter.record({"record": "event", **event})

    tracegauge.run(name="my-reader", version="1.4.0", read=read)

With a path as its last argument the program reads that file (once), without one it
answers requests on standard input (serve). `read` returns where the reader accepts and
raises a Rejection where the reader says no. Anything else that is raised is a crash: it
ends the process, which is what the harness must see.
"""

import json
import os
import sys
import traceback
from json.encoder import encode_basestring_ascii as quote
from math import inf

PROTOCOL = 1

# Of sysexits.h; 65 and 69 are answers in the protocol, the rest are not.
REJECT, NO_INPUT, UNSUPPORTED, CRASH, BAD_PROTOCOL = 65, 66, 69, 70, 76

# The integers that every JSON reader takes for what they are.
SAFE = 2**53 - 1

# Records are gathered up to this many characters before they are written.
GATHERED = 1 << 16


class Rejection(Exception):
    """How a reader says no."""

    def __init__(self, why, kind=None, offset=None):
        """`kind`: malformed, incomplete or unsupported; it and `offset` where known."""
        super().__init__(why)
        self.status = REJECT
        self.closing = {"end": "reject", "why": why, "class": kind, "offset": offset}

    @classmethod
    def unsupported(cls, feature):
        """The reader says that it does not read this feature, rather than that it is wrong."""
        rejection = cls(feature)
        rejection.status = UNSUPPORTED
        rejection.closing = {"end": "unsupported", "feature": feature}
        return rejection


class Rendered:
    """A value whose canonical JSON is known already, for what many records share."""

    __slots__ = ("json",)

    def __init__(self, value):
        self.json = canonical(value)


def canonical(value):
    """A value as JSON in the protocol's canonical form.

    Takes what `json` takes, and bytes; a member that is None is left out. Bytes stand
    for bytes as well as for text that is not well formed: both are written as hex.
    """
    kind = type(value)
    if kind is str:
        return quote(value)
    if kind is int:
        return str(value) if -SAFE <= value <= SAFE else f'"{value}"'
    if kind is list or kind is tuple:
        return "[" + ",".join(map(canonical, value)) + "]"
    if kind is dict:
        members = [f"{quote(name)}:{canonical(member)}" for name, member in value.items() if member is not None]
        return "{" + ",".join(members) + "}"
    if kind is Rendered:
        return value.json
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return _number(value)
    if value is None:
        return "null"
    if kind in (bytes, bytearray, memoryview):
        return '{"hex":"' + value.hex() + '"}'
    raise TypeError(f"no canonical form for {kind.__name__}")


def _number(value):
    if value != value:
        return '"NaN"'
    if value in (inf, -inf):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    return repr(value)


class Reporter:
    """Takes the records of one case, in the order in which the reader reports them."""

    def __init__(self, format_name):
        #: The format that the case is in, by its name in tracegauge.
        self.format = format_name
        self._lines = []
        self._length = 0

    def record(self, record):
        """Reports one record: a dict with a `record` member that names its kind."""
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
    """Runs the program. `reports` is "verdict" for a reader that cannot tell what it read."""
    if len(sys.argv) > 1:
        sys.exit(_read_case(sys.argv[-1], os.environ.get("TRACEGAUGE_FORMAT", ""), read))
    hello = {"tracegauge": PROTOCOL, "name": name, "version": version, "reports": reports}
    for line in sys.stdin.buffer:
        _answer(line, hello, read)


def _answer(line, hello, read):
    try:
        request = json.loads(line)
    except ValueError:
        _die(BAD_PROTOCOL, f"not JSON: {line!r}")
    if not isinstance(request, dict):
        _die(BAD_PROTOCOL, f"not an object: {line!r}")
    if "tracegauge" in request:
        if request["tracegauge"] != PROTOCOL:
            _die(BAD_PROTOCOL, f"unknown protocol: {line!r}")
        Reporter("").close(hello)
    elif isinstance(request.get("file"), str):
        _read_case(request["file"], request.get("format", ""), read)
    else:
        _die(BAD_PROTOCOL, f"no file: {line!r}")


def _read_case(path, format_name, read):
    """Reads one case and closes it; gives the exit status of `once`."""
    reporter = Reporter(format_name)
    data = _load(path)
    try:
        read(data, reporter)
    except Rejection as rejection:
        reporter.close(rejection.closing)
        return rejection.status
    except Exception:
        reporter.flush()
        # Python's own status for this is 1, which would say "rejected, perhaps crashed".
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
    # Past Python's own buffer, so that a case has left the process before the next is begun.
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]
