//! Traces that are read as a whole.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// More bytes are not kept in memory, where the tree of a trace takes many times as many.
const MOST: u64 = 1 << 30;

/// All bytes of a file. A device without an end is read up to the limit.
///
/// # Errors
/// It cannot be read, or has more than 1 GiB.
pub fn whole(path: &Path) -> io::Result<Vec<u8>> {
    at_most(File::open(path)?, MOST)
}

fn at_most(file: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
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
        let read = at_most(io::repeat(0), 1 << 20);
        assert!(read.is_err_and(|error| error.to_string().starts_with("more than 1 MiB")));
        assert!(at_most(&[7; 9][..], 9).is_ok_and(|bytes| bytes == [7; 9]));
    }
}
