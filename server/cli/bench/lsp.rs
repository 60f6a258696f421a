//! `percept bench lsp`: response times in an editor, measured on the real program over its pipes, beside other
//! installed servers (`ruff server`, `pylsp`, `basedpyright-langserver`, `taplo lsp`) on files of the same size.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use percept_syntax::Language;
use serde::Serialize;
use serde_json::{Value, json};

use super::seen::{self, ViewTimes};
use crate::args::{BenchFiles, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::{load, output};

/// The number of starts in the figures of a start.
const STARTS: usize = 7;
/// The number of keystrokes; each waits for its findings.
const KEYSTROKES: usize = 120;
const HOVERS: usize = 400;
/// The time for one kind of message to one server: a slow server is measured fewer times.
const LONGEST: Duration = Duration::from_secs(8);
/// The idle time after which a server's load is measured.
const IDLE: Duration = Duration::from_secs(3);
/// A server that takes longer for one message is left out.
const PATIENCE: Duration = Duration::from_secs(15);

/// The figures of one server on one file. Milliseconds; percentiles by nearest rank.
#[derive(Serialize)]
struct Row {
    server: String,
    file: String,
    bytes: usize,
    initialize_ms: f64,
    first_diagnostics_ms: f64,
    keystroke_p50_ms: Option<f64>,
    keystroke_p95_ms: Option<f64>,
    hover_p50_ms: Option<f64>,
    hover_p99_ms: Option<f64>,
    /// Resident memory at the end, if the system reports it.
    resident_mb: Option<f64>,
    /// Share of one processor while idle, if the system reports it.
    idle_percent: Option<f64>,
    /// Times of visible views, for our server and games only.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<ViewTimes>,
}

#[derive(Serialize)]
struct Figures {
    rows: Vec<Row>,
}

/// A server and the text it is measured on.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) command: Vec<String>,
    pub(super) uri: String,
    pub(super) language: &'static str,
    pub(super) text: String,
}

pub(super) fn run(args: &BenchFiles) -> Outcome {
    let own = std::env::current_exe().map_err(|error| Failure::new(format!("this program's own file: {error}")))?;
    let mut rows = Vec::new();
    for path in &args.files {
        let bytes = load::bytes(path, percept_syntax::MAX_BYTES)?;
        let text = percept_syntax::text_of(bytes).map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
        for contender in contenders(&own, path, text) {
            match measure(&contender) {
                Some(row) => rows.push(row),
                None => output::say(&format!("{}: no figures (not installed, or no answer)", contender.name)),
            }
        }
    }
    match args.format {
        Format::Json => output::json("bench-lsp", &Figures { rows }),
        Format::Human => {
            output::print(&table(&rows));
            let seen: Vec<(&str, &ViewTimes)> =
                rows.iter().filter_map(|row| Some((row.file.as_str(), row.seen.as_ref()?))).collect();
            if !seen.is_empty() {
                output::print(&format!("\n{}", seen::table(&seen)));
            }
        }
    }
    Ok(OK)
}

fn contenders(own: &Path, path: &Path, text: String) -> Vec<Contender> {
    let size = text.len();
    let words = |line: &str| line.split(' ').map(str::to_string).collect::<Vec<_>>();
    let beside = |name: &str, command: &str, extension: &str, language, text| Contender {
        name: name.into(),
        command: words(command),
        uri: format!("file://{}", std::env::temp_dir().join(format!("percept-bench.{extension}")).display()),
        language,
        text,
    };
    let infix = path.extension().is_some_and(|extension| extension == "hrf");
    let language = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pog" | "pddl" | "pogddl") => Language::Pogddl,
        _ if infix => Language::GdlInfix,
        _ => Language::GdlPrefix,
    }
    .name();
    vec![
        Contender {
            name: "percept".into(),
            command: vec![own.display().to_string(), "lsp".into()],
            uri: uri(path),
            language,
            text,
        },
        beside("ruff server", "ruff server", "py", "python", python(size)),
        beside("pylsp", "pylsp", "py", "python", python(size)),
        beside("basedpyright", "basedpyright-langserver --stdio", "py", "python", python(size)),
        beside("taplo lsp", "taplo lsp stdio", "toml", "toml", toml(size)),
    ]
}

/// The address of a file, without `..` and with every special byte escaped. A server answers with this form, whatever
/// the form in the request.
fn uri(path: &Path) -> String {
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let whole = whole.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if whole.starts_with('/') { "file://" } else { "file:///" });
    for byte in whole.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A Python module of about this many bytes, with a finding here and there.
fn python(size: usize) -> String {
    let mut text = String::from("import os\nimport sys\n\n\n");
    let mut number = 0;
    while text.len() < size {
        text.push_str(&format!(
            "def function_{number}(first, second):\n    total = first + second * {number}\n    return sys.intern(str(total))\n\n\n"
        ));
        number += 1;
    }
    text
}

fn toml(size: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        text.push_str(&format!("[table_{number}]\nname = \"entry {number}\"\nvalues = [1, 2, {number}]\n\n"));
        number += 1;
    }
    text
}

fn measure(contender: &Contender) -> Option<Row> {
    let mut initialize = Vec::new();
    let mut first = Vec::new();
    let begun = Instant::now();
    for _ in 1..STARTS {
        if begun.elapsed() > LONGEST {
            break;
        }
        let session = Session::start(contender)?;
        initialize.push(session.initialize);
        first.push(session.first);
    }
    let mut session = Session::start(contender)?;
    initialize.push(session.initialize);
    first.push(session.first);
    let hovers = session.hovers(contender);
    let keystrokes = session.keystrokes(contender);
    let resident_mb = resident(session.child.id());
    let idle_percent = idle(session.child.id());
    let file = contender.uri.rsplit('/').next().unwrap_or_default().to_string();
    Some(Row {
        server: contender.name.clone(),
        file,
        bytes: contender.text.len(),
        initialize_ms: percentile(&mut initialize, 50)?,
        first_diagnostics_ms: percentile(&mut first, 50)?,
        keystroke_p50_ms: keystrokes.clone().and_then(|mut all| percentile(&mut all, 50)),
        keystroke_p95_ms: keystrokes.and_then(|mut all| percentile(&mut all, 95)),
        hover_p50_ms: hovers.clone().and_then(|mut all| percentile(&mut all, 50)),
        hover_p99_ms: hovers.and_then(|mut all| percentile(&mut all, 99)),
        resident_mb,
        idle_percent,
        seen: seen_by(contender),
    })
}

/// Measures the views in a session of its own, with the text as in the file.
fn seen_by(contender: &Contender) -> Option<ViewTimes> {
    if contender.name != "percept" {
        return None;
    }
    seen::measure(&mut Session::start(contender)?, &contender.uri)
}

pub(super) fn percentile(times: &mut [Duration], percent: usize) -> Option<f64> {
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100).max(1) - 1;
    times.get(rank).map(|time| (time.as_secs_f64() * 1e6).round() / 1e3)
}

/// Megabytes of resident memory; Linux only.
fn resident(process: u32) -> Option<f64> {
    memory(process, "VmRSS:")
}

/// The peak memory of a process in megabytes; Linux only.
pub(super) fn peak(process: u32) -> Option<f64> {
    memory(process, "VmHWM:")
}

fn memory(process: u32, what: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(what))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kilobytes / 102.4).round() / 10.0)
}

/// The share of a processor used while no request is open, in percent; Linux only.
fn idle(process: u32) -> Option<f64> {
    let before = processor(process)?;
    std::thread::sleep(IDLE);
    Some((processor(process)? - before) / 10.0 / IDLE.as_secs_f64())
}

/// The processor's time that a process has used, in milliseconds; Linux only.
fn processor(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // A hundred ticks a second, on every Linux.
    Some(10.0 * (fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?))
}

/// A server with the document open.
pub(super) struct Session {
    child: Child,
    messages: mpsc::Receiver<Value>,
    /// From the start of the process to the answer to `initialize`.
    initialize: Duration,
    /// From the start of the process to the first findings.
    first: Duration,
    id: i64,
}

impl Session {
    pub(super) fn start(contender: &Contender) -> Option<Session> {
        let begun = Instant::now();
        let mut child = Command::new(&contender.command[0])
            .args(&contender.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut stdout = BufReader::new(child.stdout.take()?);
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(
            move || while let Some(true) = read(&mut stdout).map(|message| sender.send(message).is_ok()) {},
        );
        let mut session = Session { child, messages, initialize: Duration::ZERO, first: Duration::ZERO, id: 0 };
        let capabilities = json!({ "textDocument": { "publishDiagnostics": { "versionSupport": true } } });
        session.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }))?;
        session.initialize = begun.elapsed();
        session.notify("initialized", json!({}));
        let document =
            json!({ "uri": contender.uri, "languageId": contender.language, "version": 1, "text": contender.text });
        session.notify("textDocument/didOpen", json!({ "textDocument": document }));
        session.findings(&contender.uri, 1)?;
        session.first = begun.elapsed();
        Some(session)
    }

    /// From the start of the process to the first findings.
    pub(super) fn first(&self) -> Duration {
        self.first
    }

    /// Megabytes of resident memory; Linux only.
    pub(super) fn resident(&self) -> Option<f64> {
        resident(self.child.id())
    }

    /// The processor's time that the server has used, in milliseconds; Linux only.
    pub(super) fn processor(&self) -> Option<f64> {
        processor(self.child.id())
    }

    /// Types one letter after another into a new comment line at the end, and waits for the findings of each.
    fn keystrokes(&mut self, contender: &Contender) -> Option<Vec<Duration>> {
        let line = contender.text.matches('\n').count();
        let mut times = Vec::new();
        let whole = Instant::now();
        for stroke in 0..KEYSTROKES {
            if whole.elapsed() > LONGEST {
                break;
            }
            let version = stroke as i64 + 2;
            // Alternately in the middle of the text and at its end: the end of a line is always a valid position.
            let at = json!({ "line": if stroke % 2 == 0 { line / 2 } else { line }, "character": 0 });
            let text = if stroke % 4 < 2 { "\n" } else { " " };
            let begun = Instant::now();
            self.notify(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": contender.uri, "version": version },
                        "contentChanges": [{ "range": { "start": at, "end": at }, "text": text }] }),
            );
            self.findings(&contender.uri, version)?;
            times.push(begun.elapsed());
            // An author's pace leaves the server idle between strokes.
            std::thread::sleep(Duration::from_millis(8));
        }
        Some(times)
    }

    fn hovers(&mut self, contender: &Contender) -> Option<Vec<Duration>> {
        let lines: Vec<&str> = contender.text.lines().collect();
        let mut times = Vec::new();
        let whole = Instant::now();
        for hover in 0..HOVERS {
            if whole.elapsed() > LONGEST {
                break;
            }
            let line = hover * 7919 % lines.len().max(1);
            let character = lines.get(line).map_or(0, |line| line.len() / 3);
            let at = json!({ "textDocument": { "uri": contender.uri },
                             "position": { "line": line, "character": character } });
            let begun = Instant::now();
            self.request("textDocument/hover", at)?;
            times.push(begun.elapsed());
        }
        Some(times)
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        if let Some(stdin) = &mut self.child.stdin {
            // A server that has ended is noticed because it does not answer.
            let _ = write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| stdin.flush());
        }
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole answer to a request.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Option<Value> {
        self.id += 1;
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == json!(id) && message.get("method").is_none())
    }

    pub(super) fn findings(&mut self, uri: &str, version: i64) -> Option<Value> {
        self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                // Some servers leave the version out.
                && params["version"].as_i64().is_none_or(|published| published >= version)
        })
    }

    /// Waits for a message; requests of the server meanwhile get an empty answer.
    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let message = self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
            if fits(&message) {
                return Some(message);
            }
            if message.get("method").is_some() && message.get("id").is_some() {
                let id = message["id"].clone();
                let items = message["params"]["items"]
                    .as_array()
                    .map_or(Value::Null, |items| json!(vec![Value::Null; items.len()]));
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": items }));
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn table(rows: &[Row]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.2}"));
    let mut out = format!(
        "{:<12} {:<28} {:>8} {:>11} {:>11} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6}\n",
        "server",
        "file",
        "bytes",
        "initialize",
        "first find.",
        "key p50",
        "key p95",
        "hover p50",
        "hover p99",
        "MB",
        "idle %"
    );
    for row in rows {
        out.push_str(&format!(
            "{:<12} {:<28} {:>8} {:>11.2} {:>11.2} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6}\n",
            row.server,
            row.file,
            row.bytes,
            row.initialize_ms,
            row.first_diagnostics_ms,
            number(row.keystroke_p50_ms),
            number(row.keystroke_p95_ms),
            number(row.hover_p50_ms),
            number(row.hover_p99_ms),
            number(row.resident_mb),
            number(row.idle_percent),
        ));
    }
    out + "milliseconds; from the start of the process to the answer, to the first findings; a keystroke to its findings\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 50), Some(50.0));
        assert_eq!(percentile(&mut times, 95), Some(95.0));
        assert_eq!(percentile(&mut [], 50), None);
    }

    #[test]
    fn addresses_are_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("in here")).expect("a folder");
        std::fs::write(folder.path().join("a b.kif"), "").expect("written");
        let address = uri(&folder.path().join("in here/../a b.kif"));
        assert!(address.starts_with("file:///") && address.ends_with("/a%20b.kif"), "{address}");
        assert!(!address.contains(".."), "{address}");
    }

    #[test]
    fn generated_files_have_the_size() {
        assert!((30_000..31_000).contains(&python(30_000).len()));
        assert!((30_000..31_000).contains(&toml(30_000).len()));
    }
}
