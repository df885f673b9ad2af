//! Implements `Arbitrary`, from the crates `arbitrary` and `quickcheck`, for tapes.

#[cfg(any(feature = "arbitrary", feature = "quickcheck"))]
use super::Tape;

#[cfg(feature = "arbitrary")]
impl<'a> arbitrary::Arbitrary<'a> for Tape {
    fn arbitrary(source: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = source.arbitrary_len::<u8>()?;
        Ok(Self::new(source.bytes(length)?))
    }

    fn arbitrary_take_rest(source: arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::new(source.take_rest()))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

#[cfg(feature = "quickcheck")]
impl quickcheck::Arbitrary for Tape {
    fn arbitrary(source: &mut quickcheck::Gen) -> Self {
        let bytes: Vec<u8> = Vec::arbitrary(source);
        // A quickcheck size counts elements, and an element of a trace consumes several bytes.
        let more: Vec<u8> = (0..bytes.len() * 7)
            .map(|_| u8::arbitrary(source))
            .collect();
        Self::new([bytes, more].concat())
    }

    /// Yields smaller tapes: first without whole elements, if the ranges that the elements consumed
    /// are known, then with fewer bytes, and finally with bytes replaced by zeros.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let whole = self.clone();
        let elements = (0..whole.spans.len())
            .rev()
            .filter_map(move |span| whole.without(span));
        let cut = self.clone();
        let halves = std::iter::successors(Some(cut.bytes.len() / 2), |length| Some(length / 2))
            .take_while(|length| *length > 0)
            .map(move |length| Self {
                bytes: cut.bytes[..cut.bytes.len() - length].to_vec(),
                recorded: cut.recorded,
                spans: Vec::new(),
            });
        let zeroed = self.clone();
        let zeros = (0..zeroed.bytes.len()).filter_map(move |at| {
            let mut bytes = zeroed.bytes.clone();
            if bytes[at] == 0 {
                return None;
            }
            bytes[at] = 0;
            Some(Self {
                bytes,
                recorded: zeroed.recorded,
                spans: Vec::new(),
            })
        });
        Box::new(elements.chain(halves).chain(zeros))
    }
}
