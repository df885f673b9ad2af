"""Runs a reader on bytes within the test, and gives what it answers."""

import json
import pathlib
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1]
READERS = "dial9", "fieldlog", "nettrace", "nettrace4", "netperf", "wtf"
for path in (FOLDER.parent / "kits/python", FOLDER, *(FOLDER / reader for reader in READERS)):
    sys.path.insert(0, str(path))

import tracegauge  # noqa: E402 - found by the path above


class Kept(tracegauge.Reporter):
    """A reporter that keeps the records instead of writing them."""

    def __init__(self, format_name):
        super().__init__(format_name)
        self.records = []

    def record(self, record):
        self.records.append(json.loads(tracegauge.canonical(present(record)), parse_int=integer))


def present(value):
    """The value without members that are None: absent, which the kit writes as null."""
    if isinstance(value, dict):
        return {name: present(member) for name, member in value.items() if member is not None}
    if isinstance(value, (list, tuple)):
        return [present(item) for item in value]
    return value


def integer(digits):
    """As the suite's own decoder writes it: as a text where JSON readers would round it."""
    return digits if abs(int(digits)) >= 2**53 else int(digits)


def answer(read, data, format_name=""):
    """The records, and the closing line."""
    reporter = Kept(format_name)
    try:
        read(data, reporter)
    except tracegauge.Rejection as rejection:
        return reporter.records, rejection.closing
    return reporter.records, {"end": "accept"}


def pack(form, *values):
    return struct.pack("<" + form, *values)
