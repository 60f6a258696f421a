//! Verdicts by satisfiability: a model is a witness, and the absence of a model is a proof.

use std::time::{Duration, Instant};

use percept_game::JointMove;

use super::Sat;
use crate::{
    Budget, Stop,
    csp::{CspError, gates},
    net::Lit,
    unroll::Properties,
    verdict::{Property, RoleMatch, Value, Verdict},
};
use percept_game::view::replay;

/// Returns the verdicts of one role along a match for the requested rounds and properties. Each question is given up
/// after `patience`.
pub(crate) fn by_sat(
    role_match: &RoleMatch<'_>,
    memory: usize,
    patience: Duration,
    budget: &Budget,
    wanted: impl Fn(usize, Property) -> bool,
    mut found: impl FnMut(usize, Property, Verdict),
) -> Result<(), CspError> {
    let mut sat = Sat::new(role_match.game, &role_match.view, gates(memory), budget);
    let mut given_up = Ok(());
    for round in 0..=role_match.view.len() {
        if round > 0 {
            budget.check()?;
            sat.advance()?;
        }
        if !sat.stays_inside()? {
            return Err(Stop::Disagreed.into());
        }
        if !role_match.properties(round).any(|property| wanted(round, property)) {
            continue;
        }
        budget.report("rounds proved", round, Some(role_match.view.len()));
        let properties = sat.properties()?;
        for property in role_match.properties(round) {
            if wanted(round, property) {
                sat.limit(Instant::now().checked_add(patience));
                let mut query = Query { role_match, sat: &mut sat, properties: &properties, round, property };
                match query.verdict() {
                    Ok(Some(verdict)) => found(round, property, verdict),
                    Ok(None) => {}
                    Err(stop) => {
                        budget.check()?;
                        given_up = Err(stop.into());
                    }
                }
            }
        }
    }
    given_up
}

struct Query<'q, 'a> {
    role_match: &'q RoleMatch<'q>,
    sat: &'q mut Sat<'a>,
    properties: &'q Properties,
    round: usize,
    property: Property,
}

impl Query<'_, '_> {
    /// `None` if the network is not faithful and its answer does not survive replay.
    fn verdict(&mut self) -> Result<Option<Verdict>, Stop> {
        let applies = self.applies();
        let real = self.role_match.real(self.round, self.property);
        let (first, reference) = match real {
            Some(value) => (None, value),
            None => {
                if !self.sat.possible(&applies)? {
                    return Ok(Some(Verdict::Known));
                }
                let history = self.sat.history();
                let Some(value) = self.value(&history) else {
                    return Ok(None);
                };
                (Some((history, value.clone())), value)
            }
        };
        let Some(differs) = self.differs(&reference) else {
            return Ok(Some(Verdict::Known));
        };
        let mut assumed = applies;
        assumed.push(differs);
        if !self.sat.possible(&assumed)? {
            return Ok(Some(Verdict::Known));
        }
        let history = self.closest(&assumed);
        let Some(value) = self.value(&history) else {
            return Ok(None);
        };
        Ok(self.role_match.unknown(self.round, self.property, first, (history, value)))
    }

    /// The property's value after a history; `None` if the history is not a member.
    fn value(&self, history: &[JointMove]) -> Option<Value> {
        let (state, _) = replay(self.role_match.game, &self.role_match.view.prefix(self.round), history).ok()?;
        self.role_match.value_after(self.round, history, &state, self.property)
    }

    /// The literals that must hold for the property to apply.
    fn applies(&self) -> Vec<Lit> {
        let terminal = self.properties.terminal;
        let mut lits = match self.property {
            Property::Legal => vec![!terminal],
            Property::Terminal | Property::Own => vec![],
            Property::Goal => vec![terminal],
        };
        if self.role_match.announce_end {
            let over = self.role_match.game.rules.terminal(&self.role_match.states[self.round]);
            lits.push(if over { terminal } else { !terminal });
        }
        lits
    }

    /// The literal that the property's value differs from `reference`; `None` if it cannot differ.
    fn differs(&mut self, reference: &Value) -> Option<Lit> {
        let differing: Vec<Lit> = match reference {
            Value::Terminal(true) => vec![!self.properties.terminal],
            Value::Terminal(false) => vec![self.properties.terminal],
            Value::Legal(legal) => {
                let flip = |&(mv, lit): &(_, Lit)| if legal.contains(&mv) { !lit } else { lit };
                self.properties.legal.iter().map(flip).collect()
            }
            Value::Goal(goals) => {
                let flip = |&(goal, lit): &(_, Lit)| if goals.contains(&goal) { !lit } else { lit };
                self.properties.goals.iter().map(flip).collect()
            }
            Value::Own(made) => {
                let choice = &self.sat.unrolled.choices[self.round - 1][self.role_match.view.role.0 as usize];
                choice.moves.iter().filter(|(mv, _)| mv != made).map(|&(_, lit)| lit).collect()
            }
        };
        let lit = self.sat.unrolled.net.or(differing);
        (lit != Lit::FALSE).then_some(lit)
    }

    /// Returns a history that satisfies `assumed` and agrees with the match for as many rounds as possible. After these
    /// rounds, single moves of the match are added one by one as long as they are possible.
    fn closest(&mut self, assumed: &[Lit]) -> Vec<JointMove> {
        let mut best = self.sat.history();
        let agreeing = |history: &[JointMove], real: &[JointMove]| {
            history.iter().zip(real).take_while(|(left, right)| left == right).count()
        };
        let (mut low, mut high) = (agreeing(&best, self.role_match.moves), self.round);
        while low < high {
            let middle = (low + high).div_ceil(2);
            let mut lits = assumed.to_vec();
            lits.extend(self.agreement(middle));
            match self.sat.possible(&lits) {
                Ok(true) => {
                    best = self.sat.history();
                    low = agreeing(&best, self.role_match.moves).max(middle);
                }
                Ok(false) => high = middle - 1,
                // The witness found so far is valid, even if there is a closer one.
                Err(_) => return best,
            }
        }
        let mut kept = assumed.to_vec();
        kept.extend(self.agreement(low));
        for round in low..self.round {
            for role in 0..self.role_match.moves[round].len() {
                let lit = self.made(round, role);
                kept.push(lit);
                if best[round][role] == self.role_match.moves[round][role] || lit == Lit::TRUE {
                    continue;
                }
                match self.sat.possible(&kept) {
                    Ok(true) => best = self.sat.history(),
                    Ok(false) => {
                        kept.pop();
                    }
                    Err(_) => return best,
                }
            }
        }
        best
    }

    /// The literal that a role makes the move it made in the match.
    fn made(&self, round: usize, role: usize) -> Lit {
        let choice = &self.sat.unrolled.choices[round][role];
        let mv = self.role_match.moves[round][role];
        choice.moves.iter().find(|&&(other, _)| other == mv).map_or(Lit::FALSE, |&(_, lit)| lit)
    }

    /// The literals of the match's moves in the first rounds.
    fn agreement(&self, rounds: usize) -> Vec<Lit> {
        let all = (0..rounds).flat_map(|round| (0..self.role_match.moves[round].len()).map(move |role| (round, role)));
        all.map(|(round, role)| self.made(round, role)).filter(|&lit| lit != Lit::TRUE).collect()
    }
}
