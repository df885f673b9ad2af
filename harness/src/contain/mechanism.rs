//! The mechanisms that contain readers, each of which reports whether it is enabled.

use tracegauge_reports::Measure;

/// A mechanism that may be unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// Handling of processes that readers leave behind.
    Abandoned,
    /// The hard limit on the scratch folder.
    Scratch,
    /// Read-only mounts.
    Mounts,
    /// Landlock.
    Landlock,
    /// The isolation from networks.
    Network,
    /// The process namespace.
    Namespace,
    /// The removal of capabilities.
    Privileges,
    /// The seccomp filter.
    SystemCalls,
    /// The limit on the number of processes.
    Processes,
    /// The limit on the memory of all processes.
    Memory,
}

impl Mechanism {
    pub(super) const ALL: [Self; 10] = [
        Self::Abandoned,
        Self::Scratch,
        Self::Mounts,
        Self::Landlock,
        Self::Network,
        Self::Namespace,
        Self::Privileges,
        Self::SystemCalls,
        Self::Processes,
        Self::Memory,
    ];

    /// Returns the name used in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Abandoned => "abandoned processes",
            Self::Scratch => "scratch folder",
            Self::Mounts => "read-only mounts",
            Self::Landlock => "file system",
            Self::Network => "network",
            Self::Namespace => "PID namespace",
            Self::Privileges => "privileges",
            Self::SystemCalls => "system calls",
            Self::Processes => "processes",
            Self::Memory => "total memory",
        }
    }

    /// Returns the mechanism with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The state of a mechanism: its scope if it is enabled, or the reason why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) mechanism: Mechanism,
    pub(super) result: Result<String, String>,
}

impl Finding {
    pub(super) fn new(mechanism: Mechanism, result: Result<String, String>) -> Self {
        Self { mechanism, result }
    }

    /// Converts the finding to a measure for a report.
    pub(super) fn measure(&self) -> Measure {
        let (Ok(note) | Err(note)) = &self.result;
        Measure {
            name: self.mechanism.name().to_owned(),
            in_force: self.result.is_ok(),
            note: note.clone(),
        }
    }
}
