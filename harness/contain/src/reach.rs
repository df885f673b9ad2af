//! The paths that a reader may access: its own files, the files of its runtime and of the system,
//! and the cases, but nothing that reveals the expected results.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with programs, libraries and the system files that they need. Devices other than
/// [`SINKS`] are not included, because some of them contain whole file systems.
const SYSTEM: [&str; 12] = [
    "/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/sbin", "/sys", "/usr",
    "/var/lib",
];
/// The folder of devices.
const DEVICES: &str = "/dev";
/// Devices that store nothing that is written to them.
pub(crate) const SINKS: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Secrets in system folders and in the folders where programs are installed. Root owns the system
/// secrets, so a reader that runs as root could read them even without any capabilities.
const SECRETS: [&str; 19] = [
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/krb5.keytab",
    "/etc/security/opasswd",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/wireguard",
    "/var/lib/containerd",
    "/var/lib/containers",
    "/var/lib/docker",
    "/var/lib/kubelet",
    "/var/lib/libvirt",
    "/var/lib/private",
    "/var/lib/sss",
    "/var/lib/systemd",
];
/// Secrets in the user's home folder that are inside folders with installed software, such as
/// `.cargo`.
const PERSONAL_SECRETS: [&str; 4] = [
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".local/share/keyrings",
    ".local/share/containers",
];
/// Environment variables that tell runtimes where they and their libraries are installed.
const VARIABLES: [&str; 10] = [
    "DOTNET_ROOT",
    "GOROOT",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "NODE_PATH",
    "PERL5LIB",
    "PYTHONHOME",
    "PYTHONPATH",
    "RUBYLIB",
    "VIRTUAL_ENV",
];
/// The maximum number of entries that are allowed one by one in a folder that contains hidden
/// paths.
const MOST_ENTRIES: usize = 4096;

/// The paths that a reader may read, including everything inside them, and the folders that it may
/// only list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Files and folders that the reader may read.
    pub(crate) read: BTreeSet<PathBuf>,
    /// Folders that the reader may only list, because they contain files or folders that are hidden
    /// from it.
    pub(crate) list: BTreeSet<PathBuf>,
    /// Existing files and folders that are hidden from the reader.
    pub(crate) hidden: BTreeSet<PathBuf>,
    /// Whether the reader's program is this copy of tracegauge.
    pub(crate) runs_this_program: bool,
}

/// The program of a reader, and the files that are needed to start it.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The folder of the reader file.
    pub folder: PathBuf,
    /// The reader's program.
    pub program: PathBuf,
    /// Files named in the arguments, and files that the reader needs to read according to its
    /// reader file.
    pub files: Vec<PathBuf>,
}

impl Origin {
    /// Returns the checkout that contains the reader file, or the folder of the reader file if it is
    /// not in a checkout.
    pub(crate) fn project(&self) -> PathBuf {
        project(&self.folder)
    }
}

impl Reach {
    /// Returns the paths that a reader started from `origin` may access, except those in `hidden`.
    pub(crate) fn of(origin: &Origin, hidden: &[PathBuf]) -> Self {
        let program = origin.program.canonicalize().ok();
        let this = env::current_exe().and_then(|this| this.canonicalize()).ok();
        let hidden: Vec<PathBuf> = hidden
            .iter()
            .cloned()
            .chain(secrets())
            .filter_map(|path| path.canonicalize().ok())
            .filter(|path| Some(path) != program.as_ref())
            .collect();
        let mut reach = Self {
            hidden: hidden.iter().cloned().collect(),
            runs_this_program: program.is_some() && program == this,
            ..Self::default()
        };
        let system = SYSTEM.iter().map(PathBuf::from);
        for path in system.chain(runtimes()).chain(own(origin)) {
            if let Ok(path) = path.canonicalize() {
                reach.show(&path, &hidden);
            }
        }
        reach
    }

    /// Allows reading `path`. If `path` is a folder that contains hidden paths, allows reading
    /// everything else in it. `/dev` counts as hidden unless `path` itself is a device.
    fn show(&mut self, path: &Path, hidden: &[PathBuf]) {
        let devices = Path::new(DEVICES);
        if path == devices || hidden.iter().any(|known| path.starts_with(known)) {
            return;
        }
        let mut hidden_inside = hidden.iter().map(PathBuf::as_path).chain([devices]);
        if !hidden_inside.any(|known| known.starts_with(path)) {
            self.read.insert(path.to_path_buf());
            return;
        }
        self.list.insert(path.to_path_buf());
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.take(MOST_ENTRIES) {
            // The target of a link is allowed only if its own path is allowed.
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
                self.show(&entry.path(), hidden);
            }
        }
    }
}

fn secrets() -> impl Iterator<Item = PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let personal = home
        .into_iter()
        .flat_map(|home| PERSONAL_SECRETS.map(|secret| home.join(secret)));
    SECRETS.into_iter().map(PathBuf::from).chain(personal)
}

/// Returns the installations found through `PATH` and through the variables of runtimes.
fn runtimes() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = env::split_paths(&path)
        .flat_map(|folder| installation(&folder, home.as_deref()))
        .collect();
    for variable in VARIABLES {
        let value = env::var_os(variable).unwrap_or_default();
        found.extend(env::split_paths(&value));
    }
    found.retain(|path| path.is_absolute());
    found
}

/// Returns the folder of a program or, for a folder like `X/bin`, the installation `X`, which also
/// contains the program's libraries.
fn installation(folder: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let holds_programs = |name: &str| matches!(name, "bin" | "sbin" | "shims" | "condabin");
    let name = folder.file_name().and_then(|name| name.to_str());
    let prefix = folder.parent().filter(|prefix| {
        let is_personal = home.is_some_and(|home| home.starts_with(prefix));
        name.is_some_and(holds_programs) && prefix.parent().is_some() && !is_personal
    });
    vec![prefix.unwrap_or(folder).to_path_buf()]
}

/// Returns the reader's own files: the project that it belongs to, and the program and the files
/// that it is started from.
fn own(origin: &Origin) -> Vec<PathBuf> {
    let mut own = vec![origin.project()];
    let home = env::var_os("HOME").map(PathBuf::from);
    let real = origin.program.canonicalize();
    for program in std::iter::once(&origin.program).chain(&real) {
        own.push(program.clone());
        let folder = program.parent().into_iter();
        own.extend(folder.flat_map(|folder| installation(folder, home.as_deref())));
    }
    own.extend(origin.files.iter().cloned());
    own
}

/// Returns the checkout that contains `folder`, or `folder` itself if it is not in a checkout.
fn project(folder: &Path) -> PathBuf {
    let mut around = folder.ancestors();
    let checkout = around.find(|folder| {
        [".git", ".hg", ".jj"]
            .iter()
            .any(|mark| folder.join(mark).exists())
    });
    checkout.unwrap_or(folder).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(root: &Path, files: &[&str]) {
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }

    #[test]
    fn what_is_hidden_is_left_out_and_the_rest_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        make(
            &root,
            &[
                ".git/HEAD",
                "corpus/manifest/a",
                "src/reader.py",
                "tools/conformance/reader.yaml",
            ],
        );
        let origin = Origin {
            folder: root.join("tools/conformance"),
            program: PathBuf::from("/bin/sh"),
            files: Vec::new(),
        };
        let reach = Reach::of(&origin, &[root.join("corpus")]);
        let sees = |path: &str| {
            let path = root.join(path);
            reach.read.iter().any(|known| path.starts_with(known))
        };
        assert!(sees("src/reader.py") && sees("tools/conformance/reader.yaml"));
        assert!(!sees("corpus/manifest/a"));
        assert!(reach.list.contains(&root) && !reach.read.contains(&root));
    }

    #[test]
    fn a_link_shows_nothing_that_is_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        make(&root, &["corpus/a", "src/reader.py"]);
        std::os::unix::fs::symlink("corpus", root.join("link")).unwrap();
        let origin = Origin {
            folder: root.clone(),
            program: PathBuf::from("/bin/sh"),
            files: Vec::new(),
        };
        let reach = Reach::of(&origin, &[root.join("corpus")]);
        assert!(reach.read.contains(&root.join("src")));
        assert!(!reach.read.contains(&root.join("link")));
    }

    #[test]
    fn secrets_of_the_system_are_left_out() {
        let reach = Reach::of(&Origin::default(), &[]);
        let sees = |path: &str| {
            reach
                .read
                .iter()
                .any(|known| Path::new(path).starts_with(known))
        };
        assert!(sees("/etc/passwd") && sees("/usr/bin/env"));
        for secret in ["/etc/shadow", "/dev/kmsg", "/dev/loop0"] {
            assert!(!sees(secret), "{secret}");
        }
    }

    #[test]
    fn a_reader_file_in_the_root_shows_no_devices() {
        let origin = Origin {
            folder: PathBuf::from("/"),
            files: vec![PathBuf::from("/dev/null")],
            ..Origin::default()
        };
        let reach = Reach::of(&origin, &[]);
        assert!(reach.list.contains(Path::new("/")));
        let mut devices = reach.read.iter().filter(|it| it.starts_with(DEVICES));
        assert_eq!(devices.next(), Some(&PathBuf::from("/dev/null")));
        assert_eq!(devices.next(), None);
    }

    #[test]
    fn a_home_is_no_installation() {
        let home = Path::new("/home/me");
        let of = |folder: &str| installation(Path::new(folder), Some(home));
        assert_eq!(of("/home/me/bin"), [Path::new("/home/me/bin")]);
        assert_eq!(of("/home/me/.local/bin"), [Path::new("/home/me/.local")]);
        assert_eq!(of("/opt/node/bin"), [Path::new("/opt/node")]);
        assert_eq!(of("/bin"), [Path::new("/bin")]);
    }
}
