//! POGDDL: two moves of a role that look alike to it. If no message reaches the mover at all, the rule of the same name
//! in the analysis reports it; here two matches show it.

use percept_game::{JointMove, MoveId, RoleId, Scope, Term};
use percept_infoset::prove::{self, Options, Pair, Prover, Verdict};
use percept_infoset::{Budget, Property};
use percept_syntax::pddl::{Action, Condition};

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Rule, Severity, Watch, mends};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unseen-own-move", severity: Severity::Warning, page: include_str!("unseen-own-move.md") };

/// Rules of the text that report the same cause.
const TOLD_BY: &[&str] = &[RULE.name];

/// The most rounds in which further actions are examined, once one was found.
const FARTHER: usize = 8;

pub(super) fn watch<'a>(case: &'a Case<'a>, budget: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let wanted = case.game.is_sequential && !case.game.knows_own_moves && case.domain().is_some();
    wanted.then(|| Box::new(Own { budget: budget.clone() }) as Box<dyn Watch>)
}

struct Own {
    budget: Budget,
}

impl Watch for Own {
    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut prover = Prover::new(case.game);
        let players: Vec<RoleId> = case.players().collect();
        for (index, &role) in players.iter().enumerate() {
            let budget = self.budget.share(players.len() - index);
            if budget.is_spent() {
                break;
            }
            let options = Options::default();
            let Verdict::Refuted { pair, method } =
                prover.prove(role, Property::Own, &options, &budget.share(2)).verdict
            else {
                continue;
            };
            // Random matches do not show shortest pairs.
            let found = MovePair { role, is_shortest: method != "matches", pair };
            for finding in found.of_every_action(case, &budget) {
                if findings.iter().all(|other| other.place() != finding.place()) {
                    findings.push(finding);
                }
            }
        }
        findings
    }
}

/// Two matches that look alike to a role, with different moves of the role in their last rounds.
struct MovePair {
    role: RoleId,
    is_shortest: bool,
    pair: Pair,
}

impl MovePair {
    /// A finding for each action of the role with two moves that look alike; without such an action, the finding
    /// itself.
    fn of_every_action(self, case: &Case<'_>, budget: &Budget) -> Vec<Finding> {
        let role = self.role;
        let head = |mv: MoveId| case.game.rules.move_term(role, mv).head().to_owned();
        let [one, other] = self.moves();
        let of_one_action = one != MoveId::NOOP && other != MoveId::NOOP && head(one) == head(other);
        let depth = FARTHER.max(self.pair.left.len());
        let mut actions: Vec<String> = match case.game.rules.ground(&Scope::default()) {
            Ok(ground) => ground.moves[role.0 as usize]
                .iter()
                .map(|&(mv, _)| mv)
                .filter(|mv| *mv != MoveId::NOOP)
                .map(head)
                .collect(),
            Err(_) => Vec::new(),
        };
        actions.sort_unstable();
        actions.dedup();
        let mut all: Vec<MovePair> = Vec::new();
        let count = actions.len();
        for (index, action) in actions.into_iter().enumerate() {
            let limit = budget.share(count - index + 1);
            let pair = prove::moves_alike(case.game, role, &|mv| head(mv) == action, depth, &limit);
            all.extend(pair.map(|pair| MovePair { role, is_shortest: true, pair }));
        }
        // The two methods race, so the pair of the other method is used only for an action for which the solver has
        // none.
        if all.is_empty() || of_one_action && all.iter().all(|it| head(it.moves()[0]) != head(one)) {
            all.insert(0, self);
        }
        all.into_iter().filter_map(|found| found.finding(case)).collect()
    }

    /// The role's last move in each match.
    fn moves(&self) -> [MoveId; 2] {
        let last = |history: &[JointMove]| history.last().map_or(MoveId::NOOP, |joint| joint[self.role.0 as usize]);
        [last(&self.pair.left), last(&self.pair.right)]
    }

    fn finding(self, case: &Case<'_>) -> Option<Finding> {
        let (role, rounds) = (self.role, self.pair.left.len());
        let mut moves = self.moves().map(|mv| (mv != MoveId::NOOP).then(|| case.game.rules.move_term(role, mv)));
        let mut matches = [self.pair.left, self.pair.right];
        // If it made no move in one of them, the other is to blame.
        if moves[0].is_none() {
            moves.swap(0, 1);
            matches.swap(0, 1);
        }
        let [one, other] = moves;
        let one = one?;
        let find = |mv: &Term| case.domain()?.actions.iter().find(|action| action.name.is(mv.head()));
        let action = find(&one)?;
        let (name, number) = (case.name(role), when(rounds));
        let tell = format!("(observe ({} {}))", receiver(action, name), message(action));
        let text = match &other {
            Some(other) if other.head() == one.head() => format!(
                "`{name}` does not know which `{}` it made: {number}, `{one}` and `{other}` look alike to it; add \
                `{tell}`",
                action.name.text
            ),
            Some(other) => format!(
                "`{name}` does not know which move it made: {number}, `{one}` and `{other}` look alike to it; add \
                `{tell}`"
            ),
            None => format!(
                "`{name}` does not know that it made a move: {number}, `{one}` and the turn of another role look \
                alike to it; add `{tell}`"
            ),
        };
        let [first, second] = matches;
        let evidence =
            Evidence::Alike { role: name.to_owned(), rounds: first, other: second, is_shortest: self.is_shortest };
        let place = case.here(Some(action.name.range));
        let mut finding = Finding::new(&RULE, place, text, evidence);
        finding.fixes.extend(mends::actions::report(case, &one, &tell));
        let other = other.as_ref().filter(|other| other.head() != one.head()).and_then(find);
        // The text may show for either action that its mover receives no message.
        finding.told_by = Some((other.map_or(case.here(Some(action.range)), |_| case.everywhere()), TOLD_BY));
        Some(match other {
            Some(other) => finding.related(case.here(Some(other.name.range)), "looks the same"),
            None => finding,
        })
    }
}

/// The action with its parameters as a message.
fn message(action: &Action) -> String {
    let parameters = action.params.iter().flat_map(|group| &group.names).map(|name| format!(" ?{}", name.text));
    format!("({}{})", action.name.text, parameters.collect::<String>())
}

/// The receiver: the parameter that must have the turn for the action, else the role by name.
fn receiver(action: &Action, name: &str) -> String {
    let mover = action.precondition.as_ref().and_then(mover);
    mover.map_or_else(|| name.to_owned(), |variable| format!("?{variable}"))
}

fn mover(condition: &Condition) -> Option<&str> {
    match condition {
        Condition::Atom(atom) if atom.name.is("whoseturn") => {
            atom.args.first().filter(|arg| arg.is_variable).map(|arg| arg.name.text.as_str())
        }
        Condition::And { parts, .. } => parts.iter().find_map(mover),
        _ => None,
    }
}
