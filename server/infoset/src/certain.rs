//! The facts that are certain to a role: fluents, legal moves, the end and the goal on which all members of its
//! information set agree.
//!
//! Drawn members propose claims ([`Claims`]), and satisfiability decides them: is there a member that contradicts any
//! open claim? Each such member removes the claims it contradicts. If there is none, all remaining claims are proved.
//! This is a method for backbones of formulas (Janota, Lynce and Marques-Silva, "Algorithms for computing backbones of
//! propositional formulae", AI Communications 28, 2015, the iterative algorithm with complements of backbone literals).

use std::time::Instant;

use percept_game::{FluentId, Game, MoveId};

use crate::{
    Budget, Stop, View,
    csp::{CspError, gates},
    net::Lit,
    sat::Sat,
};

/// Claims that may be certain, or that are certain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// The fluents that hold in every member.
    pub fluents: Vec<FluentId>,
    /// The moves that are legal for the viewer in every member that is not over.
    pub legal: Vec<MoveId>,
    /// True if the match is over in every member, false if it is over in none of them.
    pub terminal: Option<bool>,
    /// The viewer's goals in every member that is over, exactly these, in ascending order.
    pub goals: Option<Vec<i64>>,
}

impl Claims {
    /// True if nothing is claimed.
    pub fn is_empty(&self) -> bool {
        *self == Claims::default()
    }
}

/// Returns the claims that no member of the view's information set contradicts. A missing claim is contradicted, or was
/// not proved within the limits. The second value is true if no claim was left open.
///
/// # Errors
/// Fails if the unrolled view would exceed `memory` bytes, or the work was cancelled.
pub fn certain(
    game: &Game,
    view: &View,
    claims: &Claims,
    memory: usize,
    budget: &Budget,
) -> Result<(Claims, bool), CspError> {
    let mut sat = Sat::of_view(game, view, gates(memory), budget)?;
    let mut open = Open::new(&mut sat, claims)?;
    let mut settled = true;
    // The claims that decide most are checked first. Each kind gets a part of the remaining time, so a hard one leaves
    // time for the others.
    for (kind, share) in [(Kind::End, 3), (Kind::Legal, 2), (Kind::Fluent, 1)] {
        match open.settle(&mut sat, kind, until(budget, share)) {
            Ok(()) => {}
            Err(Stop::Cancelled) => return Err(Stop::Cancelled.into()),
            Err(_) => {
                open.claims.retain(|it| it.kind != kind || it.differs == Lit::FALSE);
                settled = false;
            }
        }
    }
    Ok((open.proved(claims), settled))
}

/// Returns the end of a part of the remaining time.
fn until(budget: &Budget, share: u32) -> Option<Instant> {
    let now = Instant::now();
    budget.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / share)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    End,
    Legal,
    Fluent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Fluent(FluentId),
    Legal(MoveId),
    Terminal,
    Goals,
}

/// A claim without a contradiction so far.
#[derive(Clone, Copy)]
struct Claim {
    kind: Kind,
    what: What,
    /// The literal that holds in the members that contradict the claim.
    differs: Lit,
}

struct Open {
    claims: Vec<Claim>,
}

impl Open {
    fn new(sat: &mut Sat<'_>, claims: &Claims) -> Result<Open, CspError> {
        let properties = sat.properties()?;
        let (stage, _) = sat.unrolled.stage();
        let mut open: Vec<Claim> = Vec::new();
        for &fluent in &claims.fluents {
            let lit = stage.get(fluent.0 as usize).copied().unwrap_or(Lit::FALSE);
            open.push(Claim { kind: Kind::Fluent, what: What::Fluent(fluent), differs: !lit });
        }
        let net = &mut sat.unrolled.net;
        for &mv in &claims.legal {
            let listed = properties.legal.iter().filter(|(it, _)| *it == mv).map(|&(_, lit)| lit);
            let legal = net.or(listed);
            let differs = net.and([!legal, !properties.terminal]);
            open.push(Claim { kind: Kind::Legal, what: What::Legal(mv), differs });
        }
        if let Some(over) = claims.terminal {
            let differs = if over { !properties.terminal } else { properties.terminal };
            open.push(Claim { kind: Kind::End, what: What::Terminal, differs });
        }
        if let Some(goals) = &claims.goals {
            let is_possible = |goal: &i64| properties.goals.iter().any(|(it, _)| it == goal);
            let mut flipped: Vec<Lit> =
                properties.goals.iter().map(|(goal, lit)| if goals.contains(goal) { !*lit } else { *lit }).collect();
            if !goals.iter().all(is_possible) {
                flipped.push(Lit::TRUE);
            }
            let wrong = net.or(flipped);
            let differs = net.and([wrong, properties.terminal]);
            open.push(Claim { kind: Kind::End, what: What::Goals, differs });
        }
        Ok(Open { claims: open })
    }

    /// Settles all claims of one kind: afterwards the remaining ones are proved.
    fn settle(&mut self, sat: &mut Sat<'_>, kind: Kind, deadline: Option<Instant>) -> Result<(), Stop> {
        sat.limit(deadline);
        loop {
            let lits: Vec<Lit> = self
                .claims
                .iter()
                .filter(|it| it.kind == kind)
                .map(|it| it.differs)
                .filter(|&it| it != Lit::FALSE)
                .collect();
            if lits.is_empty() {
                return Ok(());
            }
            let any = sat.unrolled.net.or(lits);
            if any == Lit::FALSE || !sat.possible(&[any])? {
                return Ok(());
            }
            let before = self.claims.len();
            self.claims.retain(|it| it.differs == Lit::FALSE || !sat.holds(it.differs));
            if self.claims.len() == before {
                // Unreachable: the model makes one of them true.
                return Err(Stop::OutOfTime);
            }
        }
    }

    fn proved(&self, claims: &Claims) -> Claims {
        let has = |what: What| self.claims.iter().any(|it| it.what == what);
        Claims {
            fluents: claims.fluents.iter().copied().filter(|&it| has(What::Fluent(it))).collect(),
            legal: claims.legal.iter().copied().filter(|&it| has(What::Legal(it))).collect(),
            terminal: claims.terminal.filter(|_| has(What::Terminal)),
            goals: claims.goals.clone().filter(|_| has(What::Goals)),
        }
    }
}
