/// Limits on the resources that parsing a file may use. The limits are about a hundred times what
/// the largest description needs. The limit on nodes applies to all files of a description
/// together.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The maximum number of bytes of text.
    pub bytes: usize,
    /// The maximum number of nodes. A node that an alias repeats is counted each time.
    pub nodes: usize,
    /// The maximum nesting depth.
    pub depth: usize,
    /// The maximum total number of bytes of scalars. A scalar that an alias repeats is counted each
    /// time.
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
