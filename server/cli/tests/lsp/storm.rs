//! Storms of random edits: the server's text, and all its answers about it, are those of a newly opened document.

use serde_json::{Value, json};

use crate::client::Client;

/// A small generator, so that a storm can be repeated from its seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

const PIECES: &[&str] = &[
    "(role white)",
    "(",
    ")",
    "\n",
    "\r\n",
    "\r",
    "(<= (p ?x) (q ?x))",
    ";",
    " 😀é ",
    "\t",
    "p(X) :- q(X) & ~r(X)\n",
    "?y",
    "(define (domain d)",
    "(:action a :parameters (?x - t) :effect (and (p ?x)))",
    "<=",
    "",
    ":-",
    "\u{0}",
];

/// A place on a character boundary, as a position in UTF-16 units.
fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    // Lines as the protocol defines them: `\r\n` is one break.
    let joined = before.replace("\r\n", "\n");
    let mut line = joined.matches(['\n', '\r']).count();
    let mut start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    if before.ends_with('\r') && text[at..].starts_with('\n') {
        // An edit between the two characters of a line break is at the end of the line.
        line -= 1;
        start = before[..at - 1].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        return json!({ "line": line, "character": before[start..at - 1].encode_utf16().count() });
    }
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) || (text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
        at += 1;
    }
    at
}

fn says(client: &mut Client, uri: &str) -> Value {
    let document = json!({ "textDocument": { "uri": uri } });
    let tokens = client.request("textDocument/semanticTokens/full", document.clone());
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    let folds = client.request("textDocument/foldingRange", document);
    json!([tokens["data"], symbols, folds])
}

fn storm(extension: &str, seed: u64) {
    let mut dice = Dice(seed);
    let nested = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let mut client = Client::with(json!({ "capabilities": nested }));
    let uri = format!("file:///storm.{extension}");
    let mut text = String::from("(role white)\n");
    client.open(&uri, &text);
    for version in 2..150 {
        let mut changes = Vec::new();
        for _ in 0..=dice.roll(3) {
            let start = boundary(&text, dice.roll(text.len() + 1));
            let end = boundary(&text, (start + dice.roll(12)).min(text.len()));
            let piece = PIECES[dice.roll(PIECES.len())];
            changes.push(
                json!({ "range": { "start": position(&text, start), "end": position(&text, end) }, "text": piece }),
            );
            text.replace_range(start..end, piece);
        }
        client.change(&uri, version, json!(changes));
        if dice.roll(4) == 0 {
            let line = dice.roll(30);
            let at =
                json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": dice.roll(40) } });
            let methods = [
                "textDocument/hover",
                "textDocument/completion",
                "textDocument/definition",
                "textDocument/signatureHelp",
            ];
            client.request(methods[dice.roll(methods.len())], at);
        }
    }
    client.diagnostics(&uri, 149);
    let fresh = format!("file:///fresh.{extension}");
    // Opened with the same beginning, because the first text of a `.kif` file decides between prefix and infix; then
    // edited as a whole, because a change without a range would be a new text.
    client.open(&fresh, "(role white)\n");
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    client.change(&fresh, 2, json!([{ "range": all, "text": text }]));
    assert_eq!(says(&mut client, &uri), says(&mut client, &fresh), "seed {seed}: {text:?}");
}

#[test]
fn prefix_text_survives_a_storm() {
    (1..=6).for_each(|seed| storm("kif", seed));
}

#[test]
fn infix_text_survives_a_storm() {
    (11..=16).for_each(|seed| storm("hrf", seed));
}

#[test]
fn pogddl_survives_a_storm() {
    (21..=26).for_each(|seed| storm("pog", seed));
}

#[test]
fn a_trace_survives_a_storm() {
    storm("trace", 31);
}
