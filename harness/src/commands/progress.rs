//! The progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use tracegauge_reports::{Event, Sink};

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
                let bar = ProgressBar::new((planned + support) as u64);
                let style = "{msg} {bar:30} {pos}/{len} {per_sec} {eta}";
                bar.set_style(
                    ProgressStyle::with_template(style)
                        .unwrap_or_else(|_| ProgressStyle::default_bar()),
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
