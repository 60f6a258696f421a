//! Standard input and output, each on its own thread.
//!
//! Input: frames are read and checked before the protocol library sees them, because its decoder ends the whole
//! session at the first malformed one. A broken body is answered with an error and forgotten; broken characters in it
//! are replaced, so that an edit is not lost and the document stays in step.
//! Output: writing never blocks the runtime, so a client that is slow to read cannot keep edits from being read.

use std::io::{self, BufRead, Read, Write};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};

use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tower_lsp::jsonrpc::{Id, Request, Response};

/// The largest accepted body: no editor sends a larger one, and the length is only the sender's claim.
const MAX_BODY: usize = 256 << 20;
/// The amount of unread output after which a client counts as gone.
const MAX_UNREAD: usize = 512 << 20;

/// The writing half: an unbounded queue in front of a thread.
#[derive(Clone)]
pub(crate) struct Output {
    queue: mpsc::Sender<Outgoing>,
    waiting: Arc<AtomicUsize>,
}

enum Outgoing {
    Bytes(Vec<u8>),
    Flushed(mpsc::Sender<()>),
}

impl Output {
    pub(crate) fn to(mut sink: impl Write + Send + 'static) -> Output {
        let (queue, messages) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let written = waiting.clone();
        std::thread::spawn(move || {
            while let Ok(message) = messages.recv() {
                match message {
                    Outgoing::Bytes(bytes) => {
                        if sink.write_all(&bytes).and_then(|()| sink.flush()).is_err() {
                            return;
                        }
                        written.fetch_sub(bytes.len(), Ordering::Relaxed);
                    }
                    Outgoing::Flushed(done) => drop(done),
                }
            }
        });
        Output { queue, waiting }
    }

    /// Sends one message with its header.
    fn frame(&self, body: &str) {
        let _ = self.send(format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
    }

    fn send(&self, bytes: Vec<u8>) -> io::Result<()> {
        if self.waiting.fetch_add(bytes.len(), Ordering::Relaxed) > MAX_UNREAD {
            return Err(io::Error::other("the client does not read"));
        }
        self.queue.send(Outgoing::Bytes(bytes)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits for at most `patience` until all messages sent so far have been written.
    pub(crate) fn flush_within(&self, patience: std::time::Duration) {
        let (done, flushed) = mpsc::channel();
        if self.queue.send(Outgoing::Flushed(done)).is_ok() {
            let _ = flushed.recv_timeout(patience);
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.send(bytes.to_vec()).map(|()| bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The reading half: whole, well-formed frames from a thread.
pub(crate) struct Input {
    frames: tokio::sync::mpsc::Receiver<Vec<u8>>,
    current: Vec<u8>,
    at: usize,
}

impl Input {
    /// Reads frames from `source` until its end. Malformed ones are answered on `output`.
    pub(crate) fn from(source: impl Read + Send + 'static, output: Output) -> Input {
        let (sender, frames) = tokio::sync::mpsc::channel(256);
        std::thread::spawn(move || {
            let mut source = io::BufReader::with_capacity(64 << 10, source);
            while let Ok(Some(body)) = read_body(&mut source) {
                let body = mended(body);
                match check(&body) {
                    Ok(()) => {
                        let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                        frame.extend_from_slice(&body);
                        if sender.blocking_send(frame).is_err() {
                            return;
                        }
                    }
                    Err(reply) => output.frame(&reply),
                }
            }
        });
        Input { frames, current: Vec::new(), at: 0 }
    }
}

impl AsyncRead for Input {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.at == self.current.len() {
            match self.frames.poll_recv(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Ready(Some(frame)) => {
                    self.current = frame;
                    self.at = 0;
                }
            }
        }
        let n = buf.remaining().min(self.current.len() - self.at);
        buf.put_slice(&self.current[self.at..self.at + n]);
        self.at += n;
        Poll::Ready(Ok(()))
    }
}

/// The next body; `None` at the end of the input. Lines that are not a header are skipped, so that the reader recovers
/// after garbage.
fn read_body(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if source.by_ref().take(8 << 10).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length.take() {
                Some(length) if length <= MAX_BODY => {
                    let mut body = Vec::new();
                    let read = source.by_ref().take(length as u64).read_to_end(&mut body)?;
                    return Ok((read == length).then_some(body));
                }
                _ => continue,
            }
        }
        if let Some((name, value)) = text.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
}

/// The body with U+FFFD in place of invalid characters: bytes that are not UTF-8, and escaped halves of a surrogate
/// pair. Editors send both when text is typed in the middle of an emoji.
fn mended(body: Vec<u8>) -> Vec<u8> {
    let mut body = String::from_utf8(body)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
        .into_bytes();
    let mut at = 0;
    while let Some(escape) = body[at..].iter().position(|byte| *byte == b'\\') {
        at += escape;
        at += match (escaped_unit(&body[at..]), body.get(at + 6..).and_then(escaped_unit)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(0xD800..0xE000), _) => {
                body[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            _ => 2.min(body.len() - at),
        };
    }
    body
}

/// The UTF-16 unit of an escape like `\u00e4` at the start of a text.
fn escaped_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)? as u16))
}

/// A body in the protocol library's own types, so that both accept the same.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    #[expect(dead_code, reason = "only its shape is checked")]
    Response(Response),
    Request(Request),
}

/// The part of a refused body that its answer needs.
#[derive(Deserialize)]
struct Sender {
    id: Id,
}

/// Checks that the protocol library will accept the body.
///
/// # Errors
/// The reply to send.
fn check(body: &[u8]) -> Result<(), String> {
    let (code, message) = match serde_json::from_slice(body) {
        Ok(Message::Request(request)) if request.method().is_empty() => {
            (-32600, "a message without a method".to_owned())
        }
        Ok(_) => return Ok(()),
        Err(error) if error.is_data() => (-32600, "not a JSON-RPC 2.0 message".to_owned()),
        Err(error) => (-32700, format!("malformed JSON: {error}")),
    };
    let id = serde_json::from_slice(body).map_or(Id::Null, |sender: Sender| sender.id);
    let error = serde_json::json!({ "code": code, "message": message });
    Err(serde_json::json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rubbish_between_frames_is_skipped() {
        let mut input = io::Cursor::new(
            b"what\r\n\r\nContent-Length: 2\r\nContent-Type: x\r\n\r\n{}content-length:3\n\nabc".to_vec(),
        );
        assert_eq!(read_body(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read_body(&mut input).unwrap().unwrap(), b"abc");
        assert!(read_body(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_claim_of_a_giant_body_is_not_believed() {
        let mut input = io::Cursor::new(b"Content-Length: 99999999999\r\n\r\nContent-Length: 1\r\n\r\nx".to_vec());
        assert_eq!(read_body(&mut input).unwrap().unwrap(), b"x");
    }

    #[test]
    fn bodies_that_would_end_the_session_are_answered() {
        assert!(check(br#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#).is_ok());
        assert!(check(br#"{"jsonrpc":"2.0","id":1,"result":null}"#).is_ok());
        assert!(check(br#"{"jsonrpc":"2.0","id":1}"#).is_err_and(|reply| reply.contains("-32600")));
        assert!(check(b"{").is_err_and(|reply| reply.contains("-32700")));
        let doubled = br#"{"jsonrpc":"2.0","id":"a","method":"m","params":"n","params":{}}"#;
        assert!(check(doubled).is_err_and(|reply| reply.contains("-32600") && reply.contains(r#""id":"a""#)));
        assert!(check(b"[]").is_err_and(|reply| reply.contains("-32600")));
        assert!(check(b"\xff").is_err_and(|reply| reply.contains("-32700")));
    }

    #[test]
    fn what_cannot_be_read_within_the_parameters_is_answered_with_its_id() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        for body in [deep.as_str(), r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1e999]}"#] {
            assert!(check(body.as_bytes()).is_err_and(|reply| reply.contains("-32700") && reply.contains(r#""id":7"#)));
        }
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        let text = |bytes: &[u8]| {
            let body = [br#"{"jsonrpc":"2.0","method":"m","params":[""#, bytes, br#""]}"#].concat();
            let body = mended(body);
            check(&body).unwrap();
            let value: serde_json::Value = serde_json::from_slice(&body).unwrap();
            value["params"][0].as_str().unwrap().to_owned()
        };
        assert_eq!(text(b"(role \xff)"), "(role \u{fffd})");
        assert_eq!(text(b"\xf0\x9f"), "\u{fffd}");
        assert_eq!(text(br"\ud83d"), "\u{fffd}");
        assert_eq!(text(br"\ude00\uD83D x"), "\u{fffd}\u{fffd} x");
        assert_eq!(text(br"\ud83d\ud83d\ude00\u00e4"), "\u{fffd}\u{1f600}\u{e4}");
        assert_eq!(text(br"\\ud83d\n"), "\\ud83d\n");
    }

    #[test]
    fn a_body_that_breaks_off_in_an_escape_is_malformed() {
        for body in [br#"{"a":"\ud83"#.as_slice(), br#"{"a":"\"#] {
            assert!(check(&mended(body.to_vec())).is_err_and(|reply| reply.contains("-32700")));
        }
    }
}
