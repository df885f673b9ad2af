"""A reader of wtf-trace, BinaryTrace version 3, written from the format's specification and the
notes on its writer. It also supports the dialect `@doc`, which follows the specification
literally.

The dialects differ in the byte order and in the two texts of the header. In the literal dialect,
these are UTF-8 after a length of 2 bytes. Floats are little-endian in both dialects.

Decisions where the specification is silent:
- A redefinition applies from then on, whether the same id gets another name or the same name gets
  another id or other arguments. Wire id 1 can be redefined only with its original meaning. Id 0
  cannot be defined.
- Wire types must be written as in the table of the notes. An array may have an alias as its type.
- `wtf.zone#create`, `#set` and `#delete` with the flag of a built-in event must have arguments of
  the same types as the real ones, whatever their names, and are not reported. Without the flag
  they are ordinary events. A deleted zone can still be set. Before any zone is set, events have
  none. If the id of the current zone is given to another zone, the current zone stays until the
  next one is set.
- Event classes other than 0 and 1 are reported as numbers. Non-ASCII bytes are Latin-1.
- Surrogates must be paired, as in any UTF. JSON may contain a lone surrogate as an escape, which is
  reported as the bytes of the text.
- Only `contextType` of the context is used.
- JSON that is nested more than 200 levels deep is checked but not reported.
- Times are reported unchanged. They may wrap around and decrease.
"""

import struct

import tracegauge
from arguments import read_arguments, signature
from texts import ascii_text, header_text, json_value, utf8
from tracegauge import Rejection, Rendered
from words import Words

MAGIC = 0xDEADBEEF
VERSION = 3

DEFINE = 1
DEFINE_NAME = "wtf.event#define"
DEFINE_ARGUMENTS = "uint16 wireId, uint16 eventClass, uint32 flags, ascii name, ascii args"
BUILT_IN = 0x20
CLASSES = {0: "instance", 1: "scope"}


class Event:
    """The definition of all events with a particular id."""

    __slots__ = ("name", "shown", "arguments", "handle")

    def __init__(self, name, kind, arguments, handle):
        self.name, self.arguments, self.handle = name, arguments, handle
        self.shown = Rendered(name), CLASSES.get(kind, kind)


class Trace:
    """A file, with its bytes and the event definitions read so far."""

    def __init__(self, data, reporter):
        self.letter = reporter.format.endswith("@doc")
        self.cursor = Words(data, "<" if self.letter else ">")
        self.reporter = reporter
        self.events = {DEFINE: Event(DEFINE_NAME, 0, signature(DEFINE_ARGUMENTS, 0), Trace.define)}
        self.zones = {}
        self.zone = None

    def read(self):
        self.header()
        cursor = self.cursor
        while cursor.left():
            self.event()

    def header(self):
        cursor = self.cursor
        magic = struct.pack(cursor.mark + "I", MAGIC)
        start = cursor.data[:4]
        if not magic.startswith(start):
            raise Rejection(f"the file begins with {start.hex()}", "malformed", 0)
        cursor.skip(4, "magic number")
        cursor.u32("WTF version")
        at = cursor.at
        version = cursor.u32("format version")
        if version != VERSION:
            raise Rejection(f"the format version is {version}", "unsupported", at)
        read_text = header_text if self.letter else utf8
        self.context(cursor, read_text)
        cursor.u32("flags")
        cursor.skip(8, "timebase")
        metadata = read_text(cursor, "metadata")
        if metadata is not None:
            json_value(metadata, "metadata")

    def context(self, cursor, read_text):
        at = cursor.at
        found = read_text(cursor, "context info")
        if found is None:
            raise Rejection("there is no context info", "malformed", at)
        context = json_value(found, "context info")
        kind = context.get("contextType") if isinstance(context, dict) else None
        if not isinstance(kind, str):
            raise Rejection("the context does not say its type", "malformed", found.at)
        if kind != "script":
            raise Rejection(f"the context is a {kind}, not a script", "unsupported", found.at)

    def event(self):
        cursor = self.cursor
        at = cursor.at
        wire_id = cursor.u16("wire id")
        event = self.events.get(wire_id)
        if event is None:
            raise Rejection(f"no event has the wire id {wire_id}", "malformed", at)
        time = cursor.u32("time")
        if event.handle is not None:
            event.handle(self)
            return
        arguments = read_arguments(event.arguments, cursor)
        name, kind = event.shown
        self.reporter.record({
            "record": "event", "name": name, "class": kind, "time_us": time, "zone": self.zone, "args": arguments,
        })

    def define(self):
        cursor = self.cursor
        at = cursor.at
        wire_id = cursor.u16("wireId")
        if wire_id == 0:
            raise Rejection("wire id 0 is defined", "malformed", at)
        kind = cursor.u16("eventClass")
        flags = cursor.u32("flags")
        name_at = cursor.at
        name = ascii_text(cursor, "name")
        if name is None:
            raise Rejection("an event has no name", "malformed", name_at)
        args = ascii_text(cursor, "args")
        arguments = signature(args or "", cursor.at - len(args or ""))
        if wire_id == DEFINE:
            if name != DEFINE_NAME or arguments != self.events[DEFINE].arguments:
                raise Rejection(f"wire id {DEFINE} is defined as another event", "malformed", at)
            return
        handle = None
        if flags & BUILT_IN and name in ZONE_EVENTS:
            expected, handle = ZONE_EVENTS[name]
            if [kind for _, kind in arguments] != expected:
                raise Rejection(f"{name} has other arguments", "malformed", cursor.at - len(args or ""))
        self.events[wire_id] = Event(name, kind, arguments, handle)

    def zone_create(self):
        cursor = self.cursor
        zone_id = cursor.u16("zoneId")
        members = {what: ascii_text(cursor, what) for what in ("name", "type", "location")}
        self.zones[zone_id] = Rendered({what: text for what, text in members.items() if text is not None})

    def zone_set(self):
        cursor = self.cursor
        at = cursor.at
        zone_id = cursor.u16("zoneId")
        if zone_id not in self.zones:
            raise Rejection(f"no zone has the id {zone_id}", "malformed", at)
        self.zone = self.zones[zone_id]

    def zone_delete(self):
        self.cursor.u16("zoneId")


# Zone events are identified by name, because the file chooses their wire ids.
ZONE_EVENTS = {
    "wtf.zone#create": (["uint16", "ascii", "ascii", "ascii"], Trace.zone_create),
    "wtf.zone#set": (["uint16"], Trace.zone_set),
    "wtf.zone#delete": (["uint16"], Trace.zone_delete),
}


def read(data, reporter):
    Trace(data, reporter).read()


if __name__ == "__main__":
    tracegauge.run(name="handwritten-wtf", version="1", read=read)
