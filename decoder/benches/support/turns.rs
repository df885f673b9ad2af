//! Taking turns: a machine that is shared is never twice as fast as before, so the subjects
//! run one after the other, many times, and the medians are compared.

use std::time::Instant;

/// Who is measured.
pub type Subject<'a> = (&'static str, Box<dyn Fn() + 'a>);

/// The median time of each subject, in seconds.
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
