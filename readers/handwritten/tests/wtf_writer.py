"""The parts of a wtf-trace file, for tests. `mark` is the byte order of `struct`."""

import struct

DEFINE_ARGUMENTS = "uint16 wireId, uint16 eventClass, uint32 flags, ascii name, ascii args"
BUILT_IN = 0x20


class Writer:
    def __init__(self, mark=">", letter=False):
        self.mark, self.letter = mark, letter

    def pack(self, form, *values):
        return struct.pack(self.mark + form, *values)

    def ascii(self, text):
        raw = (text or "").encode("latin-1")
        return self.pack("H", len(raw)) + raw

    def utf8(self, text, units=None, size=None):
        """Returns a text, which may also be given as raw bytes."""
        if text is None:
            return self.pack("H", 0)
        raw = text
        if isinstance(text, str):
            wide = text.encode("utf-16-le", "surrogatepass")
            units = len(wide) // 2
            characters = struct.unpack(f"<{units}H", wide)
            raw = "".join(map(chr, characters)).encode("utf-8", "surrogatepass")
        return self.pack("HH", units, len(raw) if size is None else size) + raw

    def header_text(self, text):
        if not self.letter:
            return self.utf8(text)
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text or b""
        return self.pack("H", len(raw)) + raw

    def header(self, context='{"contextType":"script"}', metadata="{}", version=3):
        start = self.pack("III", 0xDEADBEEF, 2**32 - 1, version) + self.header_text(context)
        return start + self.pack("III", 0xFFFFFFFF, 12, 34) + self.header_text(metadata)

    def event(self, wire_id, arguments=b"", time=7):
        return self.pack("HI", wire_id, time) + arguments

    def define(self, wire_id, name, args="", kind=0, flags=0):
        start = self.pack("HHI", wire_id, kind, flags)
        return self.event(1, start + self.ascii(name) + self.ascii(args), time=0)

    def zones(self):
        """Returns the definitions of the built-in events of zones, with the ids 2, 3 and 4."""
        create = self.define(2, "wtf.zone#create", "uint16 zoneId, ascii name, ascii type, ascii location", flags=40)
        change = [self.define(3, "wtf.zone#delete", "uint16 zoneId", flags=BUILT_IN)]
        change.append(self.define(4, "wtf.zone#set", "unsigned short zoneId", flags=BUILT_IN))
        return create + b"".join(change)

    def zone(self, zone_id, name, kind="script", location=None):
        return self.event(2, self.pack("H", zone_id) + b"".join(map(self.ascii, (name, kind, location))))

    def delete_zone(self, zone_id):
        return self.event(3, self.pack("H", zone_id))

    def set_zone(self, zone_id):
        return self.event(4, self.pack("H", zone_id))
