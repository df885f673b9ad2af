//! Common bugs in readers, written as changes to correct readers.

/// A reader with one bug.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// The name of the bug.
    pub name: &'static str,
    /// The folder of the reader in `readers/handwritten`, and its format.
    pub reader: (&'static str, &'static str),
    /// The changed file, relative to the folder of the readers.
    pub file: &'static str,
    /// The original text and its replacement.
    pub change: (&'static str, &'static str),
    /// The outcomes, at least one of which must be found.
    pub outcomes: &'static [&'static str],
    /// The maximum size in bytes of a trace that triggers the bug.
    pub most_bytes: u64,
    /// The number of inputs within which the bug must be found.
    pub inputs: u64,
}

const DIAL9: (&str, &str) = ("dial9", "dial9-v1");
const NETTRACE: (&str, &str) = ("nettrace", "nettrace-v6");

/// The number of inputs that suffices for most bugs.
const FEW: u64 = 2_000;
/// The number of inputs that suffices for the other bugs.
const MANY: u64 = 20_000;

/// All bugs.
pub const BUGS: [Bug; 10] = [
    Bug {
        name: "a lost carry",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: ("        self.base = timestamp\n", ""),
        outcomes: &["wrong-records"],
        most_bytes: 40,
        inputs: FEW,
    },
    Bug {
        name: "an unchecked length",
        reader: NETTRACE,
        file: "nettrace/nettrace.py",
        change: (
            "            start = block.skip(size, \"stack\")\n",
            "            start, block.at = block.at, min(block.at + size, block.end)\n",
        ),
        outcomes: &["wrong-accept"],
        most_bytes: 160,
        inputs: MANY,
    },
    Bug {
        name: "a truncation to 16 bits",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: (
            "        pool_id = self.cursor.u32(\"pool id\")\n        value = self.pool.get",
            "        pool_id = self.cursor.u32(\"pool id\") & 0xFFFF\n        value = self.pool.get",
        ),
        outcomes: &["wrong-records"],
        most_bytes: 60,
        inputs: FEW,
    },
    Bug {
        name: "no limit of recursion",
        reader: ("dial9", "dial9-v1@containers"),
        file: "dial9/dial9.py",
        change: ("MAX_DEPTH = 100\n", "MAX_DEPTH = 10**9\n"),
        outcomes: &["crash", "wrong-accept"],
        most_bytes: 6000,
        inputs: MANY,
    },
    Bug {
        name: "the wrong byte order",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: (
            "12: lambda trace: trace.cursor.u16(\"U16\")",
            "12: lambda trace: int.from_bytes(trace.cursor.take(2, \"U16\"), \"big\")",
        ),
        outcomes: &["wrong-records"],
        most_bytes: 40,
        inputs: FEW,
    },
    Bug {
        name: "a table that is never cleared",
        reader: NETTRACE,
        file: "nettrace/nettrace.py",
        change: ("        self.stacks.clear()\n", ""),
        outcomes: &["wrong-accept", "wrong-reject", "wrong-records"],
        most_bytes: 200,
        inputs: FEW,
    },
    Bug {
        name: "a truncation that is swallowed",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: (
            "    Trace(data, reporter).read()\n",
            "    try:\n        Trace(data, reporter).read()\n    except Rejection as no:\n        \
             if no.closing[\"class\"] != \"incomplete\":\n            raise\n",
        ),
        outcomes: &["wrong-accept"],
        most_bytes: 10,
        inputs: FEW,
    },
    Bug {
        name: "memory by what the trace claims",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: (
            "    def string_map(self):\n        count = self.cursor.u32(\"pair count\")\n",
            "    def string_map(self):\n        count = self.cursor.u32(\"pair count\")\n        room = bytearray(count * 64)\n",
        ),
        outcomes: &["out-of-memory", "crash", "hang"],
        most_bytes: 40,
        inputs: MANY,
    },
    Bug {
        name: "no end",
        reader: DIAL9,
        file: "dial9/dial9.py",
        change: (
            "                raise Rejection(f\"a frame has the unknown tag",
            "                while tag > 0x7F:\n                    pass\n                \
             raise Rejection(f\"a frame has the unknown tag",
        ),
        outcomes: &["hang"],
        most_bytes: 12,
        inputs: MANY,
    },
    Bug {
        name: "a wrong value where a number wraps around",
        reader: NETTRACE,
        file: "nettrace/events.py",
        change: (
            "row.timestamp = (row.timestamp + block.varuint(64, \"TimeStamp\")) & U64",
            "row.timestamp = min(row.timestamp + block.varuint(64, \"TimeStamp\"), U64)",
        ),
        outcomes: &["wrong-records"],
        most_bytes: 260,
        inputs: MANY,
    },
];
