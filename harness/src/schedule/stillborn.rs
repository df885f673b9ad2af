//! Recognizes programs that fail before they can read a trace, such as a shell or an interpreter
//! that cannot find the script in the reader's command, or a reader that ends after the greeting.
//! The exit status of a program that fails in this way is not an answer to a case.

use tracegauge_judge::Response;
use tracegauge_protocol::reader_file::{Launch, Mode};
use tracegauge_protocol::{Answer, Breakdown, Death};

/// The exit statuses that a shell uses to report that it cannot execute or find a program.
const OF_SHELL: [i32; 2] = [126, 127];

/// Phrases, in lower case, that interpreters print if they cannot find or open a script.
const UNFOUND: [&str; 9] = [
    "no such file",
    "can't open",
    "cannot open",
    "could not open",
    "cannot find",
    "could not find",
    "not found",
    "unable to access",
    "does not exist",
];

/// Returns the reason why the reader of `launch` could not be started, if `response` shows that its
/// program failed before it could read the trace.
pub(super) fn reason(launch: &Launch, response: &Response) -> Option<String> {
    // In serve mode, such a program does not answer the greeting.
    if launch.mode != Mode::Once {
        return None;
    }
    let how = match &response.answer {
        Answer::Broke(Breakdown::Crash(Death::Status(code) | Death::Exited(code), _)) => *code,
        // Many interpreters exit with 1, which would otherwise count as a rejection.
        Answer::Reject(rejection) if rejection.perhaps_crashed => 1,
        _ => return None,
    };
    let lines = || response.stderr.lines().map(str::trim);
    let absent = absent(launch).find_map(|name| {
        let mut lines = lines();
        let line = lines.find(|line| line.contains(name) && is_unfound(line))?;
        Some((name, line))
    });
    let (what, line) = match absent {
        Some((name, line)) => (
            format!(
                "`{name}` in the reader's command is not a file in {}",
                launch.origin.folder.display()
            ),
            line,
        ),
        None if OF_SHELL.contains(&how) => {
            let last = lines().rfind(|line| !line.is_empty())?;
            (
                "the shell in the reader's command cannot find or execute a program".to_owned(),
                last,
            )
        }
        None => return None,
    };
    Some(format!(
        "the reader could not be started: it exited with status {how} in the first cases; {what}\n    \
         {line}"
    ))
}

/// Describes how a program ended that exits instead of answering, with the last line that it printed
/// to standard error. Returns `None` for other responses.
pub(super) fn ended(response: &Response) -> Option<String> {
    let Answer::Broke(Breakdown::Crash(Death::Status(code) | Death::Early(code), _)) =
        &response.answer
    else {
        return None;
    };
    let mut lines = response.stderr.lines().map(str::trim);
    let last = lines.rfind(|line| !line.is_empty());
    let last = last.map(|line| format!("\n    {line}")).unwrap_or_default();
    Some(format!("it exits with status {code} each time{last}"))
}

fn is_unfound(line: &str) -> bool {
    let line = line.to_lowercase();
    UNFOUND.iter().any(|words| line.contains(words))
}

/// Returns the arguments that look like file names or mistyped placeholders but name no existing
/// file. Subcommands are excluded, because they could occur in any message.
fn absent(launch: &Launch) -> impl Iterator<Item = &str> {
    let arguments = launch.arguments.iter().map(String::as_str);
    arguments.filter(|argument| {
        let is_special = argument.starts_with('-') || argument.contains("{file}");
        let is_name = argument.contains(['.', '/', '{']);
        is_name && !is_special && !launch.origin.folder.join(argument).exists()
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use tracegauge_protocol::Rejection;
    use tracegauge_protocol::reader_file::ReaderFile;

    /// Returns whether a `command` that exits with `status` and prints `stderr` is recognized as
    /// unable to read any trace.
    fn is_recognized(command: &str, status: i32, stderr: &str) -> bool {
        let command = command.split(' ').map(str::to_owned).collect();
        let reader = ReaderFile::ad_hoc(command, PathBuf::from("/"));
        let Ok(launch) = reader.prepare() else {
            return false;
        };
        let answer = match status {
            1 => Answer::Reject(Rejection {
                perhaps_crashed: true,
                ..Rejection::default()
            }),
            _ => Answer::Broke(Breakdown::Crash(Death::Status(status), None)),
        };
        let response = Response {
            answer,
            seen: None,
            stderr: stderr.to_owned(),
            unsteady: None,
            stray: None,
            seconds: None,
        };
        reason(&launch, &response).is_some()
    }

    #[test]
    fn interpreters_without_their_script_are_recognized() {
        // The program in each command exists everywhere, but the message is that of an interpreter.
        let python = "python3: can't open file '/nope.py': [Errno 2] No such file or directory";
        assert!(is_recognized("env nope.py {file}", 2, python));
        let node = "node:internal\nError: Cannot find module '/nope.js'\n";
        assert!(is_recognized("env nope.js {file}", 1, node));
        let java = "Error: Unable to access jarfile nope.jar";
        assert!(is_recognized("env -jar nope.jar {file}", 1, java));
        let ruby = "ruby: No such file or directory -- nope.rb (LoadError)";
        assert!(is_recognized("env nope.rb {file}", 1, ruby));
        assert!(is_recognized(
            "env {fil}",
            1,
            "reader: {fil}: No such file or directory"
        ));
        assert!(is_recognized("sh -c nope", 127, "sh: 1: nope: not found"));
    }

    #[test]
    fn other_failures_are_not() {
        let python = "python3: can't open file '/nope.py': [Errno 2] No such file or directory";
        assert!(
            !is_recognized("env {file}", 2, python),
            "not in the command"
        );
        assert!(!is_recognized(
            "env sub {file}",
            1,
            "sub: the string 7 is malformed"
        ));
        assert!(!is_recognized("env sub {file}", 70, "table not found"));
        assert!(
            !is_recognized("env / {file}", 1, "/: no such file"),
            "exists"
        );
        assert!(!is_recognized(
            "env read {file}",
            1,
            "cannot read: not found"
        ));
        assert!(!is_recognized("env {file}", 127, ""));
    }
}
