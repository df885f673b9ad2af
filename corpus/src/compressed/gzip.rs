//! Decompresses gzip files with any number of members.

use std::io::{BufRead, Read};

use flate2::bufread::GzDecoder;

use super::error::Fault;
use super::source::Source;

/// The first bytes of a gzip member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A decoder for the members of a file.
pub(super) struct Gzip<R> {
    member: GzDecoder<Source<R>>,
}

impl<R: Read> Gzip<R> {
    pub(super) fn new(source: Source<R>) -> Self {
        Self {
            member: GzDecoder::new(source),
        }
    }

    pub(super) fn source(&mut self) -> &mut Source<R> {
        self.member.get_mut()
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Fault> {
        loop {
            match self.member.read(into).map_err(Fault::damaged)? {
                0 if !self.next_member()? => return Ok(0),
                0 => {}
                count => return Ok(count),
            }
        }
    }

    /// Starts the next member. Returns `false` if no member is left.
    fn next_member(&mut self) -> Result<bool, Fault> {
        let source = self.source();
        let began = source.position();
        let next = source.fill_buf().map_err(Fault::damaged)?;
        if next.is_empty() {
            return Ok(false);
        }
        if next.first() == Some(&0) {
            return self.padding().map(|()| false);
        }
        if next
            .iter()
            .zip(MAGIC)
            .any(|(found, wanted)| *found != wanted)
        {
            return Err(Fault::Foreign(began));
        }
        let source = self.member.reset(Source::nothing());
        self.member.reset(source);
        Ok(true)
    }

    /// Skips zero bytes after the last member, for example the padding of the last block on a
    /// magnetic tape. Like gzip, this function accepts such padding, but only at the end of the
    /// file.
    fn padding(&mut self) -> Result<(), Fault> {
        let source = self.source();
        let began = source.position();
        loop {
            let next = source.fill_buf().map_err(Fault::damaged)?;
            if next.is_empty() {
                return Ok(());
            }
            if next.iter().any(|byte| *byte != 0) {
                return Err(Fault::Foreign(began));
            }
            let count = next.len();
            source.consume(count);
        }
    }
}
