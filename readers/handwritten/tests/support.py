"""Runs a reader on bytes inside the test process and returns its answer."""

import json
import pathlib
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1]
READERS = "dial9", "fieldlog", "nettrace", "nettrace4", "netperf", "wtf"
KIT = FOLDER.parents[1] / "cli/templates/python"
for path in (KIT, FOLDER, *(FOLDER / reader for reader in READERS)):
    sys.path.insert(0, str(path))

import tracegauge  # noqa: E402 - requires the path set above


class Kept(tracegauge.Reporter):
    """A reporter that stores the records instead of writing them."""

    def __init__(self, format_name):
        super().__init__(format_name)
        self.records = []

    def record(self, record):
        self.records.append(json.loads(tracegauge.canonical(present(record)), parse_int=integer))


def present(value):
    """Removes members that are None. These members are absent, and the kit writes them as null."""
    if isinstance(value, dict):
        return {name: present(member) for name, member in value.items() if member is not None}
    if isinstance(value, (list, tuple)):
        return [present(item) for item in value]
    return value


def integer(digits):
    """Converts an integer like the reference decoder: to a text if JSON readers would round it."""
    return digits if abs(int(digits)) >= 2**53 else int(digits)


def answer(read, data, format_name=""):
    """Returns the records and the closing line."""
    reporter = Kept(format_name)
    try:
        read(data, reporter)
    except tracegauge.Rejection as rejection:
        return reporter.records, rejection.closing
    return reporter.records, {"end": "accept"}


def pack(form, *values):
    return struct.pack("<" + form, *values)
