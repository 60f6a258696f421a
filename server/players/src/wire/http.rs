//! The HTTP client: one request, one answer, and the connection closed, with limits on size and time.

use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use hyper::{Method, Version};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Limits on the resources that the other side may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a request that is served; descriptions are large.
    pub request: usize,
    /// The most bytes of a request without a description.
    pub small: usize,
    /// The most bytes of all requests that arrive at the same time. The first few kilobytes of each are not counted, so
    /// that small ones always have room.
    pub together: usize,
    /// The most bytes of an answer that is read; moves are small.
    pub answer: usize,
    /// The time for a request to arrive.
    pub arrival: Duration,
    /// The time to establish a connection.
    pub connect: Duration,
    /// The most requests served at the same time; further ones wait.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request: 4 << 20,
            small: 1 << 20,
            together: 32 << 20,
            answer: 1 << 20,
            arrival: Duration::from_secs(10),
            connect: Duration::from_secs(5),
            connections: 256,
        }
    }
}

/// The reason why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The address cannot be reached: the address, and the error of the system.
    #[error("{0} cannot be reached: {1}")]
    Connect(String, String),
    /// The other side did not answer in time: its address.
    #[error("{0} did not answer in time")]
    Late(String),
    /// The connection ended early: the address, and the error of the system.
    #[error("{0} broke the connection: {1}")]
    Broken(String, String),
    /// The answer is too long: the address, and the most bytes allowed.
    #[error("{0} answered more than {1} bytes")]
    TooLong(String, usize),
    /// The other side refused: its address, and the HTTP status.
    #[error("{0} answered with status {1}")]
    Status(String, u16),
    /// The answer is not text: the address.
    #[error("{0} sent an answer that is not text")]
    NotText(String),
}

/// Sends a message and reads the answer.
///
/// # Errors
/// See [`WireError`]; never later than `until`.
pub async fn ask(
    address: &str,
    receiver: &str,
    message: String,
    limits: &Limits,
    until: Option<Instant>,
) -> Result<String, WireError> {
    let late = || WireError::Late(address.into());
    let work = exchange(address, receiver, message, limits);
    match until {
        None => work.await,
        Some(until) => tokio::time::timeout_at(until.into(), work).await.map_err(|_| late())?,
    }
}

async fn exchange(address: &str, receiver: &str, message: String, limits: &Limits) -> Result<String, WireError> {
    let broken = |error: &dyn std::fmt::Display| WireError::Broken(address.into(), error.to_string());
    let refused = |why: String| WireError::Connect(address.into(), why);
    let stream = timeout(limits.connect, TcpStream::connect(address)).await;
    let stream = stream.map_err(|_| refused("no answer".into()))?.map_err(|error| refused(error.to_string()))?;
    let (mut sender, connection) = hyper::client::conn::http1::Builder::new()
        .title_case_headers(true)
        .max_buf_size(64 << 10)
        .handshake::<_, Full<Bytes>>(TokioIo::new(stream))
        .await
        .map_err(|error| broken(&error))?;
    let drive = tokio::spawn(connection);
    let request = hyper::Request::builder()
        .method(Method::POST)
        .uri("/")
        .version(Version::HTTP_10)
        .header("Accept", "text/delim")
        .header("Host", address)
        .header("Sender", "GAMESERVER")
        .header("Receiver", receiver)
        .header(CONTENT_TYPE, "text/acl")
        .header(CONTENT_LENGTH, message.len())
        .body(Full::new(Bytes::from(message)))
        .map_err(|error| broken(&error))?;
    let answer = async {
        let response = sender.send_request(request).await.map_err(|error| broken(&error))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), limits.answer).collect().await;
        let body = body.map_err(|error| match error.is::<http_body_util::LengthLimitError>() {
            true => WireError::TooLong(address.into(), limits.answer),
            false => broken(&error),
        })?;
        if !status.is_success() {
            return Err(WireError::Status(address.into(), status.as_u16()));
        }
        String::from_utf8(body.to_bytes().to_vec()).map_err(|_| WireError::NotText(address.into()))
    };
    let answer = answer.await;
    drive.abort();
    answer
}
