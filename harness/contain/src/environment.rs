//! The environment variables that a reader receives.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

use memchr::memmem;

/// The variables that every reader receives if they are set: the user's language, time zone and
/// paths, and the settings of runtimes, loaders, profilers and sanitizers. A `*` at the start or
/// the end stands for any sequence of characters.
pub const PASSED: [&str; 59] = [
    // The system.
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TZDIR",
    "TMPDIR",
    "TERM",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "DYLD_*",
    "GLIBC_TUNABLES",
    // The Java virtual machine.
    "JAVA_HOME",
    "JDK_HOME",
    "JDK_JAVA_OPTIONS",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JAVA_OPTS",
    "CLASSPATH",
    // Go.
    "GOROOT",
    "GOPATH",
    "GOCACHE",
    "GOMAXPROCS",
    "GOGC",
    "GOMEMLIMIT",
    "GODEBUG",
    "GOTRACEBACK",
    "GORACE",
    "GOCOVERDIR",
    // JavaScript.
    "NODE_PATH",
    "NODE_OPTIONS",
    "NODE_ENV",
    "NODE_V8_COVERAGE",
    "DENO_DIR",
    // Python, Ruby and Perl.
    "PYTHON*",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYENV_*",
    "RUBYLIB",
    "RUBYOPT",
    "GEM_HOME",
    "GEM_PATH",
    "PERL5LIB",
    "PERL5OPT",
    // Rust.
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_LOG",
    "RUST_MIN_STACK",
    "RUSTUP_*",
    "CARGO_HOME",
    // .NET.
    "DOTNET_*",
    "COMPlus_*",
    // Sanitizers and coverage: the options of ASan, LSan, MSan, TSan, UBSan and HWASan.
    "*SAN_OPTIONS",
    "*SAN_SYMBOLIZER_PATH",
    "LLVM_SYMBOLIZER_PATH",
    "LLVM_PROFILE_FILE",
];

/// Words in the name of a variable that indicate that its value is a secret.
const SECRET: [&str; 9] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "APIKEY",
    "_KEY",
    "_PAT",
];
/// The end of the names of search paths, which are not secrets although they contain `_PAT`.
const SEARCH_PATH: &str = "_PATH";
/// The minimum length in bytes of secrets to mask. Shorter values also occur in other text.
const SHORTEST: usize = 6;
/// The text that is shown in place of a secret.
const MASK: &[u8] = b"[masked]";

/// Returns whether `name` can be the name of an environment variable.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// Removes all variables that readers do not receive from the environment of `command`, except
/// those listed in `also`.
pub fn restrict(command: &mut Command, also: &[String]) {
    for (name, _) in env::vars_os() {
        if !is_passed(&name, also) {
            command.env_remove(name);
        }
    }
}

fn is_passed(name: &OsStr, also: &[String]) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let matches = |pattern: &str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        _ => name == pattern,
    };
    PASSED.into_iter().any(matches) || also.iter().any(|it| it == name)
}

/// The secrets that a program receives in its environment and may therefore print.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<Vec<u8>>);

/// Returns whether the value of a variable is a secret, given its name in upper case.
fn is_secret(name: &str) -> bool {
    let name = name.replace(SEARCH_PATH, "");
    SECRET.iter().any(|word| name.contains(word))
}

impl Secrets {
    /// Returns the secrets in the environment of this process. Build commands inherit this
    /// environment.
    pub fn of_process() -> Self {
        Self::except(|_| false)
    }

    /// Returns the secrets that `command` receives.
    pub fn of(command: &Command) -> Self {
        Self::except(|name| {
            let mut changed = command.get_envs();
            changed.any(|(it, value)| it == name && value.is_none())
        })
    }

    fn except(is_removed: impl Fn(&OsStr) -> bool) -> Self {
        let secrets = env::vars_os().filter(|(name, value)| {
            let name_text = name.to_string_lossy().to_ascii_uppercase();
            is_secret(&name_text) && value.len() >= SHORTEST && !is_removed(name)
        });
        let mut values: Vec<Vec<u8>> = secrets
            .map(|(_, value)| value.into_encoded_bytes())
            .collect();
        // A secret may contain another secret, so longer secrets are replaced first.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// Replaces the secrets in `bytes` with a mask, or returns `None` if `bytes` contains no
    /// secrets.
    pub fn masked(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut masked: Option<Vec<u8>> = None;
        for secret in &self.0 {
            let text = masked.as_deref().unwrap_or(bytes);
            if let Some(next) = replaced(text, secret) {
                masked = Some(next);
            }
        }
        masked
    }
}

fn replaced(text: &[u8], secret: &[u8]) -> Option<Vec<u8>> {
    let mut masked = None;
    let mut end = 0;
    for at in memmem::find_iter(text, secret) {
        let shown = masked.get_or_insert_with(Vec::new);
        shown.extend_from_slice(&text[end..at]);
        shown.extend_from_slice(MASK);
        end = at + secret.len();
    }
    if let Some(shown) = &mut masked {
        shown.extend_from_slice(&text[end..]);
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_receive_what_is_listed_and_what_is_added() {
        let is_passed = |name: &str| is_passed(name.as_ref(), &["MINE".to_owned()]);
        for name in [
            "PATH",
            "LC_ALL",
            "ASAN_OPTIONS",
            "PYTHONPATH",
            "DOTNET_ROOT",
            "MINE",
        ] {
            assert!(is_passed(name), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "MINES",
            "PATHS",
        ] {
            assert!(!is_passed(name), "{name}");
        }
    }

    #[test]
    fn search_paths_are_not_secrets() {
        assert!(is_secret("GITHUB_PAT") && is_secret("API_KEY"));
        assert!(!is_secret("NODE_PATH") && !is_secret("LD_LIBRARY_PATH"));
    }

    #[test]
    fn every_occurrence_of_a_secret_is_masked() {
        let secrets = Secrets(vec![b"hunter2000".to_vec(), b"hunter".to_vec()]);
        let masked = secrets.masked(b"a hunter2000, hunter").expect("secrets");
        assert_eq!(masked, b"a [masked], [masked]");
        assert_eq!(secrets.masked(b"nothing"), None);
    }
}
