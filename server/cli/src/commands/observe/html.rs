//! Verdicts as one page that needs nothing else: the match as a timeline, each role's percepts, the size of each
//! information set as a plot, and the histories a role cannot tell apart, side by side.

use percept_game::{Game, JointMove, RoleId, trace};
use percept_infoset::{Finding, Property, Size, Verdict, Witness};

use super::Judged;
use super::report::{moves, name, value};
use crate::load::Loaded;

const STYLE: &str = include_str!("page.css");

pub fn page(loaded: &Loaded, judged: &[Judged]) -> String {
    let game = &*loaded.game;
    let files: Vec<String> = loaded.files.iter().map(|(path, _)| escape(&path.display().to_string())).collect();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>What each role knows</title>\n\
         <style>\n{STYLE}</style></head><body>\n<h1>What each role knows</h1>\n<p class=\"files\">{}</p>\n",
        files.join(" &middot; ")
    );
    for (index, one) in judged.iter().enumerate() {
        if judged.len() > 1 {
            out += &format!("<h2>Match {}</h2>\n", index + 1);
        }
        out += &verdict_table(game, one);
        out += &timeline(game, one);
        out += &plot(game, one);
        for finding in first_unknown(game, one) {
            out += &witness(game, finding.0, finding.1);
        }
    }
    out += &silent_rules(loaded);
    out + "</body></html>\n"
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn what(property: Property) -> &'static str {
    match property {
        Property::Legal => "legal moves",
        Property::Terminal => "the end",
        Property::Goal => "the goal",
    }
}

/// One row per role and property, one cell per round.
fn verdict_table(game: &Game, judged: &Judged) -> String {
    let mut out = "<table class=\"verdicts\"><thead><tr><th>after round</th>".to_string();
    for round in 0..=judged.rounds.len() {
        out += &format!("<th>{round}</th>");
    }
    out += "</tr></thead><tbody>\n";
    for (role, _) in &judged.sizes {
        for property in Property::ALL {
            out += &format!("<tr><th>{} &middot; {}</th>", escape(&name(game, *role)), what(property));
            for round in 0..=judged.rounds.len() {
                let finding =
                    judged.findings.iter().find(|it| it.role == *role && it.property == property && it.round == round);
                out += &match finding {
                    Some(finding) => {
                        let verdict = finding.verdict.name();
                        let sign = match &finding.verdict {
                            Verdict::Known => "&#10003;",
                            Verdict::Unknown(_) => "&#10007;",
                            Verdict::Undecided { .. } => "?",
                        };
                        format!("<td class=\"{verdict}\" title=\"{verdict}, by {}\">{sign}</td>", finding.method)
                    }
                    None => "<td></td>".to_string(),
                };
            }
            out += "</tr>\n";
        }
    }
    out + "</tbody></table>\n"
}

/// One row per round: the moves, and what each role perceived.
fn timeline(game: &Game, judged: &Judged) -> String {
    let mut out = "<h3>The match</h3>\n<table class=\"timeline\"><thead><tr><th>round</th>".to_string();
    for role in &game.roles {
        out += &format!("<th>{}</th>", escape(&role.name));
    }
    out += "</tr></thead><tbody>\n";
    let views: Vec<trace::View> =
        game.role_ids().map(|role| trace::view_of(game, &judged.rounds, role, judged.rounds.len())).collect();
    for (round, moves) in moves(game, &judged.rounds).iter().enumerate() {
        out += &format!("<tr><th>{}</th>", round + 1);
        for (index, mv) in moves.iter().enumerate() {
            let role = RoleId(index as u16);
            let percepts = &views[index].rounds[round].percepts;
            let seen: Vec<String> = percepts.iter().map(|&it| escape(&game.rules.percept_name(role, it))).collect();
            let seen = if seen.is_empty() {
                String::new()
            } else {
                format!("<div class=\"seen\">sees {}</div>", seen.join(" "))
            };
            out += &format!("<td>{}{seen}</td>", escape(mv));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table>\n"
}

/// The sizes of the information sets over the rounds, on a logarithmic scale.
fn plot(game: &Game, judged: &Judged) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 180.0;
    const MARGIN: f64 = 44.0;
    let rounds = judged.rounds.len().max(1) as f64;
    // A count of more digits than a float has is as far up as its digits say.
    let log = |size: &Size| size.histories.to_string().len() as f64 - 1.0 + leading_log(&size.histories.to_string());
    let top = judged.sizes.iter().flat_map(|(_, sizes)| sizes).map(log).fold(1.0, f64::max);
    let x = |round: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * round as f64 / rounds;
    let y = |log: f64| HEIGHT - MARGIN / 2.0 - (HEIGHT - MARGIN) * log / top;
    let mut out = format!(
        "<h3>Histories that each role cannot tell apart</h3>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"sizes of information sets by round\">\n"
    );
    for power in 0..=top.ceil() as usize {
        let at = y(power as f64);
        if at >= 0.0 && (power % (top as usize / 6 + 1) == 0) {
            out += &format!(
                "<line class=\"grid\" x1=\"{MARGIN}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">10<tspan dy=\"-4\" class=\"power\">{power}</tspan></text>\n",
                WIDTH - MARGIN,
                MARGIN - 6.0,
                at + 4.0
            );
        }
    }
    for (index, (role, sizes)) in judged.sizes.iter().enumerate() {
        let points: Vec<String> = sizes.iter().map(|it| format!("{:.1},{:.1}", x(it.round), y(log(it)))).collect();
        let class = format!("role{}", index % 6);
        out += &format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.join(" "));
        for size in sizes {
            out += &format!(
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{} after round {}: {} histories, {} states</title></circle>\n",
                x(size.round),
                y(log(size)),
                escape(&name(game, *role)),
                size.round,
                size.histories,
                size.states
            );
        }
        if let Some(last) = sizes.last() {
            out += &format!(
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                x(last.round) + 6.0,
                y(log(last)) + 4.0 + 12.0 * index as f64,
                escape(&name(game, *role))
            );
        }
    }
    out + "</svg>\n"
}

/// The fractional part that the leading digits add to the number of digits: log10 of `d.ddd`.
fn leading_log(digits: &str) -> f64 {
    let leading = &digits[..digits.len().min(15)];
    let scale = 10f64.powi(leading.len() as i32 - 1);
    (leading.parse::<f64>().unwrap_or(1.0) / scale).max(1.0).log10()
}

/// For each role and property the first round in which it is not known.
fn first_unknown<'j>(game: &Game, judged: &'j Judged) -> Vec<(&'j Finding, &'j Witness)> {
    let mut found = Vec::new();
    for role in game.role_ids() {
        for property in Property::ALL {
            found.extend(judged.findings.iter().filter(|it| it.role == role && it.property == property).find_map(
                |it| match &it.verdict {
                    Verdict::Unknown(witness) => Some((it, &**witness)),
                    _ => None,
                },
            ));
        }
    }
    found
}

/// The two histories side by side, differences marked, and below them what the role saw in both.
fn witness(game: &Game, finding: &Finding, witness: &Witness) -> String {
    let role = finding.role;
    let who = escape(&name(game, role));
    let first = if witness.first_is_match { "this match" } else { "one history" };
    let mut out = format!(
        "<h3>{who} does not know {} after round {}</h3>\n<table class=\"pair\"><thead><tr><th>round</th>\
         <th>{first}</th><th>another history with the same view</th><th>{who} saw in both</th></tr></thead><tbody>\n",
        what(finding.property),
        finding.round
    );
    let view = trace::view_of(game, &witness.first, role, witness.first.len());
    let (left, right) = (moves(game, &witness.first), moves(game, &witness.second));
    for (round, (left, right)) in left.iter().zip(&right).enumerate() {
        let side = |own: &[String], other: &[String]| -> String {
            let made = game.roles.iter().zip(own.iter().zip(other));
            let made = made.filter(|(_, (own, other))| !game.is_sequential || *own != "noop" || *other != "noop");
            made.map(|(role, (own, other))| {
                let text = format!("{} {}", escape(&role.name), escape(own));
                if own == other { format!("<div>{text}</div>") } else { format!("<div class=\"differs\">{text}</div>") }
            })
            .collect()
        };
        let seen: Vec<String> =
            view.rounds[round].percepts.iter().map(|&it| escape(&game.rules.percept_name(role, it))).collect();
        let seen = if seen.is_empty() { "nothing".to_string() } else { seen.join(" ") };
        out += &format!(
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{seen}</td></tr>\n",
            round + 1,
            side(left, right),
            side(right, left)
        );
    }
    out += &format!(
        "<tr class=\"value\"><th></th><td>{}</td><td>{}</td><td></td></tr>\n</tbody></table>\n",
        escape(&value(game, role, &witness.first_value)),
        escape(&value(game, role, &witness.second_value))
    );
    let state = |history: &[JointMove]| {
        let states = trace::states(game, history);
        let shown = percept_game::stepper::shown(game, &states[states.len() - 1]);
        escape(&crate::show::state(&shown).join("\n"))
    };
    out + &format!(
        "<div class=\"states\"><pre>{}</pre><pre>{}</pre></div>\n",
        state(&witness.first),
        state(&witness.second)
    )
}

/// The source lines that decide what is perceived: a missing percept has to be added there.
fn silent_rules(loaded: &Loaded) -> String {
    let mut out = String::new();
    for (path, source) in &loaded.files {
        let tells = |line: &str| {
            let line = line.trim_start();
            !line.starts_with([';', '%']) && (line.contains("sees") || line.contains("(observe"))
        };
        let lines: Vec<String> = source
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| tells(line))
            .map(|(index, line)| format!("<b>{:>4}</b> {}", index + 1, escape(line)))
            .collect();
        if !lines.is_empty() {
            let path = escape(&path.display().to_string());
            out += &format!("<h3>What is told, in {path}</h3>\n<pre class=\"source\">{}</pre>\n", lines.join("\n"));
        }
    }
    out
}
