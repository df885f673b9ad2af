//! One process of a reader, its streams, and its end.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde::{Deserialize, Serialize};
use tracegauge_corpus::pattern::Pattern;

use super::cell::Inside;
use super::clock::Clock;
use super::feeder::{Pieces, feed};
use super::launcher::NotLaunched;
use super::lines::{Lines, Tail};
use super::system::{Ready, Watched, descriptor, forbid_cores, restrict, unblock};
use super::{Containment, Limits, Scratch, usage};
use crate::crash::{Sighted, Watch};

/// How often a process that takes its time is looked at.
const TICK: Duration = Duration::from_millis(20);
/// The same, where the end of a process cannot be waited for together with its output.
const TICK_BLIND: Duration = Duration::from_millis(2);
/// How often the scratch folder is measured, in ticks.
const SCRATCH_TICKS: u32 = 5;
/// A process that answers is given so long to come to rest, and is looked at so often.
const SETTLED: Duration = Duration::from_millis(200);
const GLANCE: Duration = Duration::from_micros(50);
const PIECE: usize = 1 << 15;

/// What a process reads on standard input.
#[derive(Debug)]
pub enum Input {
    /// Nothing.
    Nothing,
    /// A file.
    File(File),
    /// What [`Process::send`] is given.
    Requests,
    /// A file in pieces.
    Pieces(Pieces),
}

/// What came next from a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line; [`Process::line`] is it.
    Line,
    /// There will be no more lines.
    End,
    /// It went too far. It is dead by now.
    Stop(Stop),
}

/// How a process went too far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Its time was over.
    TimeUp,
    /// It had so many bytes of resident memory.
    OutOfMemory(u64),
    /// It wrote too much.
    Flood(Flood),
}

/// Where a process wrote too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flood {
    /// On standard output.
    Output,
    /// On standard error.
    Errors,
    /// In one line.
    Line,
    /// In its scratch folder, or in one file.
    Files,
}

/// One process of a reader.
#[derive(Debug)]
pub struct Process<'c> {
    containment: &'c Containment,
    inside: Inside,
    /// How many processes had been ended for want of memory before it.
    ended: u64,
    child: Child,
    pid: Pid,
    exit: Exit,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    lines: Lines,
    errors: Tail,
    watch: Watch,
    limits: Limits,
    clock: Clock,
    spent: Spent,
    sampled: Instant,
    ticks: u32,
    scratch: PathBuf,
    piece: Box<[u8]>,
}

/// A process that runs the reader's program.
struct Started {
    child: Child,
    inside: Inside,
}

/// Starts a reader by way of a launcher, or where there is none, with limits that are set from outside.
fn start(
    containment: &Containment,
    mut command: Command,
    prepare: impl Fn(&mut Command) -> io::Result<()>,
    scratch: &Scratch,
    limits: &Limits,
) -> io::Result<Started> {
    // The scratch folder may be in memory.
    let memory = limits.memory.saturating_add(limits.scratch);
    if let Some(launcher) = containment.launcher() {
        let (mut launched, start) = launcher.command(&command, limits.scratch)?;
        prepare(&mut launched)?;
        if let Ok((mut child, inside)) = scratch.start(launched, memory) {
            containment.live().insert(number(&child));
            match start.go() {
                Ok(errors) => {
                    child.stderr = Some(errors);
                    return Ok(Started { child, inside });
                }
                Err(why) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    containment.live().remove(&number(&child));
                    if let NotLaunched::Reader(error) = why {
                        return Err(error);
                    }
                }
            }
        }
    }
    let refused = containment.launcher();
    if refused.is_some() {
        forbid_cores();
    }
    prepare(&mut command)?;
    command.stderr(Stdio::piped());
    let (child, inside) = scratch.start(command, memory)?;
    // A sweep between these two lines does no harm: it sees children of the main thread
    // only, and those are started while no other worker runs.
    containment.live().insert(number(&child));
    restrict(Pid::from_child(&child), limits);
    // The launcher could not be started, and the reader could.
    refused.inspect(|launcher| launcher.refuse());
    Ok(Started { child, inside })
}

fn number(child: &Child) -> i32 {
    Pid::from_child(child).as_raw_nonzero().get()
}

/// What was spent of the limits since the case began. Time that we spend ourselves on what
/// the process wrote is not counted.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    time: Duration,
    output: u64,
    errors: u64,
}

/// What is known of a process's end.
#[derive(Debug)]
enum Exit {
    /// It runs; where the system has such a thing, with a descriptor to wait for.
    Running(Option<std::os::fd::OwnedFd>),
    /// It is over.
    Over(ExitStatus),
}

impl<'c> Process<'c> {
    /// Starts `command` in `scratch`.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(
        containment: &'c Containment,
        mut command: Command,
        input: Input,
        scratch: &Scratch,
        limits: Limits,
    ) -> io::Result<Self> {
        command.env("TMPDIR", scratch.path());
        let prepare = |command: &mut Command| {
            command
                .current_dir(scratch.path())
                .process_group(0)
                .stdin(match &input {
                    Input::Nothing => Stdio::null(),
                    Input::File(file) => Stdio::from(file.try_clone()?),
                    Input::Requests | Input::Pieces(_) => Stdio::piped(),
                })
                .stdout(Stdio::piped());
            Ok(())
        };
        let Started { mut child, inside } = start(containment, command, prepare, scratch, &limits)?;
        let pid = Pid::from_child(&child);
        let (mut stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Input::Pieces(pieces) = input
            && let Some(stdin) = stdin.take()
        {
            feed(pieces, stdin);
        }
        let process = Self {
            containment,
            ended: inside.ended(),
            inside,
            child,
            pid,
            exit: Exit::Running(descriptor(pid)),
            stdin,
            stdout,
            stderr,
            lines: Lines::default(),
            errors: Tail::default(),
            watch: Watch::default(),
            limits,
            clock: Clock::new(limits.timeout, Duration::ZERO),
            spent: Spent::default(),
            sampled: Instant::now(),
            ticks: 0,
            scratch: scratch.path().to_owned(),
            piece: vec![0; PIECE].into_boxed_slice(),
        };
        process.stdin.iter().try_for_each(unblock)?;
        process.stdout.iter().try_for_each(unblock)?;
        process.stderr.iter().try_for_each(unblock)?;
        Ok(process)
    }

    /// Begins a case: what was spent so far is forgotten, and so is what it wrote to
    /// standard error.
    pub fn begin(&mut self, limits: Limits) {
        self.limits = limits;
        self.clock = Clock::new(limits.timeout, Duration::ZERO);
        self.spent = Spent::default();
        self.errors.clear();
    }

    /// Gives it so much more time from now on.
    pub fn allow(&mut self, time: Duration) {
        self.clock = Clock::new(time, self.spent.time);
    }

    /// Writes `bytes` to its standard input. A process that does not read any more is no
    /// error here: what it does instead of answering shows in [`Process::step`].
    ///
    /// # Errors
    /// It went too far meanwhile. It is dead by now.
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

    /// Closes its standard input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next line, the end of output, or the end of patience.
    pub fn step(&mut self) -> Step {
        loop {
            if self.lines.advance() {
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

    /// The line of the last step.
    pub fn line(&self) -> &[u8] {
        self.lines.line()
    }

    /// What it wrote after the last line that was handed out, so far as it was read.
    pub fn rest(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Reads what is there already, without waiting.
    ///
    /// # Errors
    /// It wrote too much. It is dead by now.
    pub fn glance(&mut self) -> Result<(), Stop> {
        self.read_output()
    }

    /// The end of what it wrote to standard error since the case began.
    pub fn errors(&mut self) -> String {
        // What it wrote just before its answer may not have been looked at yet.
        let _ = self.read_errors();
        self.errors.text()
    }

    /// Takes lines for crash reports that begin as one of `patterns` says, besides those of runtimes.
    pub fn expect(&mut self, patterns: Arc<[Pattern]>) {
        self.watch.expect(patterns);
    }

    /// The crashes that it reported on standard error since this was last asked.
    pub fn sighted(&mut self) -> Sighted {
        let _ = self.read_errors();
        self.watch.take()
    }

    /// Waits a moment until it does nothing but wait: what it does after it has answered is done
    /// then. Where the system does not say what it does, this returns at once.
    pub fn settle(&self) {
        let pid = self.pid.as_raw_nonzero().get();
        let began = Instant::now();
        let is_running = || usage::activity(pid).is_some_and(|activity| activity.running);
        while matches!(self.exit, Exit::Running(_)) && began.elapsed() < SETTLED && is_running() {
            std::thread::sleep(GLANCE);
        }
    }

    /// Waits for its end, within what is left of its time.
    ///
    /// # Errors
    /// It went too far. It is dead by now.
    pub fn finish(&mut self) -> Result<ExitStatus, Stop> {
        loop {
            if let Exit::Over(status) = self.exit {
                return Ok(status);
            }
            self.wait(false)?;
        }
    }

    /// Kills it and all of its group, and returns its status.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.end_group();
        match self.exit {
            Exit::Over(status) => Some(status),
            Exit::Running(_) => None,
        }
    }

    /// Waits for anything to happen, takes it in, and minds the limits.
    fn wait(&mut self, wants_to_write: bool) -> Result<(), Stop> {
        let left = self.clock.left(self.spent.time);
        let tick = match &self.exit {
            Exit::Running(None) => TICK_BLIND,
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
        // What is there when its time is over still counts, but it is not waited for.
        let pid = self.pid.as_raw_nonzero().get();
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
        let exit = match &self.exit {
            Exit::Running(descriptor) => descriptor.as_ref().map(AsFd::as_fd),
            Exit::Over(_) => None,
        };
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
                    self.errors.push(&self.piece[..count]);
                    self.watch.push(&self.piece[..count]);
                    self.spent.errors += count as u64;
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

    /// Whether it has exited, where no descriptor says so.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(self.exit, Exit::Running(None))
            && matches!(waitid(WaitId::Pid(self.pid), options), Ok(Some(_)))
    }

    /// Its group goes with it; then what it wrote is read to the end, which is there, even
    /// where a process that left the group still holds the other end of the pipe.
    fn after_exit(&mut self) -> Result<(), Stop> {
        self.end_group();
        self.is_starved()?;
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

    /// Looks at what it uses, from outside.
    fn sample(&mut self) -> Result<(), Stop> {
        if matches!(self.exit, Exit::Over(_)) {
            return Ok(());
        }
        let pid = self.pid.as_raw_nonzero().get();
        self.clock.sample(pid, self.spent.time);
        let resident = usage::resident(pid).unwrap_or_default();
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

    /// Looks whether it, or what it started, was ended for want of memory.
    fn is_starved(&mut self) -> Result<(), Stop> {
        if self.inside.ended() == self.ended {
            return Ok(());
        }
        let peak = self.inside.peak();
        Err(self.stop(Stop::OutOfMemory(peak)))
    }

    /// Measures what it left in its scratch folder.
    ///
    /// # Errors
    /// It is too much. The process is dead by now.
    pub fn measure_files(&mut self) -> Result<(), Stop> {
        if usage::stored(&self.scratch) > self.limits.scratch {
            return Err(self.stop(Stop::Flood(Flood::Files)));
        }
        Ok(())
    }

    fn stop(&mut self, stop: Stop) -> Stop {
        self.end_group();
        stop
    }

    /// Kills the group while its leader has not been reaped: until then, no other group can
    /// have its number.
    fn end_group(&mut self) {
        if matches!(self.exit, Exit::Over(_)) {
            return;
        }
        // This fails only where there is nothing left to kill.
        let _ = kill_process_group(self.pid, Signal::KILL);
        if let Ok(status) = self.child.wait() {
            self.exit = Exit::Over(status);
        }
        self.containment
            .live()
            .remove(&self.pid.as_raw_nonzero().get());
        self.inside.sweep();
        self.containment.sweep();
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        self.end_group();
    }
}
