//! Recognizes from a reader's standard error that the reader could not find a file. The containment
//! hides files outside the folders that a reader may read.

/// Phrases that interpreters use to report a module that they cannot find.
const MODULES: [&str; 10] = [
    "ModuleNotFoundError",
    "ERR_MODULE_NOT_FOUND",
    "Cannot find module",
    "Cannot find package",
    "cannot load such file",
    "ClassNotFoundException",
    "NoClassDefFoundError",
    "Could not find or load main class",
    "Unable to access jarfile",
    "Could not load file or assembly",
];

/// Phrases that programs use to report any file that they cannot find or open.
const FILES: [&str; 4] = ["No such file", "ENOENT", "Permission denied", "EACCES"];

/// Advice for a reader that could not find a file.
pub const ADVICE: &str = "if this file exists, the containment hides it from the reader: list the file or its folder \
     under `reads` in the reader file; tracegauge itself is always hidden";

/// Returns the first line that reports a module that cannot be found.
pub fn module(stderr: &str) -> Option<&str> {
    line_with(stderr, &MODULES)
}

/// Returns the first line that reports a module or another file that cannot be found or opened.
pub fn file(stderr: &str) -> Option<&str> {
    module(stderr).or_else(|| line_with(stderr, &FILES))
}

fn line_with<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let has_one = |line: &&str| words.iter().any(|word| line.contains(word));
    text.lines().map(str::trim).find(has_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_modules_and_files_are_recognized() {
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 1\n\
                      ModuleNotFoundError: No module named 'mine'\n";
        assert_eq!(
            module(python),
            Some("ModuleNotFoundError: No module named 'mine'")
        );
        let node =
            "node:internal\n  throw err;\n\nError: Cannot find module '/a/b.js'\n\nNode.js v22\n";
        assert_eq!(module(node), Some("Error: Cannot find module '/a/b.js'"));
        let java = "Exception in thread \"main\" java.lang.NoClassDefFoundError: mine/Reader\n\tat Adapter.main\n";
        assert_eq!(module(java), java.lines().next());
        let c = "reader: tables.bin: No such file or directory\n";
        assert_eq!((module(c), file(c)), (None, Some(c.trim())));
        assert_eq!(file("thread 'main' panicked at src/main.rs:1:1:\n"), None);
    }
}
