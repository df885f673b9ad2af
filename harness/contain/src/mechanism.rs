//! The mechanisms that contain readers, each of which reports whether it is enabled.

/// A measure against misbehaving readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The name.
    pub name: String,
    /// Whether the measure is enabled.
    pub is_enabled: bool,
    /// The scope of the measure, or the reason why it is not enabled.
    pub note: String,
}

/// A mechanism that may be unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mechanism {
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
    pub(crate) const ALL: [Self; 10] = [
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
    pub(crate) fn name(self) -> &'static str {
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
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The state of a mechanism: its scope if it is enabled, or the reason why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) mechanism: Mechanism,
    pub(crate) result: Result<String, String>,
}

impl Finding {
    pub(crate) fn new(mechanism: Mechanism, result: Result<String, String>) -> Self {
        Self { mechanism, result }
    }

    /// Converts the finding to a measure.
    pub(crate) fn measure(&self) -> Measure {
        let (Ok(note) | Err(note)) = &self.result;
        Measure {
            name: self.mechanism.name().to_owned(),
            is_enabled: self.result.is_ok(),
            note: note.clone(),
        }
    }
}
