//! The HTTP server: one request, one answer, and the connection closed, with limits on size and time.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::admission::Admission;
use super::arrival::{Message, Refusal, Room, Silent};
use super::line::Line;
use super::{Heard, Host, NoAnswer};
use crate::wire::Limits;

/// A local player behind a port.
pub struct Server {
    listener: TcpListener,
    served: Served,
}

/// The data that all connections share.
struct Served {
    address: SocketAddr,
    host: Arc<Host>,
    admission: Admission,
    limits: Limits,
    room: Room,
    silent: Silent,
}

impl Server {
    /// Binds to an address; port 0 takes any that is free.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub async fn bind(address: SocketAddr, host: Arc<Host>, limits: Limits) -> std::io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        let (address, admission, room) = (listener.local_addr()?, Admission::default(), Room::new(limits));
        let served = Served { address, host, admission, limits, room, silent: Silent::default() };
        Ok(Server { listener, served })
    }

    /// Admits more than requests by POST for the server's own address.
    pub fn admitting(self, admission: Admission) -> Server {
        Server { served: Served { admission, ..self.served }, ..self }
    }

    /// Returns the address of the server.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves for ever.
    pub async fn run(self) {
        let Server { listener, served } = self;
        let permits = Arc::new(Semaphore::new(served.limits.connections));
        let served = Arc::new(served);
        for number in 0u64.. {
            // A connection that fails at once does not end the server.
            let Ok((stream, _)) = listener.accept().await else {
                // The system may have no room for more.
                served.silent.drop_oldest();
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            if permits.available_permits() == 0 {
                served.silent.drop_oldest();
            }
            let Ok(permit) = permits.clone().acquire_owned().await else { return };
            served.silent.spawn(number, connection(served.clone(), stream, number, permit));
        }
    }
}

/// Serves one connection. It is dropped, with all its waiting tasks, when the other side closes it.
async fn connection(served: Arc<Served>, stream: TcpStream, number: u64, permit: OwnedSemaphorePermit) {
    let (arrival, serving, line) = (served.limits.arrival, served.clone(), Line::new(stream));
    let watched = line.clone();
    let service = service_fn(move |request| {
        let (served, line) = (serving.clone(), watched.clone());
        async move { Ok::<_, Infallible>(serve(request, &served, &line, number).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(arrival)
        .keep_alive(false)
        .half_close(false)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(line), service);
    // A client that breaks its own connection gets no answer.
    let _ = connection.await;
    served.silent.remove(number);
    drop(permit);
}

async fn serve(request: hyper::Request<Incoming>, served: &Served, line: &Line, number: u64) -> Response<Full<Bytes>> {
    let page = served.admission.page(request.headers()).cloned();
    let (status, text) = answer(request, served, line, number, page.is_some()).await.unwrap_or_else(|refusal| refusal);
    reply(status, text, page)
}

async fn answer(
    request: hyper::Request<Incoming>,
    served: &Served,
    line: &Line,
    number: u64,
    is_page: bool,
) -> Result<(StatusCode, String), Refusal> {
    if let Some(refusal) = served.admission.refusal(&request, served.address) {
        return Err(refusal);
    }
    let message = match *request.method() {
        Method::OPTIONS if is_page => return Ok((StatusCode::OK, String::new())),
        Method::GET if served.admission.get => {
            let path = request.uri().path_and_query().map_or("", |it| it.as_str());
            Message::from(decoded(path.trim_start_matches('/')))
        }
        Method::POST => served.room.receive(request.into_body()).await?,
        _ => return Err((StatusCode::METHOD_NOT_ALLOWED, "send messages by POST".into())),
    };
    served.silent.remove(number);
    if message.text.trim().is_empty() {
        let why = "this request has no message; give its length with Content-Length";
        return Err((StatusCode::LENGTH_REQUIRED, why.into()));
    }
    let refused = |refusal: NoAnswer| (StatusCode::BAD_REQUEST, refusal.to_string());
    let heard = served.host.hear(&message.text).map_err(refused)?;
    drop(message);
    let waiting = match heard {
        Heard::Answer(text) => return Ok((StatusCode::OK, text)),
        Heard::Wait(waiting) => waiting,
    };
    // Players think in threads of their own; this task waits for them until the connection is closed.
    let (host, dropped) = (served.host.clone(), SetOnDrop::default());
    let flag = dropped.0.clone();
    let waited = tokio::task::spawn_blocking(move || host.wait(waiting, &flag));
    let answer = tokio::select! {
        answer = waited => answer,
        () = line.closed() => return Err((StatusCode::REQUEST_TIMEOUT, "the connection was closed before the answer".into())),
    };
    match answer {
        Ok(answer) => answer.map(|text| (StatusCode::OK, text)).map_err(refused),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "the player crashed".into())),
    }
}

/// A flag that is set on drop.
#[derive(Default)]
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Makes an answer; a web page that is admitted may read it.
fn reply(status: StatusCode, text: String, page: Option<HeaderValue>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("text/acl"));
    headers.insert("connection", HeaderValue::from_static("close"));
    if let Some(page) = page {
        headers.insert("access-control-allow-origin", page);
        headers.insert("access-control-allow-methods", HeaderValue::from_static("POST, GET, OPTIONS"));
        headers.insert("access-control-allow-headers", HeaderValue::from_static("*"));
        headers.insert("vary", HeaderValue::from_static("origin"));
    }
    response
}

/// Decodes text with `%28` and the like, and `+` for blanks.
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
