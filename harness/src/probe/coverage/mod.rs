//! Which edges of itself a reader reaches, by a file that it maps and marks them in.
//!
//! The file belongs to us: it is made at its full size in the folder of the cell, the one place that
//! the reader may write to, and is read and cleared through the descriptor that made it. What the
//! reader writes there is not trusted. `readers/kits/coverage/coverage.c` is the other side.

mod header;

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use fixedbitset::FixedBitSet;

use header::{HEADER, Header};

/// The variable that names the file to the reader.
pub(crate) const VARIABLE: &str = "TRACEGAUGE_COVERAGE";

/// For how many edges there is room. A file of that size has holes where nothing is written.
const ROOM: u32 = 1 << 20;

/// Bytes for the place of an edge.
const PLACE: usize = 8;

/// The file of one reader.
#[derive(Debug)]
pub(crate) struct CoverageFile {
    file: File,
    path: PathBuf,
    /// Edges that the reader has, as it last said and could have said.
    edges: u32,
    marks: Vec<u8>,
}

impl CoverageFile {
    /// A new one in `folder`.
    ///
    /// # Errors
    /// It cannot be made.
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

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many edges the reader has; 0 until it has said so.
    pub(crate) fn edges(&self) -> usize {
        (self.edges as usize).min(ROOM as usize)
    }

    /// Forgets what was reached, and puts right what a reader may have spoiled.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if self.header()?.is_none() || self.file.metadata()?.len() != size() {
            self.mend()?;
        }
        self.marks.clear();
        self.marks.resize(self.edges(), 0);
        self.file.write_all_at(&self.marks, HEADER as u64)
    }

    /// The edges that were reached since it was cleared; none where the reader has spoiled it.
    ///
    /// # Errors
    /// It cannot be read.
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

    /// Where each edge is, as an address in the file of the program; 0 where that is not known.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn places(&self) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; self.edges() * PLACE];
        let start = HEADER as u64 + u64::from(ROOM);
        if !filled(self.file.read_exact_at(&mut bytes, start))? {
            return Ok(Vec::new());
        }
        let (places, _) = bytes.as_chunks::<PLACE>();
        Ok(places.iter().copied().map(u64::from_ne_bytes).collect())
    }

    /// What stands at its start; nothing where that is not what may stand there.
    fn header(&self) -> io::Result<Option<Header>> {
        let mut bytes = [0; HEADER];
        if !filled(self.file.read_exact_at(&mut bytes, 0))? {
            return Ok(None);
        }
        Ok(Header::parse(&bytes).filter(|header| header.room == ROOM))
    }

    /// Gives it its size and its start.
    fn mend(&self) -> io::Result<()> {
        self.file.set_len(size())?;
        let header = Header {
            room: ROOM,
            edges: self.edges,
        };
        self.file.write_all_at(&header.bytes(), 0)
    }
}

/// The bytes of the whole file.
fn size() -> u64 {
    HEADER as u64 + u64::from(ROOM) * (1 + PLACE as u64)
}

/// Whether all was there to be read.
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

    /// What the reader does to the file, at its path.
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
