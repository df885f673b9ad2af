//! What signals do to a command that takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Signals that come so soon after the first are the same wish: `timeout` sends one to the command
/// and one to its group.
const SAME_WISH: Duration = Duration::from_secs(1);

/// The first signal ends the run in good order, with a report; a later one at once.
pub(super) fn stop_on_signals() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    // Without the handlers, a signal ends us at once.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        let wanted = Arc::clone(&stop);
        thread::spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                wanted.store(true, Ordering::Relaxed);
                let since = first.get_or_insert_with(Instant::now).elapsed();
                if since > SAME_WISH {
                    // Where even this fails, the run ends in good order.
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            }
        });
    }
    stop
}
