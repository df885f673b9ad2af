//! The pool of traces that reached new edges, each stored as it was found, before minimization.
//! Further inputs are derived from the traces in the pool.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::campaign::CampaignError;
use crate::lock::lock;

/// A growing list of traces, numbered from 1.
#[derive(Debug, Default)]
pub struct Pool {
    traces: Mutex<Vec<Arc<[u8]>>>,
}

impl Pool {
    /// Loads the first `count` traces saved in the folder of a campaign.
    ///
    /// # Errors
    /// Returns an error if one of the traces cannot be read.
    pub fn load(folder: &Path, count: usize) -> Result<Self, CampaignError> {
        let numbers = 1..=u32::try_from(count).unwrap_or(u32::MAX);
        let read = |number| {
            let path = path(folder, number);
            let bytes = fs::read(&path).map_err(|error| CampaignError::File(path, error))?;
            Ok(Arc::from(bytes))
        };
        let traces: Result<_, CampaignError> = numbers.map(read).collect();
        Ok(Self {
            traces: Mutex::new(traces?),
        })
    }

    /// Returns the trace with this number.
    pub fn get(&self, number: u32) -> Option<Arc<[u8]>> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        lock(&self.traces).get(place).cloned()
    }

    /// Adds a trace and writes it to the folder of the campaign.
    pub(super) fn add(&self, folder: &Path, bytes: &[u8]) -> Result<(), CampaignError> {
        let mut traces = lock(&self.traces);
        traces.push(Arc::from(bytes));
        let path = path(folder, u32::try_from(traces.len()).unwrap_or(u32::MAX));
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, bytes))
            .map_err(|error| CampaignError::File(path, error))
    }
}

/// Returns the path of the file that contains a trace before minimization.
fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join("coverage/seeds").join(format!("{number:03}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = Pool::default();
        for bytes in [b"one".as_slice(), b"", b"three"] {
            pool.add(folder.path(), bytes).expect("written");
        }
        let again = Pool::load(folder.path(), 3).expect("read");
        for pool in [pool, again] {
            let traces = (0..5).map(|number| pool.get(number));
            let traces: Vec<_> = traces.map(|it| it.map(|it| it.to_vec())).collect();
            let some = |text: &str| Some(text.as_bytes().to_vec());
            assert_eq!(traces, [None, some("one"), some(""), some("three"), None]);
        }
        assert!(Pool::load(folder.path(), 4).is_err());
    }
}
