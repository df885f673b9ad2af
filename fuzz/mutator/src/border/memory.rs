//! Access to memory that belongs to the caller.

/// Returns the bytes at `data`. Returns an empty slice if the pointer is null or the size is not
/// valid for a slice.
///
/// # Safety
/// `data` must be null or point to `size` readable bytes that are not written during the lifetime
/// of the slice.
pub(super) unsafe fn bytes<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 || isize::try_from(size).is_err() {
        return &[];
    }
    // SAFETY: the pointer is not null, the size is valid for a slice, and the caller guarantees the
    // rest.
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// Copies as much of `new` to `data` as fits in `room` bytes. Returns the number of bytes copied.
///
/// # Safety
/// `data` must be null or point to `room` writable bytes. `new` must not overlap the bytes at
/// `data`.
pub(super) unsafe fn put(data: *mut u8, room: usize, new: &[u8]) -> usize {
    let size = new.len().min(room);
    if data.is_null() || size == 0 {
        return 0;
    }
    // SAFETY: the caller guarantees that the bytes are writable and do not overlap `new`.
    unsafe { std::ptr::copy_nonoverlapping(new.as_ptr(), data, size) };
    size
}
