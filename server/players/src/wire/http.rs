//! One request, one answer, and the connection closed; limits on size and time on both sides.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::host::Host;

/// What the other side may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request that is served; descriptions are large.
    pub request: usize,
    /// Bytes of an answer that is read; moves are small.
    pub answer: usize,
    /// Time for a request to arrive.
    pub arrival: Duration,
    /// Time for a connection to stand.
    pub connect: Duration,
    /// Requests served at the same time; more have to wait.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request: 16 << 20,
            answer: 1 << 20,
            arrival: Duration::from_secs(10),
            connect: Duration::from_secs(5),
            connections: 256,
        }
    }
}

/// Why somebody could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("{0} cannot be reached: {1}")]
    Connect(String, String),
    #[error("{0} did not answer in time")]
    Late(String),
    #[error("{0} broke the connection: {1}")]
    Broken(String, String),
    #[error("{0} answered more than {1} bytes")]
    TooLong(String, usize),
    #[error("{0} answered with status {1}")]
    Status(String, u16),
    #[error("{0} answered something that is no text")]
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

/// A player of ours behind a port.
pub struct Server {
    listener: TcpListener,
    host: Arc<Host>,
    limits: Limits,
}

impl Server {
    /// Binds to an address; port 0 takes any that is free.
    ///
    /// # Errors
    /// What the system says.
    pub async fn bind(address: SocketAddr, host: Arc<Host>, limits: Limits) -> std::io::Result<Server> {
        Ok(Server { listener: TcpListener::bind(address).await?, host, limits })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system says.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves for ever.
    pub async fn run(self) {
        let permits = Arc::new(Semaphore::new(self.limits.connections));
        loop {
            let Ok(permit) = permits.clone().acquire_owned().await else { return };
            // A connection that fails at once is not the server's end.
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let (host, limits) = (self.host.clone(), self.limits);
            tokio::spawn(async move {
                let service = service_fn(move |request| {
                    let host = host.clone();
                    async move { Ok::<_, Infallible>(serve(request, host, limits).await) }
                });
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(limits.arrival)
                    .keep_alive(false)
                    .max_buf_size(64 << 10)
                    .serve_connection(TokioIo::new(stream), service);
                // Whoever breaks its own connection gets no answer.
                let _ = connection.await;
                drop(permit);
            });
        }
    }
}

async fn serve(request: hyper::Request<Incoming>, host: Arc<Host>, limits: Limits) -> Response<Full<Bytes>> {
    let text = match *request.method() {
        Method::OPTIONS => return reply(StatusCode::OK, String::new()),
        Method::GET => decoded(request.uri().path_and_query().map_or("", |it| it.as_str()).trim_start_matches('/')),
        Method::POST => match body(request, limits).await {
            Ok(text) => text,
            Err(refusal) => return refusal,
        },
        _ => return reply(StatusCode::METHOD_NOT_ALLOWED, "send messages by POST".into()),
    };
    if text.trim().is_empty() {
        let status = StatusCode::LENGTH_REQUIRED;
        return reply(status, "this request has no message; say how long it is with Content-Length".into());
    }
    // Players think in threads of their own; this one waits for them.
    let answer = tokio::task::spawn_blocking(move || host.answer(&text)).await;
    match answer {
        Ok(Ok(text)) => reply(StatusCode::OK, text),
        Ok(Err(refusal)) => reply(StatusCode::BAD_REQUEST, refusal),
        Err(_) => reply(StatusCode::INTERNAL_SERVER_ERROR, "the player broke down".into()),
    }
}

async fn body(request: hyper::Request<Incoming>, limits: Limits) -> Result<String, Response<Full<Bytes>>> {
    let too_long = || reply(StatusCode::PAYLOAD_TOO_LARGE, format!("a message has at most {} bytes", limits.request));
    // What is announced as too long is not waited for.
    if request.body().size_hint().lower() > limits.request as u64 {
        return Err(too_long());
    }
    let body = timeout(limits.arrival, Limited::new(request.into_body(), limits.request).collect()).await;
    let Ok(body) = body else {
        return Err(reply(StatusCode::REQUEST_TIMEOUT, "the message did not arrive in time".into()));
    };
    let body = body.map_err(|error| match error.is::<http_body_util::LengthLimitError>() {
        true => too_long(),
        false => reply(StatusCode::BAD_REQUEST, "the message did not arrive whole".into()),
    })?;
    String::from_utf8(body.to_bytes().to_vec())
        .map_err(|_| reply(StatusCode::BAD_REQUEST, "the message is not text".into()))
}

fn reply(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    // What the players of ggp-base send, so that pages in browsers may ask, too.
    let headers = [
        ("content-type", "text/acl"),
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "POST, GET, OPTIONS"),
        ("access-control-allow-headers", "*"),
        ("connection", "close"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Text with `%28` and the like, and `+` for blanks.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let coded = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match coded.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
