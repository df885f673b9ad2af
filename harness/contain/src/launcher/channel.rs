//! The socket between this program and a launcher. In the launcher, the socket is standard input.
//!
//! Each message begins with its length. Descriptors are sent together with the length.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::cmsg_space;
use rustix::io::fcntl_dupfd_cloexec;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// The maximum length of a message. Arguments and environments are much shorter.
const LONGEST: usize = 64 << 20;

/// The maximum time to wait for an answer. Killing a reader that uses a lot of memory takes a
/// while.
const PATIENCE: Duration = Duration::from_secs(60);

/// One end of the socket.
#[derive(Debug)]
pub(super) struct Channel(UnixStream);

impl Channel {
    /// Creates a socket pair. Returns this program's end and the launcher's end of the pair.
    pub(super) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_read_timeout(Some(PATIENCE))?;
        Ok((Self(ours), theirs.into()))
    }

    /// Creates the launcher's end from an inherited socket. Programs that the launcher executes do
    /// not inherit the socket.
    pub(super) fn inherited(socket: impl AsFd) -> io::Result<Self> {
        Ok(Self(UnixStream::from(fcntl_dupfd_cloexec(socket, 3)?)))
    }

    /// Sends a message with up to three descriptors.
    pub(super) fn send(
        &mut self,
        message: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let too_long = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let length = u32::try_from(message.len()).map_err(too_long)?;
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
        let mut with = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            with.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        let length = length.to_ne_bytes();
        let sent = sendmsg(
            &self.0,
            &[IoSlice::new(&length), IoSlice::new(message)],
            &mut with,
            SendFlags::NOSIGNAL,
        )?;
        let all = [&length[..], message].concat();
        self.0.write_all(all.get(sent..).unwrap_or_default())
    }

    /// Receives a message and its descriptors. Returns `None` if the other end is closed.
    pub(super) fn receive(&mut self) -> io::Result<Option<(Vec<u8>, Vec<OwnedFd>)>> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
        let mut with = RecvAncillaryBuffer::new(&mut space);
        let mut length = [0; 4];
        let received = loop {
            let mut bytes = [IoSliceMut::new(&mut length)];
            match recvmsg(&self.0, &mut bytes, &mut with, RecvFlags::CMSG_CLOEXEC) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other?.bytes,
            }
        };
        if received == 0 {
            return Ok(None);
        }
        let descriptors = with
            .drain()
            .filter_map(|message| match message {
                RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
                _ => None,
            })
            .flatten()
            .collect();
        self.0.read_exact(&mut length[received..])?;
        let length = u32::from_ne_bytes(length) as usize;
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut message = vec![0; length];
        self.0.read_exact(&mut message)?;
        Ok(Some((message, descriptors)))
    }
}

impl Channel {
    /// Closes the socket for both ends.
    pub(super) fn close(&self) {
        // Closing fails only if the other end has already closed the socket.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn messages_arrive_whole_with_their_descriptors() {
        let (mut ours, theirs) = Channel::pair().expect("a socket");
        let mut theirs = Channel::inherited(theirs).expect("a descriptor");
        let long = vec![7; 4 << 20];
        let sent = long.clone();
        let sender = std::thread::spawn(move || {
            let file = File::open("/dev/null").expect("a file");
            ours.send(&sent, &[file.as_fd()]).expect("it is sent");
            ours.send(b"", &[]).expect("it is sent");
        });
        let (message, descriptors) = theirs.receive().expect("no error").expect("a message");
        assert!(message == long && descriptors.len() == 1);
        let (message, descriptors) = theirs.receive().expect("no error").expect("a message");
        assert!(message.is_empty() && descriptors.is_empty());
        sender.join().expect("no panic");
        assert!(theirs.receive().expect("no error").is_none());
    }
}
