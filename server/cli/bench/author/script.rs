//! The scripted author: calls tools, and does what their answers literally say.

use percept_syntax::Language;
use serde_json::{Value, json};

use super::{COMPARING, End, Original, Row, TIME, Texts, about};
use crate::bench::mutants;
use crate::mcp::ask;

/// The most findings that a proposed repair may uncover beside those that it ends.
const MORE: usize = 1;
/// The most calls of tools for one game.
const CALLS: usize = 60;

/// An author at a game.
pub(super) struct Author<'a> {
    original: &'a Original,
    texts: Texts,
    slips: Vec<String>,
    calls: usize,
    log: Vec<String>,
    /// The deeds that did not help, each with its finding.
    tried: Vec<(String, String)>,
    /// The deeds that helped.
    done: Vec<(String, String)>,
    /// The deeds since the last one that helped that were steps.
    steps: Vec<(String, String)>,
    /// The texts so far: the author does not return to one.
    seen: Vec<Vec<String>>,
}

/// The good of a deed.
enum Gain {
    None,
    /// Another finding is there instead; with the number of those left.
    Step(usize),
    Less,
}

/// A deed that is kept if no other is better, with the texts and findings after it.
struct Kept {
    left: usize,
    texts: Texts,
    findings: Vec<Value>,
    deed: Deed,
}

/// Something that the answers say to do.
struct Deed {
    /// The finding that it is for; `None` for the fixes of all findings.
    finding: Option<Value>,
    said: String,
    /// True if an answer has the edits of it.
    is_proposed: bool,
}

impl Deed {
    fn new(finding: &Value, said: &str, is_proposed: bool) -> Deed {
        Deed { said: format!("{}: {said}", about(finding).0), finding: Some(finding.clone()), is_proposed }
    }

    fn key(&self) -> (String, String) {
        (self.finding.as_ref().map_or_else(String::new, |it| about(it).1), self.said.clone())
    }

    /// If less is wrong, or another finding is there instead of the one that was mended; if an answer proposed the deed,
    /// two may be.
    fn gain(&self, before: &[Value], after: &[Value]) -> Gain {
        let (old, new) = (Badness::of(before), Badness::of(after));
        // A match is looked at when the text is right.
        if new.errors < old.errors || new.errors == old.errors && self.is_proposed && new.texts < old.texts {
            return Gain::Less;
        }
        let more = if self.is_proposed { MORE } else { 0 };
        let is_step = new.errors <= old.errors && new.faults <= old.faults && new.all() <= old.all() + more;
        let is_less = new.errors == old.errors && new.faults <= old.faults && new.all() < old.all();
        match (is_less, is_step && self.is_done(before, after)) {
            (true, _) => Gain::Less,
            (false, true) => Gain::Step(new.all()),
            (false, false) => Gain::None,
        }
    }

    /// True if there are fewer findings like its own.
    fn is_done(&self, before: &[Value], after: &[Value]) -> bool {
        let Some(finding) = &self.finding else { return true };
        let count = |all: &[Value]| all.iter().filter(|it| about(it) == about(finding)).count();
        count(after) < count(before)
    }
}

impl<'a> Author<'a> {
    pub(super) fn new(texts: Texts, original: &'a Original) -> Author<'a> {
        let (slips, log, tried, done, steps, seen) = Default::default();
        Author { original, texts, slips, calls: 0, log, tried, done, steps, seen }
    }

    /// Begins to count.
    pub(super) fn begun(self, slips: Vec<String>) -> Author<'a> {
        Author { calls: 0, log: Vec::new(), slips, ..self }
    }

    pub(super) fn about(&self) -> String {
        format!("{}: {}", self.original.name, self.slips.join("; "))
    }

    fn ask(&mut self, tool: &str, more: Value) -> Option<Value> {
        self.calls += 1;
        let answer = ask(tool, self.texts.given(more));
        if let Err(why) = &answer {
            self.log.push(format!("{tool}: {}", why.lines().next().unwrap_or_default()));
        }
        answer.ok()
    }

    /// The errors and warnings that the game without slips does not have.
    pub(super) fn findings(&mut self) -> Vec<Value> {
        let Some(answer) = self.ask("check", json!({})) else { return vec![json!({ "severity": "error" })] };
        let old = &self.original.findings;
        let is_mine = |it: &&Value| it["severity"] != "hint" && !old.contains(&about(it));
        let mut mine: Vec<Value> =
            answer["findings"].as_array().into_iter().flatten().filter(is_mine).cloned().collect();
        mine.sort_by_key(rank);
        mine
    }

    /// The properties that roles do not always know.
    pub(super) fn refuted(&mut self) -> Vec<(String, String)> {
        let Some(answer) = self.ask("prove", json!({ "time": TIME })) else {
            return vec![(String::new(), String::new())];
        };
        let word = |it: &Value, key: &str| it[key].as_str().unwrap_or_default().to_string();
        let refuted = answer["findings"].as_array().into_iter().flatten().filter(|it| it["verdict"] == "refuted");
        refuted.map(|it| (word(it, "role"), word(it, "property"))).collect()
    }

    /// The properties that roles do not know any more.
    pub(super) fn lost(&mut self) -> Vec<(String, String)> {
        let old = &self.original.refuted;
        let mut lost = self.refuted();
        lost.retain(|it| !old.contains(it));
        lost
    }

    /// Works until the game is right, or no answer says what to do.
    pub(super) fn mended(mut self) -> Row {
        let end = self.work();
        let same = end == End::Right && {
            let sources = self.texts.sources(self.original.language);
            let game = mutants::game(&sources, COMPARING);
            game.is_some_and(|game| !mutants::differ(&self.original.game, &game, COMPARING))
        };
        Row { game: self.original.name.clone(), slips: self.slips, end, calls: self.calls, same, log: self.log }
    }

    fn work(&mut self) -> End {
        let mut findings = self.findings();
        let mut kept: Option<Kept> = None;
        while self.calls < CALLS {
            if findings.is_empty() {
                let lost = self.lost();
                let Some((role, property)) = lost.first() else { return End::Right };
                if !self.repaired(role, property) {
                    return End::Unknown;
                }
                findings = self.findings();
                continue;
            }
            if !self.mended_one(&mut findings, &mut kept) {
                self.log.extend(findings.iter().map(|it| format!("left: {}: {}", about(it).0, about(it).1)));
                return End::Findings;
            }
        }
        End::Calls
    }

    /// Tries one deed; if none is left, makes the best step so far. Returns false if there is no step either.
    fn mended_one(&mut self, findings: &mut Vec<Value>, kept: &mut Option<Kept>) -> bool {
        let before = self.texts.clone();
        let Some(deed) = self.deed(findings, kept.is_none()) else {
            let Some(best) = kept.take() else { return false };
            self.did(before, &best.deed);
            (self.texts, *findings) = (best.texts, best.findings);
            return true;
        };
        let old = std::mem::replace(findings, self.findings());
        let is_new = !self.seen.contains(&self.texts.words());
        let gain = if is_new { deed.gain(&old, findings) } else { Gain::None };
        if matches!(gain, Gain::Less) {
            self.did(before, &deed);
            *kept = None;
            return true;
        }
        self.tried.push(deed.key());
        let (texts, findings) = (std::mem::replace(&mut self.texts, before), std::mem::replace(findings, old));
        if let Gain::Step(left) = gain {
            self.steps.push(deed.key());
            if kept.as_ref().is_none_or(|it| left < it.left) {
                *kept = Some(Kept { left, texts, findings, deed });
            }
        } else {
            self.log.push(format!("undone: {}", deed.said));
        }
        true
    }

    /// Notes a deed that helped.
    fn did(&mut self, before: Texts, deed: &Deed) {
        self.seen.push(before.words());
        // The same a third time would not end.
        let is_again = deed.finding.is_some() && self.done.contains(&deed.key());
        // Another step may be the next one.
        let steps = std::mem::take(&mut self.steps);
        self.tried.retain(|it| !steps.contains(it) || is_again && *it == deed.key());
        self.done.push(deed.key());
        self.log.push(deed.said.clone());
    }

    /// Inserts the first proposal that helps a role.
    fn repaired(&mut self, role: &str, property: &str) -> bool {
        let question = json!({ "property": property, "time": TIME });
        let Some(answer) = self.ask("repair", question) else { return false };
        let helps = |it: &&Value| it["roles"].as_array().is_some_and(|roles| roles.iter().any(|it| it == role));
        let all = answer["repairs"].as_array().into_iter().flatten().find(helps);
        let Some(edits) = all.and_then(|it| it["repairs"][0]["edits"].as_array()) else { return false };
        let mut edits: Vec<&Value> = edits.iter().collect();
        edits.sort_by_key(|it| std::cmp::Reverse(it["at"].as_u64()));
        for edit in edits {
            let is_domain = self.texts.domain.is_some() && edit["file"] == 0;
            let text = self.texts.of(if is_domain { "domain" } else { "game" });
            let at =
                edit["at"].as_u64().and_then(|at| usize::try_from(at).ok()).filter(|at| text.is_char_boundary(*at));
            let (Some(at), Some(lines)) = (at, edit["text"].as_str()) else { return false };
            text.insert_str(at, lines);
        }
        self.log.push(format!("repaired {property} of {role}"));
        true
    }

    /// Does the next thing that the answers say: all verified fixes; the fix of a finding; if `may_delete`, the deletion of
    /// the statement that a finding marks. `None`: they say nothing more.
    fn deed(&mut self, findings: &[Value], may_delete: bool) -> Option<Deed> {
        let fix = Deed { finding: None, said: "made the fixes".to_string(), is_proposed: true };
        if !self.tried.contains(&fix.key()) && findings.iter().any(|it| has_fix(it) || it["rule"] == "syntax-error") {
            let before = self.texts.clone();
            if let Some(answer) = self.ask("fix", json!({ "guesses": true })) {
                let text = |key: &str| answer[key].as_str().map(str::to_string);
                self.texts.text = text("text").unwrap_or(before.text.clone());
                self.texts.domain = text("domain").or(before.domain.clone());
            }
            if self.texts != before {
                return Some(fix);
            }
        }
        for finding in findings {
            for fix in finding["fixes"].as_array().into_iter().flatten() {
                let deed = Deed::new(finding, fix["title"].as_str()?, true);
                if !self.tried.contains(&deed.key()) && self.edited(fix) {
                    return Some(deed);
                }
            }
        }
        // A finding that a match shows does not mark a statement too many.
        for finding in findings.iter().filter(|it| may_delete && it["witness"].is_null()) {
            let deed = Deed::new(finding, "deleted the statement", false);
            if !self.tried.contains(&deed.key()) && self.deleted(finding) {
                return Some(deed);
            }
        }
        None
    }

    /// Makes the edits of a fix.
    fn edited(&mut self, fix: &Value) -> bool {
        let mut edits: Vec<&Value> = fix["edits"].as_array().into_iter().flatten().collect();
        edits.sort_by_key(|it| std::cmp::Reverse((place(&it["range"]["start"]), place(&it["range"]["end"]))));
        for edit in edits {
            let text = self.texts.of(edit["file"].as_str().unwrap_or_default());
            let start = byte(text, &edit["range"]["start"]);
            let (Some(start), Some(end)) = (start, byte(text, &edit["range"]["end"])) else { return false };
            text.replace_range(start..end, edit["insert"].as_str().unwrap_or_default());
        }
        true
    }

    /// Deletes the statement of GDL that a finding marks.
    fn deleted(&mut self, finding: &Value) -> bool {
        if self.original.language != Language::GdlPrefix {
            return false;
        }
        let text = &mut self.texts.text;
        let Some(at) = byte(text, &finding["range"]["start"]) else { return false };
        let Some((start, end)) = statements(text).into_iter().find(|(start, end)| (*start..*end).contains(&at)) else {
            return false;
        };
        text.replace_range(start..end, "");
        true
    }
}

/// The order in which an author looks at findings: first those of the text, of each kind the errors.
fn rank(finding: &Value) -> usize {
    let is_of_match = ["witness", "proof"].iter().any(|key| !finding[key].is_null());
    2 * usize::from(is_of_match) + usize::from(finding["severity"] != "error")
}

/// The numbers of findings of each kind.
struct Badness {
    /// Errors of the text: with these, the game cannot be played, so nothing is known about its matches.
    errors: usize,
    /// Other findings in the text.
    texts: usize,
    /// Errors that a match shows.
    faults: usize,
    /// Other findings about matches.
    others: usize,
}

impl Badness {
    fn of(findings: &[Value]) -> Badness {
        let mut badness = Badness { errors: 0, texts: 0, faults: 0, others: 0 };
        for it in findings {
            let of = match rank(it) {
                0 => &mut badness.errors,
                1 => &mut badness.texts,
                2 => &mut badness.faults,
                _ => &mut badness.others,
            };
            *of += 1;
        }
        badness
    }

    fn all(&self) -> usize {
        self.texts + self.faults + self.others
    }
}

fn has_fix(finding: &Value) -> bool {
    finding["fixes"].as_array().is_some_and(|it| !it.is_empty())
}

/// Line and column, from 1.
fn place(position: &Value) -> (u64, u64) {
    (position["line"].as_u64().unwrap_or(0), position["column"].as_u64().unwrap_or(0))
}

/// The byte at a place.
fn byte(text: &str, position: &Value) -> Option<usize> {
    let (line, column) = place(position);
    let begin = match line.checked_sub(1)? {
        0 => 0,
        lines => text.match_indices('\n').nth(usize::try_from(lines - 1).ok()?)?.0 + 1,
    };
    let rest = &text[begin..];
    let column = usize::try_from(column.checked_sub(1)?).ok()?;
    Some(rest.char_indices().nth(column).map_or(text.len(), |(at, _)| begin + at))
}

/// The statements of a text in prefix, by their brackets.
fn statements(text: &str) -> Vec<(usize, usize)> {
    let (mut depth, mut begin, mut found, mut is_comment) = (0usize, 0, Vec::new(), false);
    for (at, letter) in text.char_indices() {
        is_comment = if letter == '\n' { false } else { is_comment || letter == ';' };
        match letter {
            '(' if !is_comment => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            ')' if !is_comment => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push((begin, at + 1));
                }
            }
            _ => {}
        }
    }
    found
}
