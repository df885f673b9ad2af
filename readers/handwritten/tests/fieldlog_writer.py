"""The parts of a FieldLog file, for tests."""

import struct

TICKS = 638505761291234567
TIME = "2024-05-06T07:08:49.1234567Z"
GUID = bytes(range(16))
GUID_TEXT = "03020100-0504-0706-0809-0a0b0c0d0e0f"


def pack(form, *values):
    return struct.pack(">" + form, *values)


class Log:
    """A file to which records are added. `text` returns the offset of a string as 4 bytes."""

    def __init__(self, version=2):
        self.version = version
        self.raw = b"FieldLog\0" + bytes([version])

    def record(self, kind, body, length=None):
        at = len(self.raw)
        self.raw += pack("I", kind << 28 | (len(body) if length is None else length)) + body
        return at

    def text(self, text):
        if text is None:
            return pack("i", -1)
        return pack("i", self.record(1, text if isinstance(text, bytes) else text.encode()))

    def texts(self, *texts):
        return b"".join(map(self.text, texts))

    def newer(self, raw):
        """Returns `raw` in version 2, the only one that has this part."""
        return raw if self.version == 2 else b""

    def base(self, ticks=TICKS, priority=2):
        return pack("qiB", ticks, -3, priority) + GUID + pack("i", 9) + self.newer(pack("I", 2**32 - 1))

    def exception(self, inner=(), frames=(), message="m", counts=None):
        texts = self.texts("T", message, "D")
        of_type, more = texts[:4], texts[4:]
        frame_count, inner_count = counts or (len(frames), len(inner))
        start = of_type + self.newer(self.text("mod") + pack("i", 0x2000001))
        start += more[:4] + pack("i", -2147467259) + more[4:]
        return start + pack("i", frame_count) + b"".join(frames) + pack("i", inner_count) + b"".join(inner)

    def frame(self):
        numbers = self.newer(pack("ii", 0x6000001, 17))
        return self.text("a.exe") + numbers + self.texts("P", "Main", None, "a.cs") + pack("ii", 12, -1)

    def environment(self, boot=TICKS, cpus=2):
        raw = bytes([1, 108, 115]) + self.text("SP1") + pack("ii", 9600, -1) + self.texts("Windows", "de-DE")
        raw += pack("q", boot) + self.texts(None, "Mono") + pack("BBH", 5, 255, 96)
        raw += self.texts("de", "/tmp", "A=1\nB=2") + pack("H", cpus)
        raw += self.texts("host", "user", "/a.exe", "a.exe x", "1.0") + self.newer(self.text("Debug"))
        raw += self.text("4.0") + pack("h", -90) + pack("4q", 1, 2, 2**53, -1) + pack("i", 77)
        return raw + pack("HHBHHHHBB", 1920, 1080, 24, 1, 2, 1919, 65535, 2, 0xBF)
