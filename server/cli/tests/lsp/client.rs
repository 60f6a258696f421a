//! A small client of the protocol that drives the real binary over its pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest wait for an answer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: mpsc::Receiver<Value>,
    /// Messages of the server that no test has taken yet.
    waiting: VecDeque<Value>,
    next_id: i64,
    /// True if the session is ended in order on drop, and leftover messages are an error.
    is_orderly: bool,
}

impl Client {
    /// Starts the server and initializes it with the capabilities of a full editor.
    pub fn start() -> Client {
        Client::with(json!({}))
    }

    /// Like [`Client::start`], with more `initialize` parameters (merged at the top level).
    pub fn with(more: Value) -> Client {
        let mut client = Client::raw();
        let mut params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities(),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    /// Starts the server without initializing it.
    pub fn raw() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_percept"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Client { child, stdin, messages, waiting: VecDeque::new(), next_id: 0, is_orderly: true }
    }

    /// Kills the server when the test is over.
    pub fn disorderly(mut self) -> Client {
        self.is_orderly = false;
        self
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting; [`Client::answer`] waits for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        id
    }

    /// The whole reply to a request, result or error.
    pub fn answer(&mut self, id: i64) -> Value {
        self.take(|message| message.get("method").is_none() && message["id"] == json!(id))
    }

    /// Sends a request and returns the result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let reply = self.answer(id);
        assert!(reply.get("error").is_none(), "{method}: {}", reply["error"]);
        reply["result"].clone()
    }

    /// Sends a request and returns the error.
    pub fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let reply = self.answer(id);
        assert!(reply.get("error").is_some(), "{method} was answered: {}", reply["result"]);
        reply["error"].clone()
    }

    /// The first waiting message that fits, or the next one to come.
    pub fn take(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = 0;
        loop {
            if let Some(at) = self.waiting.iter().skip(seen).position(&fits) {
                return self.waiting.remove(seen + at).expect("it is there");
            }
            seen = self.waiting.len();
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(message) => self.waiting.push_back(message),
                Err(_) => panic!("the message did not come; waiting: {:#?}", self.waiting),
            }
        }
    }

    /// A message that fits and has arrived, or arrives soon.
    pub fn poll(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        while let Ok(message) = self.messages.recv_timeout(Duration::from_millis(50)) {
            self.waiting.push_back(message);
        }
        let at = self.waiting.iter().position(fits)?;
        self.waiting.remove(at)
    }

    /// Checks that no such message was sent.
    pub fn silent(&mut self, method: &str) {
        let message = self.poll(|message| message["method"] == method);
        assert!(message.is_none(), "{message:?}");
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.open_as(uri, language_id(uri), text);
    }

    pub fn open_as(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens a text and waits for its findings.
    pub fn open_and_check(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.open(uri, text);
        self.diagnostics(uri, 1)
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits for the findings of this version of a document; older ones are thrown away.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let found = self.take(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == json!(uri)
                && message["params"]["version"] == json!(version)
        });
        found["params"]["diagnostics"].as_array().expect("an array").clone()
    }

    /// Ends the session by the protocol; returns the exit code and the server's unrequested messages.
    pub fn end(&mut self) -> (Option<i32>, Vec<Value>) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let code = self.wait();
        self.waiting.extend(self.messages.iter());
        let leftovers = self.waiting.drain(..).filter(|message| message["method"] != "textDocument/publishDiagnostics");
        (code, leftovers.collect())
    }

    /// Waits for the process to end by itself.
    pub fn wait(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the server does not end");
    }

    /// Drops the messages of this kind received so far.
    pub fn forget(&mut self, method: &str) {
        self.waiting.extend(self.messages.try_iter());
        self.waiting.retain(|message| message["method"] != method);
    }

    /// Kilobytes of resident memory; `None` if the system does not report it.
    pub fn resident(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find(|line| line.starts_with("VmRSS:"))?.split_whitespace().nth(1)?.parse().ok()
    }

    /// Processor time used, in ticks; `None` if the system does not report it.
    pub fn ticks(&self) -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() || !self.is_orderly {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return;
        }
        if self.child.try_wait().is_ok_and(|status| status.is_some()) {
            return;
        }
        let (code, leftovers) = self.end();
        assert_eq!(code, Some(0), "shutdown and exit are a success");
        assert!(leftovers.is_empty(), "unrequested messages: {leftovers:#?}");
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// The language an editor would name for a file.
fn language_id(uri: &str) -> &'static str {
    match uri.rsplit('.').next() {
        Some("hrf") => "gdl-infix",
        Some("pog" | "pogddl" | "pddl") => "pogddl",
        Some("trace") => "percept-trace",
        _ => "gdl",
    }
}

/// The capabilities of a full editor.
pub fn capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8", "utf-16"] },
        "textDocument": {
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "completion": { "completionItem": { "snippetSupport": true } },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "publishDiagnostics": { "relatedInformation": true },
        },
    })
}

pub fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

/// The position of `^` in a text, and the text without it.
pub fn cursor(text: &str) -> (String, Value) {
    let at = text.find('^').expect("a cursor");
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |at| at + 1);
    (text.replacen('^', "", 1), json!({ "line": line, "character": column }))
}
