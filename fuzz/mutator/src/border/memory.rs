//! Memory of the caller.

/// The bytes at `data`; none where the pointer is null or the size cannot be one.
///
/// # Safety
/// `data` is null, or `size` bytes can be read there that nobody writes as long as the slice is
/// used.
pub(super) unsafe fn bytes<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 || isize::try_from(size).is_err() {
        return &[];
    }
    // SAFETY: not null, of a size that a slice may have, and readable as the caller says.
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// Writes `new` to `data` as far as `room` goes, and says how many bytes that are.
///
/// # Safety
/// `data` is null, or `room` bytes can be written there. `new` is elsewhere.
pub(super) unsafe fn put(data: *mut u8, room: usize, new: &[u8]) -> usize {
    let size = new.len().min(room);
    if data.is_null() || size == 0 {
        return 0;
    }
    // SAFETY: the caller says that there is room for them, and that they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(new.as_ptr(), data, size) };
    size
}
