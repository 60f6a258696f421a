//! Verdicts: tables, and pairs of histories that a role cannot tell apart, with repairs.

use super::boards::{Marks, Room, beside, paint};
use super::views::{indented, or_nothing};
use super::{Action, Command, Key, Mark, Page, Piece, width};
use crate::contrast::Contrast;
use crate::editor::Repairs;
use crate::pair::{Frame, Frames, Side};
use crate::place::InEditor;
use crate::signs;
use crate::speech::{Phrases, phrase};
use crate::verdict::{Emptiness, GameAnswer, GameVerdict, MatchVerdict, Pair, PropertyName};
use crate::words;

/// The property as the object of `white knows ...`.
fn property_name(property: PropertyName) -> &'static str {
    words::knowledge(property.into())
}

/// A role that lacks knowledge, with the two histories that refute it.
#[derive(Clone, Copy, Debug)]
pub struct Lack<'a> {
    /// The name of the role.
    pub role: &'a str,
    /// The property that the role does not know.
    pub property: PropertyName,
    /// The number of rounds played.
    pub round: usize,
    /// The histories.
    pub pair: &'a Pair<InEditor>,
}

impl Lack<'_> {
    /// The name of the pair in a session, made of its moves, because other rules may give other pairs.
    pub fn key(&self) -> String {
        format!("{} {:?}", self.role, (&self.pair.first, &self.pair.second))
    }
}

/// The pairs in verdicts about a match.
pub fn lacking(verdicts: &[MatchVerdict<InEditor>]) -> impl Iterator<Item = Lack<'_>> {
    verdicts.iter().filter_map(|it| {
        let pair = it.witness.as_ref()?;
        Some(Lack { role: &it.role, property: it.property, round: it.round, pair })
    })
}

/// The pairs in verdicts about the game.
pub fn refuted(verdicts: &[GameVerdict<InEditor>]) -> impl Iterator<Item = Lack<'_>> {
    verdicts.iter().filter_map(|it| {
        let pair = it.witness.as_ref()?;
        Some(Lack { role: &it.role, property: it.property, round: it.depth.unwrap_or(0), pair })
    })
}

/// The table of a match: a sign for each role, property and round.
pub fn table(page: &mut Page, verdicts: &[MatchVerdict<InEditor>]) {
    match lacking(verdicts).count() {
        0 => page.say("No problem was found in this match.").mark(Mark::Good),
        bad => {
            let points = words::counted(bad, "point", "points");
            page.say(format!("At {points} of this match a role lacks required knowledge.")).mark(Mark::Bad)
        }
    };
    page.gap();
    let last = verdicts.iter().map(|it| it.round).max().unwrap_or(0);
    let rounds: String = (0..=last).map(|round| format!("{round:3}")).collect();
    page.say(format!("{:29}{rounds}", "")).mark(Mark::Quiet);
    let mut roles: Vec<&str> = Vec::new();
    for it in verdicts {
        if roles.contains(&it.role.as_str()) {
            continue;
        }
        roles.push(&it.role);
        page.say(&it.role).mark(Mark::Title);
        for property in [PropertyName::Legal, PropertyName::Terminal, PropertyName::Goal, PropertyName::Own] {
            let of =
                |round| verdicts.iter().find(|at| (&at.role, at.property, at.round) == (&it.role, property, round));
            let sign = |round| match of(round).map(|it| it.verdict) {
                Some(answer) => answer.sign(),
                None => " ",
            };
            if property != PropertyName::Own || (0..=last).any(|round| of(round).is_some()) {
                let signs: String = (0..=last).map(|round| format!("  {}", sign(round))).collect();
                page.say(format!("  {:<27}{signs}", property_name(property)));
            }
        }
    }
}

/// The table of a game: a line for each role and property.
pub fn proofs(page: &mut Page, verdicts: &[GameVerdict<InEditor>]) {
    page.say("In every match").mark(Mark::Title);
    for it in verdicts {
        let (says, mark) = match it.verdict {
            GameAnswer::Proved => {
                let checked = match it.checked {
                    Some(true) => "checked".to_owned(),
                    _ => format!("unchecked: {}", it.unchecked.as_deref().unwrap_or_default()),
                };
                let empty = match it.reason {
                    Some(Emptiness::NoEnd) => ", but no match ever ends",
                    Some(Emptiness::NoGoal) => ", but it never has a goal",
                    None => "",
                };
                (format!("proved, {checked}{empty}"), Mark::Good)
            }
            GameAnswer::Refuted => (format!("refuted after {}", words::rounds(it.depth.unwrap_or(0))), Mark::Bad),
            GameAnswer::Open => {
                (format!("undecided; no pair of up to {}", words::rounds(it.depth.unwrap_or(0))), Mark::Quiet)
            }
        };
        page.say(format!(
            "  {:<44} {} {says}",
            format!("{} knows {}", it.role, property_name(it.property)),
            it.verdict.sign()
        ))
        .mark(mark);
    }
}

/// Two histories: the moves of `roles`, and the boards after the round `at` if they are given.
pub fn pair(page: &mut Page, it: Lack<'_>, roles: &[String], frames: Option<&Frames>, at: Option<usize>, room: usize) {
    page.gap();
    let says = format!("{} does not know {} after round {}", it.role, property_name(it.property), it.round);
    page.say(says).mark(Mark::Bad).act(Command::Jump(it.round));
    let own = roles.iter().position(|role| role == it.role);
    let moves_of = |history: &[Vec<String>]| -> Vec<Option<String>> {
        history.iter().map(|joint| own.and_then(|own| joint.get(own).cloned())).collect()
    };
    let same = moves_of(&it.pair.first) == moves_of(&it.pair.second);
    page.say(format!("  {}:", signs::alike(it.role, same, it.pair.first_is_match))).mark(Mark::Quiet);
    moves(page, it, roles, room);
    match frames {
        Some(frames) => strip(page, it.role, frames, signs::PAIR, at, room),
        None => _ = page.say("  [ show both as boards ]").mark(Mark::Button).act(Command::Pair(it.key())),
    }
}

/// The button that searches for repairs.
pub fn offer(page: &mut Page, it: Lack<'_>) {
    let line = page.say(format!("  [ what would {} have to see? ]", it.role)).mark(Mark::Button);
    line.act(Command::Repair(it.role.to_owned(), it.property.name().to_owned()));
}

/// Both histories as a table, and the value that differs at the end.
fn moves(page: &mut Page, it: Lack<'_>, roles: &[String], room: usize) {
    let pair = it.pair;
    let words = |history: &[Vec<String>]| -> Vec<Vec<String>> {
        let joint = |joint: &Vec<String>| joint.iter().map(|mv| phrase(&pair.says, mv).to_owned()).collect();
        history.iter().map(joint).collect()
    };
    let rows = Contrast { roles, first: &words(&pair.first), second: &words(&pair.second), seen: None }
        .rows(room.saturating_sub(2));
    for row in rows {
        page.say(format!("  {}", row.says)).mark(row.differs.then_some(Mark::Warn));
    }
    for (name, value) in signs::PAIR.iter().zip([&pair.first_value, &pair.second_value]) {
        page.say(format!("  {name}: {value}")).mark(Mark::Warn);
    }
}

/// Both histories as boards after one round.
fn strip(page: &mut Page, role: &str, frames: &Frames, titles: [&str; 2], at: Option<usize>, room: usize) {
    let last = frames.frames.len().saturating_sub(1);
    let at = at.unwrap_or(last).min(last);
    let Some(frame) = frames.frames.get(at) else { return };
    page.say(format!("  after round {at} of {last}   < and > change the round; [ ] marks differences"))
        .mark(Mark::Quiet);
    if page.keys.iter().all(|it| it.key != "<") {
        for (key, at) in [("<", at.saturating_sub(1)), (">", (at + 1).min(last))] {
            page.keys.push(Key { key: key.into(), says: String::new(), action: Command::Turn(at).into() });
        }
    }
    let sides = [(&frame.first, titles[0]), (&frame.second, titles[1])];
    let blocks = sides.map(|(it, title)| side(frame, it, &frames.says, title, room));
    let widths = [0, 1].map(|at| blocks[at].iter().map(|line| width(line)).max().unwrap_or(0));
    if widths[0] + widths[1] + 7 <= room {
        let rule = vec![vec![Piece::marked("|", Mark::Quiet)]; blocks[0].len().max(blocks[1].len())];
        let [first, second] = blocks;
        let row = vec![(0, Vec::new()), (widths[0], first), (1, rule), (widths[1], second)];
        beside(&mut page.lines, row, 2);
    } else {
        blocks.into_iter().for_each(|lines| indented(page, lines));
    }
    if let Some(observation) = &frame.told {
        let own = observation.own.as_deref().map_or("?", |own| phrase(&frames.says, own));
        let seen = or_nothing(&observation.percepts, role, &frames.says);
        let says = format!("  in both {role} does {own} and sees {seen}");
        page.say(says).mark(Mark::Percept);
    }
}

fn side(frame: &Frame, it: &Side, says: &Phrases, title: &str, room: usize) -> Vec<Vec<Piece>> {
    let marks = Marks { differs: Some(&frame.differs), still: true, ..Marks::default() };
    let mut lines = vec![vec![Piece::marked(title, Mark::Title)]];
    lines.extend(paint(&it.boards, &[], Room { beside: 1, ..Room::up_to(room / 2) }, &marks));
    lines.extend(it.only.iter().map(|name| vec![Piece::marked(phrase(says, name), Mark::Warn)]));
    lines.extend(it.terminal.then(|| vec![Piece::marked("the match is over", Mark::Picked)]));
    lines
}

/// The lines that give the role its knowledge; Enter inserts them.
pub fn repairs(page: &mut Page, it: Lack<'_>, found: &Repairs) {
    if found.repairs.is_empty() {
        page.say("  no percepts were found that are proved to suffice").mark(Mark::Quiet);
        return;
    }
    let says = format!("  so that {} always knows {}", it.role, property_name(it.property));
    page.say(format!("{says} (proved; the one that reveals least first; enter inserts):")).mark(Mark::Title);
    for repair in &found.repairs {
        let line = page.say(format!("  + {}  ({})", repair.says, repair.measures)).mark(Mark::Button);
        line.act(Action::Insert(repair.edits.clone()));
        for text in repair.text.trim().lines() {
            page.say(format!("      {text}")).mark(Mark::Quiet);
        }
    }
}
