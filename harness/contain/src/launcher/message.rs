//! The messages between this program and a launcher, encoded as lists of words that each end with a
//! zero byte.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::str::FromStr;

use super::namespaces::Separate;
use super::{Finding, Mechanism};
use crate::plan::{Plan, Start};

/// A message to a launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Create these namespaces.
    Separate(Separate),
    /// Apply these restrictions.
    Restrict(Plan),
    /// Start a reader. The descriptors of the reader's standard streams are sent with the message.
    Start(Start),
    /// Kill a reader and all processes that it has started, and return its exit status.
    End(i32),
}

/// A message from a launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The restrictions that are enabled. The descriptor of the scratch folder may be sent with the
    /// message.
    Restricted(Vec<Finding>),
    /// The namespaces cannot be created or set up.
    NotSeparate(String),
    /// The reader was started. A descriptor of the reader's process is sent with the message.
    Started(i32),
    /// The reader could not be started. The number is the error code of the system call.
    NotStarted(i32),
    /// The reader ended with this status.
    Ended(i32),
}

impl Order {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut words = Words::default();
        match self {
            Self::Separate(separate) => words.text("separate").text(separate.bits()),
            Self::Restrict(plan) => words
                .text("restrict")
                .word(&plan.scratch)
                .text(plan.size)
                .text(plan.memory_is_limited)
                .text(plan.runs_this_program)
                .text(plan.without_landlock)
                .list(&plan.read)
                .list(&plan.list)
                .list(&plan.write)
                .list(&plan.hide),
            Self::Start(start) => words
                .text("start")
                .list(&start.command)
                .list(&start.environment)
                .word(&start.folder),
            Self::End(pid) => words.text("end").text(pid),
        };
        words.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut words = Reading(bytes);
        Some(match words.text()? {
            "separate" => Self::Separate(Separate::of_bits(words.parsed()?)),
            "restrict" => Self::Restrict(Plan {
                scratch: words.path()?,
                size: words.parsed()?,
                memory_is_limited: words.parsed()?,
                runs_this_program: words.parsed()?,
                without_landlock: words.parsed()?,
                read: words.list(Reading::path)?,
                list: words.list(Reading::path)?,
                write: words.list(Reading::path)?,
                hide: words.list(Reading::path)?,
            }),
            "start" => Self::Start(Start {
                command: words.list(Reading::name)?,
                environment: words.list(Reading::name)?,
                folder: words.path()?,
            }),
            "end" => Self::End(words.parsed()?),
            _ => return None,
        })
    }
}

impl Answer {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut words = Words::default();
        match self {
            Self::Restricted(findings) => {
                words.text("restricted").text(findings.len());
                for Finding { mechanism, result } in findings {
                    let (is_enabled, note) = match result {
                        Ok(note) => (true, note),
                        Err(why) => (false, why),
                    };
                    words.text(mechanism.name()).text(is_enabled).text(note);
                }
                &mut words
            }
            Self::NotSeparate(why) => words.text("not separate").text(why),
            Self::Started(pid) => words.text("started").text(pid),
            Self::NotStarted(error) => words.text("not started").text(error),
            Self::Ended(status) => words.text("ended").text(status),
        };
        words.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut words = Reading(bytes);
        Some(match words.text()? {
            "restricted" => Self::Restricted(words.list(Reading::finding)?),
            "not separate" => Self::NotSeparate(words.text()?.to_owned()),
            "started" => Self::Started(words.parsed()?),
            "not started" => Self::NotStarted(words.parsed()?),
            "ended" => Self::Ended(words.parsed()?),
            _ => return None,
        })
    }
}

/// The words of a message that is being encoded.
#[derive(Default)]
struct Words(Vec<u8>);

impl Words {
    /// Adds a word, followed by a zero byte. Paths, arguments and variables cannot contain zero
    /// bytes themselves.
    fn word(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.0.extend_from_slice(word.as_ref().as_bytes());
        self.0.push(0);
        self
    }

    fn text(&mut self, text: impl ToString) -> &mut Self {
        self.word(text.to_string().replace('\0', ""))
    }

    fn list(&mut self, words: &[impl AsRef<OsStr>]) -> &mut Self {
        self.text(words.len());
        for word in words {
            self.word(word);
        }
        self
    }
}

/// The part of a message that has not been decoded yet.
struct Reading<'m>(&'m [u8]);

impl<'m> Reading<'m> {
    fn word(&mut self) -> Option<&'m [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let (word, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        Some(word)
    }

    fn text(&mut self) -> Option<&'m str> {
        std::str::from_utf8(self.word()?).ok()
    }

    fn parsed<T: FromStr>(&mut self) -> Option<T> {
        self.text()?.parse().ok()
    }

    fn name(&mut self) -> Option<OsString> {
        Some(OsString::from_vec(self.word()?.to_vec()))
    }

    fn path(&mut self) -> Option<PathBuf> {
        self.name().map(PathBuf::from)
    }

    fn finding(&mut self) -> Option<Finding> {
        let mechanism = Mechanism::named(self.text()?)?;
        let is_enabled: bool = self.parsed()?;
        let note = self.text()?.to_owned();
        Some(Finding {
            mechanism,
            result: if is_enabled { Ok(note) } else { Err(note) },
        })
    }

    fn list<T>(&mut self, each: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.parsed()?;
        (0..count).map(|_| each(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_way() {
        let orders = [
            Order::Separate(Separate::of_bits(5)),
            Order::Restrict(Plan {
                scratch: "/tmp/a b".into(),
                runs_this_program: true,
                size: 1 << 40,
                memory_is_limited: true,
                without_landlock: false,
                read: vec!["/usr".into(), "/etc".into()],
                list: vec!["/".into()],
                write: Vec::new(),
                hide: vec!["/run".into()],
            }),
            Order::Start(Start {
                command: vec!["cat".into(), "".into()],
                environment: vec!["A".into(), "b\nc".into()],
                folder: "/".into(),
            }),
            Order::End(7),
        ];
        for order in orders {
            assert_eq!(Order::decode(&order.encode()), Some(order));
        }
        let answers = [
            Answer::Restricted(vec![Finding {
                mechanism: Mechanism::Privileges,
                result: Err("no".to_owned()),
            }]),
            Answer::NotSeparate("why".to_owned()),
            Answer::Started(12),
            Answer::NotStarted(2),
            Answer::Ended(-1),
        ];
        for answer in answers {
            assert_eq!(Answer::decode(&answer.encode()), Some(answer));
        }
        assert_eq!(Order::decode(b"start\x009\x00a\x00"), None);
    }
}
