//! HTTP: the page, and the line for messages. The token of a seat is never in a path: the page sends it as a message.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::doors::Doors;
use crate::hall::Hall;
use crate::session;

/// The most bytes of a message: no move is longer.
const LONGEST: usize = 4 << 10;
/// The most requests and the most lines at a time, without a lobby and with one, and the time for the headers of a
/// request.
const REQUESTS: usize = 256;
const LINES: usize = 512;
const LINES_OF_LOBBY: usize = 4096;
const HEADERS: Duration = Duration::from_secs(10);

/// The headers of every answer. The page may load its own script and style, and speak to its own server.
const HEADERS_OF_ALL: [(HeaderName, HeaderValue); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The time between two versions of a lobby.
const LOBBY: Duration = Duration::from_millis(100);
/// The bytes that a line reads at once: its messages are short, and there are many lines.
const READ: usize = 4 << 10;

/// Answers requests to tables without end.
pub async fn serve(listener: TcpListener, hall: Arc<Hall>, doors: Doors) {
    let lobby = hall.clone();
    tokio::spawn(async move {
        loop {
            lobby.keep_lobby().await;
            tokio::time::sleep(LOBBY).await;
        }
    });
    let app = router(hall, doors);
    let requests = Arc::new(Semaphore::new(REQUESTS));
    loop {
        let Ok(request) = requests.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                after(&error).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        tokio::spawn(async move {
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(16 << 10);
            let _ = server.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            drop(request);
        });
    }
}

/// Out of handles: waits for some to be closed.
async fn after(error: &io::Error) {
    if error.kind() != io::ErrorKind::ConnectionAborted {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The tables, and the lines that may still be opened.
#[derive(Clone)]
struct Open {
    hall: Arc<Hall>,
    lines: Arc<Semaphore>,
}

fn router(hall: Arc<Hall>, doors: Doors) -> Router {
    let lines = Arc::new(Semaphore::new(if hall.has_lobby() { LINES_OF_LOBBY } else { LINES }));
    let file = |kind: &'static str, text: &'static str| get(move || async move { ([(CONTENT_TYPE, kind)], text) });
    Router::new()
        .route("/", file("text/html; charset=utf-8", include_str!("../page/page.html")))
        .route("/page.js", file("text/javascript; charset=utf-8", include_str!("../page/page.js")))
        .route("/page.css", file("text/css; charset=utf-8", include_str!("../page/page.css")))
        .route("/line", get(line))
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is no such page.\n") })
        .layer(from_fn_with_state(doors, guard))
        .with_state(Open { hall, lines })
}

/// Refuses requests for other servers and lines from other pages.
async fn guard(State(doors): State<Doors>, request: Request, next: Next) -> Response {
    let refused = |why: &'static str| (StatusCode::FORBIDDEN, why).into_response();
    let mut response = match () {
        () if doors.host(request.headers()).is_none() => {
            refused("This request is not for the address that the table listens on; --allow-host allows a name.\n")
        }
        () if request.uri().path() == "/line" && !doors.is_own_page(request.headers()) => {
            refused("Only the table's own page may take a seat.\n")
        }
        () => next.run(request).await,
    };
    response.headers_mut().extend(HEADERS_OF_ALL);
    response
}

async fn line(State(Open { hall, lines }): State<Open>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = lines.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    let run = async move |socket, hall, permit: OwnedSemaphorePermit| {
        session::run(socket, hall).await;
        drop(permit);
    };
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).read_buffer_size(READ);
    upgrade.on_upgrade(move |socket| run(socket, hall, permit))
}
