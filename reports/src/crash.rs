//! Crashes, as the runtime of a reader reports them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A crash that the runtime of a reader reported on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// The runtime or tool that reported it, `AddressSanitizer` say.
    pub runtime: String,
    /// The kind of crash in its words, without values: `heap-buffer-overflow`, `ValueError`.
    pub kind: String,
    /// Whether memory was read or written; nothing where the report does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// Whether the address is among the first 64 KiB, as that of a field of a null pointer is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_null: bool,
    /// How severe it is.
    pub severity: Severity,
    /// Where it happened: functions, innermost first; a module and an offset where there is no
    /// name, or a file and a line where there is no function. Frames of the runtime are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

/// A use of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// It was read.
    Read,
    /// It was written.
    Write,
}

/// The severity of a crash, by the classes of CASR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A denial of service: a read, a null pointer, an uncaught exception.
    NotExploitable,
    /// A damaged heap or stack, a write near null.
    ProbablyExploitable,
    /// A write outside of what may be written.
    Exploitable,
}

impl Crash {
    /// The kind together with the kind of access.
    pub fn class(&self) -> String {
        let access = self.access.map(|access| access.to_string());
        let near = self.near_null.then(|| "near null".to_owned());
        let more: Vec<String> = access.into_iter().chain(near).collect();
        if more.is_empty() {
            self.kind.clone()
        } else {
            format!("{} ({})", self.kind, more.join(", "))
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.runtime, self.class())?;
        if let Some((first, callers)) = self.frames.split_first() {
            write!(f, " in {first}")?;
            if !callers.is_empty() {
                write!(f, ", called from {}", callers.join(", "))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotExploitable => "not exploitable",
            Self::ProbablyExploitable => "probably exploitable",
            Self::Exploitable => "exploitable",
        })
    }
}
