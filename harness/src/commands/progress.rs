//! The progress bar.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tracegauge_reports::{Event, Sink};

use super::Voice;
use crate::lock::lock;

/// Shows on standard error how far something is that is not yet the run of a reader.
#[derive(Debug)]
pub struct Bar {
    shown: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Bar {
    /// A bar that is shown where `voice` allows it.
    pub fn new(voice: Voice) -> Self {
        Self {
            shown: voice.shows_progress(),
            bar: Mutex::new(None),
        }
    }

    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut lock(&self.bar));
    }
}

/// For what goes on for nobody knows how long; shown where `shown`.
pub fn spinner(template: &str, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let bar = styled(0, template);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// For what goes through a file of about `length` bytes; a bar where `shown`.
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
        if self.shown {
            self.with(|bar| {
                if let Some(before) =
                    bar.replace(styled(steps, "{msg} {bar:30} {pos}/{len} {elapsed}"))
                {
                    before.finish_and_clear();
                }
                if let Some(bar) = bar {
                    bar.set_message(what.to_owned());
                    // Single steps take seconds; it is to be seen that something goes on.
                    bar.enable_steady_tick(Duration::from_millis(200));
                }
            });
        }
    }

    fn step(&self) {
        self.with(|bar| {
            if let Some(bar) = bar {
                bar.inc(1);
            }
        });
    }

    fn end(&self) {
        self.with(|bar| {
            if let Some(bar) = bar.take() {
                bar.finish_and_clear();
            }
        });
    }
}

fn styled(steps: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows on standard error how far a run is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    shown: bool,
}

impl Progress {
    pub(super) fn new(shown: bool) -> Self {
        Self { bar: None, shown }
    }
}

impl Sink for Progress {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::ReaderStarted {
                reader,
                planned,
                support,
            } if self.shown => {
                let bar = styled(
                    (planned + support) as u64,
                    "{msg} {bar:30} {pos}/{len} {per_sec} {eta}",
                );
                bar.set_message(reader.name.clone());
                self.bar = Some(bar);
            }
            Event::CasesAnswered(count) => {
                if let Some(bar) = &self.bar {
                    bar.inc(*count as u64);
                }
            }
            Event::ReaderFinished { .. } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }
}
