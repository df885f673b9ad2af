use std::io::{self, ErrorKind, Read, Write as _};

use flate2::write::GzEncoder;
use quickcheck::quickcheck;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{BOUNDS, Bounds, Compression, DecompressError, Decompressed};

const BOTH: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

fn compressed(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    match compression {
        Compression::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Compression::Zstd => compress_to_vec(bytes, CompressionLevel::Fastest),
    }
}

/// Returns text that contains many repeated parts but does not consist of a single repeated part.
fn text(lines: u32) -> Vec<u8> {
    let lines = (0..lines).map(|line| format!("record {} of {line}\n", line * line % 97));
    lines.collect::<String>().into_bytes()
}

/// Decompresses `file` up to its end or its first fault.
fn read(bounds: Bounds, compression: Compression, file: &[u8]) -> (Vec<u8>, io::Result<()>) {
    let (head, rest) = file.split_at(file.len().min(5));
    let mut reader = Decompressed::within(bounds, compression, head.to_vec(), rest);
    let mut found = Vec::new();
    let ended = reader.read_to_end(&mut found).map(|_| ());
    (found, ended)
}

fn error(ended: io::Result<()>) -> DecompressError {
    let error = ended.unwrap_err();
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    Clone::clone(inner.unwrap_or_else(|| panic!("{error}")))
}

/// Returns a zstd frame of `blocks` blocks of 128 KiB, each of which repeats one byte.
fn dense(blocks: usize) -> Vec<u8> {
    // The frame has no checksum, no size and a window of 1 MiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3];
    for block in 0..blocks {
        let is_last = u32::from(block + 1 == blocks);
        let header = (128 * 1024) << 3 | 1 << 1 | is_last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(7);
    }
    frame
}

#[test]
fn members_and_frames_follow_each_other() {
    for compression in BOTH {
        let mut file = Vec::new();
        let mut wanted = Vec::new();
        for lines in [3, 0, 5000, 1] {
            if compression == Compression::Zstd {
                file.extend_from_slice(&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
            }
            file.extend(compressed(compression, &text(lines)));
            wanted.extend(text(lines));
        }
        assert_eq!(Compression::of(&file), Some(compression));
        let (found, ended) = read(BOUNDS, compression, &file);
        ended.unwrap();
        assert!(found == wanted, "{compression}");
    }
}

#[test]
fn a_file_that_is_cut_says_after_how_many_bytes() {
    for compression in BOTH {
        let whole = compressed(compression, &text(40));
        for length in 1..whole.len() {
            let (found, ended) = read(BOUNDS, compression, &whole[..length]);
            assert!(text(40).starts_with(&found));
            let at = length as u64;
            assert_eq!(error(ended), DecompressError::Cut { compression, at });
        }
    }
}

#[test]
fn what_follows_compressed_data_is_refused() {
    for compression in BOTH {
        let whole = compressed(compression, &text(40));
        for rest in [&b"\n"[..], b"\0\0TRC", b"TRC\0 and more"] {
            let (found, ended) = read(BOUNDS, compression, &[&whole, rest].concat());
            assert_eq!(found, text(40));
            let at = whole.len() as u64;
            assert_eq!(error(ended), DecompressError::Foreign { compression, at });
        }
    }
}

#[test]
fn zero_bytes_pad_a_gzip_file() {
    let compression = Compression::Gzip;
    let whole = compressed(compression, &text(40));
    for length in [1, 512, 100_000] {
        let file = [&whole[..], &vec![0; length]].concat();
        let (found, ended) = read(BOUNDS, compression, &file);
        ended.unwrap();
        assert_eq!(found, text(40));
    }
}

#[test]
fn a_window_beyond_the_limit_is_no_damage() {
    // The window of `zstd --long=31`.
    let mut frame = dense(1);
    frame[5] = (31 - 10) << 3;
    let (_, ended) = read(BOUNDS, Compression::Zstd, &frame);
    let ended = ended.unwrap_err();
    assert!(DecompressError::is_too_much(&ended));
    assert!(
        ended.to_string().contains("a window of 2048 MiB"),
        "{ended}"
    );
}

#[test]
fn damage_is_described_in_plain_words() {
    let whole = compressed(Compression::Zstd, &text(400));
    for at in 4..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        let (_, ended) = read(BOUNDS, Compression::Zstd, &damaged);
        let Err(ended) = ended else { continue };
        let why = ended.to_string();
        let is_plain = !why.contains(['{', '(', '_']) && !why.contains("Error");
        assert!(is_plain || DecompressError::is_too_much(&ended), "{why}");
    }
}

#[test]
fn damage_is_found() {
    for compression in BOTH {
        let whole = compressed(compression, &text(400));
        let mut damaged = whole.clone();
        // The last byte of the compressed data in gzip, and of the checksum in zstd.
        let at = match compression {
            Compression::Gzip => whole.len() - 8,
            Compression::Zstd => whole.len() - 1,
        };
        damaged[at] ^= 1;
        let (_, ended) = read(BOUNDS, compression, &damaged);
        assert!(matches!(error(ended), DecompressError::Damaged { .. }));
    }
}

#[test]
fn no_more_is_decompressed_than_is_allowed() {
    for compression in BOTH {
        let whole = compressed(compression, &text(1000));
        let total = text(1000).len() as u64;
        let (found, ended) = read(Bounds { total, ..BOUNDS }, compression, &whole);
        assert!(ended.is_ok() && found == text(1000));
        let most = total - 1;
        let bounds = Bounds {
            total: most,
            ..BOUNDS
        };
        let (found, ended) = read(bounds, compression, &whole);
        assert!(found.len() as u64 <= most);
        let ended = ended.unwrap_err();
        assert!(DecompressError::is_too_much(&ended), "{ended}");
    }
}

#[test]
fn few_bytes_do_not_become_very_many() {
    let zeros = compressed(Compression::Gzip, &vec![0; 1 << 20]);
    let bounds = Bounds {
        ratio: 100,
        ..BOUNDS
    };
    let compression = Compression::Gzip;
    let (found, ended) = read(bounds, compression, &zeros);
    assert!(found.len() as u64 <= 100 * zeros.len() as u64);
    assert!(matches!(error(ended), DecompressError::TooDense { .. }));

    let compression = Compression::Zstd;
    let (found, ended) = read(BOUNDS, compression, &dense(20));
    let read = dense(20).len() as u64;
    assert!(found.len() as u64 <= 1000 * read);
    let ratio = 1000;
    let wanted = DecompressError::TooDense {
        compression,
        read,
        ratio,
    };
    assert_eq!(error(ended), wanted);
}

/// A source that returns one byte at a time, is interrupted before each byte, and fails at the end.
struct Unsteady<'a>(&'a [u8], bool);

impl Read for Unsteady<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.0 {
            _ if self.1 => Err(ErrorKind::Interrupted.into()),
            [] => Err(ErrorKind::PermissionDenied.into()),
            bytes => {
                let count = (&bytes[..1]).read(into)?;
                self.0 = &bytes[count..];
                Ok(count)
            }
        }
    }
}

#[test]
fn a_source_that_fails_is_not_taken_for_damage() {
    for compression in BOTH {
        let whole = compressed(compression, &text(40));
        let source = Unsteady(&whole[..whole.len() - 1], false);
        let mut reader = Decompressed::new(compression, Vec::new(), source);
        let ended = reader.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(ended.kind(), ErrorKind::PermissionDenied);
    }
}

#[test]
fn an_error_stays() {
    for compression in BOTH {
        let whole = compressed(compression, &text(40));
        let cut = &whole[..whole.len() - 1];
        let mut reader = Decompressed::new(compression, cut.to_vec(), io::empty());
        for _ in 0..2 {
            let ended = reader.read_to_end(&mut Vec::new());
            assert!(matches!(
                error(ended.map(|_| ())),
                DecompressError::Cut { .. }
            ));
        }
    }
}

quickcheck! {
    /// Decompressing an arbitrarily damaged file terminates and does not panic.
    fn damaged_files_do_no_harm(lines: u8, changes: Vec<(u16, u8)>) -> bool {
        for compression in BOTH {
            let mut file = compressed(compression, &text(lines.into()));
            for (at, value) in &changes {
                let at = usize::from(*at) % file.len();
                file[at] = *value;
            }
            let (found, _) = read(BOUNDS, compression, &file);
            assert!(found.len() as u64 <= 1000 * file.len() as u64);
        }
        true
    }
}
