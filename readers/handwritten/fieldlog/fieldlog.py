"""A reader of FieldLog, versions 1 and 2, written from the format's specification.

Decisions where the specification is silent or contradicts itself:
- A string must precede the items that use it. All writers do so, and the real reader finds
  no others.
- Unused record types are skipped, as are bytes of a record after its last member. If the
  type of a scope is unknown, everything after its name is skipped.
- Priorities, scope types and other enumerations may have unknown values, which are reported
  as numbers.
- A string that is not UTF-8 is reported as its bytes.
- "Error code" is a number, as in all writers, and not the offset of a string.
- The version is the one in the header, whatever the request says.
- Inner exceptions may be nested up to 10,000 levels deep.
"""

import tracegauge
from cursor import text
from scalars import Body
from structures import DATA, EXCEPTION, TEXT, VERSIONS, scope
from tracegauge import Rejection, Rendered

MAGIC = b"FieldLog\0"

STRING = 1
ITEMS = {
    2: ("text", TEXT),
    3: ("data", DATA),
    4: ("exception", EXCEPTION),
    5: ("scope", scope(repeated=False)),
    6: ("scope", scope(repeated=True)),
}


class Log:
    """A file, with its bytes and the strings to which items can refer, by offset."""

    def __init__(self, data, reporter):
        self.reporter = reporter
        self.cursor = Body(data, 0, len(data), "incomplete")

    def read(self):
        self.header()
        cursor = self.cursor
        while cursor.left():
            self.record()

    def header(self):
        cursor = self.cursor
        start = cursor.data[:len(MAGIC)]
        if not MAGIC.startswith(start):
            raise Rejection(f"the file begins with {start.hex()}", "malformed", 0)
        cursor.skip(len(MAGIC), "magic")
        at = cursor.at
        version = cursor.u8("version")
        if version not in VERSIONS:
            raise Rejection(f"the version is {version}", "unsupported", at)
        cursor.version = version

    def record(self):
        cursor = self.cursor
        at = cursor.at
        head = int.from_bytes(cursor.take(4, "record length"), "big")
        kind = head >> 28
        if kind == 0:
            raise Rejection("a record has the type 0", "malformed", at)
        body = cursor.body(head & 0xFFFFFFF, f"record of type {kind}")
        if kind == STRING:
            self.cursor.strings[at] = Rendered(text(body.take(body.left(), "string")))
        elif kind in ITEMS:
            name, read = ITEMS[kind]
            self.reporter.record({"record": name, **read(body)})


def read(data, reporter):
    Log(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-fieldlog", version="1", read=read)
