//! Candidates in POGDDL: one more `observe` in the effect of an action that the histories do not share.

use std::collections::BTreeSet;

use percept_game::MoveId;
use percept_syntax::pddl::{Action, Effect};

use super::receivers::EVERYBODY;
use super::{Candidate, Insertion, Pair, RepairQuery};
use crate::names;

pub(super) fn candidates(query: &RepairQuery<'_>, pair: &Pair) -> Vec<Candidate> {
    let Some(domain) = query.sources[0].domain() else { return Vec::new() };
    let game = query.game;
    // A message has one receiver or all; a role of the problem has no name in the domain.
    let receiver = match query.needs[..] {
        [ref only] => {
            let role = names::role(game, only.role);
            let is_named = domain.constants.iter().flat_map(|group| &group.names).any(|it| it.is(role));
            if is_named { role } else { "all" }
        }
        _ => "all",
    };
    let pairs = pair.witness.first.iter().zip(&pair.witness.second).filter(|(one, other)| one != other);
    let made = pairs.flat_map(|(one, other)| {
        let roles = game.role_ids().zip(one.iter().zip(other));
        roles.flat_map(|(role, (one, other))| [(role, *one), (role, *other)]).collect::<Vec<_>>()
    });
    let made = made.filter(|(_, mv)| *mv != MoveId::NOOP).map(|(role, mv)| game.rules.move_term(role, mv));
    let made: BTreeSet<String> = made.map(|it| it.head().to_string()).collect();
    let mut found = Vec::new();
    for action in domain.actions.iter().filter(|action| made.contains(&action.name.text.to_ascii_lowercase())) {
        found.extend(of_action(action, receiver, &query.sources[0].text));
    }
    found
}

/// Candidates that reveal that the action was played, one of its arguments, or all of them.
fn of_action(action: &Action, receiver: &str, text: &str) -> Vec<Candidate> {
    let name = action.name.text.as_str();
    // Before the bracket that closes the list of effects; without such a list there is no candidate.
    let Some(Effect::And { range, .. }) = &action.effect else { return Vec::new() };
    let at = range.end - 1;
    let parameters: Vec<String> =
        action.params.iter().flat_map(|group| &group.names).map(|it| format!("?{}", it.text)).collect();
    let mut choices: Vec<(String, Vec<String>)> =
        vec![(format!("when `{name}` is played, but not its details"), Vec::new())];
    if parameters.is_empty() {
        choices[0].0 = format!("when `{name}` is played");
    }
    if parameters.len() > 1 {
        choices.extend(parameters.iter().map(|it| (format!("the `{it}` of each `{name}`"), vec![it.clone()])));
    }
    if !parameters.is_empty() {
        choices.push((format!("each `{name}` with all its details"), parameters));
    }
    let who = if receiver == "all" { EVERYBODY } else { receiver };
    let start = text[..at as usize].rfind('\n').map_or(0, |it| it + 1);
    let blanks: String = text[start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let line = |(what, args): (String, Vec<String>)| {
        let args: String = args.iter().map(|it| format!(" {it}")).collect();
        let which = args.replace([' ', '?'], "-");
        let text = format!("\n{blanks}  (observe ({receiver} (told-{name}{which}{args})))");
        Candidate {
            who: who.to_string(),
            what: vec![what],
            edits: vec![Insertion { file: 0, at, text }],
            lines: Vec::new(),
        }
    };
    choices.into_iter().map(line).collect()
}
