//! Shows progress as a bar on a terminal and as lines of text elsewhere.

mod lines;

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tracegauge_harness::lock::lock;
use tracegauge_results::text::visible;
use tracegauge_results::{Event, Sink};

use super::OutputOptions;
use lines::{Lines, PAUSE, Steps};

/// Shows, on standard error, the progress of tasks other than running a reader.
#[derive(Debug)]
pub struct Bar {
    way: Way,
    shown: Mutex<Option<Shown>>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Silent,
    Bar,
    Lines,
}

/// The progress indicator that is currently shown.
#[derive(Debug)]
enum Shown {
    Bar(ProgressBar),
    Lines(Steps),
}

impl Shown {
    fn end(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Bar {
    /// Creates a bar if `output_options` allows one.
    pub fn new(output_options: OutputOptions) -> Self {
        let way = match output_options.shows_progress() {
            true => Way::Bar,
            false => Way::Silent,
        };
        Self::shown(way)
    }

    /// Creates a bar if `output_options` allows one. Otherwise, reports progress as lines of text,
    /// unless `output_options` hides it.
    pub fn telling(output_options: OutputOptions) -> Self {
        match (
            output_options.shows_progress(),
            output_options.tells_progress(),
        ) {
            (false, true) => Self::shown(Way::Lines),
            _ => Self::new(output_options),
        }
    }

    fn shown(way: Way) -> Self {
        let shown = Mutex::new(None);
        Self { way, shown }
    }
}

/// Creates a spinner for work of unknown length, hidden unless `shown` is true.
pub fn spinner(template: &str, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let bar = styled(0, template);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Creates a bar for work on a file of about `length` bytes, hidden unless `shown` is true.
pub fn bytes(length: u64, shown: bool) -> ProgressBar {
    if shown {
        let template = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
        styled(length, template)
    } else {
        ProgressBar::hidden()
    }
}

impl tracegauge_corpus::progress::Progress for Bar {
    fn begin(&self, what: &str, steps: u64) {
        let next = match self.way {
            Way::Silent => return,
            Way::Bar => {
                let bar = styled(steps, "{msg} {bar:30} {pos}/{len} {elapsed}");
                bar.set_message(visible(what).into_owned());
                // Single steps can take seconds; the tick shows that the program is still working.
                bar.enable_steady_tick(Duration::from_millis(200));
                Shown::Bar(bar)
            }
            Way::Lines => {
                let say = |line: String| crate::remark!("{line}");
                Shown::Lines(Steps::begin(what, steps, PAUSE, say))
            }
        };
        if let Some(before) = lock(&self.shown).replace(next) {
            before.end();
        }
    }

    fn step(&self) {
        match &*lock(&self.shown) {
            Some(Shown::Bar(bar)) => bar.inc(1),
            Some(Shown::Lines(steps)) => steps.step(),
            None => {}
        }
    }

    fn end(&self) {
        if let Some(shown) = lock(&self.shown).take() {
            shown.end();
        }
    }
}

fn styled(steps: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows the progress of a run on standard error, as a bar on a terminal or as lines of text
/// elsewhere.
#[derive(Debug)]
pub(super) enum Progress {
    /// Shows nothing.
    Silent,
    /// Shows a bar while a reader runs.
    Bar(Option<ProgressBar>),
    /// Prints lines of text while a reader runs.
    Lines(Option<Lines>),
}

impl Progress {
    /// Returns the progress indicator permitted by `output_options`.
    pub(super) fn new(output_options: OutputOptions) -> Self {
        match (
            output_options.shows_progress(),
            output_options.tells_progress(),
        ) {
            (true, _) => Self::Bar(None),
            (false, true) => Self::Lines(None),
            (false, false) => Self::Silent,
        }
    }

    fn begin(&mut self, name: &str, cases: usize) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                let template = "{msg} {bar:30} {pos}/{len} {per_sec} {eta}";
                bar.insert(styled(cases as u64, template))
                    .set_message(visible(name).into_owned());
            }
            Self::Lines(lines) => {
                let say = |line: String| crate::remark!("{line}");
                *lines = Some(Lines::begin(name, cases, PAUSE, say));
            }
        }
    }

    fn answered(&self, fails: bool) {
        match self {
            Self::Bar(Some(bar)) => bar.inc(1),
            Self::Lines(Some(lines)) => lines.answered(fails),
            _ => {}
        }
    }

    fn end(&mut self) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => bar.take().iter().for_each(ProgressBar::finish_and_clear),
            Self::Lines(lines) => drop(lines.take()),
        }
    }
}

impl Sink for Progress {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::ReaderStarted {
                reader,
                planned,
                support,
            } => self.begin(&reader.name, planned + support),
            Event::CaseAnswered { fails } => self.answered(*fails),
            Event::ReaderFinished { .. } => self.end(),
            _ => {}
        }
    }
}
