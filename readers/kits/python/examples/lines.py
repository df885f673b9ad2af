"""A minimal adapter for a "format" of UTF-8 lines. The kit's tests run it.

A line `unsupported` or `raise` triggers the kit's handling of these cases.
"""

import pathlib
import sys

kit = pathlib.Path(__file__).resolve().parents[4] / "cli/templates/python"
sys.path.insert(0, str(kit))

import tracegauge  # noqa: E402 - a copy next to the adapter needs no path


def read(data, reporter):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise tracegauge.Rejection(str(error), "malformed", error.start) from None
    for line in text.split("\n"):
        if line == "unsupported":
            raise tracegauge.Rejection.unsupported("lines that say so")
        if line == "raise":
            raise TypeError("asked to")
        reporter.record({"record": "line", "format": reporter.format, "text": line})


tracegauge.run(name="lines", version="1.0.0", read=read)
