//! Edge coverage of a reader, stored in a shared file that the reader maps into memory.
//!
//! The harness owns the file. The harness creates the file at its full size next to the scratch
//! folder, makes it the only file there that the reader may write, and reads and clears it through
//! the original descriptor. The data that the reader writes to the file is untrusted. The
//! counterpart in the reader is `readers/kits/coverage/coverage.c`.

mod header;

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use fixedbitset::FixedBitSet;

use header::{HEADER, Header};

/// The environment variable that passes the path of the file to the reader.
pub(crate) const VARIABLE: &str = "TRACEGAUGE_COVERAGE";

/// The number of edges that the file has space for. Unwritten parts of the file use no disk space.
const ROOM: u32 = 1 << 20;

/// The size in bytes of an edge's address.
const PLACE: usize = 8;

/// The coverage file of one reader.
#[derive(Debug)]
pub(crate) struct CoverageFile {
    file: File,
    path: PathBuf,
    /// The number of edges in the reader, as last reported by the reader.
    edges: u32,
    marks: Vec<u8>,
}

impl CoverageFile {
    /// Creates a coverage file in `folder`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub(crate) fn make(folder: &Path) -> io::Result<Self> {
        let path = folder.join("coverage");
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        let made = Self {
            file,
            path,
            edges: 0,
            marks: Vec::new(),
        };
        made.mend()?;
        Ok(made)
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of edges in the reader, or 0 if the reader has not reported the number
    /// yet.
    pub(crate) fn edges(&self) -> usize {
        (self.edges as usize).min(ROOM as usize)
    }

    /// Clears the marks of the edges that were reached, and repairs damage that the reader may have
    /// done to the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if self.header()?.is_none() || self.file.metadata()?.len() != size() {
            self.mend()?;
        }
        self.marks.clear();
        self.marks.resize(self.edges(), 0);
        self.file.write_all_at(&self.marks, HEADER as u64)
    }

    /// Returns the edges reached since the file was cleared, or none if the reader has damaged the
    /// file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn reached(&mut self) -> io::Result<FixedBitSet> {
        let mut reached = FixedBitSet::new();
        let Some(header) = self.header()? else {
            return Ok(reached);
        };
        self.edges = header.edges;
        let count = self.edges();
        self.marks.resize(count, 0);
        if !filled(self.file.read_exact_at(&mut self.marks, HEADER as u64))? {
            return Ok(reached);
        }
        reached.grow(count);
        let marks = self.marks.iter().enumerate();
        reached.extend(marks.filter(|(_, mark)| **mark != 0).map(|(edge, _)| edge));
        Ok(reached)
    }

    /// Returns the address of each edge in the program's file, or 0 for each edge with an unknown
    /// address.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn places(&self) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; self.edges() * PLACE];
        let start = HEADER as u64 + u64::from(ROOM);
        if !filled(self.file.read_exact_at(&mut bytes, start))? {
            return Ok(Vec::new());
        }
        let (places, _) = bytes.as_chunks::<PLACE>();
        Ok(places.iter().copied().map(u64::from_ne_bytes).collect())
    }

    /// Returns the header, or `None` if it is invalid.
    fn header(&self) -> io::Result<Option<Header>> {
        let mut bytes = [0; HEADER];
        if !filled(self.file.read_exact_at(&mut bytes, 0))? {
            return Ok(None);
        }
        Ok(Header::parse(&bytes).filter(|header| header.room == ROOM))
    }

    /// Sets the file's size and header.
    fn mend(&self) -> io::Result<()> {
        self.file.set_len(size())?;
        let header = Header {
            room: ROOM,
            edges: self.edges,
        };
        self.file.write_all_at(&header.bytes(), 0)
    }
}

/// Returns the total size of the file in bytes.
fn size() -> u64 {
    HEADER as u64 + u64::from(ROOM) * (1 + PLACE as u64)
}

/// Returns true if a read filled the whole buffer.
fn filled(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::*;

    fn make() -> (TempDir, CoverageFile) {
        let folder = tempfile::tempdir().expect("a folder");
        let made = CoverageFile::make(folder.path()).expect("a file");
        (folder, made)
    }

    /// Writes to the file through its path, as the reader does.
    fn scribble(file: &CoverageFile, bytes: &[u8], at: u64) {
        let opened = OpenOptions::new().write(true).open(file.path());
        opened
            .and_then(|opened| opened.write_all_at(bytes, at))
            .expect("written");
    }

    fn has_edges(file: &CoverageFile, count: u32) {
        scribble(file, &count.to_ne_bytes(), 16);
    }

    fn reached(file: &mut CoverageFile) -> Vec<usize> {
        file.reached().expect("read").ones().collect()
    }

    #[test]
    fn what_was_marked_is_reached_until_it_is_cleared() {
        let (_folder, mut file) = make();
        assert_eq!(reached(&mut file), Vec::<usize>::new());
        has_edges(&file, 5);
        scribble(&file, &[0, 1, 0, 0, 255, 1], 64);
        assert_eq!(reached(&mut file), [1, 4]);
        assert_eq!(file.edges(), 5);
        file.clear().expect("cleared");
        assert_eq!(reached(&mut file), Vec::<usize>::new());
        assert_eq!(file.edges(), 5);
    }

    #[test]
    fn places_are_read() {
        let (_folder, mut file) = make();
        has_edges(&file, 2);
        let places = [7_u64, u64::MAX].map(u64::to_ne_bytes).concat();
        scribble(&file, &places, 64 + u64::from(ROOM));
        assert_eq!(reached(&mut file), Vec::<usize>::new());
        assert_eq!(file.places().expect("read"), [7, u64::MAX]);
    }

    #[test]
    fn a_spoiled_file_says_nothing_and_is_put_right() {
        let spoil: [&dyn Fn(&CoverageFile); 5] = [
            &|file| fs::write(file.path(), b"").expect("emptied"),
            &|file| fs::write(file.path(), b"tg-cover").expect("cut short"),
            &|file| scribble(file, b"other", 0),
            &|file| scribble(file, &2_u32.to_ne_bytes(), 8),
            &|file| scribble(file, &u32::MAX.to_ne_bytes(), 12),
        ];
        for spoiled in spoil {
            let (_folder, mut file) = make();
            has_edges(&file, 3);
            scribble(&file, &[1, 1, 1], 64);
            assert_eq!(reached(&mut file), [0, 1, 2]);
            spoiled(&file);
            assert_eq!(reached(&mut file), Vec::<usize>::new());
            file.clear().expect("mended");
            assert_eq!(file.edges(), 3);
            scribble(&file, &[0, 1, 0], 64);
            assert_eq!(reached(&mut file), [1]);
        }
    }

    #[test]
    fn more_edges_than_there_is_room_for_are_cut() {
        let (_folder, mut file) = make();
        has_edges(&file, u32::MAX);
        scribble(&file, &[1], 64 + u64::from(ROOM));
        assert_eq!(reached(&mut file), Vec::<usize>::new());
        assert_eq!(file.edges(), ROOM as usize);
        assert_eq!(file.places().expect("read").len(), ROOM as usize);
        file.clear().expect("cleared");
    }

    #[test]
    fn a_file_that_is_put_in_its_place_is_not_read() {
        let (folder, mut file) = make();
        has_edges(&file, 2);
        fs::remove_file(file.path()).expect("removed");
        let other = folder.path().join("other");
        std::os::unix::fs::symlink("/dev/zero", &other).expect("a link");
        fs::rename(other, file.path()).expect("replaced");
        assert_eq!(reached(&mut file), Vec::<usize>::new());
        file.clear().expect("cleared");
        assert_eq!(file.edges(), 2);
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let (_folder, mut file) = make();
            fs::write(file.path(), &bytes).expect("written");
            prop_assert!(file.reached().is_ok());
            prop_assert!(file.places().is_ok());
            prop_assert!(file.clear().is_ok());
            prop_assert!(file.edges() <= ROOM as usize);
            let length = fs::metadata(file.path()).expect("there").len();
            prop_assert_eq!(length, size());
        }
    }
}
