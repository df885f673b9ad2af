//! Recursion that follows the nesting of a trace.

/// The minimum number of bytes of stack that must be left.
const LEFT: usize = 256 * 1024;

/// The number of bytes of stack to allocate if fewer than [`LEFT`] are left.
const MORE: usize = 4 * 1024 * 1024;

/// Calls `work`, on a new piece of stack if little of the current one is left. Functions that recurse
/// into nested values use it, because a trace within the limits of its format must not overflow the
/// stack of a thread.
pub fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT, MORE, work)
}
