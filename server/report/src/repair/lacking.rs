//! The roles that lack a property, and repairs for as many of them at once as possible.

use percept_game::{Game, RoleId};
use percept_infoset::prove::{Options, Prover, Verdict};
use percept_infoset::{Budget, Property};

use super::{Pair, Repair, RepairQuery, repairs};
use crate::verdict::refutation;

/// The knowledge of a role, and of the others that lack the same.
pub struct Lacking {
    /// True if the role knows the property; `None` if that was not decided.
    pub known: Option<bool>,
    /// The role and the others that lack the property, the role first; empty if the role lacks nothing.
    pub needs: Vec<Pair>,
}

/// The knowledge of one role; if it lacks the property, also of the others. The role gets half of the time.
pub fn lacking(game: &Game, role: RoleId, property: Property, budget: &Budget) -> Lacking {
    let mut prover = Prover::new(game);
    let mut needs = Vec::new();
    let mut is_known = None;
    let others = game.role_ids().filter(|it| *it != role && !game.roles[it.0 as usize].is_chance);
    for (number, it) in std::iter::once(role).chain(others).enumerate() {
        let finding = prover.prove(it, property, &Options::default(), &budget.share(2));
        let witness = refutation(game, &finding);
        if number == 0 {
            is_known = match finding.verdict {
                Verdict::Proved { .. } => Some(true),
                Verdict::Refuted { .. } => Some(false),
                Verdict::Open { .. } => None,
            };
            if witness.is_none() {
                break;
            }
        }
        needs.extend(witness.map(|witness| Pair { role: it, witness }));
    }
    Lacking { known: is_known, needs }
}

/// Proposals for the same roles.
pub struct Proposals {
    /// The roles that lack the knowledge, with their histories.
    pub needs: Vec<Pair>,
    /// The repairs, the one that reveals least first.
    pub repairs: Vec<Repair>,
}

/// The repairs for all roles of the query at once; if there are none, those for each role alone. `budget` gives the
/// limits of each search.
pub fn together(query: &RepairQuery<'_>, budget: &dyn Fn(&[Pair]) -> Budget) -> Vec<Proposals> {
    let all = search(query, query.needs.clone(), &budget(&query.needs));
    if !all.repairs.is_empty() || query.needs.len() == 1 {
        return vec![all];
    }
    let alone = query.needs.iter().map(std::slice::from_ref);
    alone.map(|need| search(query, need.to_vec(), &budget(need))).collect()
}

/// The repairs for all roles of the query at once; if there are none, those for its first role.
pub fn for_first(query: &RepairQuery<'_>, budget: &Budget) -> Proposals {
    if query.needs.len() > 1 {
        let all = search(query, query.needs.clone(), &budget.share(2));
        if !all.repairs.is_empty() {
            return all;
        }
    }
    search(query, query.needs[..1].to_vec(), budget)
}

fn search(query: &RepairQuery<'_>, needs: Vec<Pair>, budget: &Budget) -> Proposals {
    let found = repairs(&RepairQuery { needs: needs.clone(), ..query.clone() }, budget);
    Proposals { needs, repairs: found }
}
