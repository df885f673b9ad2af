//! Traces that are read as a whole.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use tracegauge_spec::plan::Plan;

use super::format::{ChoiceError, FormatArgs, HEAD};

/// More bytes are not kept in memory, where the tree of a trace takes many times as many.
const MOST: u64 = 1 << 30;

/// Why a trace is not read.
#[derive(Debug)]
pub enum WholeError {
    /// It cannot be read, or has more than 1 GiB.
    File(io::Error),
    /// Its format is not known.
    Format(ChoiceError),
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WholeError {}

/// All bytes of a file, and the plan that it is read by. Of a file of no known format no more is
/// read than shows that; a device without an end is read up to the limit.
///
/// # Errors
/// It cannot be read, has more than 1 GiB, or its format is not known.
pub fn whole(path: &Path, format: &FormatArgs) -> Result<(Vec<u8>, Arc<Plan>), WholeError> {
    let mut file = File::open(path).map_err(WholeError::File)?;
    let mut head = Vec::new();
    let first = file.by_ref().take(HEAD as u64).read_to_end(&mut head);
    first.map_err(WholeError::File)?;
    let plan = format.plan_for(&head).map_err(WholeError::Format)?;
    let bytes = at_most(head, file, MOST).map_err(WholeError::File)?;
    Ok((bytes, plan))
}

/// `bytes`, and what `file` has after them.
fn at_most(mut bytes: Vec<u8>, file: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let left = (most + 1).saturating_sub(bytes.len() as u64);
    file.take(left).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "more than {} MiB, and this command keeps all of a trace in memory; `tracegauge \
                 decode` and `check` read traces of any size",
                most >> 20
            ),
        ));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_for_ever() {
        let read = at_most(Vec::new(), io::repeat(0), 1 << 20);
        assert!(read.is_err_and(|error| error.to_string().starts_with("more than 1 MiB")));
        assert!(at_most(vec![7; 4], &[7; 5][..], 9).is_ok_and(|bytes| bytes == [7; 9]));
        assert!(at_most(vec![7; 5], &[7; 5][..], 9).is_err());
    }
}
