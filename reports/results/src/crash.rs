//! Crashes, as reported by the runtime of a reader.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A crash that the runtime of a reader reported on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// The runtime or tool that reported the crash, for example `AddressSanitizer`.
    pub runtime: String,
    /// The kind of crash in the words of the runtime, without values, for example
    /// `heap-buffer-overflow` or `ValueError`.
    pub kind: String,
    /// Whether memory was read or written, if the report says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// Whether the address is in the first 64 KiB, as when a field is accessed through a null
    /// pointer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_null: bool,
    /// The severity of the crash.
    pub severity: Severity,
    /// The stack: function names, innermost first. A frame whose function name is unknown is shown
    /// as a module and an offset, and a frame outside any function as a file and a line. Frames of
    /// the runtime are omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

/// A kind of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// A read.
    Read,
    /// A write.
    Write,
}

/// The severity of a crash, in the classes of the crash analysis tool CASR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A denial of service, such as an invalid read, a null pointer dereference or an uncaught
    /// exception.
    NotExploitable,
    /// A corrupted heap or stack, or a write near null.
    ProbablyExploitable,
    /// A write outside of writable memory.
    Exploitable,
}

impl Crash {
    /// Returns the kind of crash together with the kind of access.
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
