//! `percept prove --fragment`: checks if the game is propositional, its horizon, and if every percept is public.

use percept_game::JointMove;
use percept_players::fragment::{Fragment, Horizon, Shared};
use percept_syntax::Syntax;
use percept_syntax::words::rounds;
use serde::Serialize;

use crate::args::{CheckFormat, Prove};
use crate::commands::matches::briefing;
use crate::failure::{FOUND, Failure, OK, OPEN, Outcome};
use crate::load::Loaded;
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Answer {
    propositional: bool,
    /// The horizon; `null` if there is none, or it was not found.
    horizon: Option<usize>,
    /// A match that can go on for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<Endless>,
    /// A match after which a role cannot move, though it is not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<Stuck>,
    /// `proved`, `refuted` or `open`.
    shared: &'static str,
    /// The method of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    /// For a refutation, the length of the match; else the number of rounds without a difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    /// The match as joint moves; its last round shows the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<Vec<String>>>,
    /// The role that perceives something in the last round, the one that does not, and the percept.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percepts: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Endless {
    /// The joint moves.
    history: Vec<Vec<String>>,
    /// The state after the last round is the one after this round.
    back_to: usize,
}

#[derive(Serialize)]
struct Stuck {
    role: String,
    /// The joint moves.
    history: Vec<Vec<String>>,
}

pub(super) fn run(loaded: &Loaded, args: &Prove) -> Outcome {
    if args.format == CheckFormat::Sarif {
        return Err(Failure::new("the fragment has no SARIF report"));
    }
    // In a description without percepts every role sees every move.
    let work = Work::begin(args.work.time.or(Some(super::TIME)));
    let game = briefing(loaded, &work.budget())?.game;
    let description = match &loaded.files[0].1.syntax {
        Syntax::Gdl(description) => Some(description),
        Syntax::Pddl(_) => None,
    };
    work.say("looking at every state");
    let fragment = Fragment::of(&game, description, &work.budget());
    drop(work);
    loaded.sound()?;
    let named = |history: &[JointMove]| -> Vec<Vec<String>> {
        let names =
            |joint: &JointMove| game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
        history.iter().map(names).collect()
    };
    let (mut horizon, mut endless, mut stuck) = (None, None, None);
    let ends = match &fragment.horizon {
        Horizon::Known(bound) => {
            horizon = Some(bound.rounds as usize);
            OK
        }
        Horizon::Endless { history, back_to } => {
            endless = Some(Endless { history: named(history), back_to: *back_to });
            FOUND
        }
        Horizon::Stuck { role, history } => {
            stuck = Some(Stuck { role: role.clone(), history: named(history) });
            FOUND
        }
        Horizon::Open => OPEN,
    };
    let mut answer = Answer {
        propositional: fragment.is_propositional,
        horizon,
        endless,
        stuck,
        shared: "proved",
        method: None,
        depth: None,
        history: None,
        role: None,
        other: None,
        percepts: None,
    };
    let shares = match fragment.shared {
        Shared::Proved { method } => {
            answer.method = Some(method);
            OK
        }
        Shared::Open { depth } => {
            (answer.shared, answer.depth) = ("open", Some(depth));
            OPEN
        }
        Shared::Refuted { history, role, other, percepts } => {
            let name = |role: percept_game::RoleId| Some(game.roles[role.0 as usize].name.clone());
            (answer.shared, answer.depth) = ("refuted", Some(history.len()));
            answer.history = Some(named(&history));
            (answer.role, answer.other, answer.percepts) = (name(role), name(other), Some(percepts));
            FOUND
        }
    };
    match args.format {
        CheckFormat::Json => output::json("fragment", &answer),
        _ => output::print(&text(&answer)),
    }
    // A refutation takes precedence over an open question.
    Ok(match (ends, shares) {
        (FOUND, _) | (_, FOUND) => FOUND,
        (OPEN, _) | (_, OPEN) => OPEN,
        _ => OK,
    })
}

fn text(answer: &Answer) -> String {
    let mut lines =
        vec![format!("propositional: {}", if answer.propositional { "yes" } else { "not known: too large to ground" })];
    match (answer.horizon, &answer.endless, &answer.stuck) {
        (Some(length), ..) => lines.push(format!("horizon: no match is longer than {}", rounds(length))),
        (None, Some(Endless { history, back_to }), _) => {
            lines.push("horizon: none, a match can go on for ever".into());
            lines.extend(match_lines(history));
            let before = match back_to {
                0 => "the first state".into(),
                round => format!("the state after round {round}"),
            };
            lines.push(format!("  the state after round {} is {before} again", history.len()));
        }
        (None, None, Some(Stuck { role, history })) => {
            lines.push("horizon: none, a match can stop before its end".into());
            lines.extend(match_lines(history));
            lines.push(format!(
                "  {role} has no legal move after {}, though the match is not over",
                rounds(history.len())
            ));
        }
        (None, None, None) => lines.push("horizon: no bound was found".into()),
    }
    lines.push(match (answer.shared, answer.method, answer.depth) {
        ("proved", Some("structure"), _) => "shared: proved (all roles perceive by the same rules)".into(),
        ("proved", ..) => "shared: proved (in every state)".into(),
        ("open", _, Some(depth)) => format!("shared: open; no difference within {}", rounds(depth)),
        _ => "shared: refuted".into(),
    });
    if let (Some(history), Some(role), Some(other), Some(percepts)) =
        (&answer.history, &answer.role, &answer.other, &answer.percepts)
    {
        lines.extend(match_lines(history));
        lines.push(format!("  {role} perceives {}, {other} does not", percepts.join(", ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The match, one round on each line.
fn match_lines(history: &[Vec<String>]) -> impl Iterator<Item = String> {
    history.iter().enumerate().map(|(round, joint)| format!("  round {}: {}", round + 1, joint.join(", ")))
}
