//! The programming languages of the adapter templates.

use std::path::Path;

use crate::surroundings::is_in_go_module;

/// A file of an adapter: its path in the adapter's folder, and its text.
type File = (&'static str, &'static str);

/// The programming language of an adapter template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// Python 3, with the standard library only.
    #[value(aliases(["py"]))]
    Python,
    /// JavaScript for Node.js, without packages.
    #[value(aliases(["js"]))]
    Javascript,
    /// TypeScript for Node.js, compiled with the npm package `typescript`.
    #[value(aliases(["ts"]))]
    Typescript,
    /// Rust, without dependencies.
    #[value(aliases(["rs"]))]
    Rust,
    /// C11, without libraries.
    C,
    /// C++11, without libraries.
    #[value(aliases(["c++", "cxx"]))]
    Cpp,
    /// Java 11, without libraries.
    Java,
    /// C# for .NET 8, without packages.
    #[value(aliases(["c#", "cs"]))]
    Csharp,
    /// Go, with the standard library only.
    #[value(aliases(["golang"]))]
    Go,
}

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../templates/", $path))
    };
}

/// The build lines for a Go adapter that is its own module. `GOWORK=off` ignores any enclosing
/// workspace, and `-mod=mod` adds imported modules to the adapter's go.mod.
const GO_ALONE: &str = "requires: [go]\nbuild: GOWORK=off go build -mod=mod -o adapter .\n\
                        command: [./adapter]";
/// The build lines for a Go adapter inside one of the user's modules.
const GO_WITHIN: &str = "requires: [go]\nbuild: go build -o adapter .\ncommand: [./adapter]";

impl Language {
    /// Returns the files of an adapter in `folder`, except the reader file.
    pub(super) fn files(self, folder: &Path) -> &'static [File] {
        match self {
            Self::Python => &[
                ("adapter.py", template!("python/adapter.py")),
                ("tracegauge.py", template!("python/tracegauge.py")),
            ],
            Self::Javascript => &[
                ("adapter.mjs", template!("javascript/adapter.mjs")),
                ("tracegauge.mjs", template!("javascript/tracegauge.mjs")),
                ("tracegauge.d.mts", template!("javascript/tracegauge.d.mts")),
            ],
            Self::Typescript => &[
                ("package.json", template!("typescript/package.json")),
                ("tsconfig.json", template!("typescript/tsconfig.json")),
                ("src/adapter.ts", template!("typescript/src/adapter.ts")),
                ("tracegauge.mjs", template!("javascript/tracegauge.mjs")),
                ("tracegauge.d.mts", template!("javascript/tracegauge.d.mts")),
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
            Self::Cpp => &[
                ("adapter.cpp", template!("cpp/adapter.cpp")),
                ("tracegauge.h", template!("c/tracegauge.h")),
            ],
            Self::Java => &[
                ("Adapter.java", template!("java/Adapter.java")),
                ("Tracegauge.java", template!("java/Tracegauge.java")),
            ],
            Self::Csharp => &[
                ("adapter.csproj", template!("csharp/adapter.csproj")),
                ("Adapter.cs", template!("csharp/Adapter.cs")),
                ("Tracegauge.cs", template!("csharp/Tracegauge.cs")),
            ],
            Self::Go if is_in_go_module(folder) => &[
                ("main.go", template!("go/main.go")),
                ("tracegauge.go", template!("go/tracegauge.go")),
            ],
            Self::Go => &[
                ("go.mod", template!("go/go.mod.txt")),
                ("main.go", template!("go/main.go")),
                ("tracegauge.go", template!("go/tracegauge.go")),
            ],
        }
    }

    /// Returns the file that the user must edit to call the reader.
    pub(super) fn yours(self) -> &'static str {
        match self {
            Self::Python => "adapter.py",
            Self::Javascript => "adapter.mjs",
            Self::Typescript => "src/adapter.ts",
            Self::Rust => "src/main.rs",
            Self::C => "adapter.c",
            Self::Cpp => "adapter.cpp",
            Self::Java => "Adapter.java",
            Self::Csharp => "Adapter.cs",
            Self::Go => "main.go",
        }
    }

    /// Returns the lines of the `.gitignore` file, which cover everything that the build writes.
    pub(super) fn ignored(self) -> &'static str {
        match self {
            Self::Python => "__pycache__/\n",
            Self::Javascript => "node_modules/\n",
            Self::Typescript => "node_modules/\nbuild/\n",
            Self::Rust => "/target/\n",
            Self::C | Self::Cpp | Self::Go => "/adapter\n",
            Self::Java => "/build/\n",
            Self::Csharp => "/build/\n/bin/\n/obj/\n",
        }
    }

    /// Returns the lines of the reader file that specify how to build and start an adapter in
    /// `folder`.
    pub(super) fn start(self, folder: &Path) -> &'static str {
        match self {
            Self::Python => "requires: [python3]\ncommand: [python3, adapter.py]",
            Self::Javascript => "requires: [node]\ncommand: [node, adapter.mjs]",
            Self::Typescript => {
                "requires: [node, npm]\n\
                 # npm links a reader in another folder, such as ../my-reader. If that folder is outside this\n\
                 # checkout (without git: outside this folder), add it to `reads`: [../my-reader].\n\
                 build: npm install --prefer-offline --no-audit --no-fund && npx tsc\n\
                 command: [node, build/adapter.js]"
            }
            Self::Rust => {
                "requires: [cargo]\nbuild: cargo build --release --target-dir target\n\
                 command: [./target/release/adapter]"
            }
            Self::C => {
                "requires: [cc]\nbuild: cc -std=c11 -O2 -Wall -Wextra -o adapter adapter.c\n\
                 command: [./adapter]"
            }
            Self::Cpp => {
                "requires: [c++]\nbuild: c++ -std=c++11 -O2 -Wall -Wextra -o adapter adapter.cpp\n\
                 command: [./adapter]"
            }
            Self::Java => {
                "requires: [javac, java]\n\
                 # If your reader is not a source file in this folder, add its class path to both lines:\n\
                 # -cp ../target/classes, and \"{dir}/build:{dir}/../target/classes\". If it is outside this\n\
                 # checkout (without git: outside this folder), add it to `reads` too: [../target/classes].\n\
                 build: javac -encoding UTF-8 -d build *.java\n\
                 command: [java, -XX:+UseSerialGC, -cp, \"{dir}/build\", Adapter]"
            }
            Self::Csharp => {
                "requires: [dotnet]\nbuild: dotnet publish adapter.csproj -c Release -o build\n\
                 command: [dotnet, build/adapter.dll]"
            }
            Self::Go if is_in_go_module(folder) => GO_WITHIN,
            Self::Go => GO_ALONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn languages_have_their_usual_names() {
        let of = |name: &str| Language::from_str(name, true);
        for name in ["cpp", "c++", "cxx"] {
            assert_eq!(of(name), Ok(Language::Cpp));
        }
        assert_eq!(of("c#"), Ok(Language::Csharp));
        assert_eq!(of("golang"), Ok(Language::Go));
    }
}
