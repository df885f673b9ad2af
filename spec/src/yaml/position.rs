use std::ops::Range;

/// Converts the parser's character offsets to byte offsets.
pub(super) struct Positions {
    /// The byte offset of each character, or `None` if the text is ASCII.
    offsets: Option<Vec<u32>>,
    length: u32,
}

impl Positions {
    pub(super) fn new(text: &str) -> Self {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let offsets = (!text.is_ascii()).then(|| {
            text.char_indices()
                .map(|(offset, _)| number(offset))
                .collect()
        });
        Self {
            offsets,
            length: number(text.len()),
        }
    }

    pub(super) fn byte(&self, character: usize) -> u32 {
        match &self.offsets {
            Some(offsets) => offsets.get(character).copied().unwrap_or(self.length),
            None => u32::try_from(character)
                .unwrap_or(u32::MAX)
                .min(self.length),
        }
    }

    pub(super) fn range(&self, characters: Range<usize>) -> Range<u32> {
        let start = self.byte(characters.start);
        start..self.byte(characters.end).max(start)
    }
}
