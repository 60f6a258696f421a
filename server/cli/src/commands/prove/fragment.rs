//! `percept prove --fragment`: is the game propositional, of what horizon, and is every percept everybody's?

use percept_players::fragment::{Fragment, Shared};
use percept_syntax::Syntax;
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
    /// `null` where no bound was found.
    horizon: Option<usize>,
    /// `proved`, `refuted` or `open`.
    shared: &'static str,
    /// How it was proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    /// Of a refutation the length of the match, else the rounds in which no difference was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    /// The match, a joint move a round, whose last one shows the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<Vec<String>>>,
    /// Who perceives something in its last round, who does not, and what.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percepts: Option<Vec<String>>,
}

pub(super) fn run(loaded: &Loaded, args: &Prove) -> Outcome {
    if args.format == CheckFormat::Sarif {
        return Err(Failure::new("the fragment is told as text or JSON"));
    }
    // In a description without percepts everybody sees every move.
    let game = briefing(loaded)?.game;
    let description = match &loaded.files[0].1.syntax {
        Syntax::Gdl(description) => Some(description),
        Syntax::Pddl(_) => None,
    };
    let work = Work::begin(args.work.time.or(Some(super::TIME)));
    work.say("looking at every state");
    let fragment = Fragment::of(&game, description, &work.budget());
    drop(work);
    loaded.sound()?;
    let mut answer = Answer {
        propositional: fragment.is_propositional,
        horizon: fragment.horizon.as_ref().map(|bound| bound.rounds as usize),
        shared: "proved",
        method: None,
        depth: None,
        history: None,
        role: None,
        other: None,
        percepts: None,
    };
    let code = match fragment.shared {
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
            let named = |joint: &percept_game::JointMove| {
                game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect()
            };
            (answer.shared, answer.depth) = ("refuted", Some(history.len()));
            answer.history = Some(history.iter().map(named).collect());
            (answer.role, answer.other, answer.percepts) = (name(role), name(other), Some(percepts));
            FOUND
        }
    };
    match args.format {
        CheckFormat::Json => output::json("fragment", &answer),
        _ => output::print(&text(&answer)),
    }
    Ok(code)
}

fn text(answer: &Answer) -> String {
    let mut lines = vec![
        format!("propositional: {}", if answer.propositional { "yes" } else { "not known: too large to ground" }),
        match answer.horizon {
            Some(rounds) => format!("horizon: no match is longer than {rounds} rounds"),
            None => "horizon: no bound was found".into(),
        },
    ];
    lines.push(match (answer.shared, answer.method, answer.depth) {
        ("proved", Some("structure"), _) => "shared: proved (everybody perceives by the same rules)".into(),
        ("proved", ..) => "shared: proved (in every state)".into(),
        ("open", _, Some(depth)) => format!("shared: open; no difference within {depth} rounds"),
        _ => "shared: refuted".into(),
    });
    if let (Some(history), Some(role), Some(other), Some(percepts)) =
        (&answer.history, &answer.role, &answer.other, &answer.percepts)
    {
        for (round, joint) in history.iter().enumerate() {
            lines.push(format!("  round {}: {}", round + 1, joint.join(", ")));
        }
        lines.push(format!("  {role} perceives {}, {other} does not", percepts.join(", ")));
    }
    lines.push(String::new());
    lines.join("\n")
}
