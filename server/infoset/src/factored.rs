//! Factored observations: the public and the private part of a round's percepts, derived from the rules.
//!
//! A percept is *public* if the rules send it to every role that chooses, whenever they send it to one: its gates in
//! the ground round are then the same for all of them, so a role that perceives it knows that every other one does.
//! Every other percept is *private*, even if two roles happen to receive the same one: neither knows that of the other.
//! (Factored-observation stochastic games, Kovarik et al. 2019: `O = (O_priv(1), O_priv(2), O_pub)`.)

use std::collections::BTreeMap;

use percept_game::{Cursor, Game, MoveId, RoleId, Scope, TooLarge, circuit::Lit};
use rustc_hash::FxHashSet;

/// The public percepts of a game.
#[derive(Clone, Debug)]
pub struct Factored {
    public: FxHashSet<String>,
}

/// The percepts of a round, factored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundPercepts {
    /// The public percepts by name, in the order of the first role that chooses.
    pub public: Vec<String>,
    /// The private percepts of each role: no other role received them, or the role does not know that others did.
    pub private: Vec<Vec<String>>,
}

impl Factored {
    /// Derives the public percepts from the ground rules.
    ///
    /// # Errors
    /// Fails if the round is too large to ground; the percepts are then unknown.
    pub fn of(game: &Game) -> Result<Factored, TooLarge> {
        let ground = game.rules.ground(&Scope::default())?;
        let choosers: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
        let mut circuit = ground.circuit.clone();
        // For each percept, the gate under which each role receives it. POGDDL's percepts have an index in the round,
        // so several may share a name.
        let mut gates: BTreeMap<String, Vec<Vec<Lit>>> = BTreeMap::new();
        for (place, &role) in choosers.iter().enumerate() {
            for &(percept, gate) in &ground.sees[role.0 as usize] {
                let name = game.rules.percept_name(role, percept);
                gates.entry(name).or_insert_with(|| vec![vec![]; choosers.len()])[place].push(gate);
            }
        }
        let public = gates.into_iter().filter(|(_, by_role)| {
            let mut received = by_role.iter().map(|gates| circuit.or(gates.iter().copied()));
            let first = received.next();
            received.all(|gate| Some(gate) == first)
        });
        Ok(Factored { public: public.map(|(name, _)| name).collect() })
    }

    /// The factoring of a game whose percepts are unknown: every percept is private.
    pub fn unknown() -> Factored {
        Factored { public: FxHashSet::default() }
    }

    /// True if the percept of this name is public.
    pub fn is_public(&self, percept: &str) -> bool {
        self.public.contains(percept)
    }

    /// Returns the percepts of a joint move at the cursor's position.
    pub fn percepts_of(&self, game: &Game, at: &mut dyn Cursor, joint: &[MoveId]) -> RoundPercepts {
        let mut percepts_of = RoundPercepts { public: vec![], private: vec![vec![]; game.roles.len()] };
        let mut is_first = true;
        for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
            let names = at.percepts(joint, role).into_iter().map(|percept| game.rules.percept_name(role, percept));
            let (public, private): (Vec<String>, Vec<String>) = names.partition(|name| self.is_public(name));
            percepts_of.private[role.0 as usize] = private;
            if std::mem::take(&mut is_first) {
                percepts_of.public = public;
            }
        }
        percepts_of
    }
}
