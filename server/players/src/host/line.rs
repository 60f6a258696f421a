//! A connection that can be watched while a caller waits for an answer.

use std::io::{ErrorKind, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection. HTTP reads and writes it. Its copies detect that the other side has closed it, even behind bytes that
/// HTTP leaves unread.
#[derive(Clone)]
pub(super) struct Line(Arc<TcpStream>);

/// The most bytes behind a message that are discarded.
const WASTE: usize = 64 << 10;

impl Line {
    pub(super) fn new(stream: TcpStream) -> Line {
        Line(Arc::new(stream))
    }

    /// Waits until the other side has closed the connection, and discards further bytes.
    pub(super) async fn closed(&self) {
        let mut waste = [0; 1024];
        let mut bytes = 0;
        while bytes < WASTE && self.0.readable().await.is_ok() {
            match self.0.try_read(&mut waste) {
                Ok(0) => return,
                Ok(count) => bytes += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(cx))?;
            match self.0.try_read(buf.initialize_unfilled()) {
                Ok(count) => {
                    buf.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(cx))?;
            match self.0.try_write(buf) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The connection is closed on drop, right after its answer.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }
}
