//! The header of a coverage file.

/// The size of the header in bytes.
pub(super) const HEADER: usize = 64;

const MAGIC: &[u8; 8] = b"tg-cover";
const VERSION: u32 = 1;

/// The content of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The number of edges that the file has space for.
    pub(super) room: u32,
    /// The number of edges in the program, as reported by the program.
    pub(super) edges: u32,
}

impl Header {
    /// Parses a header. Returns `None` if the bytes are not a header of this version of the
    /// coverage file.
    pub(super) fn parse(bytes: &[u8; HEADER]) -> Option<Self> {
        let number = |at: usize| {
            let bytes = bytes.get(at..)?.first_chunk::<4>()?;
            Some(u32::from_ne_bytes(*bytes))
        };
        if !bytes.starts_with(MAGIC) || number(8)? != VERSION {
            return None;
        }
        Some(Self {
            room: number(12)?,
            edges: number(16)?,
        })
    }

    /// Encodes the header.
    pub(super) fn bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_ne_bytes());
        bytes[12..16].copy_from_slice(&self.room.to_ne_bytes());
        bytes[16..20].copy_from_slice(&self.edges.to_ne_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let header = Header {
            room: 1024,
            edges: 77,
        };
        assert_eq!(Header::parse(&header.bytes()), Some(header));
        for place in 0..12 {
            let mut bytes = header.bytes();
            bytes[place] ^= 1;
            assert_eq!(Header::parse(&bytes), None, "{place}");
        }
    }
}
