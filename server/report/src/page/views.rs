//! The parts of the stepper that show one place of a match: the state, a role's knowledge, a seat.

use super::boards::{Marks, Room, paint};
use super::{Command, Key, Mark, Page, Piece, Session, Tab};
use crate::belief::{Belief, Beliefs};
use crate::board::{Board, Meaning, names};
use crate::editor::{Question, Sitting, Turn};
use crate::members::Members;
use crate::scene::{Role, Scene};
use crate::seat::{IsOver, Seat};
use crate::speech::{Phrases, joined, phrase, phrase_of_percept};
use crate::{signs, words, wrap};
use percept_game::stepper::RoundView;

/// The number of listed rounds.
const ROUNDS: usize = 8;

/// The moves of a round without `noop`.
pub fn short(moves: &[String], says: &Phrases) -> String {
    let made: Vec<&str> = moves.iter().map(String::as_str).filter(|it| *it != "noop").collect();
    if made.is_empty() { phrase(says, "noop").to_owned() } else { in_row(made, says) }
}

/// A role's percepts on a line; `nothing` if there are none.
pub fn or_nothing(percepts: &[String], role: &str, says: &Phrases) -> String {
    let names: Vec<String> = percepts.iter().map(|it| phrase_of_percept(says, role, it).to_owned()).collect();
    match () {
        () if names.is_empty() => "nothing".to_owned(),
        () if names == percepts => names.join(" "),
        () => joined(&names),
    }
}

/// Terms on a line. Commas separate words, which have blanks of their own.
fn in_row<'a>(names: impl IntoIterator<Item = &'a str>, says: &Phrases) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if !names.iter().any(|it| says.contains_key(*it)) {
        return names.join(" ");
    }
    joined(&names.into_iter().map(|it| phrase(says, it).to_owned()).collect::<Vec<_>>())
}

/// True if a move with these places names the chosen cells, in their order.
pub fn fits(places: &[String], chosen: &[String]) -> bool {
    places.len() >= chosen.len() && chosen.iter().zip(places).all(|(cell, place)| names(place, cell))
}

pub(super) fn indented(page: &mut Page, lines: Vec<Vec<Piece>>) {
    page.lines.extend(lines.into_iter().map(|line| std::iter::once(Piece::new("  ")).chain(line).collect()));
}

fn boards(page: &mut Page, boards: &[Board], legend: &[Meaning], marks: &Marks<'_>, width: usize) {
    let cells = paint(boards, legend, Room::up_to(width.saturating_sub(2)), marks);
    indented(page, cells);
}

/// A belief in a row with a bar of ten cells, on as many lines as the width needs.
pub fn bar(belief: &Belief, says: &Phrases, exact: bool, width: usize) -> Vec<String> {
    const WIDTH: usize = 10;
    let eighths = (belief.probability * (8 * WIDTH) as f64).round() as usize;
    let whole = "█".repeat(eighths / 8);
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let error = if exact { String::new() } else { format!(" ±{:.0}", (belief.error * 100.0).ceil()) };
    let row = format!("{:<WIDTH$} {:>5.1} %{error}  ", format!("{whole}{part}"), belief.probability * 100.0);
    wrap::folded_after(&row, phrase(says, &belief.fluent.to_string()), width)
}

fn bars<'a>(page: &mut Page, beliefs: impl IntoIterator<Item = &'a Belief>, says: &Phrases, exact: bool, width: usize) {
    for it in beliefs.into_iter().filter(|it| it.probability < 1.0) {
        bar(it, says, exact, width.saturating_sub(2)).into_iter().for_each(|line| _ = page.say(format!("  {line}")));
    }
}

/// The head of the stepper: the place, the keys, and the rounds near it.
pub fn head(page: &mut Page, scene: &Scene, session: &Session, width: usize) {
    let over = if scene.terminal { "  the match is over" } else { "" };
    let line = page.say(format!("Round {} of {}{over}", scene.round, scene.rounds)).mark(Mark::Title);
    line.act(Command::Why(Question { atom: Some("terminal".into()), ..Question::default() }));
    let players = scene.roles.iter().filter(|role| !role.chance);
    let eye = players.map(|role| role.name.clone()).next();
    let keys = vec![
        ("h", "back", Command::Jump(scene.round.saturating_sub(1))),
        ("l", "on", Command::Jump((scene.round + 1).min(scene.rounds))),
        ("r", "random round", Command::Random),
        ("s", "state", Command::Tab(Tab::State)),
        ("k", "knowledge", Command::Tab(Tab::Knowledge)),
        ("v", "verdict", Command::Tab(Tab::Verdict)),
        ("p", "proof", Command::Tab(Tab::Proof)),
        ("e", "view", Command::Eye(eye)),
        ("w", "why (not)", Command::Explain),
        ("m", "play", Command::Sit),
        ("gr", "role", Command::Know),
    ];
    page.offer(keys, "play, why", width);
    rounds(page, scene);
    page.gap();
    if !session.chosen.is_empty() {
        page.keys.push(Key { key: "<Esc>".into(), says: String::new(), action: Command::Clear.into() });
    }
}

/// Only the near rounds of a long match, so that the state below is visible.
fn rounds(page: &mut Page, scene: &Scene) {
    let count = scene.history.len();
    let first = (scene.round + 2).saturating_sub(ROUNDS).min(count.saturating_sub(ROUNDS));
    let last = (first + ROUNDS).min(count);
    if first > 0 {
        page.say(format!("   … {first} before")).mark(Mark::Quiet).act(Command::Jump(first));
    }
    for it in &scene.history[first..last] {
        let here = it.round == scene.round;
        let line =
            page.say(format!("{} {:>2}  {}", if here { ">" } else { " " }, it.round, short(&it.moves, &scene.says)));
        let mark = if here { Some(Mark::Here) } else { (it.round > scene.round).then_some(Mark::Quiet) };
        line.mark(mark).act(Command::Jump(it.round));
    }
    if last < count {
        page.say(format!("   … {} more", count - last)).mark(Mark::Quiet).act(Command::Jump(last + 1));
    }
}

/// The state without its title: boards, the other fluents, numbers.
fn picture(page: &mut Page, scene: &Scene, marks: &Marks<'_>, width: usize) {
    boards(page, &scene.state.boards, &scene.state.legend, marks, width);
    for name in scene.state.rest().iter().flat_map(|group| &group.fluents) {
        let question = Question { fluent: Some(name.to_string()), ..Question::default() };
        page.say(format!("  {}", phrase(&scene.says, &name.to_string()))).act(Command::Why(question));
    }
    for (name, value) in &scene.state.numbers {
        page.say(format!("  {} = {value}", phrase(&scene.says, name)));
    }
}

/// The state, and each role's percepts and moves.
pub fn state(page: &mut Page, scene: &Scene, session: &Session, width: usize) {
    page.say("State").mark(Mark::Title);
    picture(page, scene, &Marks { chosen: &session.chosen, ..Marks::default() }, width);
    for (index, role) in scene.roles.iter().enumerate() {
        page.gap();
        let goals: Vec<String> = role.goals.iter().map(i64::to_string).collect();
        let goal =
            if scene.terminal && !goals.is_empty() { format!("   goal {}", goals.join(", ")) } else { String::new() };
        let chance = if role.chance { "  (chance)" } else { "" };
        page.say(format!("{}{chance}{goal}", role.name)).mark(Mark::Title);
        percepts(page, scene, role);
        let places = role.legal.iter().zip(&role.places);
        for (name, _) in places.filter(|(_, places)| fits(places, &session.chosen)) {
            let is_picked =
                session.picked.get(index).is_some_and(|it| it.as_ref() == Some(name)) || role.legal.len() == 1;
            let line = page.say(format!("  {} {}", if is_picked { "●" } else { "○" }, phrase(&scene.says, name)));
            line.mark(is_picked.then_some(Mark::Picked)).act(Command::Pick(index, name.clone()));
        }
    }
    if !scene.terminal {
        page.gap();
        page.say("[ play this round ]").mark(Mark::Button).act(Command::Play);
    }
}

/// A role's percepts of the last round, each public or private if several roles choose and this is known.
fn percepts(page: &mut Page, scene: &Scene, role: &Role) {
    if scene.round == 0 || role.chance {
        return;
    }
    if role.percepts.is_empty() {
        page.say("  perceived nothing").mark(Mark::Percept);
    }
    let players = scene.roles.iter().filter(|role| !role.chance).count();
    let public = scene.public.as_ref().and_then(|all| all.get(scene.round - 1)).filter(|_| players > 1);
    for name in &role.percepts {
        let audience = match public.map(|all| all.contains(name)) {
            Some(true) => "  (public)",
            Some(false) => "  (private)",
            None => "",
        };
        let label = phrase_of_percept(&scene.says, &role.name, name);
        let (percept, role) = (Some(name.clone()), Some(role.name.clone()));
        let line = page.say(format!("  perceived {label}{audience}")).mark(Mark::Percept);
        line.act(Command::Why(Question { percept, role, ..Question::default() }));
    }
}

/// A role's last moves and percepts.
pub fn own_history(page: &mut Page, scene: &Scene, role: &str) {
    page.say(format!("View of {role}")).mark(Mark::Title);
    let first = scene.round.saturating_sub(ROUNDS);
    if first > 0 {
        page.say(format!("  … {first} rounds before")).mark(Mark::Quiet);
    }
    let index = scene.roles.iter().position(|it| it.name == role).unwrap_or(0);
    for it in scene.history.iter().take(scene.round).skip(first) {
        let (own, percepts) =
            (phrase(&scene.says, &it.moves[index]), or_nothing(&it.percepts[index], role, &scene.says));
        page.say(format!("  {:>2}  {own:<24}  {percepts}", it.round));
    }
    page.gap();
}

/// The probability of every fact that is not certain.
pub fn beliefs(page: &mut Page, it: &Beliefs, width: usize) {
    if !it.boards.is_empty() || it.beliefs.iter().any(|it| it.probability < 1.0) {
        page.say("How likely").mark(Mark::Title);
        boards(page, &it.boards, &it.legend, &Marks { still: true, ..Marks::default() }, width);
        let cells = it.boards.iter().flat_map(|board| board.cells.iter().flatten());
        let drawn: Vec<_> = cells.flat_map(|cell| &cell.fluents).collect();
        bars(page, it.beliefs.iter().filter(|it| !drawn.contains(&&it.fluent)), &it.says, it.exact, width);
        page.gap();
    }
}

/// The histories that fit a role's view.
pub fn members(page: &mut Page, scene: &Scene, set: &Members) {
    let only = set.complete && set.histories == "1";
    if only {
        page.say(format!("{} knows everything: only 1 history fits  ({})", set.role, set.method)).mark(Mark::Title);
    } else {
        let (count, found) = (signs::histories(&set.histories), if set.complete { "" } else { " so far" });
        let states = words::counted(set.states, "state", "states");
        let fit = if set.histories == "1" { "fits" } else { "fit" };
        page.say(format!("{count} {fit}{found}, ending in {states}  ({})", set.method)).mark(Mark::Title);
    }
    for it in &set.members {
        let rounds = it.moves.iter().zip(&scene.history);
        let differs: Vec<String> =
            rounds.flat_map(|(moves, round)| differences(scene, &set.says, moves, round)).collect();
        let (says, mark) = match differs.as_slice() {
            [] => ("this match".to_owned(), Some(Mark::Picked)),
            _ => (differs.join(", "), None),
        };
        page.say(format!("  {:>5.1} %  {says}", it.probability * 100.0)).mark(mark);
    }
}

/// The moves of a round that differ from those of the match: `round 2 black (mark 1 3)`.
fn differences(scene: &Scene, says: &Phrases, moves: &[String], round: &RoundView) -> Vec<String> {
    let others = moves.iter().zip(&round.moves).zip(&scene.roles).filter(|((own, real), _)| own != real);
    others.map(|((own, _), role)| format!("round {} {} {}", round.round, role.name, phrase(says, own))).collect()
}

/// Only the knowledge of one role. `moves` are the possible ones, if they differ from those known to be legal.
pub fn seat(page: &mut Page, seat: &Seat, chosen: &[String], moves: Option<&[String]>, width: usize) {
    let over = match seat.over {
        IsOver::Yes => "the match is over",
        IsOver::No => "the match goes on",
        IsOver::Unknown => "it does not know whether the match is over",
        IsOver::Undecided => "its knowledge of the end was not determined in time",
    };
    page.say(format!("Knowledge of {} after round {}: {over}", seat.role, seat.round)).mark(Mark::Title);
    if let Some(goals) = &seat.goals {
        page.say(format!("  goal {}", goals.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")));
    }
    for it in &seat.history {
        let own = it.own.as_deref().map_or("?", |own| phrase(&seat.says, own));
        let line =
            page.say(format!("  {:>2}  {own:<24}  {}", it.round, or_nothing(&it.percepts, &seat.role, &seat.says)));
        if moves.is_none() {
            line.act(Command::Jump(it.round));
        }
    }
    page.gap();
    boards(page, &seat.boards, &seat.legend, &Marks { chosen, ..Marks::default() }, width);
    seat.certain.iter().for_each(|name| _ = page.say(format!("  {}", phrase(&seat.says, name))));
    bars(page, &seat.possible, &seat.says, seat.exact, width);
    let exact = if seat.exact { "" } else { "; probabilities are estimates" };
    page.say(format!("  {} fit what it did and saw{exact}", signs::histories(&seat.histories))).mark(Mark::Quiet);
    page.gap();
    let which = if chosen.is_empty() { String::new() } else { format!(" that name {}", chosen.join(", ")) };
    page.say(format!("Moves{which}")).mark(Mark::Title);
    for it in &seat.legal {
        if !may(moves, &it.name, it.chance) && it.chance < 1.0 {
            page.say(format!("  ? {}  ({:.0} %)", phrase(&seat.says, &it.name), it.chance * 100.0)).mark(Mark::Quiet);
        } else if may(moves, &it.name, it.chance) && fits(&it.places, chosen) {
            page.say(format!("  ○ {}", phrase(&seat.says, &it.name))).act(Command::Move(it.name.clone()));
        }
    }
}

/// True if a move can be made at a seat.
pub fn may(moves: Option<&[String]>, name: &str, chance: f64) -> bool {
    moves.map_or(chance >= 1.0, |moves| moves.iter().any(|it| it == name))
}

/// The keys of a seat that is shown alone.
pub fn seat_keys(page: &mut Page, round: usize, rounds: usize, next: Option<String>, width: usize) {
    let keys = vec![
        ("e", "next view", Command::Eye(next)),
        ("h", "back", Command::Jump(round.saturating_sub(1))),
        ("l", "", Command::Jump((round + 1).min(rounds))),
        ("r", "random round", Command::Random),
        ("s", "", Command::Tab(Tab::State)),
        ("<Esc>", "", Command::Clear),
        ("m", "play", Command::Sit),
    ];
    page.offer(keys, "play, choose a cell", width);
}

/// A match that is going on, from the person's seat.
pub fn sitting(page: &mut Page, it: &Sitting, session: &Session, width: usize) {
    let others = it.players.iter().filter(|(name, _)| **name != it.role);
    let others: Vec<String> = others.map(|(name, strategy)| format!("{name}: {strategy}")).collect();
    let others = if others.is_empty() { String::new() } else { format!("   ({})", others.join(", ")) };
    page.say(format!("You are {}{others}", it.role)).mark(Mark::Title);
    let keys =
        vec![("r", "random move", Command::Random), ("x", "give up", Command::Yield), ("<Esc>", "", Command::Clear)];
    page.offer(keys, "move, choose a cell", width);
    if it.changed {
        page.say("The game's text has changed. This match continues with its original rules.").mark(Mark::Warn);
    }
    if it.all_seen {
        let says = "This game has no rule for `sees`: it is played as plain GDL, and all roles see every move.";
        page.say(says).mark(Mark::Quiet);
    }
    match (it.turn, it.moves.as_slice()) {
        (Turn::You, [only]) => {
            let only = it.seat.as_ref().map_or(only.as_str(), |seat| phrase(&seat.says, only));
            page.say(format!("You can only {only}.")).mark(Mark::Picked)
        }
        (Turn::You, _) => page.say("It is your turn.").mark(Mark::Picked),
        _ => page.say("The other players are thinking ...").mark(Mark::Quiet),
    };
    if let Some(known) = &it.seat {
        page.gap();
        seat(page, known, &session.chosen, Some(&it.moves), width);
    }
}

/// A match that has ended, opened at a place: the true state, and below it the beliefs of the person's role.
pub fn record(page: &mut Page, it: &Sitting, scene: &Scene, believed: Option<&Seat>, width: usize) {
    let Some(record) = &it.record else { return };
    let goals =
        record.goals.iter().map(|(name, goal)| format!("{name} {}", goal.map_or("-".into(), |it| it.to_string())));
    page.say(format!("End: {}.  Goals: {}", record.why, goals.collect::<Vec<_>>().join(", "))).mark(Mark::Title);
    let keys = vec![
        ("h", "back", Command::Jump(scene.round.saturating_sub(1))),
        ("l", "on", Command::Jump((scene.round + 1).min(scene.rounds))),
        ("m", "another match", Command::Sit),
        ("s", "stepping", Command::Tab(Tab::State)),
    ];
    page.offer(keys, "", width);
    for fault in &record.errors {
        page.say(format!("  round {}, {}: {} ({})", fault.round, fault.role, fault.kind, fault.detail))
            .mark(Mark::Warn);
    }
    page.gap();
    page.say(format!("After round {} of {}", scene.round, record.history.len())).mark(Mark::Title);
    page.say("True state").mark(Mark::Title);
    picture(page, scene, &Marks { still: true, ..Marks::default() }, width);
    if let Some(believed) = believed {
        page.gap();
        seat(page, believed, &[], Some(&[]), width);
    }
}
