//! Which rules are to blame for what a role does not know: those that could have told it but told the same in both
//! histories, and those that make the difference it should know of.

use std::collections::BTreeMap;

use percept_game::gdl::{Explainer, Explanation};
use percept_game::{JointMove, RoleId, Scope, State, trace};
use percept_infoset::{Finding, Property, Value, Witness};
use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Action, Definition, Domain, Effect};
use percept_syntax::{Syntax, TextRange};

use crate::load::Loaded;

/// A place in the game's text and what it says about a witness.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Index into the files of the game.
    pub file: usize,
    pub range: TextRange,
    pub says: String,
}

/// The rules behind a witness.
#[derive(Default, Debug)]
pub struct Blame {
    /// The round (from 1) in which the role could have been told: the first one that differs.
    pub round: usize,
    /// What decides the role's percepts there, the likeliest to be at fault first.
    pub silent: Vec<Rule>,
    /// What makes the difference.
    pub deciding: Vec<Rule>,
}

/// Percepts that a rule might have given, asked for one by one.
const ASKED: usize = 64;
/// Rules named on one side.
const NAMED: usize = 8;

/// Looks for rules to blame; builds what that needs once for all witnesses of a game.
pub struct Blamer<'l> {
    loaded: &'l Loaded,
    explainer: Option<Explainer>,
}

impl<'l> Blamer<'l> {
    pub fn new(loaded: &'l Loaded) -> Blamer<'l> {
        let explainer = match &loaded.files[0].1.syntax {
            Syntax::Gdl(description) => Explainer::new(description).ok(),
            Syntax::Pddl(_) => None,
        };
        Blamer { loaded, explainer }
    }

    pub fn blame(&self, finding: &Finding, witness: &Witness) -> Blame {
        let round = witness.parting().min(witness.first.len());
        let mut blame = match (&self.loaded.files[0].1.syntax, &self.explainer) {
            (Syntax::Gdl(description), Some(explainer)) => {
                let game = Gdl { loaded: self.loaded, description, explainer };
                Blame {
                    round,
                    silent: game.silent(finding.role, witness, round),
                    deciding: game.deciding(finding, witness),
                }
            }
            (Syntax::Pddl(file), _) => {
                let domain = file.definitions.iter().find_map(|definition| match definition {
                    Definition::Domain(domain) => Some(&**domain),
                    Definition::Problem(_) => None,
                });
                domain.map_or_else(Blame::default, |domain| in_domain(self.loaded, domain, finding, witness, round))
            }
            _ => Blame::default(),
        };
        blame.silent.truncate(NAMED);
        blame.deciding.truncate(NAMED);
        blame
    }
}

/// The names of a state's fluents and of a joint move.
fn facts(loaded: &Loaded, state: &State, joint: Option<&JointMove>) -> (Vec<String>, Vec<(String, String)>) {
    let game = &*loaded.game;
    let fluents = state.fluents().map(|fluent| game.rules.fluent_name(fluent)).collect();
    let made = joint.map(|joint| {
        let name = |(role, &mv): (RoleId, _)| {
            (loaded.game.roles[role.0 as usize].name.clone(), game.rules.move_name(role, mv))
        };
        game.role_ids().zip(joint).map(name).collect()
    });
    (fluents, made.unwrap_or_default())
}

struct Gdl<'l> {
    loaded: &'l Loaded,
    description: &'l Description,
    explainer: &'l Explainer,
}

impl Gdl<'_> {
    fn explain(&self, state: &State, joint: Option<&JointMove>, atom: &str, depth: usize) -> Option<Explanation> {
        let (fluents, moves) = facts(self.loaded, state, joint);
        self.explainer.explain(&fluents, &moves, atom, depth)
    }

    /// The rules for `(sees role ...)`: what they told in both histories, or where they got stuck.
    fn silent(&self, role: RoleId, witness: &Witness, round: usize) -> Vec<Rule> {
        let game = &*self.loaded.game;
        let name = &game.roles[role.0 as usize].name;
        // By rule: the percept it gave in both histories, or the fewest conditions it lacked.
        let mut told: BTreeMap<TextRange, String> = BTreeMap::new();
        let mut lacked: BTreeMap<TextRange, (usize, String)> = BTreeMap::new();
        for history in [&witness.first, &witness.second] {
            if round == 0 {
                break;
            }
            let states = trace::states(game, &history[..round - 1]);
            let (state, joint) = (&states[round - 1], &history[round - 1]);
            let seen = game.rules.percepts(state, joint, role);
            let mut asked: Vec<String> = seen.iter().map(|&it| game.rules.percept_name(role, it)).collect();
            asked.extend(self.percepts(role).into_iter().take(ASKED));
            for percept in asked {
                let Some(explanation) = self.explain(state, Some(joint), &format!("(sees {name} {percept})"), 0) else {
                    continue;
                };
                for reason in &explanation.reasons {
                    told.entry(reason.rule).or_insert_with(|| format!("tells {name} {percept} in both"));
                }
                for failure in &explanation.failures {
                    let literals: Vec<&str> = failure.failed.iter().map(|(literal, _)| literal.as_str()).collect();
                    let says = format!("does not tell {name} {percept}: not {}", literals.join(", not "));
                    let known = lacked.entry(failure.rule).or_insert((usize::MAX, String::new()));
                    if literals.len() < known.0 {
                        *known = (literals.len(), says);
                    }
                }
            }
        }
        let rule = |range: TextRange, says: String| Rule { file: 0, range, says };
        let mut rules: Vec<Rule> = told.iter().map(|(&range, says)| rule(range, says.clone())).collect();
        let mut stuck: Vec<_> = lacked.into_iter().filter(|(range, _)| !told.contains_key(range)).collect();
        stuck.sort_by_key(|(range, (count, _))| (*count, range.start));
        rules.extend(stuck.into_iter().map(|(range, (_, says))| rule(range, says)));
        if rules.is_empty() {
            let never = |range| rule(range, format!("nothing is told to {name} in round {round}"));
            rules.extend(self.sees_of(name).into_iter().map(never));
        }
        if rules.is_empty() {
            let never = |range| rule(range, format!("no rule ever tells {name} anything"));
            rules.extend(self.role_of(name).map(never));
        }
        rules
    }

    /// All percepts of a role, where the game is ground.
    fn percepts(&self, role: RoleId) -> Vec<String> {
        let rules = &self.loaded.game.rules;
        let Ok(ground) = rules.ground(&Scope::default()) else { return vec![] };
        let mut ids: Vec<_> = ground.sees[role.0 as usize].iter().map(|&(percept, _)| percept).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(|id| rules.percept_name(role, id)).collect()
    }

    /// The statements whose head is `(sees name ...)`, or with a variable for the role.
    fn sees_of(&self, name: &str) -> Vec<TextRange> {
        let about = |head: &percept_syntax::gdl::Term| {
            let role = head.args().first();
            head.name.text == "sees" && role.is_some_and(|role| role.is_variable() || role.name.text == name)
        };
        let statements = self.description.statements.iter();
        statements.filter(|it| it.head.as_ref().is_some_and(about)).map(|it| it.range).collect()
    }

    fn role_of(&self, name: &str) -> Option<TextRange> {
        let about = |head: &percept_syntax::gdl::Term| {
            head.name.text == "role" && head.args().first().is_some_and(|role| role.name.text == name)
        };
        let statements = self.description.statements.iter();
        statements.filter(|it| it.head.as_ref().is_some_and(about)).map(|it| it.range).next()
    }

    /// The rules by which the two histories differ: what holds in one of them, and what is missing in the other.
    fn deciding(&self, finding: &Finding, witness: &Witness) -> Vec<Rule> {
        let role = &self.loaded.game.roles[finding.role.0 as usize].name;
        let Some(atom) = self.differing(finding.role, role, witness) else { return vec![] };
        let end = |history: &[JointMove]| trace::states(&self.loaded.game, history).pop();
        let mut rules = Vec::new();
        for (history, which) in [(&witness.first, "the first"), (&witness.second, "the other")] {
            let Some(explanation) = end(history).and_then(|state| self.explain(&state, None, &atom, 2)) else {
                continue;
            };
            if explanation.holds {
                grounds(&explanation, &mut |range, literal| {
                    rules.push(Rule { file: 0, range, says: format!("{literal} in {which} history") });
                });
            }
        }
        rules.dedup_by(|left, right| left.range == right.range);
        rules
    }

    /// An atom that holds after one of the histories only.
    fn differing(&self, id: RoleId, role: &str, witness: &Witness) -> Option<String> {
        let of_move = |mv| format!("(legal {role} {})", self.loaded.game.rules.move_name(id, mv));
        match (&witness.first_value, &witness.second_value) {
            (Value::Terminal(_), _) => Some("terminal".to_string()),
            (Value::Legal(first), Value::Legal(second)) => {
                let only = first.iter().find(|mv| !second.contains(mv));
                only.or_else(|| second.iter().find(|mv| !first.contains(mv))).map(|&mv| of_move(mv))
            }
            (Value::Goal(first), Value::Goal(second)) => {
                let only = second.iter().find(|goal| !first.contains(goal));
                only.or_else(|| first.iter().find(|goal| !second.contains(goal)))
                    .map(|goal| format!("(goal {role} {goal})"))
            }
            _ => None,
        }
    }
}

/// The rule instances that make an atom hold, and those that make their conditions hold.
fn grounds(explanation: &Explanation, each: &mut dyn FnMut(TextRange, &str)) {
    // Facts hold in every history.
    let Some(reason) = explanation.reasons.first().filter(|reason| !reason.support.is_empty()) else { return };
    each(reason.rule, &explanation.atom);
    for because in reason.support.iter().filter_map(|support| support.because.as_deref()) {
        grounds(because, each);
    }
}

/// In POGDDL: what the actions of the round say to whom, and what makes the difference.
fn in_domain(loaded: &Loaded, domain: &Domain, finding: &Finding, witness: &Witness, round: usize) -> Blame {
    let game = &*loaded.game;
    let name = &game.roles[finding.role.0 as usize].name;
    let mut blame = Blame { round, ..Blame::default() };
    let action = |mv: &str| {
        let head = mv.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default();
        domain.actions.iter().find(|action| action.name.text.eq_ignore_ascii_case(head))
    };
    let made = |history: &[JointMove]| -> Vec<(String, &Action)> {
        let Some(joint) = round.checked_sub(1).and_then(|index| history.get(index)) else { return vec![] };
        let names = game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv));
        names.filter_map(|mv| action(&mv).map(|action| (mv, action))).collect()
    };
    let view = trace::view_of(game, &witness.first, finding.role, round);
    let seen: Vec<String> = view
        .rounds
        .last()
        .map_or(vec![], |seen| seen.percepts.iter().map(|&it| game.rules.percept_name(finding.role, it)).collect());
    let seen = if seen.is_empty() { "nothing".to_string() } else { seen.join(" ") };
    for (mv, action) in made(&witness.first).into_iter().chain(made(&witness.second)) {
        let mut places = Vec::new();
        if let Some(effect) = &action.effect {
            observations(effect, &mut places);
        }
        let says = match places.is_empty() {
            true => format!("{mv} tells nobody anything"),
            false => format!("{mv} tells {name} {seen} in both"),
        };
        let places = if places.is_empty() { vec![action.name.range] } else { places };
        for range in places {
            if blame.silent.iter().all(|known| known.range != range) {
                blame.silent.push(Rule { file: 0, range, says: says.clone() });
            }
        }
    }
    blame.deciding = match finding.property {
        Property::Goal | Property::Terminal => domain
            .gains
            .iter()
            .map(|gain| Rule { file: 0, range: gain.range, says: "decides what a role gets".to_string() })
            .collect(),
        Property::Legal => {
            let (Value::Legal(first), Value::Legal(second)) = (&witness.first_value, &witness.second_value) else {
                return blame;
            };
            let one_sided =
                first.iter().filter(|mv| !second.contains(mv)).chain(second.iter().filter(|mv| !first.contains(mv)));
            let names = one_sided.map(|&mv| game.rules.move_name(finding.role, mv));
            let rules = names.filter_map(|mv| {
                let action = action(&mv)?;
                let range = action.precondition.as_ref().map_or(action.name.range, |it| it.range());
                Some(Rule { file: 0, range, says: format!("allows {mv} in one history only") })
            });
            let mut rules: Vec<Rule> = rules.collect();
            rules.dedup_by(|left, right| left.range == right.range);
            rules
        }
    };
    blame
}

/// The places of an effect's `observe`s.
fn observations(effect: &Effect, places: &mut Vec<TextRange>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| observations(part, places)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => observations(effect, places),
        Effect::Observe { range, .. } => places.push(*range),
        _ => {}
    }
}
