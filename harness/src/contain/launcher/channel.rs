//! The socket between this program and a launcher, which uses it as its standard error.
//!
//! Through this socket, the launcher receives the descriptor for the reader's standard error. The
//! launcher then answers that it is about to execute the reader, or why it could not.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::cmsg_space;
use rustix::io::fcntl_dupfd_cloexec;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use super::NotLaunched;

/// The byte that accompanies the descriptor sent to the launcher. The launcher sends it back when
/// it is about to execute the reader.
const READY: u8 = 1;

/// One end of the socket.
#[derive(Debug)]
pub(super) struct Channel(UnixStream);

impl Channel {
    /// Creates a socket pair. Returns our end and the launcher's end.
    pub(super) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok((Self(ours), theirs.into()))
    }

    /// Creates the launcher's end from an inherited socket. The socket is closed when another
    /// program is executed.
    pub(super) fn inherited(socket: impl AsFd) -> io::Result<Self> {
        Ok(Self(UnixStream::from(fcntl_dupfd_cloexec(socket, 3)?)))
    }

    /// Sends a descriptor to the launcher.
    pub(super) fn give(&self, descriptor: OwnedFd) -> io::Result<()> {
        let descriptors = [descriptor.as_fd()];
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut with = SendAncillaryBuffer::new(&mut space);
        with.push(SendAncillaryMessage::ScmRights(&descriptors));
        let bytes = [IoSlice::new(&[READY])];
        sendmsg(&self.0, &bytes, &mut with, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Receives the descriptor.
    pub(super) fn take(&self) -> io::Result<OwnedFd> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut with = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let mut bytes = [IoSliceMut::new(&mut byte)];
        recvmsg(&self.0, &mut bytes, &mut with, RecvFlags::CMSG_CLOEXEC)?;
        let mut given = with.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
            _ => None,
        });
        given.next().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// Tells the other end that the reader is about to be executed.
    pub(super) fn ready(&mut self) -> io::Result<()> {
        self.0.write_all(&[READY])
    }

    /// Tells the other end why the reader could not be executed.
    pub(super) fn failed(&mut self, error: &io::Error) -> io::Result<()> {
        let number = error.raw_os_error().unwrap_or_default();
        self.0.write_all(&number.to_le_bytes())
    }

    /// Waits until the launcher has become the reader, which closes the launcher's end.
    ///
    /// # Errors
    /// Returns an error if the reader was not executed.
    pub(super) fn outcome(mut self) -> Result<(), NotLaunched> {
        let mut said = Vec::new();
        let read = self.0.read_to_end(&mut said);
        match (read, said.as_slice()) {
            (Ok(_), [READY]) => Ok(()),
            (Ok(_), [READY, number @ ..]) => {
                let number = number.try_into().map_err(|_| NotLaunched::Launcher)?;
                let number = i32::from_le_bytes(number);
                Err(NotLaunched::Reader(io::Error::from_raw_os_error(number)))
            }
            _ => Err(NotLaunched::Launcher),
        }
    }
}
