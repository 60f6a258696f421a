//! Verdicts as one self-contained page: the knowledge of each role after each round, the match as a timeline, the size
//! of each information set as a plot, and the histories that a role cannot tell apart, side by side with the rules that
//! gave the same percepts in both.

mod boards;
mod plot;
mod witness;

use percept_game::{Game, RoleId, trace};
use percept_infoset::Verdict;
use percept_report::names;
use percept_report::speech::Speech;
use percept_report::verdict::first_unknown;
use percept_report::words::{heading, rounds};

use super::Judged;
use crate::commands::page::{escape, whole};
use crate::load::Loaded;

/// The number of rounds above which a match is folded.
const LONG: usize = 40;

pub(super) fn page(loaded: &Loaded, judged: &[Judged]) -> String {
    let game = &*loaded.game;
    let mut out = String::new();
    let blamer = loaded.blamer();
    let layout = loaded.layout();
    if judged.iter().any(|one| one.seed.is_some()) {
        out += "<p class=\"note\">A random match says nothing about other matches: <code>percept prove</code> checks \
                every match.</p>\n";
    }
    for (index, one) in judged.iter().enumerate() {
        out += &format!("<section aria-labelledby=\"match{index}\">\n");
        let rounds = rounds(one.rounds.len());
        let name = match one.seed {
            Some(seed) if judged.len() > 1 => format!("Random match {}, seed {seed}", index + 1),
            Some(seed) => format!("A random match, seed {seed}"),
            None => "The match".to_string(),
        };
        out += &format!("<h2 id=\"match{index}\">{name} <small>{rounds}</small></h2>\n");
        out += &summary(game, one);
        out += &verdicts(game, one);
        out += &plot::plot(game, one);
        for (_, (finding, pair)) in first_unknown(&one.findings) {
            let blame = blamer.blame(finding.role, finding.property, pair);
            out += &witness::witness(loaded, &layout, finding, pair, &blame);
        }
        out += &boards::beliefs(loaded, &layout, one);
        out += &timeline(game, &loaded.speech, one);
        out += "</section>\n";
    }
    whole("percept observe", "what each role knows", loaded, &out)
}

fn sign(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Known => "&#10003;",
        Verdict::Unknown(_) => "&#10007;",
        Verdict::Undecided { .. } => "?",
    }
}

/// One card per role: the knowledge that it always has, and the rounds from which it lacks the rest.
fn summary(game: &Game, judged: &Judged) -> String {
    let mut out = "<ul class=\"cards\">\n".to_string();
    for (role, _) in &judged.sizes {
        out += &format!("<li class=\"card\"><h3>{}</h3><dl>", colored_name(game, *role));
        for property in super::properties(std::slice::from_ref(judged), *role) {
            let these = || judged.findings.iter().filter(|it| it.role == *role && it.property == property);
            let unknown = these().filter(|it| matches!(it.verdict, Verdict::Unknown(_)));
            let undecided = these().filter(|it| matches!(it.verdict, Verdict::Undecided { .. }));
            let (class, text) = match (unknown.clone().next(), undecided.clone().next()) {
                (Some(first), _) => {
                    let count = unknown.count();
                    ("unknown", format!("&#10007; not known after round {} ({})", first.round, rounds(count)))
                }
                (None, Some(first)) => ("undecided", format!("? undecided from round {} on", first.round)),
                (None, None) => ("known", "&#10003; known after every round".to_string()),
            };
            out += &format!("<div><dt>{}</dt><dd class=\"{class}\">{text}</dd></div>", heading(property));
        }
        out += "</dl></li>\n";
    }
    out + "</ul>\n"
}

/// One row per role and property, one cell per round.
fn verdicts(game: &Game, judged: &Judged) -> String {
    let mut out = "<p class=\"legend\" aria-hidden=\"true\"><span class=\"known\">&#10003; known, proved</span> \
         <span class=\"unknown\">&#10007; not known</span> <span class=\"undecided\">? undecided</span></p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Verdicts by round\">\n\
         <table class=\"verdicts\"><caption class=\"hidden\">What each role knows after each round</caption>\n\
         <thead><tr><th scope=\"col\">round</th>"
        .to_string();
    for round in 0..=judged.rounds.len() {
        out += &format!("<th scope=\"col\">{round}</th>");
    }
    out += "</tr></thead>\n<tbody>\n";
    for (role, _) in &judged.sizes {
        for property in super::properties(std::slice::from_ref(judged), *role) {
            let row = colored_name(game, *role);
            out += &format!("<tr><th scope=\"row\">{row} <span class=\"property\">{}</span></th>", heading(property));
            for round in 0..=judged.rounds.len() {
                let finding =
                    judged.findings.iter().find(|it| it.role == *role && it.property == property && it.round == round);
                out += &finding.map_or("<td></td>".to_string(), |finding| {
                    let verdict = finding.verdict.name();
                    format!(
                        "<td class=\"{verdict}\" title=\"after round {round}: {verdict}, by {}\">\
                         <span aria-hidden=\"true\">{}</span><span class=\"hidden\">{verdict}</span></td>",
                        finding.method,
                        sign(&finding.verdict)
                    )
                });
            }
            out += "</tr>\n";
        }
    }
    out + "</tbody></table>\n</div>\n"
}

/// One row per round, with the moves and the percepts of each role.
fn timeline(game: &Game, speech: &Speech, judged: &Judged) -> String {
    let open = if judged.rounds.len() <= LONG { " open" } else { "" };
    let mut out = format!(
        "<details{open}><summary>Moves and percepts</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Moves and percepts by round\">\n\
         <table class=\"timeline\"><thead><tr><th scope=\"col\">round</th>"
    );
    for role in &game.roles {
        out += &format!("<th scope=\"col\">{}</th>", escape(&role.name));
    }
    out += "</tr></thead>\n<tbody>\n";
    let views: Vec<trace::View> =
        game.role_ids().map(|role| trace::view_of(game, &judged.rounds, role, judged.rounds.len())).collect();
    for (round, moves) in names::history(game, &judged.rounds).iter().enumerate() {
        out += &format!("<tr><th scope=\"row\">{}</th>", round + 1);
        for (index, mv) in moves.iter().enumerate() {
            let waits = game.is_sequential && mv == "noop";
            let made = if waits { String::new() } else { term(speech, mv) };
            out += &format!("<td>{made}{}</td>", percepts_cell(game, speech, &views[index], round));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table>\n</div></details>\n"
}

/// The percepts of a role in a round.
fn percepts_cell(game: &Game, speech: &Speech, view: &trace::View, round: usize) -> String {
    if game.roles[view.role.0 as usize].is_chance {
        return String::new();
    }
    format!("<div class=\"seen\">sees {}</div>", percepts(game, speech, view, round))
}

/// A role's percepts of a round; `nothing` if there are none.
fn percepts(game: &Game, speech: &Speech, view: &trace::View, round: usize) -> String {
    let item = |&it: &percept_game::PerceptId| {
        let name = game.rules.percept_name(view.role, it);
        titled(speech.percept(names::role(game, view.role), &name), &name)
    };
    let all: Vec<String> = view.rounds[round].percepts.iter().map(item).collect();
    if all.is_empty() { "nothing".to_string() } else { all.join(" ") }
}

/// A move or a fluent: the words that a comment gives it, with the term as a title; else the term.
fn term(speech: &Speech, name: &str) -> String {
    titled(speech.phrase(name), name)
}

fn titled(words: String, name: &str) -> String {
    match words == name {
        true => format!("<code>{}</code>", escape(name)),
        false => format!("<span title=\"{}\">{}</span>", escape(name), escape(&words)),
    }
}

/// The name of a role for a page.
fn colored_name(game: &Game, role: RoleId) -> String {
    escape(names::role(game, role))
}
