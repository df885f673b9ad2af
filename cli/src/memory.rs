//! The peak memory of each command, as a formula. The reference page of the commands shows the
//! formulas, and a test measures those of the commands that read or write traces.

use std::fmt;

/// A quantity that the memory of a command depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The size of the trace in bytes.
    Trace,
    /// The size of the largest field of the trace in bytes.
    Field,
    /// The size of the largest record in bytes, as JSON.
    Record,
    /// The number of table rows that exist at the same time.
    Rows,
    /// The size of the tree in JSON in bytes.
    Tree,
    /// The size of the result files in bytes.
    Results,
}

/// The peak memory of a command: a fixed amount, and amounts that are proportional to quantities.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The command and its subcommand.
    pub command: &'static str,
    /// The fixed amount in MiB.
    pub fixed: u64,
    /// The bytes for each unit of a quantity.
    pub terms: &'static [(u64, Quantity)],
    /// An explanation, which may be empty.
    pub note: &'static str,
}

const fn memory(
    command: &'static str,
    fixed: u64,
    terms: &'static [(u64, Quantity)],
    note: &'static str,
) -> Memory {
    Memory {
        command,
        fixed,
        terms,
        note,
    }
}

/// The terms for reading a trace piece by piece.
const STREAMED: &[(u64, Quantity)] = &[(1, Quantity::Field), (300, Quantity::Rows)];
/// The terms for holding a whole trace as a tree.
const WHOLE: &[(u64, Quantity)] = &[
    (64, Quantity::Trace),
    (3, Quantity::Field),
    (300, Quantity::Rows),
];
const RESULTS: &[(u64, Quantity)] = &[(6, Quantity::Results)];

/// The note for commands that hold the tree of a trace.
const AT_MOST: &str = "Fields that refer to the same bytes may need up to 1 GiB more. These commands \
                       stop if the fields and elements of a trace need more than 1 GiB + 64 × the \
                       size of the trace, or if there are more than 67,108,864 of them.";

/// The memory of all commands, without the readers that they run.
pub const MEMORY: &[Memory] = &[
    memory(
        "run",
        512,
        &[],
        "This holds the cases of all bundled formats; a single format needs 160 MiB at most. A line \
         from a reader may need another 300 MiB, and --huge another 150 MiB.",
    ),
    memory(
        "decode",
        64,
        &[
            (1, Quantity::Field),
            (5, Quantity::Record),
            (300, Quantity::Rows),
        ],
        "",
    ),
    memory(
        "inspect",
        64,
        &[(7, Quantity::Field), (300, Quantity::Rows)],
        "Without `--json`, the largest field needs three times its size.",
    ),
    memory("check", 64, STREAMED, ""),
    memory("departures", 64, WHOLE, AT_MOST),
    memory("query", 64, WHOLE, AT_MOST),
    memory(
        "generate",
        64,
        &[(100, Quantity::Trace)],
        "A trace of more than 16 MiB is written piece by piece and needs only the 64 MiB and 300 \
         bytes for each table row.",
    ),
    memory("encode", 64, &[(4, Quantity::Tree)], ""),
    memory("minimize", 96, &[(100, Quantity::Trace)], ""),
    memory("explain", 128, RESULTS, ""),
    memory(
        "fuzz",
        96,
        &[],
        "Each worker needs 16 MiB, and each group of findings a few KiB.",
    ),
    memory("reader init", 64, &[], ""),
    memory("reader doctor", 96, &[], ""),
    memory(
        "reader serve",
        64,
        &[
            (1, Quantity::Field),
            (5, Quantity::Record),
            (300, Quantity::Rows),
        ],
        "",
    ),
    memory(
        "report merge",
        96,
        RESULTS,
        "With `--html` or `--spec`, as much as `report html`.",
    ),
    memory("report diff", 64, RESULTS, ""),
    memory(
        "report html",
        512,
        RESULTS,
        "The cases of a single format need 160 MiB at most.",
    ),
    memory("report junit", 64, RESULTS, ""),
    memory("report markdown", 64, RESULTS, ""),
    memory("report badge", 64, RESULTS, ""),
    memory("baseline update", 64, RESULTS, ""),
    memory(
        "corpus build",
        1024,
        &[],
        "This is for the bundled formats; the cases of other formats are held in the same way.",
    ),
    memory(
        "corpus verify",
        512,
        &[],
        "A single format needs 160 MiB at most.",
    ),
    memory("corpus list", 128, &[], ""),
    memory("corpus show", 128, &[], ""),
    memory("corpus export", 128, &[], ""),
    memory(
        "corpus score",
        512,
        &[],
        "A single format needs 160 MiB at most.",
    ),
    memory("corpus add", 128, &[(100, Quantity::Trace)], ""),
    memory("corpus retire", 128, &[], ""),
    memory("corpus notes", 128, &[], ""),
    memory(
        "spec check",
        256,
        &[],
        "Most of this is for the traces that it generates as a trial.",
    ),
    memory("spec list", 64, &[], ""),
    memory("spec docs", 64, &[], ""),
    memory("spec ledger", 64, &[], ""),
    memory("spec plan", 64, &[], ""),
    memory("bench", 160, &[], ""),
    memory("reference", 64, &[], ""),
];

/// Returns the memory of a command, such as `corpus build`.
pub fn of(command: &str) -> Option<&'static Memory> {
    MEMORY.iter().find(|memory| memory.command == command)
}

impl Memory {
    /// Returns the number of bytes for given quantities. A quantity that is not given counts as 0.
    pub fn bytes(&self, quantities: &[(Quantity, u64)]) -> u64 {
        let amount = |wanted: Quantity| {
            let known = quantities.iter().find(|(known, _)| *known == wanted);
            known.map_or(0, |(_, amount)| *amount)
        };
        let terms = self.terms.iter();
        terms.fold(self.fixed << 20, |sum, (bytes, quantity)| {
            sum.saturating_add(bytes.saturating_mul(amount(*quantity)))
        })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} MiB", self.fixed)?;
        for (bytes, quantity) in self.terms {
            match (bytes, quantity) {
                (_, Quantity::Rows) => write!(f, " + {bytes} bytes × {quantity}")?,
                (1, _) => write!(f, " + {quantity}")?,
                _ => write!(f, " + {bytes} × {quantity}")?,
            }
        }
        f.write_str(".")?;
        match self.note {
            "" => Ok(()),
            note => write!(f, " {note}"),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trace => "the size of the trace",
            Self::Field => "the largest field",
            Self::Record => "the largest record as JSON",
            Self::Rows => "the table rows",
            Self::Tree => "the size of the tree",
            Self::Results => "the size of the result files",
        })
    }
}
