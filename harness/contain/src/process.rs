//! A reader process, its streams, and its exit.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::environment::Secrets;
use crate::feeder::{Pieces, feed};
use crate::lines::{Ends, Lines};
use crate::running::Running;
use crate::system::{Ready, Watched, unblock};
use crate::{Containment, Limits, Scratch, usage};

/// The interval at which to check a running process.
const TICK: Duration = Duration::from_millis(20);
/// The interval at which to check a running process if its exit cannot be polled together with its
/// output.
const TICK_BLIND: Duration = Duration::from_millis(2);
/// The interval at which to measure the scratch folder, in ticks.
const SCRATCH_TICKS: u32 = 5;
/// The time to wait for a process to become idle after an answer, the maximum time to wait if the
/// machine is so busy that the process has hardly run since, and the interval between checks.
const SETTLED: Duration = Duration::from_millis(200);
const SETTLED_BUSY: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_micros(50);
const PIECE: usize = 1 << 15;

/// The standard input of a process.
#[derive(Debug)]
pub enum Input {
    /// Empty input.
    Nothing,
    /// A file.
    File(File),
    /// The bytes passed to [`Process::send`].
    Requests,
    /// A file that is fed in pieces.
    Pieces(Pieces),
}

/// The next event of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line, which [`Process::line`] returns.
    Line,
    /// The end of the output.
    End,
    /// The process exceeded a limit and has been killed.
    Stop(Stop),
}

/// The limit that a process exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit, or the end of the run ([`Containment::halt`]).
    TimeUp,
    /// The memory limit. The number is the resident memory in bytes.
    OutOfMemory(u64),
    /// A limit on output.
    Flood(Flood),
}

/// The output limit that a process exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flood {
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
    /// A single line.
    Line,
    /// The size of the scratch folder or of a single file.
    Files,
}

/// An observer of the standard error of a process.
pub trait Observer {
    /// Processes the next piece of standard error, with secrets masked.
    fn push(&mut self, bytes: &[u8]);
}

impl Observer for () {
    fn push(&mut self, _: &[u8]) {}
}

/// A process of a reader.
#[derive(Debug)]
pub struct Process<'c, O> {
    /// The containment of the run, which the process cannot outlive.
    containment: &'c Containment,
    running: Running,
    /// The exit status, if the process has ended.
    exit: Option<ExitStatus>,
    /// The number of processes that the kernel had killed for lack of memory before this process
    /// started.
    starved: u64,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    lines: Lines,
    errors: Ends,
    observer: O,
    limits: Limits,
    clock: Clock,
    spent: Spent,
    sampled: Instant,
    ticks: u32,
    scratch: PathBuf,
    piece: Box<[u8]>,
    secrets: Secrets,
    /// The last line with its secrets masked, or `None` if it contains no secrets.
    masked: Option<Vec<u8>>,
}

/// The number of bytes that a line on standard error counts as at least. Each line is examined for
/// crash reports, so a flood of short lines would take the harness minutes to read.
const LEAST_LINE: u64 = 64;

/// The resources used since the case began. The time that the harness spends processing the output
/// is not counted.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    time: Duration,
    output: u64,
    lines: u64,
    errors: u64,
}

impl<'c, O: Observer> Process<'c, O> {
    /// Starts `command` in `scratch`.
    ///
    /// # Errors
    /// Returns an error if the command cannot be started.
    pub fn start(
        containment: &'c Containment,
        mut command: Command,
        input: Input,
        scratch: &Scratch,
        limits: Limits,
        observer: O,
    ) -> io::Result<Self> {
        command.env("TMPDIR", scratch.path());
        let secrets = Secrets::of(&command);
        let (running, streams) = Running::start(command, &input, scratch, &limits)?;
        let mut stdin = streams.input;
        if let Input::Pieces(pieces) = input
            && let Some(stdin) = stdin.take()
        {
            feed(pieces, stdin);
        }
        let process = Self {
            containment,
            starved: running.starved(),
            running,
            exit: None,
            stdin,
            stdout: streams.output,
            stderr: streams.errors,
            lines: Lines::default(),
            errors: Ends::default(),
            observer,
            limits,
            clock: Clock::new(limits.timeout, Duration::ZERO),
            spent: Spent::default(),
            sampled: Instant::now(),
            ticks: 0,
            scratch: scratch.path().to_owned(),
            piece: vec![0; PIECE].into_boxed_slice(),
            secrets,
            masked: None,
        };
        process.stdin.iter().try_for_each(unblock)?;
        process.stdout.iter().try_for_each(unblock)?;
        process.stderr.iter().try_for_each(unblock)?;
        Ok(process)
    }

    /// Begins a case: resets the resource usage and clears the collected standard error.
    pub fn begin(&mut self, limits: Limits) {
        self.limits = limits;
        self.clock = Clock::new(limits.timeout, Duration::ZERO);
        self.spent = Spent::default();
        self.errors.clear();
    }

    /// Grants the process additional `time`, counted from now.
    pub fn allow(&mut self, time: Duration) {
        self.clock = Clock::new(time, self.spent.time);
    }

    /// Writes `bytes` to the standard input. It is not an error if the process no longer reads its
    /// input, because [`Process::step`] reports the cause.
    ///
    /// # Errors
    /// Returns an error if the process exceeded a limit and has been killed.
    pub fn send(&mut self, mut bytes: &[u8]) -> Result<(), Stop> {
        while let (Some(stdin), false) = (&mut self.stdin, bytes.is_empty()) {
            match stdin.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(true)?,
                Err(_) => self.stdin = None,
            }
        }
        Ok(())
    }

    /// Closes the standard input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next line, the end of output, or an exceeded limit.
    pub fn step(&mut self) -> Step {
        loop {
            if self.lines.advance() {
                self.spent.lines += 1;
                if self.spent.lines > self.limits.lines {
                    return Step::Stop(self.stop(Stop::Flood(Flood::Output)));
                }
                self.masked = self.secrets.masked(self.lines.line());
                return Step::Line;
            }
            if self.lines.rest().len() > self.limits.line {
                return Step::Stop(self.stop(Stop::Flood(Flood::Line)));
            }
            if self.stdout.is_none() {
                return Step::End;
            }
            if let Err(stop) = self.wait(false) {
                return Step::Stop(stop);
            }
        }
    }

    /// Returns the line that the last call to [`Process::step`] found.
    pub fn line(&self) -> &[u8] {
        self.masked.as_deref().unwrap_or(self.lines.line())
    }

    /// Returns the output after the last line that has been read so far.
    pub fn rest(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Reads the available output without waiting.
    ///
    /// # Errors
    /// Returns an error if the process exceeded an output limit and has been killed.
    pub fn glance(&mut self) -> Result<(), Stop> {
        self.read_output()
    }

    /// Returns the beginning and the end of the text that the process has written to standard error
    /// since the case began.
    pub fn errors(&mut self) -> String {
        // Output written just before the answer may not have been read yet.
        let _ = self.read_errors();
        self.errors.text()
    }

    /// Returns the observer, to which everything that the process has written to standard error so
    /// far has been passed.
    pub fn observer(&mut self) -> &mut O {
        let _ = self.read_errors();
        &mut self.observer
    }

    /// Waits briefly until the process is idle, so that any work after its answer is finished.
    /// Returns immediately if the system does not report process activity.
    pub fn settle(&self) {
        let pid = self.running.pid();
        let began = Instant::now();
        let mut at_first = None;
        while self.exit.is_none()
            && let Some(activity) = usage::activity(pid).filter(|it| it.running)
        {
            let used = activity
                .used
                .saturating_sub(*at_first.get_or_insert(activity.used));
            let most = match used < SETTLED / 2 {
                true => SETTLED_BUSY,
                false => SETTLED,
            };
            if began.elapsed() >= most {
                return;
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// Waits for the process to exit within the remaining time.
    ///
    /// # Errors
    /// Returns an error if the process exceeded a limit and has been killed.
    pub fn finish(&mut self) -> Result<ExitStatus, Stop> {
        loop {
            if let Some(status) = self.exit {
                return Ok(status);
            }
            self.wait(false)?;
        }
    }

    /// Kills the process and its whole group, and returns its exit status.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.end_group();
        self.exit
    }

    /// Waits for any event, handles it, and checks the limits.
    fn wait(&mut self, wants_to_write: bool) -> Result<(), Stop> {
        let left = self.clock.left(self.spent.time);
        let tick = match self.running.descriptor() {
            None if self.exit.is_none() => TICK_BLIND,
            _ => TICK,
        };
        let before = Instant::now();
        let ready = self.poll(wants_to_write, left.min(tick));
        self.spent.time += before.elapsed();
        if ready.output {
            self.read_output()?;
        }
        if ready.errors {
            self.read_errors()?;
        }
        if ready.exit || self.has_exited() {
            return self.after_exit();
        }
        if self.containment.is_halted() {
            return Err(self.stop(Stop::TimeUp));
        }
        // Output that is available when the time runs out still counts, but no more output is
        // awaited.
        let pid = self.running.pid();
        if !ready.any() && self.clock.is_over(pid, self.spent.time) {
            return Err(self.stop(Stop::TimeUp));
        }
        if before.duration_since(self.sampled) >= TICK {
            self.sampled = before;
            self.sample()?;
        }
        Ok(())
    }

    fn poll(&self, wants_to_write: bool, timeout: Duration) -> Ready {
        let exit = self.running.descriptor().filter(|_| self.exit.is_none());
        let watched = Watched {
            output: self.stdout.as_ref().map(AsFd::as_fd),
            errors: self.stderr.as_ref().map(AsFd::as_fd),
            exit,
            input: self
                .stdin
                .as_ref()
                .filter(|_| wants_to_write)
                .map(AsFd::as_fd),
        };
        watched.wait(timeout)
    }

    fn read_output(&mut self) -> Result<(), Stop> {
        while let Some(stdout) = &mut self.stdout {
            match stdout.read(&mut self.piece) {
                Ok(0) => self.stdout = None,
                Ok(count) => {
                    self.lines.push(&self.piece[..count]);
                    self.spent.output += count as u64;
                    if self.spent.output > self.limits.output {
                        return Err(self.stop(Stop::Flood(Flood::Output)));
                    }
                    if count < self.piece.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.stdout = None,
            }
        }
        Ok(())
    }

    fn read_errors(&mut self) -> Result<(), Stop> {
        while let Some(stderr) = &mut self.stderr {
            match stderr.read(&mut self.piece) {
                Ok(0) => self.stderr = None,
                Ok(count) => {
                    let piece = &self.piece[..count];
                    let masked = self.secrets.masked(piece);
                    let shown = masked.as_deref().unwrap_or(piece);
                    self.errors.push(shown);
                    self.observer.push(shown);
                    let lines = memchr::memchr_iter(b'\n', piece).count() as u64;
                    self.spent.errors += (count as u64).max(LEAST_LINE * lines);
                    if self.spent.errors > self.limits.errors {
                        return Err(self.stop(Stop::Flood(Flood::Errors)));
                    }
                    if count < self.piece.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.stderr = None,
            }
        }
        Ok(())
    }

    /// Returns the exit status of the process if it has exited, without waiting for it.
    pub fn exited(&mut self) -> Option<ExitStatus> {
        if self.exit.is_some() || self.running.has_exited() {
            return self.finish().ok();
        }
        None
    }

    /// Returns true if the process has exited. This check is used if the process has no descriptor
    /// to poll.
    fn has_exited(&self) -> bool {
        self.exit.is_none() && self.running.descriptor().is_none() && self.running.has_exited()
    }

    /// Handles the exit of the process. Kills the process group and then reads the output that is
    /// already in the pipes, without waiting for processes that left the group and still hold the
    /// other end of a pipe.
    fn after_exit(&mut self) -> Result<(), Stop> {
        self.end_group();
        self.is_starved()?;
        // A reader that has run out of space may exit before the next sample.
        self.measure_files()?;
        let output = self.drain_output();
        let errors = self.read_errors();
        (self.stdout, self.stderr) = (None, None);
        output.and(errors)
    }

    fn drain_output(&mut self) -> Result<(), Stop> {
        loop {
            let before = self.spent.output;
            self.read_output()?;
            if self.stdout.is_none() || self.spent.output == before {
                return Ok(());
            }
        }
    }

    /// Measures the resources that the process uses.
    fn sample(&mut self) -> Result<(), Stop> {
        if self.exit.is_some() {
            return Ok(());
        }
        let pid = self.running.pid();
        self.clock.sample(pid, self.spent.time);
        let has_launcher = self.running.has_launcher();
        let resident = usage::resident(pid, has_launcher).unwrap_or_default();
        if resident > self.limits.memory {
            return Err(self.stop(Stop::OutOfMemory(resident)));
        }
        self.is_starved()?;
        self.ticks += 1;
        if self.ticks.is_multiple_of(SCRATCH_TICKS) {
            self.measure_files()
        } else {
            Ok(())
        }
    }

    /// Returns an error if the kernel killed the process or its children for lack of memory.
    fn is_starved(&mut self) -> Result<(), Stop> {
        if self.running.starved() == self.starved {
            return Ok(());
        }
        let peak = self.running.peak();
        Err(self.stop(Stop::OutOfMemory(peak)))
    }

    /// Measures the files in the scratch folder.
    ///
    /// # Errors
    /// Returns an error if the files are too large, in which case the process has been killed.
    fn measure_files(&mut self) -> Result<(), Stop> {
        if self.running.stored(&self.scratch) > self.limits.scratch {
            return Err(self.stop(Stop::Flood(Flood::Files)));
        }
        Ok(())
    }

    fn stop(&mut self, stop: Stop) -> Stop {
        self.end_group();
        stop
    }
}

impl<O> Process<'_, O> {
    fn end_group(&mut self) {
        if self.exit.is_none() {
            self.exit = self.running.end();
        }
    }
}

impl<O> Drop for Process<'_, O> {
    fn drop(&mut self) {
        self.end_group();
    }
}
