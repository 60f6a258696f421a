//! The stepper as pages of text.

use serde_json::{Value, json};

use crate::client::Client;
use crate::matches::{COIN, command};

const URI: &str = "file:///coin.kif";

/// A reader of pages.
struct Reader {
    client: Client,
    session: Value,
}

impl Reader {
    fn new(session: &Value) -> Reader {
        let mut client = Client::start();
        client.open(URI, COIN);
        Reader { client, session: json!(session.to_string()) }
    }

    /// The answer to a command (`null`: none), with its missing parts computed.
    fn page(&mut self, change: &Value) -> Value {
        let mut argument = json!({ "uri": URI, "session": self.session, "command": change });
        loop {
            let answer = command(&mut self.client, "percept.page", argument);
            self.session = answer["session"].clone();
            if answer["more"].is_null() {
                return answer;
            }
            argument = json!({ "uri": URI, "session": self.session, "wait": true });
        }
    }
}

fn pieces(page: &Value) -> impl Iterator<Item = &Value> {
    page["page"]["lines"].as_array().expect("lines").iter().flat_map(|line| line.as_array().expect("pieces"))
}

fn text(page: &Value) -> String {
    pieces(page).map(|it| it["text"].as_str().expect("a text").to_string() + "\n").collect()
}

/// The command of the first piece that contains a text.
fn action<'a>(page: &'a Value, label: &str) -> &'a Value {
    let named = pieces(page).find(|it| it["text"].as_str().is_some_and(|text| text.contains(label)));
    &named.unwrap_or_else(|| panic!("no {label}: {}", text(page)))["action"]["send"]
}

fn key<'a>(page: &'a Value, key: &str) -> &'a Value {
    let keys = page["page"]["keys"].as_array().expect("keys");
    &keys.iter().find(|it| it["key"] == key).unwrap_or_else(|| panic!("no {key}: {keys:?}"))["action"]["send"]
}

#[test]
fn a_page_leads_to_the_next() {
    let mut reader = Reader::new(&json!({}));
    let page = reader.page(&Value::Null);
    assert!(text(&page).contains("Round 0 of 0"), "{}", text(&page));
    let page = reader.page(action(&page, "(toss tails)"));
    assert!(text(&page).contains("Round 1 of 1"), "{}", text(&page));
    let page = reader.page(action(&page, "(fell tails)"));
    assert!(text(&page).contains("✓ (does random (toss tails))"), "{}", text(&page));
    let page = reader.page(key(&page, "k"));
    assert!(text(&page).contains("2 histories fit"), "{}", text(&page));
    let page = reader.page(key(&page, "p"));
    assert!(text(&page).contains("✗ refuted after 2 rounds"), "{}", text(&page));
    let page = reader.page(action(&page, "show both as boards"));
    assert!(text(&page).contains("after round 2 of 2"), "{}", text(&page));
    let page = reader.page(key(&page, "h"));
    assert!(text(&page).contains("Round 0 of 1"), "{}", text(&page));
}

#[test]
fn a_page_of_a_role_has_nothing_that_it_does_not_know() {
    let pages = ["heads", "tails"].map(|side| {
        let history = [[format!("(toss {side})"), "noop".to_string()]];
        let mut reader = Reader::new(&json!({ "history": history, "eye": "guesser" }));
        let page = reader.page(&Value::Null);
        (text(&page), page["page"].clone())
    });
    assert!(pages[0].0.contains("Knowledge of guesser after round 1"), "{}", pages[0].0);
    assert_eq!(pages[0], pages[1]);
}
