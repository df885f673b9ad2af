//! Handles signals during long commands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The time during which further signals count as part of the same request as the first signal. For
/// example, `timeout` sends one signal to the command and another to its process group.
const SAME_WISH: Duration = Duration::from_secs(1);

/// The signal handlers, which are installed once.
static HANDLERS: OnceLock<Handlers> = OnceLock::new();

#[derive(Default)]
struct Handlers {
    /// Whether a signal has arrived.
    is_wanted: Arc<AtomicBool>,
    /// Whether the command has begun work that can be stopped in an orderly way.
    can_stop: Arc<AtomicBool>,
}

/// Installs handlers for SIGHUP, SIGINT and SIGTERM. Until [`stop_on_signals`] is called, a signal
/// ends the command with the status for a command that could not be completed.
pub(super) fn exit_on_signals() {
    HANDLERS.get_or_init(Handlers::install);
}

/// Installs handlers for SIGHUP, SIGINT and SIGTERM. The first signal sets the returned flag, so
/// that the run stops in an orderly way and prints its report. A signal that arrives more than
/// [`SAME_WISH`] after the first one ends the process at once. A message says so.
pub(super) fn stop_on_signals() -> Arc<AtomicBool> {
    let handlers = HANDLERS.get_or_init(Handlers::install);
    handlers.can_stop.store(true, Ordering::Relaxed);
    Arc::clone(&handlers.is_wanted)
}

impl Handlers {
    fn install() -> Self {
        let handlers = Self::default();
        let mut handled = vec![SIGINT, SIGTERM];
        if !is_hangup_ignored() {
            handled.push(SIGHUP);
        }
        // If the handlers cannot be installed, a signal ends the process at once.
        if let Ok(mut signals) = Signals::new(handled) {
            let is_wanted = Arc::clone(&handlers.is_wanted);
            let can_stop = Arc::clone(&handlers.can_stop);
            thread::spawn(move || {
                let mut first: Option<Instant> = None;
                for signal in signals.forever() {
                    is_wanted.store(true, Ordering::Relaxed);
                    if !can_stop.load(Ordering::Relaxed) {
                        let exit = super::incomplete("interrupted before anything was run");
                        std::process::exit(exit.status().into());
                    }
                    if first.is_none() {
                        let name = signal_hook::low_level::signal_name(signal);
                        super::remark!(
                            "{}: ending; another signal ends the command at once",
                            name.unwrap_or("signal")
                        );
                    }
                    let since = first.get_or_insert_with(Instant::now).elapsed();
                    if since > SAME_WISH {
                        // If this fails, the run still stops in an orderly way.
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    }
                }
            });
        }
        handlers
    }
}

/// Returns whether the program was started in a way that keeps it running after its terminal is
/// closed, for example with `nohup`. On systems other than Linux, always returns false.
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (SIGHUP - 1) != 0)
}
