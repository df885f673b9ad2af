//! Runs the measured programs in turn.
//!
//! The speed of a shared machine varies over time. The programs therefore run in turn, in many
//! rounds, and their median times are compared.

use std::time::Instant;

/// The name of a measured program, and a function that runs it.
pub type Subject<'a> = (&'static str, Box<dyn Fn() + 'a>);

/// Returns the median time of each program in seconds.
pub fn medians(subjects: &[Subject<'_>], turns: usize) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(turns); subjects.len()];
    for _ in 0..turns {
        for ((_, run), times) in subjects.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    times.iter_mut().map(|times| median(times)).collect()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
