//! The report as a page: what to look at first, then every match.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use percept_report::speech::phrase;
use percept_table::debrief::{Match, Role};

use super::{Answer, bits, fate, name, player, slowest};
use crate::commands::page::{escape, titled};

/// The size of the plot of surprise, and its margins.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 44.0;
const BOTTOM: f64 = 26.0;
/// The width of the names beside the lines of a plot.
const NAMES: f64 = 130.0;

pub(super) fn page(file: &Path, answer: &Answer) -> String {
    let mut body = String::from("<h2>Games</h2>\n");
    body += &table(
        "Games",
        &[
            "game",
            "versions",
            "matches",
            "finished",
            "gave up",
            "decisions",
            "median",
            "too late",
            "not legal",
            "not understood",
            "certain early",
        ],
        answer.games.iter().map(|it| {
            let median = it.median.map_or(String::new(), |seconds| format!("{seconds:.1} s"));
            let count = |number: usize| number.to_string();
            vec![
                it.game.clone(),
                count(it.versions),
                count(it.matches),
                count(it.finished),
                count(it.gave_up),
                count(it.decisions),
                median,
                count(it.late),
                count(it.tried),
                count(it.notes),
                count(it.certain),
            ]
        }),
    );
    body += &stumbles(answer);
    for it in &answer.matches {
        body += &of_match(it);
    }
    body += "<h2>What the numbers mean</h2>\n\
        <p>A decision begins when the role knows the last round, and ends with the click. The median is the time of the \
        decision in the middle. A match in which a person gave up does not count as finished.</p>\n\
        <p>The surprise of a round is &minus;log<sub>2</sub> of the probability that the role gave before it to what it \
        then saw: its percepts, and that the match went on. It believes all histories that fit its view, weighted by \
        chance and by other roles that move uniformly at random. 0 bits were known before, 1 bit is the fall of a coin. \
        A pale dot comes from draws, not from an exact count; a triangle is at least as much.</p>\n\
        <p>A goal was certain if it is the same in every history that fits the role's view, whatever all roles do from \
        there. This is proved, within limits of time and size; where nothing is said, it is open or was not found.</p>\n";
    let title = file.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    titled("percept debrief", &format!("{title}: what people did"), &[PathBuf::from(file)], &body)
}

/// Everything that people did not understand, tried in vain, or could not change any more.
fn stumbles(answer: &Answer) -> String {
    let of_role = |it: &Match, role: &Role| -> Vec<(String, String, usize, String)> {
        let row = |what: &str, round: usize, text: &str| {
            (format!("{}: {}", name(it), player(role)), what.to_string(), round, text.to_string())
        };
        let notes = role.notes.iter().map(|it| row("did not understand", it.round, &it.text));
        let tried = role.tried.iter().map(|mv| row("tried, not legal", mv.round, phrase(&it.says, &mv.text)));
        let late = role
            .decisions
            .iter()
            .filter(|made| made.late)
            .map(|made| row("too late", made.round, &format!("{} was made", phrase(&it.says, &made.mv))));
        let left = role.gave_up.map(|round| row("gave up", round, ""));
        let fate = fate(role).map(|text| row("certain early", role.certain.as_ref().map_or(0, |it| it.after), &text));
        notes.chain(tried).chain(late).chain(left).chain(fate).collect()
    };
    let rows: Vec<_> =
        answer.matches.iter().flat_map(|it| it.roles.iter().flat_map(move |role| of_role(it, role))).collect();
    if rows.is_empty() {
        return "<p>No person said that something is not clear, tried a move that is not legal, or gave up.</p>\n"
            .into();
    }
    let rows = rows.into_iter().map(|(who, what, round, text)| vec![who, what, round.to_string(), text]);
    format!(
        "<h2>Where people stumbled</h2>\n{}",
        table("Where people stumbled", &["who", "what", "after round", ""], rows)
    )
}

fn of_match(it: &Match) -> String {
    let mut out = format!(
        "<h2>{} <small>{}, {} rounds, {}</small></h2>\n",
        escape(&name(it)),
        escape(&it.game),
        it.rounds,
        escape(it.ended.as_deref().unwrap_or("interrupted"))
    );
    let rows = it.roles.iter().map(|role| {
        let seconds: f64 = role.decisions.iter().map(|it| it.seconds).sum();
        let (sum, about) = bits(role);
        let goal = role.goal.map_or("none".into(), |goal| goal.to_string());
        let about = if about { "about " } else { "" };
        vec![
            role.role.clone(),
            role.player.clone(),
            goal,
            role.decisions.len().to_string(),
            format!("{seconds:.1} s"),
            format!("{about}{sum:.1} bits"),
        ]
    });
    out += &table(
        &format!("Roles of {}", name(it)),
        &["role", "player", "goal", "decisions", "thought", "surprised by"],
        rows,
    );
    out += &plot(it);
    let slow = slowest(it);
    if !slow.is_empty() {
        out += "<h3>The slowest decisions</h3>\n";
        let rows = slow.into_iter().map(|(role, made)| {
            vec![
                player(role),
                made.round.to_string(),
                phrase(&it.says, &made.mv).to_owned(),
                made.moves.to_string(),
                format!("{:.1} s", made.seconds),
            ]
        });
        out += &table(&format!("Slowest decisions of {}", name(it)), &["who", "round", "move", "of", "time"], rows);
    }
    out
}

/// The surprise of every role, by round.
fn plot(it: &Match) -> String {
    let most = it.roles.iter().flat_map(|role| role.surprise.iter().flatten()).map(|it| it.bits).fold(1.0, f64::max);
    if it.rounds == 0 || most.is_nan() {
        return String::new();
    }
    let x = |round: usize| LEFT + (round - 1) as f64 / (it.rounds - 1).max(1) as f64 * (WIDTH - LEFT - NAMES);
    let y = |bits: f64| 10.0 + (1.0 - bits / most) * (HEIGHT - BOTTOM - 10.0);
    let mut out = format!(
        "<figure>\n<figcaption>Surprise by round, in bits</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"The surprise of every role at each round; the numbers are in the table above and in --format json\">\n"
    );
    for bits in [0.0, most / 2.0, most] {
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text class=\"tick\" x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{bits:.1}</text>",
            WIDTH - NAMES,
            y(bits),
            LEFT - 8.0,
            y(bits) + 4.0
        );
    }
    let step = it.rounds.div_ceil(12);
    for round in (1..=it.rounds).step_by(step) {
        let _ = writeln!(
            out,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{round}</text>",
            x(round),
            HEIGHT - 8.0
        );
    }
    let mut lowest = f64::NEG_INFINITY;
    for (at, role) in it.roles.iter().enumerate() {
        let class = format!("role{}", at % 6);
        let points: Vec<(usize, percept_table::debrief::Surprise)> =
            role.surprise.iter().enumerate().filter_map(|(at, it)| Some((at + 1, (*it)?))).collect();
        let line: Vec<String> =
            points.iter().map(|(round, it)| format!("{:.1},{:.1}", x(*round), y(it.bits))).collect();
        let _ = writeln!(out, "<polyline class=\"{class}\" points=\"{}\"/>", line.join(" "));
        for (round, it) in &points {
            let at_least = if it.at_least { "at least " } else { "" };
            let title = format!("{}, round {round}: {at_least}{:.2} bits", role.role, it.bits);
            let fill = if it.exact { "" } else { " fill-opacity=\"0.25\"" };
            let mark = if it.at_least {
                format!("<path class=\"{class}\" d=\"M{0:.1} {1:.1} l5 8 h-10 z\"", x(*round), y(it.bits) - 4.0)
            } else {
                format!("<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"{fill}", x(*round), y(it.bits))
            };
            let _ = writeln!(
                out,
                "{mark}><title>{}</title>{}",
                escape(&title),
                if it.at_least { "</path>" } else { "</circle>" }
            );
        }
        if let Some((round, last)) = points.last() {
            let at = y(last.bits).max(lowest + 14.0);
            lowest = at;
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(*round) + 9.0,
                at + 4.0,
                escape(&player(role))
            );
        }
    }
    out + "</svg>\n</figure>\n"
}

fn table(title: &str, head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"timeline\">\n<thead><tr>",
        escape(title)
    );
    head.iter().for_each(|name| out += &format!("<th scope=\"col\">{}</th>", escape(name)));
    out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        out += "<tr>";
        row.iter().for_each(|cell| out += &format!("<td>{}</td>", escape(cell)));
        out += "</tr>\n";
    }
    out + "</tbody></table></div>\n"
}
