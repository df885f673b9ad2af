//! Handles signals during long commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Signals within this time after the first count as the same request: `timeout` sends one signal
/// to the command and another to its process group.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Installs handlers for SIGINT and SIGTERM. The first signal sets the returned flag, so that the
/// run stops in an orderly way and prints its report. A later signal ends the process at once.
pub(super) fn stop_on_signals() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // If the handlers cannot be installed, a signal ends the process at once.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        let wanted = Arc::clone(&stop);
        thread::spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                wanted.store(true, Ordering::Relaxed);
                let since = first.get_or_insert_with(Instant::now).elapsed();
                if since > SAME_WISH {
                    // If this fails, the run still stops in an orderly way.
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            }
        });
    }
    stop
}
