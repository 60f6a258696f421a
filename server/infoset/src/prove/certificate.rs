//! A proof that can be checked without believing the search: what agrees, which invariants hold, and for each query the
//! clauses that lead to its contradiction.
//!
//! The check builds the three queries anew from the rules and the claimed sets, and follows the clauses by unit
//! propagation ([`super::rup`]); no solver takes part. It does trust the grounding and the encoding of a round.

use percept_game::{FluentId, Game, RoleId, Scope};
use serde::{Deserialize, Serialize};

use super::agree::{self, Agreement, Obligation};
use super::invariant::{self, Invariants};
use super::twin::Setting;
use super::{Property, rup};
use crate::clauses::Clauses;
use crate::control::Control;

/// Version of the format.
pub const VERSION: u32 = 1;

/// A proof by agreement. Fluents are named, so that the file says something to a reader.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    pub version: u32,
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    pub announce_end: bool,
    /// Fluents that always agree in two matches the role cannot tell apart.
    pub agree: Vec<String>,
    /// Gates of the round's circuit that always agree, by number.
    pub agree_gates: Vec<u32>,
    /// Pairs of fluents that never hold together.
    pub exclusive: Vec<(String, String)>,
    /// Groups of fluents of which one always holds.
    pub covers: Vec<Vec<String>>,
    pub invariant_proof: Vec<Vec<i32>>,
    pub agreement_proof: Vec<Vec<i32>>,
    pub property_proof: Vec<Vec<i32>>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    #[error("the certificate is of version {0}, this program reads version {VERSION}")]
    Version(u32),
    #[error("the game has no {kind} named `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("the game is too large to ground")]
    TooLarge,
    #[error("the first state breaks a claimed invariant")]
    FirstState,
    #[error("the proof that {0} does not lead to a contradiction")]
    Gap(&'static str),
}

/// Proves again, keeping the solver's clauses. `None` where the agreement does not prove the property, or in no time.
pub fn write(
    setting: &Setting<'_>,
    invariants: &Invariants,
    kept: &Agreement,
    property: Property,
    announce_end: bool,
    control: &Control,
) -> Option<Certificate> {
    let clauses = || Clauses::recording(control);
    let rules = &setting.game.rules;
    let name = |fluent: &FluentId| rules.fluent_name(*fluent);
    let gates = kept.nodes.iter().enumerate().filter(|(_, kept)| **kept);
    Some(Certificate {
        version: VERSION,
        role: setting.game.roles[setting.role.0 as usize].name.clone(),
        property: property.name().to_owned(),
        announce_end,
        agree: kept.fluents().map(|fluent| name(&fluent)).collect(),
        agree_gates: gates.map(|(index, _)| index as u32).collect(),
        exclusive: invariants.exclusive.iter().map(|(a, b)| (name(a), name(b))).collect(),
        covers: invariants.covers.iter().map(|cover| cover.iter().map(name).collect()).collect(),
        invariant_proof: proof(invariant::step_obligation(setting, invariants, clauses()), control)?,
        agreement_proof: proof(agree::step_obligation(setting, invariants, announce_end, kept, clauses()), control)?,
        property_proof: proof(
            agree::property_obligation(setting, invariants, announce_end, kept, property, clauses()),
            control,
        )?,
    })
}

fn proof(mut query: Obligation, control: &Control) -> Option<Vec<Vec<i32>>> {
    let target = query.clauses.literal(&query.net, query.target);
    match query.clauses.solve(&query.net, &[query.target])? {
        true => None,
        false => rup::refutation(query.clauses.formula(), &[target], control),
    }
}

/// Checks a certificate against a game.
///
/// # Errors
/// What is wrong with it, or with the match between it and the game.
pub fn check(game: &Game, certificate: &Certificate) -> Result<(RoleId, Property), Invalid> {
    if certificate.version != VERSION {
        return Err(Invalid::Version(certificate.version));
    }
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    let role = game.role(&certificate.role).ok_or_else(|| unknown("role", &certificate.role))?;
    let property = Property::ALL.into_iter().find(|property| property.name() == certificate.property);
    let property = property.ok_or_else(|| unknown("property", &certificate.property))?;
    let ground = game.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
    let setting = Setting { game, ground: &ground, role };
    let fluent = |name: &String| game.rules.find_fluent(name).ok_or_else(|| unknown("fluent", name));
    let invariants = Invariants {
        exclusive: certificate
            .exclusive
            .iter()
            .map(|(a, b)| Ok((fluent(a)?, fluent(b)?)))
            .collect::<Result<_, Invalid>>()?,
        covers: certificate
            .covers
            .iter()
            .map(|cover| cover.iter().map(fluent).collect())
            .collect::<Result<_, Invalid>>()?,
    };
    let kept = agreement(&setting, certificate, &fluent)?;
    if !invariants.hold_in(&game.rules.initial()) {
        return Err(Invalid::FirstState);
    }
    let clauses = || Clauses::recording(&Control::default());
    let announce = certificate.announce_end;
    let queries = [
        (
            "the invariants last",
            invariant::step_obligation(&setting, &invariants, clauses()),
            &certificate.invariant_proof,
        ),
        (
            "the agreement lasts",
            agree::step_obligation(&setting, &invariants, announce, &kept, clauses()),
            &certificate.agreement_proof,
        ),
        (
            "the property follows",
            agree::property_obligation(&setting, &invariants, announce, &kept, property, clauses()),
            &certificate.property_proof,
        ),
    ];
    for (claim, mut query, proof) in queries {
        let target = query.clauses.literal(&query.net, query.target);
        if !rup::refutes(query.clauses.formula(), proof, &[target]) {
            return Err(Invalid::Gap(claim));
        }
    }
    Ok((role, property))
}

fn agreement(
    setting: &Setting<'_>,
    certificate: &Certificate,
    fluent: &dyn Fn(&String) -> Result<FluentId, Invalid>,
) -> Result<Agreement, Invalid> {
    let all = Agreement::all(setting, true);
    let mut kept = Agreement { fluents: vec![false; all.fluents.len()], nodes: vec![false; all.nodes.len()] };
    for name in &certificate.agree {
        kept.fluents[fluent(name)?.0 as usize] = true;
    }
    for &gate in &certificate.agree_gates {
        // Only gates that read the state alone can be spoken of before a move.
        if !all.nodes.get(gate as usize).copied().unwrap_or(false) {
            return Err(Invalid::Unknown { kind: "gate", name: gate.to_string() });
        }
        kept.nodes[gate as usize] = true;
    }
    Ok(kept)
}
