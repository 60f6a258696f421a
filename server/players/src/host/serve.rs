//! Answering: one request, one answer, and the connection closed; limits on size and time.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::Host;
use crate::wire::Limits;

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
        Ok(Err(refusal)) => reply(StatusCode::BAD_REQUEST, refusal.to_string()),
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
