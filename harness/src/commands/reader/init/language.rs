//! The languages that there are adapters in.

/// A file of an adapter: its path in the adapter's folder, and its text.
type File = (&'static str, &'static str);

/// A language that there is an adapter in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// Python 3, of its standard library alone.
    Python,
    /// JavaScript for node, without packages.
    Javascript,
    /// Rust, without dependencies.
    Rust,
    /// C11, without libraries.
    C,
    /// C# for .NET 8, without packages.
    Csharp,
    /// Go, of its standard library alone.
    Go,
}

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../templates/", $path))
    };
}

macro_rules! kit {
    ($path:literal) => {
        include_str!(concat!("../../../../../readers/kits/", $path))
    };
}

impl Language {
    /// The files of the adapter, the reader file apart.
    pub(super) fn files(self) -> &'static [File] {
        match self {
            Self::Python => &[
                ("adapter.py", template!("python/adapter.py")),
                ("tracegauge.py", kit!("python/tracegauge.py")),
            ],
            Self::Javascript => &[
                ("adapter.mjs", template!("javascript/adapter.mjs")),
                ("tracegauge.mjs", kit!("javascript/tracegauge.mjs")),
            ],
            Self::Rust => &[
                ("Cargo.toml", template!("rust/Cargo.toml.txt")),
                ("src/main.rs", template!("rust/src/main.rs")),
                ("src/tracegauge.rs", template!("rust/src/tracegauge.rs")),
            ],
            Self::C => &[
                ("adapter.c", template!("c/adapter.c")),
                ("tracegauge.h", template!("c/tracegauge.h")),
            ],
            Self::Csharp => &[
                ("adapter.csproj", template!("csharp/adapter.csproj")),
                ("Adapter.cs", template!("csharp/Adapter.cs")),
                ("Tracegauge.cs", template!("csharp/Tracegauge.cs")),
            ],
            Self::Go => &[
                ("go.mod", template!("go/go.mod.txt")),
                ("main.go", template!("go/main.go")),
                ("tracegauge.go", template!("go/tracegauge.go")),
            ],
        }
    }

    /// The file in which the user's reader is called.
    pub(super) fn yours(self) -> &'static str {
        match self {
            Self::Python => "adapter.py",
            Self::Javascript => "adapter.mjs",
            Self::Rust => "src/main.rs",
            Self::C => "adapter.c",
            Self::Csharp => "Adapter.cs",
            Self::Go => "main.go",
        }
    }

    /// The lines of the reader file that say how the program is built and started.
    pub(super) fn start(self) -> &'static str {
        match self {
            Self::Python => "requires: [python3]\ncommand: [python3, adapter.py]",
            Self::Javascript => "requires: [node]\ncommand: [node, adapter.mjs]",
            Self::Rust => {
                "requires: [cargo]\nbuild: cargo build --release --offline --target-dir target\n\
                 command: [./target/release/adapter]"
            }
            Self::C => {
                "requires: [cc]\nbuild: cc -std=c11 -O2 -Wall -Wextra -o adapter adapter.c\n\
                 command: [./adapter]"
            }
            Self::Csharp => {
                "requires: [dotnet]\nbuild: dotnet publish adapter.csproj -c Release -o build\n\
                 command: [dotnet, build/adapter.dll]"
            }
            Self::Go => "requires: [go]\nbuild: go build -o adapter .\ncommand: [./adapter]",
        }
    }
}
