//! Readers that misbehave in one way each, for the tests of the harness.
//!
//! Usage: `fake_reader serve|once BEHAVIOR [marked] [FILE]`, or `fake_reader wrap MISTAKE DECODER`,
//! which forwards the answers of `DECODER`, a copy of tracegauge, except where the mistake affects
//! them. The other readers decode a toy format: `TOY1`, followed by one byte for each record. The
//! byte FF makes a trace malformed. With `marked`, the readers misbehave only on traces that
//! contain the byte EE and handle all other traces correctly. All misbehavior is limited in time
//! and extent.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio, abort};
use std::thread::sleep;
use std::time::{Duration, Instant};

const GREETING: &str = r#"{"tracegauge":1,"name":"fake","version":"0.1","reports":"records"}"#;
const VERDICT_GREETING: &str =
    r#"{"tracegauge":1,"name":"fake","version":"0.1","reports":"verdict"}"#;
/// A greeting that clears the screen, sets the terminal title, and disables the workflow commands
/// of a CI service.
const HOSTILE_GREETING: &str = "{\"tracegauge\":1,\"name\":\"::stop-commands::x\\u001b[2J\",\
    \"version\":\"1\\n::error::\\u001b]0;owned\\u0007\\u009b2J\\u202e\",\"reports\":\"verdict\"}";
/// The maximum lifetime of the process, in case nothing kills it.
const LIFETIME: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize| arguments.get(index).map_or("", String::as_str);
    let fake = Fake {
        behaviour: word(1).to_owned(),
        only_marked: word(2) == "marked",
    };
    let result = match word(0) {
        "serve" => fake.serve(),
        "once" => fake.once(arguments.last().map_or("", String::as_str)),
        "sleeper" => linger(),
        "daemon" => daemon(),
        "forker" => spawn_self("daemon").map(|_| ExitCode::SUCCESS),
        "eater" => eat(),
        "nest" => spawn_self("eater").map(|_| ExitCode::SUCCESS),
        "bomb" => explode(),
        "wrap" => wrap(word(1), word(2)),
        other => Err(io::Error::other(format!("no such mode: {other}"))),
    };
    result.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(70)
    })
}

/// Answers in `serve` mode as the decoder at the path `decoder` does, except where `mistake`
/// affects the answer.
fn wrap(mistake: &str, decoder: &str) -> io::Result<ExitCode> {
    let mut decoder = Command::new(decoder)
        .args(["reader", "serve"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut requests), Some(answers)) = (decoder.stdin.take(), decoder.stdout.take()) else {
        return Err(io::Error::other("the decoder has no input or output"));
    };
    let mut lines = io::BufReader::new(answers).lines();
    let mut out = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        let request = request?;
        let is_long = trace_length(&request).is_some_and(|length| length > i32::MAX as u64);
        writeln!(requests, "{request}")?;
        let mut answer: Vec<String> = Vec::new();
        while !answer.last().is_some_and(|line| ends_answer(line)) {
            let line = lines
                .next()
                .unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()));
            answer.push(line?);
        }
        let is_accepted = answer
            .last()
            .is_some_and(|line| line.contains("\"accept\""));
        let is_affected = shows(mistake, &answer) || mistake == "rejects-long-files" && is_long;
        let mistaken = is_accepted && is_affected;
        match (mistake, mistaken) {
            ("crashes-on-data", true) => abort(),
            (_, true) => writeln!(out, "{{\"end\":\"reject\",\"why\":\"refused\"}}")?,
            (_, false) => writeln!(out, "{}", answer.join("\n"))?,
        }
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the length of the trace file that a request names.
fn trace_length(request: &str) -> Option<u64> {
    let request: serde_json::Value = serde_json::from_str(request).ok()?;
    Some(fs::metadata(request.get("file")?.as_str()?).ok()?.len())
}

/// Returns whether a line is the greeting or the last line of an answer.
fn ends_answer(line: &str) -> bool {
    line.starts_with("{\"end\"") || line.starts_with("{\"tracegauge\"")
}

/// Returns whether a mistake affects an answer.
fn shows(mistake: &str, answer: &[String]) -> bool {
    let has = |text: &str| answer.iter().any(|line| line.contains(text));
    match mistake {
        "rejects-exceptions" => has("\"record\":\"exception\""),
        "crashes-on-data" => has("\"record\":\"data\""),
        "rejects-wide-numbers" => answer.iter().any(|line| has_wide_value(line)),
        _ => false,
    }
}

/// Returns whether a record has a field, reported as an array, whose last element is a number that
/// needs more than 63 bits. Such numbers are reported as strings, because a JSON parser may round
/// them.
fn has_wide_value(line: &str) -> bool {
    let ends = ["\"],[", "\"]]}"];
    let ends = ends.iter().flat_map(|end| line.match_indices(end));
    let values = ends.filter_map(|(at, _)| Some(line[..at].rsplit_once(",\"")?.1));
    let mut numbers = values.filter_map(|value| value.parse::<u64>().ok());
    numbers.any(|number| i64::try_from(number).is_err())
}

struct Fake {
    behaviour: String,
    only_marked: bool,
}

impl Fake {
    fn serve(&self) -> io::Result<ExitCode> {
        let mut out = io::stdout().lock();
        let mut seen = 0;
        let mut late = Vec::new();
        for line in io::stdin().lock().lines() {
            let line = line?;
            let request: serde_json::Value = serde_json::from_str(&line)?;
            if request.get("hello").is_some() {
                self.greet(&line, &mut out)?;
                continue;
            }
            let file = request["file"].as_str().unwrap_or_default();
            let bytes = fs::read(file)?;
            seen += 1;
            let request = Request {
                number: seen,
                name: request["case"].as_str().unwrap_or_default(),
                file,
            };
            if let Some(line) = request.guess(&self.behaviour, &bytes)? {
                writeln!(out, "{line}")?;
                out.flush()?;
                continue;
            }
            match self.behaviour_for(&bytes) {
                "echoes" => writeln!(out, "{line}")?,
                "dies-after-3" if seen > 3 => abort(),
                "exits" => {
                    eprintln!("cannot find the tables");
                    return Ok(ExitCode::FAILURE);
                }
                "twice-after-3" if seen > 3 => {
                    read(&bytes, &mut out)?;
                    close(fault(&bytes), &mut out)?;
                }
                "hangs-after-3" if seen > 3 => linger().map(|_| ())?,
                "dies-afterwards" => {
                    read(&bytes, &mut out)?;
                    out.flush()?;
                    abort();
                }
                "out-of-order" => {
                    late.push(bytes);
                    while late.len() > 1 {
                        read(&late.remove(1), &mut out)?;
                    }
                }
                behaviour => answer(behaviour, &bytes, &mut out)?,
            }
            out.flush()?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn greet(&self, line: &str, out: &mut impl Write) -> io::Result<()> {
        match self.behaviour.as_str() {
            "parrots" => writeln!(out, "{line}")?,
            "mumbles" => writeln!(out, "ready.")?,
            "future" => writeln!(out, "{{\"tracegauge\":2}}")?,
            "verdicts" | "accepts-all" | "rejects-all" => writeln!(out, "{VERDICT_GREETING}")?,
            behaviour if GUESSES.contains(&behaviour) => writeln!(out, "{VERDICT_GREETING}")?,
            "commands" => writeln!(out, "{HOSTILE_GREETING}")?,
            "dies-at-once" => abort(),
            _ => writeln!(out, "{GREETING}")?,
        }
        out.flush()
    }

    fn once(&self, file: &str) -> io::Result<ExitCode> {
        let bytes = if file == "-" {
            self.fed()?
        } else {
            fs::read(file)?
        };
        let name = std::env::var("TRACEGAUGE_CASE").unwrap_or_default();
        let request = Request {
            number: 1,
            name: &name,
            file,
        };
        if let Some(line) = request.guess(&self.behaviour, &bytes)? {
            println!("{line}");
            return Ok(ExitCode::SUCCESS);
        }
        let is_valid = fault(&bytes).is_none();
        let mut out = io::stdout().lock();
        match self.behaviour_for(&bytes) {
            "echoes" => out.write_all(&bytes)?,
            "statuses" => return Ok(ExitCode::from(if is_valid { 0 } else { 65 })),
            "status-1" => return Ok(ExitCode::from(u8::from(!is_valid))),
            "status-69" => return Ok(ExitCode::from(69)),
            "status-42" => return Ok(ExitCode::from(42)),
            "environment" => {
                let format = std::env::var("TRACEGAUGE_FORMAT").unwrap_or_default();
                let case = std::env::var("TRACEGAUGE_CASE").unwrap_or_default();
                let is_told = format == "toy-v1" && case.starts_with("c-");
                return Ok(ExitCode::from(if is_told { 0 } else { 65 }));
            }
            behaviour => answer(behaviour, &bytes, &mut out)?,
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }

    fn fed(&self) -> io::Result<Vec<u8>> {
        use std::io::Read;
        let mut bytes = Vec::new();
        if self.behaviour == "reads-once" {
            // Programs with this bug assume that a single read returns the whole input.
            let mut piece = [0; 1 << 16];
            let count = io::stdin().read(&mut piece)?;
            bytes.extend_from_slice(&piece[..count]);
        } else {
            io::stdin().read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn behaviour_for(&self, bytes: &[u8]) -> &str {
        if self.only_marked && !bytes.contains(&0xee) {
            "perfect"
        } else {
            &self.behaviour
        }
    }
}

/// The behaviors of readers that guess the verdict without reading the trace.
const GUESSES: [&str; 11] = [
    "by-order",
    "by-name",
    "by-size",
    "coin",
    "coin-with-records",
    "unsupported-all",
    "by-binary",
    "tells-request",
    "by-zone",
    "by-locale",
    "by-folder",
];

/// The data that a reader receives about a case in addition to the trace.
struct Request<'r> {
    /// The number of cases that this process has been asked to read so far.
    number: usize,
    name: &'r str,
    file: &'r str,
}

impl Request<'_> {
    /// Returns the closing line of a reader that guesses the verdict, or `None` if `behaviour` does
    /// not guess.
    fn guess(&self, behaviour: &str, bytes: &[u8]) -> io::Result<Option<String>> {
        let accepts = match behaviour {
            // A malformed case follows the valid case from which it was made.
            "by-order" => self.number % 2 == 1,
            "by-name" => {
                let last = self
                    .name
                    .chars()
                    .last()
                    .and_then(|digit| digit.to_digit(16));
                last.is_some_and(|digit| digit % 2 == 0)
            }
            "by-size" => bytes.len().is_multiple_of(2),
            "coin" | "coin-with-records" => hash(bytes).is_multiple_of(2),
            "by-binary" => {
                let found = own_places().iter().find_map(|folder| searched(folder, 0));
                let found = found.or_else(|| running().into_iter().next());
                if let Some(found) = &found {
                    eprintln!("found {}", found.display());
                }
                found.is_some()
            }
            "by-zone" => !is_set_to("TZ", &["Asia/", "Pacific/"]),
            "by-locale" => !is_set_to("LC_ALL", &["tr_", "de_"]),
            "by-folder" => hash(self.file.as_bytes()).is_multiple_of(2),
            "unsupported-all" => {
                return Ok(Some(
                    r#"{"end":"unsupported","feature":"everything"}"#.to_owned(),
                ));
            }
            "tells-request" => {
                let folder = Path::new(self.file).parent().unwrap_or(Path::new("/"));
                let files = fs::read_dir(folder)?.count();
                let why = format!("number {}, {}, {files} files", self.number, self.name);
                return Ok(Some(format!(r#"{{"end":"reject","why":"{why}"}}"#)));
            }
            _ => return Ok(None),
        };
        let record = match behaviour {
            "coin-with-records" if accepts => "{\"record\":\"event\",\"value\":0}\n",
            _ => "",
        };
        let end = if accepts { "accept" } else { "reject" };
        Ok(Some(format!(r#"{record}{{"end":"{end}"}}"#)))
    }
}

/// Returns whether an environment variable starts with one of `beginnings`.
fn is_set_to(name: &str, beginnings: &[&str]) -> bool {
    let value = std::env::var(name).unwrap_or_default();
    beginnings.iter().any(|it| value.starts_with(it))
}

/// Computes an FNV-1a hash, whose low bits are mixed well enough to serve as a coin toss.
fn hash(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 32
}

/// Returns the folders that are likely to contain a program that a user built or installed.
fn own_places() -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&variable("PATH")).collect();
    places.push(PathBuf::from(variable("CARGO_HOME")).join("bin"));
    places.push(PathBuf::from(variable("HOME")).join(".cargo/bin"));
    places.extend(
        std::env::current_exe()
            .ok()
            .and_then(|it| Some(it.parent()?.to_path_buf())),
    );
    places.retain(|folder| folder.is_absolute());
    places
}

/// Searches a folder and its subfolders for the tracegauge program, which contains the expected
/// results.
fn searched(folder: &Path, depth: usize) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("tracegauge") && is_readable(&path) {
            return Some(path);
        }
        if depth < 2 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(path);
        }
    }
    folders
        .iter()
        .find_map(|folder| searched(folder, depth + 1))
}

/// Returns the executables of running processes that belong to tracegauge and are readable.
fn running() -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let programs = processes.map(|process| process.path().join("exe"));
    let is_ours = |path: &PathBuf| {
        let target = fs::read_link(path).unwrap_or_default();
        let name = target.file_name().unwrap_or_default();
        name.to_string_lossy().contains("tracegauge") && is_readable(path)
    };
    programs.filter(is_ours).collect()
}

fn is_readable(path: &Path) -> bool {
    let is_large = path
        .metadata()
        .is_ok_and(|it| it.is_file() && it.len() > 1 << 20);
    is_large && fs::File::open(path).is_ok()
}

/// Returns the offset of the fault in a trace.
fn fault(bytes: &[u8]) -> Option<usize> {
    if !bytes.starts_with(b"TOY1") {
        return Some(0);
    }
    bytes.iter().position(|byte| *byte == 0xff)
}

/// Decodes a trace correctly.
fn read(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let fault = fault(bytes);
    for byte in bytes
        .get(4..fault.unwrap_or(bytes.len()))
        .unwrap_or_default()
    {
        writeln!(out, "{{\"record\":\"event\",\"value\":{byte}}}")?;
    }
    close(fault, out)
}

fn close(fault: Option<usize>, out: &mut impl Write) -> io::Result<()> {
    match fault {
        None => writeln!(out, "{{\"end\":\"accept\"}}"),
        Some(at) => writeln!(
            out,
            "{{\"end\":\"reject\",\"why\":\"bad byte\",\"class\":\"malformed\",\"offset\":{at}}}"
        ),
    }
}

fn answer(behaviour: &str, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    match behaviour {
        "verdicts" => close(fault(bytes), out),
        "slow" => {
            sleep(Duration::from_millis(10));
            read(bytes, out)
        }
        "tells-environment" => {
            let variables: Vec<String> = std::env::vars()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let all = variables.join(" ");
            eprintln!("{all}");
            let why = serde_json::Value::String(all);
            writeln!(out, "{{\"end\":\"reject\",\"why\":{why}}}")
        }
        "commands" => {
            eprintln!("::error::\u{1b}[2J\u{9b}2J\u{202e}");
            let why = "\\n::error::\\u001b[2J\\u009b2J\\u202e##[error]";
            writeln!(out, "{{\"end\":\"reject\",\"why\":\"{why}\"}}")
        }
        "accepts-all" => close(None, out),
        "rejects-all" => close(Some(0), out),
        "gap" => writeln!(out, "{{\"end\":\"unsupported\",\"feature\":\"mark\"}}"),
        "crashes" => {
            eprintln!("about to crash");
            abort()
        }
        "hangs" => linger().map(|_| ()),
        "spins" => {
            spin();
            Ok(())
        }
        "floods" => flood(out, b"{\"record\":\"event\",\"value\":0}\n"),
        "floods-a-line" => flood(out, &[b'x'; 64]),
        "floods-errors" => flood(&mut io::stderr().lock(), b"warning\n"),
        "floods-lines" => {
            out.write_all(&vec![b'\n'; 2 << 20])?;
            read(bytes, out)
        }
        "floods-error-lines" => {
            io::stderr().write_all(&vec![b'\n'; 1 << 20])?;
            read(bytes, out)
        }
        "lies" => {
            writeln!(out, "{{\"record\":\"event\",\"value\":12345}}")?;
            close(None, out)
        }
        "sorts" => sorted(bytes, out),
        "chatters" => {
            writeln!(out, "Reading trace...")?;
            read(bytes, out)
        }
        "forks" => {
            spawn_self("sleeper")?;
            read(bytes, out)
        }
        "hides-a-bomb" => {
            spawn_self("bomb")?.wait()?;
            read(bytes, out)
        }
        "feeds-many" => {
            for _ in 0..6 {
                spawn_self("nest")?.wait()?;
            }
            sleep(Duration::from_secs(3));
            read(bytes, out)
        }
        "daemonises" => {
            spawn_self("forker")?.wait()?;
            read(bytes, out)
        }
        "answers-first" => {
            writeln!(out, "{{\"end\":\"accept\"}}")?;
            writeln!(out, "{{\"record\":\"event\",\"value\":1}}")
        }
        "twice" => {
            read(bytes, out)?;
            close(fault(bytes), out)
        }
        "twice-slowly" => {
            read(bytes, out)?;
            out.flush()?;
            sleep(Duration::from_millis(5));
            close(fault(bytes), out)
        }
        "twice-with-pauses" => {
            answer("twice-slowly", bytes, out)?;
            out.flush()?;
            sleep(Duration::from_millis(20));
            Ok(())
        }
        "fills-a-file" => fs::write("junk", vec![0; 8 << 20]).and_then(|()| read(bytes, out)),
        "litters" => {
            for index in 0..64 {
                fs::write(format!("junk-{index}"), vec![0; 64 << 10])?;
            }
            sleep(Duration::from_millis(300));
            read(bytes, out)
        }
        "leaks" => leak(),
        _ if behaviour.starts_with("huge-") => huge(behaviour, 62, out),
        _ if behaviour.starts_with("large-") => {
            huge(&behaviour.replacen("large", "huge", 1), 8, out)
        }
        _ => match behaviour.split_once('=') {
            Some((action, target)) => attempt(action, target, out),
            None => read(bytes, out),
        },
    }
}

/// Writes an answer that contains a line of `mib` MiB.
fn huge(behaviour: &str, mib: usize, out: &mut impl Write) -> io::Result<()> {
    let (before, piece, after) = match behaviour {
        "huge-why" => (r#"{"end":"reject","why":""#, "x", r#""}"#),
        "huge-feature" => (r#"{"end":"unsupported","feature":""#, "x", r#""}"#),
        "huge-kind" => (r#"{"record":""#, "x", r#""}"#),
        "huge-name" => (r#"{"record":"event",""#, "x", r#"":1}"#),
        "huge-number" => (r#"{"record":"event","x":"#, "1", "}"),
        "huge-escapes" => (r#"{"record":"event","x":""#, r"\n", r#""}"#),
        "huge-list" => (r#"{"record":"event","x":[0"#, ",0", "]}"),
        "huge-members" => (r#"{"record":"event","x":[0"#, r#",{"a":{}}"#, "]}"),
        "huge-depth" => (r#"{"record":"event","x":"#, "[", ""),
        _ => ("", "reading the trace ", ""),
    };
    let line = format!(
        "{before}{}{after}\n",
        piece.repeat((mib << 20) / piece.len())
    );
    out.write_all(line.as_bytes())?;
    match before.contains("\"end\"") {
        true => Ok(()),
        false => close(None, out),
    }
}

/// Attempts an operation that the harness denies to readers. Accepts the trace if the operation
/// succeeds, and otherwise rejects it with the error.
fn attempt(action: &str, target: &str, out: &mut impl Write) -> io::Result<()> {
    let done = match action {
        "peeks" => fs::read(target).map(|_| ()),
        "writes" => {
            let mut options = fs::OpenOptions::new();
            let file = options.create(true).append(true).open(target);
            file.and_then(|mut file| file.write_all(b"was here"))
        }
        "connects" => std::net::TcpStream::connect(target).map(|_| ()),
        "sends" => std::net::UdpSocket::bind("0.0.0.0:0")
            .and_then(|socket| socket.send_to(b"hello", target))
            .map(|_| ()),
        "multiplies" => multiply(target.parse().unwrap_or(0)),
        // Checks whether a signal could be sent, without sending one.
        "signals" => {
            let pid = target.parse().ok().and_then(rustix::process::Pid::from_raw);
            let pid = pid.ok_or_else(|| io::Error::other("no such number"))?;
            rustix::process::test_kill_process(pid).map_err(io::Error::from)
        }
        other => Err(io::Error::other(format!("unknown action: {other}"))),
    };
    match done {
        Ok(()) => writeln!(out, "{{\"end\":\"accept\"}}"),
        Err(error) => {
            let why = serde_json::Value::String(error.to_string());
            writeln!(out, "{{\"end\":\"reject\",\"why\":{why}}}")
        }
    }
}

/// Starts `count` processes at once.
fn multiply(count: usize) -> io::Result<()> {
    let mut children = Vec::new();
    let mut result = Ok(());
    for _ in 0..count {
        match spawn_self("sleeper") {
            Ok(child) => children.push(child),
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    for child in &mut children {
        child.kill()?;
        child.wait()?;
    }
    result
}

/// Reports the records in reverse order, as a reader that sorts records by time may do.
fn sorted(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let fault = fault(bytes);
    let events = bytes
        .get(4..fault.unwrap_or(bytes.len()))
        .unwrap_or_default();
    for byte in events.iter().rev() {
        writeln!(out, "{{\"record\":\"event\",\"value\":{byte}}}")?;
    }
    close(fault, out)
}

fn linger() -> io::Result<ExitCode> {
    sleep(LIFETIME);
    Ok(ExitCode::SUCCESS)
}

fn spin() {
    let start = Instant::now();
    let mut number = 1u64;
    while start.elapsed() < LIFETIME {
        number = std::hint::black_box(number.wrapping_mul(3));
    }
}

fn flood(out: &mut impl Write, piece: &[u8]) -> io::Result<()> {
    let piece = piece.repeat(1024);
    for _ in 0..(1 << 30) / piece.len() {
        out.write_all(&piece)?;
    }
    Ok(())
}

fn leak() -> io::Result<()> {
    let mut hoard = Vec::new();
    for _ in 0..32 {
        hoard.push(vec![1u8; 64 << 20]);
        sleep(Duration::from_millis(20));
    }
    std::hint::black_box(&hoard);
    linger().map(|_| ())
}

/// Starts this program in another role. The child inherits standard output and standard error, like
/// a child process of a careless reader.
fn spawn_self(role: &str) -> io::Result<std::process::Child> {
    Command::new(std::env::current_exe()?)
        .arg(role)
        .stdin(Stdio::null())
        .spawn()
}

/// Uses memory in a process that has left its process group, so that it cannot be found
/// by following parent process ids.
fn eat() -> io::Result<ExitCode> {
    leave()?;
    let hoard = vec![1u8; 64 << 20];
    std::hint::black_box(&hoard);
    linger()
}

/// Starts twenty chains of processes. Each process in a chain creates a session, starts the next
/// process and exits, so it lives only briefly but always has a successor. The chains end by
/// themselves after a few seconds.
fn explode() -> io::Result<ExitCode> {
    let life: u32 = std::env::var("FAKE_BOMB").map_or(0, |text| text.parse().unwrap_or(0));
    if life > 0 {
        // The leader of a process group can neither leave it nor create a session, which does no
        // harm here.
        let _ = leave();
        sleep(Duration::from_millis(2));
    }
    if life < 2000 {
        for _ in 0..if life == 0 { 20 } else { 1 } {
            Command::new(std::env::current_exe()?)
                .arg("bomb")
                .env("FAKE_BOMB", (life + 1).to_string())
                .stdin(Stdio::null())
                .spawn()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Leaves the process group and, if that is permitted, the session.
fn leave() -> io::Result<()> {
    if rustix::process::setsid().is_err() {
        rustix::process::setpgid(None, None)?;
    }
    Ok(())
}

fn daemon() -> io::Result<ExitCode> {
    leave()?;
    linger()
}
