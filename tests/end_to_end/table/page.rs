//! A table as a process, and its pages as lines.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::support::root;

/// The time for anything that is to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program to test: the one that was built with the tests, or the one named by `PERCEPT`, such as a release.
fn program() -> OsString {
    std::env::var_os("PERCEPT").unwrap_or_else(|| env!("CARGO_BIN_EXE_percept").into())
}

/// A table, and its links by role.
pub(super) struct Table {
    pub(super) process: Child,
    pub(super) links: BTreeMap<String, String>,
    pub(super) site: String,
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Table {
    pub(super) fn of(args: &[&str]) -> Table {
        Table::with(args, &[])
    }

    /// A table with these variables of the environment.
    pub(super) fn with(args: &[&str], variables: &[(&str, &str)]) -> Table {
        let mut process = Command::new(program())
            .current_dir(root())
            .arg("table")
            .args(args)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let lines = BufReader::new(process.stdout.take().expect("piped")).lines();
        let lines = lines.map_while(Result::ok).take_while(|line| !line.starts_with("Give "));
        let mut links = BTreeMap::new();
        for line in lines.skip(1) {
            let (role, link) = line.trim().split_once(' ').expect("a role and its link");
            links.insert(role.to_string(), link.trim().to_string());
        }
        let first = links.get("watchers").or_else(|| links.get("lobby")).expect("a link");
        let site = first.split_once("/#").expect("a link").0.trim_start_matches("http://").to_string();
        Table { process, links, site }
    }

    pub(super) fn page(&self, role: &str) -> Page {
        let (_, token) = self.links[role].split_once('#').expect("a token after #");
        Page::with(&self.site, token)
    }

    /// An answer to a request by a path, with these headers.
    pub(super) fn get(&self, path: &str, headers: &str) -> String {
        use std::io::{Read, Write};
        let mut line = std::net::TcpStream::connect(&self.site).expect("it listens");
        write!(line, "GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        line.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

/// A page at a seat.
pub(super) struct Page {
    pub(super) runtime: Runtime,
    pub(super) line: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Everything that came, as it came.
    pub(super) traffic: Vec<String>,
    /// The token of its link.
    pub(super) token: String,
}

impl Page {
    pub(super) fn with(site: &str, token: &str) -> Page {
        let mut page = Page::open(site, site, &format!("http://{site}")).expect("a line");
        page.wish(json!({ "wish": "sit", "token": token }));
        page.token = token.into();
        page
    }

    pub(super) fn open(site: &str, host: &str, origin: &str) -> Result<Page, Error> {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut request = format!("ws://{site}/line").into_client_request().expect("an address");
        request.headers_mut().insert("host", host.parse().expect("a host"));
        request.headers_mut().insert("origin", origin.parse().expect("an origin"));
        let (line, _) = runtime.block_on(connect_async(request))?;
        Ok(Page { runtime, line, traffic: Vec::new(), token: String::new() })
    }

    pub(super) fn send(&mut self, message: Message) {
        self.runtime.block_on(self.line.send(message)).expect("sent");
    }

    pub(super) fn wish(&mut self, wish: Value) {
        self.send(Message::text(wish.to_string()));
    }

    /// The next message; `None` if the line was closed.
    pub(super) fn next(&mut self) -> Option<Value> {
        // Signs of life do not count.
        let until = tokio::time::Instant::now() + PATIENCE;
        loop {
            let next = async { tokio::time::timeout_at(until, self.line.next()).await };
            match self.runtime.block_on(next).expect("a message in time") {
                Some(Ok(Message::Text(text))) => {
                    self.traffic.push(text.to_string());
                    return Some(serde_json::from_str(&text).expect("JSON"));
                }
                Some(Ok(Message::Ping(_))) => {}
                _ => return None,
            }
        }
    }

    /// The next message of a kind.
    pub(super) fn until(&mut self, kind: &str) -> Value {
        self.until_it(|message| message["kind"] == kind)
    }

    pub(super) fn until_it(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().expect("the line is open");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Waits until the person has to move, and makes the move that comes first after some others.
    pub(super) fn play(&mut self, number: u64, skip: usize) -> Option<Value> {
        let seat = self.until_it(|message| message["turn"] == "you" || message["kind"] == "opened");
        if seat["kind"] == "opened" {
            return None;
        }
        let moves = seat["moves"].as_array().expect("moves");
        let name = moves[skip % moves.len()].clone();
        self.choose(number, &seat, &name);
        Some(seat)
    }

    pub(super) fn choose(&mut self, number: u64, seat: &Value, name: &Value) {
        self.wish(json!({ "wish": "move", "match": number, "round": seat["seat"]["round"], "move": name }));
    }
}
