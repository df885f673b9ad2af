//! A copy of a program in memory, which can be executed even where the program's file is
//! inaccessible.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::io::Errno;

/// Copies `program` to a sealed file in memory that nobody can write to.
pub(super) fn copy(program: &Path) -> io::Result<OwnedFd> {
    let mut program = File::open(program)?;
    let length = match loaded(&mut program) {
        Some(length) => length,
        None => program.metadata()?.len(),
    };
    program.rewind()?;
    let writable = File::from(create()?);
    io::copy(&mut program.take(length), &mut &writable)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    fcntl_add_seals(&writable, seals)?;
    // A file that is open for writing cannot be executed, so it is reopened for reading.
    let image = File::open(format!("/proc/self/fd/{}", writable.as_raw_fd()))?;
    Ok(image.into())
}

fn create() -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    match memfd_create("tracegauge", flags | MemfdFlags::EXEC) {
        // Linux before 6.3 rejects the `EXEC` flag and does not need it.
        Err(Errno::INVAL) => Ok(memfd_create("tracegauge", flags)?),
        created => Ok(created?),
    }
}

/// Returns how many bytes of a 64-bit ELF file are loaded when it is executed. Debug information
/// follows them and may be much larger.
fn loaded(program: &mut File) -> Option<u64> {
    let mut head = [0; 64];
    program.read_exact(&mut head).ok()?;
    if !head.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let short =
        |bytes: &[u8], at: usize| Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long =
        |bytes: &[u8], at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let (size, count) = (short(&head, 54)?, short(&head, 56)?);
    let mut end = long(&head, 32)? + u64::from(size) * u64::from(count);
    program.seek(io::SeekFrom::Start(long(&head, 32)?)).ok()?;
    let mut segment = vec![0; size.into()];
    for _ in 0..count {
        program.read_exact(&mut segment).ok()?;
        end = end.max(long(&segment, 8)?.checked_add(long(&segment, 32)?)?);
    }
    Some(end)
}
