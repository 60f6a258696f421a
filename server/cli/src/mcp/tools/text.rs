//! Tools about the text of a game.

use std::time::Duration;

use percept_report::book;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Ask, Effort, Words};
use crate::commands::{check, explain, new};
use crate::mcp::child::Ended;
use crate::mcp::desk::{self, Desk, Refusal};
use crate::mcp::short;

/// The arguments of `check`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Check {
    #[serde(flatten)]
    game: desk::Game,
    /// False: only the text is checked, no match is played.
    matches: Option<bool>,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Check {
    type Answer = check::report::Report;
    const NAME: &'static str = "check";
    const TITLE: &'static str = "Find mistakes";
    const ABOUT: &'static str = "Finds mistakes in a game: in its text, and in matches that are played. Each finding has \
        its rule (`explain` has a page about it), its place, and often a fix (edits at places of the text; a guess if \
        it is not `safe`) and a match that shows it. A game is clean if `findings` is empty. Call it after every change.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let words = Words::json("check").flag("--no-judge", self.matches == Some(false));
        // A check of one second finds nearly everything: more time has to be asked for.
        let words = if self.effort.time.is_some() { words.time(time) } else { words };
        Ok(words.game(&desk.game(&self.game)?, None))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        let Some(findings) = short::list(answer, "findings") else { return };
        let is_hint = |it: &Value| it["severity"] == "hint";
        findings.sort_by_key(|it| match it["severity"].as_str() {
            Some("error") => 0,
            Some("warning") => 1,
            _ => 2,
        });
        let hints = findings.iter().filter(|it| is_hint(it)).count();
        if hints < findings.len() {
            findings.retain(|it| !is_hint(it));
        }
    }
}

/// The arguments of `explain`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Explain {
    /// The name of a rule, as in a finding. Without it, the answer is the list of all rules.
    rule: Option<String>,
}

impl Ask for Explain {
    type Answer = explain::Pages;
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a rule";
    const ABOUT: &'static str = "The page of the rule book about a finding: what the rule says, why, a wrong and a right \
        example. Without a name it lists all rules.";

    fn effort(&self) -> Effort {
        Effort::WHOLE
    }

    fn words(&self, _: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let words = Words::json("explain");
        Ok(match &self.rule {
            Some(rule) => words.paths([rule.as_ref()]),
            None => words,
        })
    }

    fn answer(&self, _: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        let mut answer: Value = serde_json::from_str(&ended.output).map_err(|error| error.to_string())?;
        if self.rule.is_none() {
            // Names and severities: all pages together are long.
            for rule in answer["rules"].as_array_mut().into_iter().flatten() {
                rule["page"] = json!("");
            }
        }
        Ok(answer)
    }

    fn text(&self, answer: &Value) -> Option<String> {
        let rules = answer["rules"].as_array()?;
        match self.rule {
            Some(_) => Some(rules.first()?["page"].as_str()?.to_string()),
            None => Some(book::all().iter().map(|it| format!("{} ({})\n", it.name, it.severity.name())).collect()),
        }
    }
}

/// A text, and what was done to it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Changed {
    /// The new text, if a text was given and something was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The new text of the domain, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
    /// The changes, a line each.
    done: Vec<String>,
}

/// The arguments of `fix`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Fix {
    #[serde(flatten)]
    game: desk::Game,
    /// True: fixes that are guesses are made as well, such as a name that resembles another.
    guesses: Option<bool>,
}

impl Ask for Fix {
    type Answer = Changed;
    const NAME: &'static str = "fix";
    const TITLE: &'static str = "Make the fixes";
    const ABOUT: &'static str = "Makes the fixes of `check` that are `safe`, each verified: its finding is gone and no \
        new error appears. With `text`, the answer is the fixed text; with `path`, the file is changed.";
    const WRITES: bool = true;

    fn effort(&self) -> Effort {
        Effort::WHOLE
    }

    fn words(&self, desk: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        let which = if self.guesses == Some(true) { "all" } else { "safe" };
        let words = Words::of("check").with("--fix", which).flag("--no-judge", true);
        // Both files are named, so that both may be changed.
        Ok(words.paths(game.domain.as_deref().into_iter().chain([game.file.as_path()])))
    }

    fn answer(&self, desk: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        let fixed = ended.output.lines().chain(ended.notes.iter().map(String::as_str));
        let mut done: Vec<String> =
            fixed.filter(|line| line.starts_with("fixed ")).map(|it| desk.without_place(it)).collect();
        done.dedup();
        changed(desk, &self.game, done)
    }

    fn text(&self, answer: &Value) -> Option<String> {
        let more = if self.guesses == Some(true) { "" } else { ", `guesses: true` makes guesses too" };
        Some(changed_text(answer, &format!("nothing was fixed; `check` shows what is left{more}")))
    }
}

/// The arguments of `format`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Format {
    #[serde(flatten)]
    game: desk::Game,
}

impl Ask for Format {
    type Answer = Changed;
    const NAME: &'static str = "format";
    const TITLE: &'static str = "Format the text";
    const ABOUT: &'static str = "Formats a description: line breaks and indents, never the meaning. With `text`, the \
        answer is the formatted text; with `path`, the file is changed.";
    const WRITES: bool = true;

    fn effort(&self) -> Effort {
        Effort::WHOLE
    }

    fn words(&self, desk: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        Ok(Words::of("fmt").paths(game.domain.as_deref().into_iter().chain([game.file.as_path()])))
    }

    fn answer(&self, desk: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        let done = ended.output.lines().map(|line| desk.without_place(line)).collect();
        changed(desk, &self.game, done)
    }

    fn text(&self, answer: &Value) -> Option<String> {
        Some(changed_text(answer, "it is formatted already"))
    }
}

/// The texts of a call after the command.
fn changed(desk: &mut Desk, game: &desk::Game, done: Vec<String>) -> Result<Value, Refusal> {
    let mut answer = Changed { text: None, domain: None, done };
    if game.text.is_some() && !answer.done.is_empty() {
        let own = desk.own()?;
        let read = |name: &str| {
            let found = ["kif", "hrf", "pog"].iter().map(|ending| own.join(format!("{name}.{ending}")));
            found.filter_map(|path| std::fs::read_to_string(path).ok()).next()
        };
        (answer.text, answer.domain) = (read("game"), read("domain"));
    }
    serde_json::to_value(answer).map_err(|error| error.to_string())
}

fn changed_text(answer: &Value, nothing: &str) -> String {
    let done: Vec<&str> = answer["done"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let done = if done.is_empty() { nothing.to_string() } else { done.join("\n") };
    let texts = ["domain", "text"].iter().filter_map(|key| answer[key].as_str());
    [done].into_iter().chain(texts.map(str::to_string)).collect::<Vec<_>>().join("\n\n")
}

/// The arguments of `convert`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Convert {
    #[serde(flatten)]
    game: desk::Game,
    /// The notation: `kif` is prefix, `hrf` is infix.
    to: Notation,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Notation {
    Kif,
    Hrf,
}

/// A converted text.
#[derive(Serialize, JsonSchema)]
pub(super) struct Converted {
    /// The description in the other notation.
    text: String,
}

impl Ask for Convert {
    type Answer = Converted;
    const NAME: &'static str = "convert";
    const TITLE: &'static str = "Convert between prefix and infix";
    const ABOUT: &'static str = "Writes a GDL description in the other notation: prefix (kif) or infix (hrf). Comments \
        are kept. No file is changed.";

    fn effort(&self) -> Effort {
        Effort::WHOLE
    }

    fn words(&self, desk: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let to = match self.to {
            Notation::Kif => "kif",
            Notation::Hrf => "hrf",
        };
        Ok(Words::of("convert").with("--to", to).paths([desk.game(&self.game)?.file.as_path()]))
    }

    fn answer(&self, _: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        Ok(json!({ "text": ended.output }))
    }

    fn text(&self, answer: &Value) -> Option<String> {
        answer["text"].as_str().map(str::to_string)
    }
}

/// The arguments of `new`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct New {
    /// The name of the game and of its folder: small letters, digits and hyphens, such as `night-ships`.
    name: String,
    /// The folder in which its folder is made. Without it nothing is written, and the answer has the texts.
    folder: Option<String>,
    /// The language; `kif` if it is left out.
    language: Option<Language>,
    /// The model of the game; `hidden-move` if it is left out.
    like: Option<Like>,
}

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Language {
    Kif,
    Hrf,
    Pogddl,
}

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Like {
    Board,
    Cards,
    HiddenMove,
    OnePlayer,
}

/// The files of a new game.
#[derive(Serialize, JsonSchema)]
pub(super) struct Begun {
    #[serde(flatten)]
    answer: new::Answer,
    /// The texts of the files by their names, if nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<std::collections::BTreeMap<String, String>>,
}

impl Ask for New {
    type Answer = Begun;
    const NAME: &'static str = "new";
    const TITLE: &'static str = "Begin a game";
    const ABOUT: &'static str = "Makes a small game that works, to change into another: rules, a match, expectations for \
        `test`, settings. Without `folder` nothing is written and the answer has the texts.";
    const WRITES: bool = true;

    fn effort(&self) -> Effort {
        Effort::WHOLE
    }

    fn words(&self, desk: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let parent = match &self.folder {
            Some(folder) => desk.existing(folder)?,
            None => desk.own()?,
        };
        let name = |value: Value| value.as_str().unwrap_or_default().to_string();
        let words = Words::json("new")
            .with("--in", parent)
            .maybe("--language", self.language.map(|it| name(json!(it))))
            .maybe("--like", self.like.map(|it| name(json!(it))));
        Ok(words.paths([self.name.as_ref()]))
    }

    fn answer(&self, desk: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        let mut answer: Value = serde_json::from_str(&ended.output).map_err(|error| error.to_string())?;
        if self.folder.is_none() {
            let own = desk.own()?;
            let files = answer["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let read = |path: &str| Some((path.to_string(), json!(std::fs::read_to_string(own.join(path)).ok()?)));
            let texts: Map<String, Value> = files.filter_map(read).collect();
            answer["texts"] = Value::Object(texts);
        }
        Ok(answer)
    }
}
