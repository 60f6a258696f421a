//! Two histories that a role cannot tell apart, side by side, with the rules behind them.

use percept_game::{Game, trace};
use percept_infoset::{Finding, Witness};
use percept_report::blame::{Blame, Rule};
use percept_report::board::Layout;
use percept_report::names::history;
use percept_report::place::Position;
use percept_report::speech::Speech;
use percept_report::words::{heading, value};
use percept_syntax::lines::LineIndex;

use super::{colored_name, escape, percepts, term};
use crate::load::Loaded;

/// The number of rounds shown around each difference.
const AROUND: usize = 2;

pub(super) fn witness(loaded: &Loaded, layout: &Layout, finding: &Finding, pair: &Witness, blame: &Blame) -> String {
    let game = &*loaded.game;
    let name = colored_name(game, finding.role);
    let first = if pair.first_is_match { "A, this match" } else { "A" };
    let label = format!(
        "{}, {}, round {}",
        escape(&game.roles[finding.role.0 as usize].name),
        heading(finding.property),
        finding.round
    );
    let mut out = format!(
        "<article class=\"witness\">\n<h3>{name} does not know {} after round {}</h3>\n\
         <p>Both histories give {name} the same own moves and the same percepts in every round.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Two histories, {label}\">\n\
         <table class=\"pair\"><thead><tr><th scope=\"col\">round</th><th scope=\"col\">{first}</th>\
         <th scope=\"col\">B</th><th scope=\"col\">{name} saw in both</th></tr></thead>\n<tbody>\n",
        heading(finding.property),
        finding.round
    );
    out += &rounds(loaded, finding, pair);
    out += &format!(
        "</tbody>\n<tfoot><tr><th scope=\"row\">so</th><td>{}</td><td>{}</td><td>cannot \
        tell</td></tr></tfoot></table>\n</div>\n",
        escape(&value(game, &loaded.speech, finding.role, &pair.first_value)),
        escape(&value(game, &loaded.speech, finding.role, &pair.second_value))
    );
    out += &rules(loaded, blame, &name);
    out += "<h4>Side by side, what differs marked</h4>\n";
    out + &super::boards::pair(loaded, layout, finding.role, pair) + "</article>\n"
}

/// The rounds in which they differ, and some around each; the others are only counted.
fn rounds(loaded: &Loaded, finding: &Finding, pair: &Witness) -> String {
    let (game, speech) = (&*loaded.game, &loaded.speech);
    let view = trace::view_of(game, &pair.first, finding.role, pair.first.len());
    let (left, right) = (history(game, &pair.first), history(game, &pair.second));
    let differs: Vec<usize> = (0..left.len()).filter(|&round| left[round] != right[round]).collect();
    let shown = |round: usize| left.len() <= 12 || differs.iter().any(|&at| round.abs_diff(at) <= AROUND);
    let mut out = String::new();
    let mut left_out = 0;
    for round in 0..left.len() {
        if !shown(round) {
            left_out += 1;
            continue;
        }
        out += &same(&mut left_out);
        let seen = percepts(game, speech, &view, round);
        let class = if differs.contains(&round) { " class=\"differs\"" } else { "" };
        out += &format!(
            "<tr{class}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{seen}</td></tr>\n",
            round + 1,
            side(game, speech, &left[round], &right[round]),
            side(game, speech, &right[round], &left[round])
        );
    }
    out + &same(&mut left_out)
}

/// A row for the rounds left out because they are the same in both.
fn same(left_out: &mut usize) -> String {
    match std::mem::take(left_out) {
        0 => String::new(),
        1 => "<tr class=\"same\"><td colspan=\"4\">1 round the same in both</td></tr>\n".to_string(),
        n => format!("<tr class=\"same\"><td colspan=\"4\">{n} rounds the same in both</td></tr>\n"),
    }
}

/// The moves of a round, with the differences marked.
fn side(game: &Game, speech: &Speech, own: &[String], other: &[String]) -> String {
    let made = game.roles.iter().zip(own.iter().zip(other));
    let made = made.filter(|(_, (own, other))| !game.is_sequential || *own != "noop" || *other != "noop");
    made.map(|(role, (own, other))| {
        let text = format!("<span class=\"role\">{}</span> {}", escape(&role.name), term(speech, own));
        if own == other { format!("<div>{text}</div>") } else { format!("<div><mark>{text}</mark></div>") }
    })
    .collect()
}

/// The rules that gave the same percepts in both, and those that cause the difference.
fn rules(loaded: &Loaded, blame: &Blame, name: &str) -> String {
    let mut out = String::new();
    if !blame.silent.is_empty() {
        out += &format!(
            "<h4>Rules for {name}'s percepts in round {}</h4>\n{}",
            blame.round,
            listed(loaded, &blame.silent)
        );
    }
    if !blame.deciding.is_empty() {
        out += &format!("<h4>Cause of the difference</h4>\n{}", listed(loaded, &blame.deciding));
    }
    out
}

fn listed(loaded: &Loaded, rules: &[Rule]) -> String {
    let mut out = "<ul class=\"rules\">\n".to_string();
    for rule in rules {
        let (path, source) = &loaded.files[rule.file];
        let line = Position::new(&LineIndex::new(&source.text), rule.range.start).line;
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = source.text.get(rule.range.start as usize..rule.range.end as usize).unwrap_or_default();
        out += &format!(
            "<li><p><span class=\"place\">{}:{line}</span> {}</p><pre tabindex=\"0\">{}</pre></li>\n",
            escape(&file),
            escape(&rule.says),
            escape(&dedented(text))
        );
    }
    out + "</ul>\n"
}

/// Text without the common indentation of all lines after the first.
fn dedented(text: &str) -> String {
    let blank = |line: &str| line.len() - line.trim_start().len();
    let least = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(blank).min().unwrap_or(0);
    let least = least.saturating_sub(2);
    let cut = |line: &str| line.get(least.min(blank(line))..).unwrap_or(line).to_string();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_string();
    std::iter::once(first).chain(lines.map(cut)).collect::<Vec<_>>().join("\n")
}
