"""A reader that returns the answers in the folder that TRACEGAUGE_ANSWERS names."""

import json
import os
import pathlib
import sys

REJECTIONS = (LookupError,)
FOLDER = pathlib.Path(__file__).resolve().parent / "cases"


class Unsupported(Exception):
    pass


def load(name):
    """The reader's answer to a case, which is the reference decoder's unless the reader differs."""
    folder = pathlib.Path(os.environ["TRACEGAUGE_ANSWERS"])
    try:
        text = (folder / "changed" / (name + ".json")).read_text(encoding="utf-8")
    except FileNotFoundError:
        text = (folder / "right" / (name + ".json")).read_text(encoding="utf-8")
    return json.loads(text)


NAMED = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def value(rows):
    label, kind, content = next(rows)
    if kind == "record":
        return ({"record": label} if label else {}) | members(rows, content)
    if kind in ("object", "json-object"):
        return members(rows, content)
    if kind in ("list", "json-list"):
        items = []
        for _ in range(content):
            items.append(value(rows))
        return items
    if kind == "pairs":
        pairs = []
        for _ in range(content):
            name = value(rows)
            pairs.append((name, value(rows)))
        return pairs
    if kind in ("bool", "text", "guid", "json-bool", "json-text"):
        return content
    if kind == "int":
        return int(content)
    if kind in ("f32", "f64"):
        return NAMED.get(content) if content in NAMED else float(content)
    if kind == "json-number":
        return json.loads(content)
    if kind in ("bytes", "ill-formed"):
        return bytes.fromhex(content)
    if kind == "enum":
        return content[0]
    if kind == "flags":
        return [*content[2], int(content[1])]
    return {"missing": content} if kind == "missing" else None


def members(rows, count):
    found = {}
    for _ in range(count):
        rows.peek()
        label = rows.row[0]
        found[label] = value(rows)
    return found


class Rows:
    def __init__(self, rows):
        self.rows, self.at, self.row = rows, 0, None

    def peek(self):
        self.row = self.rows[self.at]

    def __next__(self):
        self.peek()
        self.at += 1
        return self.row


def read(path):
    name = pathlib.Path(path).relative_to(FOLDER).as_posix()
    answer = load(name)
    if answer["said"] == "reject":
        raise KeyError("no")
    if answer["said"] == "unsupported":
        raise Unsupported("all of it")
    if answer["said"] == "crash":
        raise ZeroDivisionError
    if answer["records"] is None:
        return None
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    try:
        rows, records = Rows(answer["records"]), []
        while rows.at < len(rows.rows):
            records.append(value(rows))
        return records
    finally:
        sys.setrecursionlimit(limit)
