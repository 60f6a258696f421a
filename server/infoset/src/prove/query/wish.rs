//! The histories that would make a sentence false: one, and others that look the same to some role.

use percept_game::{Game, JointMove, RoleId, State};
use rustc_hash::FxHashMap;

use super::explicit;
use super::reply::Witness;
use super::sentence::Sentence;
use percept_game::view::{View, replay};

/// Histories of the same length. Each of them except the first looks like an earlier one to some role.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// For each history except the first, the earlier history that it looks like, and the role to which it does.
    pub like: Vec<(usize, RoleId)>,
}

/// The conditions on the last states of the histories of a [`Tree`].
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    Constant(bool),
    /// A fact without `knows` in one of the histories, and its wanted value.
    Fact(usize, Sentence, bool),
    All(Vec<Wish>),
    Any(Vec<Wish>),
}

/// The most histories besides the first; more of them make each question too large.
const MOST_LIKE: usize = 16;

/// A plan to make a sentence false.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub tree: Tree,
    pub wish: Wish,
    /// True if a fulfilled wish is a counterexample. False if some `knows` was replaced by the known part, which is
    /// sound only for proofs.
    pub exact: bool,
}

type Used = FxHashMap<(usize, RoleId), usize>;

impl Plan {
    /// The plan against a sentence; `None` if it needs too many histories.
    pub(super) fn against(sentence: &Sentence) -> Option<Plan> {
        let mut plan = Plan { tree: Tree::default(), wish: Wish::Constant(false), exact: true };
        plan.wish = plan.make(sentence, false, 0, &mut Used::default())?;
        Some(plan)
    }

    fn make(&mut self, sentence: &Sentence, wanted: bool, world: usize, used: &mut Used) -> Option<Wish> {
        Some(match sentence {
            Sentence::Constant(value) => Wish::Constant(*value == wanted),
            Sentence::Not(part) => self.make(part, !wanted, world, used)?,
            Sentence::And(parts) if wanted => self.all(parts, wanted, world, used)?,
            Sentence::Or(parts) if !wanted => self.all(parts, wanted, world, used)?,
            Sentence::And(parts) | Sentence::Or(parts) => self.any(parts, wanted, world, used)?,
            Sentence::Knows(role, part) if !wanted => {
                let other = self.other(world, *role, used)?;
                self.make(part, false, other, used)?
            }
            Sentence::Knows(_, part) => {
                // Knowledge implies that the part is true. One more history cannot express that it is true in all other
                // histories.
                self.exact = false;
                self.make(part, true, world, used)?
            }
            fact => Wish::Fact(world, fact.clone(), wanted),
        })
    }

    fn all(&mut self, parts: &[Sentence], wanted: bool, world: usize, used: &mut Used) -> Option<Wish> {
        parts.iter().map(|part| self.make(part, wanted, world, used)).collect::<Option<_>>().map(Wish::All)
    }

    /// One of the parts is enough, so they share the histories.
    fn any(&mut self, parts: &[Sentence], wanted: bool, world: usize, used: &mut Used) -> Option<Wish> {
        let (before, mut made) = (used.clone(), Vec::new());
        for part in parts {
            let mut own = before.clone();
            made.push(self.make(part, wanted, world, &mut own)?);
            for (key, count) in own {
                let most = used.entry(key).or_default();
                *most = count.max(*most);
            }
        }
        Some(Wish::Any(made))
    }

    /// The next unused history that looks like this one to the role.
    fn other(&mut self, world: usize, role: RoleId, used: &mut Used) -> Option<usize> {
        let count = used.entry((world, role)).or_default();
        let mut likes = self.tree.like.iter().enumerate().filter(|(_, like)| **like == (world, role));
        let found = likes.nth(*count).map(|(index, _)| index + 1);
        *count += 1;
        found.or_else(|| {
            self.tree.like.push((world, role));
            (self.tree.like.len() <= MOST_LIKE).then_some(self.tree.like.len())
        })
    }

    /// Replays the histories with the game's own rules. `None` if they are not a counterexample.
    pub(super) fn replayed(&self, game: &Game, histories: &[Vec<JointMove>], announce_end: bool) -> Option<Witness> {
        let no_role = RoleId(0);
        let first = View::of_match(game, no_role, &histories[0]).ok()?;
        let mut states = vec![replay(game, &first, &histories[0]).ok()?.0];
        for (&(like, role), history) in self.tree.like.iter().zip(&histories[1..]) {
            let view = View::of_match(game, role, &histories[like]).ok()?;
            let state = replay(game, &view, history).ok()?.0;
            if announce_end && game.rules.terminal(&state) != game.rules.terminal(&states[like]) {
                return None;
            }
            states.push(state);
        }
        if !self.exact || !self.wish.comes_true(game, &states) {
            return None;
        }
        // A history is shown only if the one that it looks like is not enough by itself.
        let mut instead = Vec::new();
        for (index, &(like, role)) in self.tree.like.iter().enumerate().rev() {
            let world = index + 1;
            let same = states[like].clone();
            let own = std::mem::replace(&mut states[world], same);
            if self.tree.like.iter().any(|&(other, _)| other == world) || !self.wish.comes_true(game, &states) {
                states[world] = own;
                instead.push((role, histories[world].clone()));
            }
        }
        instead.reverse();
        instead.dedup();
        Some(Witness { history: histories[0].clone(), instead })
    }
}

impl Wish {
    /// True if the wish is fulfilled in these states.
    fn comes_true(&self, game: &Game, states: &[State]) -> bool {
        match self {
            Wish::Constant(value) => *value,
            Wish::Fact(world, fact, wanted) => explicit::value(game, &states[*world], fact, &|_, _| false) == *wanted,
            Wish::All(parts) => parts.iter().all(|part| part.comes_true(game, states)),
            Wish::Any(parts) => parts.iter().any(|part| part.comes_true(game, states)),
        }
    }
}
