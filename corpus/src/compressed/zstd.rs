//! Decompresses Zstandard files with any number of frames, including skippable frames.

use std::io::{BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::error::Fault;
use super::source::Source;

/// The largest window that the `zstd` program supports, which requires its `--long=31` option.
const LARGEST_WINDOW: u64 = 2 << 30;

/// A decoder for the frames of a file.
pub(super) struct Zstd<R> {
    source: Source<R>,
    frame: FrameDecoder,
    is_open: bool,
    /// The number of bytes decompressed from the current frame.
    given: u64,
}

impl<R: Read> Zstd<R> {
    pub(super) fn new(source: Source<R>) -> Self {
        Self {
            source,
            frame: FrameDecoder::new(),
            is_open: false,
            given: 0,
        }
    }

    pub(super) fn source(&mut self) -> &mut Source<R> {
        &mut self.source
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Fault> {
        loop {
            if !self.is_open && !self.next_frame()? {
                return Ok(0);
            }
            if !self.is_open {
                continue;
            }
            let count = self.frame.read(into).map_err(Fault::damaged)?;
            self.given += count as u64;
            if count > 0 {
                return Ok(count);
            }
            if self.frame.is_finished() {
                self.close()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.frame.decode_blocks(&mut self.source, one);
                decoded.map_err(fault)?;
            }
        }
    }

    /// Starts the next frame or, if that frame is skippable, skips it. Returns `false` if no frame
    /// is left.
    fn next_frame(&mut self) -> Result<bool, Fault> {
        let began = self.source.position();
        let next = self.source.fill_buf().map_err(Fault::damaged)?;
        match next.first() {
            None => return Ok(false),
            Some(0x28 | 0x50..=0x5f) => {}
            Some(_) => return Err(Fault::Foreign(began)),
        }
        match self.frame.reset(&mut self.source) {
            Ok(()) => {
                (self.is_open, self.given) = (true, 0);
                Ok(true)
            }
            Err(FrameDecoderError::ReadFrameHeaderError(error)) => match error {
                ReadFrameHeaderError::SkipFrame { length, .. } => {
                    self.source.skip(length.into()).map_err(Fault::damaged)?;
                    Ok(true)
                }
                ReadFrameHeaderError::BadMagicNumber(_) if began > 0 => Err(Fault::Foreign(began)),
                error => Err(fault(error.into())),
            },
            Err(error) => Err(fault(error)),
        }
    }

    /// Ends a frame after checking that its size and checksum are as declared.
    fn close(&mut self) -> Result<(), Fault> {
        self.is_open = false;
        let said = self.frame.content_size();
        // `content_size` returns 0 if the header states no size.
        if said != 0 && said != self.given {
            let given = self.given;
            return Err(Fault::damaged(format_args!(
                "a frame declares {said} bytes but contains {given}"
            )));
        }
        let sum = self.frame.get_checksum_from_data();
        if sum.is_some() && sum != self.frame.get_calculated_checksum() {
            return Err(Fault::damaged("a frame has a wrong checksum"));
        }
        Ok(())
    }
}

/// Describes a decoder error. The decoder's own messages are not used, because they refer to its
/// implementation.
fn fault(error: FrameDecoderError) -> Fault {
    use FrameDecoderError as Error;
    let why = match error {
        Error::WindowSizeTooBig { requested, max } if requested <= LARGEST_WINDOW => {
            return Fault::Window(requested, max);
        }
        Error::WindowSizeTooBig { .. }
        | Error::ReadFrameHeaderError(_)
        | Error::FrameHeaderError(_)
        | Error::FailedToInitialize(_) => "a frame has an invalid header",
        Error::DictNotProvided { .. } | Error::DictionaryDecodeError(_) => {
            "a frame needs a dictionary, which is not supported"
        }
        Error::FailedToReadBlockHeader(_) => "a block has an invalid header",
        Error::FailedToReadBlockBody(_) => "the content of a block is invalid",
        Error::FailedToReadChecksum(_) => "a frame has no checksum",
        _ => "a frame is invalid",
    };
    Fault::damaged(why)
}
