/// What one file may cost. Generous: the largest description is a hundredth of it. The
/// number of nodes is for all files of a description together.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of text.
    pub bytes: usize,
    /// Nodes, those that aliases repeat counted each time.
    pub nodes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Bytes of all scalars, those that aliases repeat counted each time.
    pub scalar_bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: 4 << 20,
            nodes: 200_000,
            depth: 96,
            scalar_bytes: 8 << 20,
        }
    }
}
