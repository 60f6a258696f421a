//! Claims by name: results on the prover's circuit get names that a reader of the plain game can look up.

use percept_game::circuit::{Lit, Node};
use percept_game::plain::pogddl::Range;
use percept_game::{FluentId, Game, Ground, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::super::claims::{Agreement, Atom, Claim, Count, Formulas, Invariants, Operand};
use super::super::findings::Induction;
use super::form::{Counter, Inductive, Invalid, MOST_BACK, MOST_COUNTED, MOST_ROUNDS, Part, Question};

/// The name of an atom: of a fluent, or of the move that a history variable remembers.
fn name(game: &Game, made: &[(RoleId, MoveId)], atom: Atom) -> String {
    match (atom as usize).checked_sub(game.rules.fluent_count()) {
        None => game.rules.fluent_name(FluentId(atom)),
        Some(index) => {
            let (role, mv) = made[index];
            format!("(did {} {})", game.roles[role.0 as usize].name, game.rules.move_name(role, mv))
        }
    }
}

/// Names results on the prover's circuit, for a reader of the plain one.
pub(crate) struct Naming<'a> {
    pub game: &'a Game,
    /// The prover's circuit, to which the node numbers of the argument refer.
    pub ground: &'a Ground,
    pub plain: &'a Game,
    pub numbers: &'a [Range],
}

impl Naming<'_> {
    pub(crate) fn inductive(&self, induction: &Induction) -> Result<Inductive, Invalid> {
        let Induction { invariants, agreement, back } = induction;
        let Invariants { from, made, claims, counts } = invariants;
        let (game, ground) = (self.game, self.ground);
        let name = |atom: Atom| name(game, made, atom);
        let mut out = Inductive { from: *from, back: *back, ..Inductive::default() };
        let exists = |name: &String| self.plain.rules.find_fluent(name).is_some();
        let is_left_out = |atom: Atom| {
            let is_number = (atom as usize) < game.rules.fluent_count() && name(atom).starts_with("(= ");
            is_number && !exists(&name(atom))
        };
        let is_unknown = |atom: Atom| (atom as usize) < game.rules.fluent_count() && !exists(&name(atom));
        out.agree = agreement.fluents().map(|fluent| name(fluent.0)).filter(exists).collect();
        let registers = game.rules.register_names().into_iter().zip(&agreement.registers);
        let plain_registers = self.plain.rules.register_names();
        let agrees = |(name, kept): (String, &bool)| (*kept && plain_registers.contains(&name)).then_some(name);
        out.agree_numbers = registers.filter_map(agrees).collect();
        let group = |&group: &usize| {
            let names = agreement.counts.all[group].iter().map(|fluent| name(fluent.0));
            names.filter(exists).collect::<Vec<String>>()
        };
        out.agree_counts = agreement.counts.agreeing.iter().map(group).collect();
        self.formulas(ground, agreement, &mut out);
        let remembered =
            |&(role, mv): &(RoleId, MoveId)| (game.roles[role.0 as usize].name.clone(), game.rules.move_name(role, mv));
        out.remembered = made.iter().map(remembered).collect();
        out.clauses = self.constant(ground);
        for claim in claims {
            match claim {
                // A fluent without a number in the plain game is never read there, so claims about it are not needed.
                Claim::Clause(literals) if literals.iter().any(|&(atom, _)| is_left_out(atom)) => {}
                Claim::AtMostOne(atoms) if atoms.iter().any(|&atom| is_left_out(atom)) => {}
                // A name that is not a fluent of the plain game never holds there.
                Claim::Clause(literals) if literals.iter().any(|&(atom, holds)| !holds && is_unknown(atom)) => {}
                Claim::Clause(literals) => {
                    let literals = literals.iter().filter(|(atom, _)| !is_unknown(*atom));
                    let clause: Vec<_> = literals.map(|&(atom, holds)| (name(atom), holds)).collect();
                    if !out.clauses.contains(&clause) || clause.len() > 1 {
                        out.clauses.push(clause);
                    }
                }
                Claim::AtMostOne(atoms) => {
                    let atoms = atoms.iter().filter(|atom| !is_unknown(**atom));
                    out.exclusive.push(atoms.map(|&atom| name(atom)).collect());
                }
            }
        }
        // The prover's encoding implies that a number has one value and that it is one role's turn; the plain game does
        // not.
        for (number, low, high) in self.numbers {
            let values: Vec<String> =
                (*low..=*high).map(|value| format!("(= {number} {value})")).filter(exists).collect();
            if values.is_empty() {
                continue;
            }
            out.clauses.push(values.iter().map(|value| (value.clone(), true)).collect());
            out.exclusive.push(values);
        }
        if game.rules.is_turn_exclusive() {
            let turns = game.roles.iter().map(|role| role.turn().to_string());
            out.exclusive.push(turns.filter(exists).collect());
        }
        let counter = |count: &Count| Counter {
            values: count.values.iter().map(|&(value, atom)| (value, name(atom))).collect(),
            tokens: count.tokens.iter().map(|&(fluent, made)| (name(fluent), name(made))).collect(),
            sign: count.sign,
            offset: count.offset,
        };
        out.counts = counts.iter().map(counter).collect();
        Ok(out)
    }

    /// Constants as claims: the prover has folded them away, but the reader needs a proof of them.
    fn constant(&self, ground: &Ground) -> Vec<Vec<(String, bool)>> {
        let (rules, plain) = (&self.game.rules, &self.plain.rules);
        let gates: FxHashMap<FluentId, Lit> = ground.next.iter().copied().collect();
        let (first, begin) = (rules.initial(), plain.initial());
        let mut claims = Vec::new();
        for index in 0..plain.fluent_count() as u32 {
            let name = plain.fluent_term(FluentId(index));
            let holds = begin.has(FluentId(index));
            let is_constant = match rules.fluent_named(&name) {
                Some(fluent) => {
                    let gate = gates.get(&fluent).copied().unwrap_or(Lit::FALSE);
                    first.has(fluent) == holds && gate == if holds { Lit::TRUE } else { Lit::FALSE }
                }
                None => !holds,
            };
            if is_constant {
                claims.push(vec![(name.to_string(), holds)]);
            }
        }
        claims
    }

    /// Writes out the gates that agree, as formulas.
    fn formulas(&self, ground: &Ground, agreement: &Agreement, out: &mut Inductive) {
        let nodes = ground.circuit.nodes();
        // For each node, its part and its sign: the node is the part, negated if the sign is false.
        let mut parts: Vec<Option<(Part, bool)>> = vec![None; nodes.len()];
        let kept: Vec<Lit> =
            (0..).zip(&agreement.nodes).filter(|(_, kept)| **kept).map(|(node, _)| Lit::new(node, false)).collect();
        let live = percept_game::circuit::live(&ground.circuit, &kept);
        for (index, node) in nodes.iter().enumerate().filter(|(index, _)| live[*index]) {
            let (operands, holds) = match node {
                Node::Fluent(fluent) => {
                    let name = self.game.rules.fluent_term(*fluent);
                    if self.plain.rules.fluent_named(&name).is_some() {
                        parts[index] = Some((Part::Fluent(name.to_string()), true));
                        continue;
                    }
                    (&[][..], false)
                }
                Node::True => (&[][..], true),
                Node::And(operands) => (&operands[..], true),
                Node::Or(operands) => (&operands[..], false),
                Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => continue,
            };
            let part = |lit: &Lit| {
                let (part, sign) = parts[lit.node() as usize].clone()?;
                // An or-gate is the negation of the conjunction of the negations.
                Some((part, sign ^ lit.is_negated() ^ !holds))
            };
            let Some(operands) = operands.iter().map(part).collect::<Option<Vec<_>>>() else { continue };
            out.formulas.push(operands);
            parts[index] = Some((Part::Formula(out.formulas.len() - 1), holds));
        }
        for lit in kept {
            if let Some((Part::Formula(number), _)) = parts[lit.node() as usize] {
                out.agree_formulas.push(number);
            }
        }
        self.pairs(&agreement.formulas, out);
    }

    /// Writes out the conjunctions that agree, if the plain game has their fluents.
    fn pairs(&self, formulas: &Formulas, out: &mut Inductive) {
        let part = |(operand, holds): &(Operand, bool)| {
            let Operand::Fluent(fluent) = operand else { return None };
            let name = self.game.rules.fluent_term(*fluent);
            self.plain.rules.fluent_named(&name).map(|_| (Part::Fluent(name.to_string()), *holds))
        };
        for &number in &formulas.agreeing {
            if let Some(formula) = formulas.all[number].iter().map(part).collect::<Option<Vec<_>>>() {
                out.agree_formulas.push(out.formulas.len());
                out.formulas.push(formula);
            }
        }
    }
}

/// Reads the claimed sets back, with the numbers of the game in question.
pub(super) fn read(question: &Question<'_>, claimed: &Inductive) -> Result<Induction, Invalid> {
    let game = question.game;
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    if claimed.from > MOST_ROUNDS || claimed.back > MOST_BACK {
        return Err(Invalid::TooLong);
    }
    let remembered = claimed.remembered.iter().map(|(who, mv)| {
        let role = game.role(who).ok_or_else(|| unknown("role", who))?;
        Ok((role, game.rules.find_move(role, mv).ok_or_else(|| unknown("move", mv))?))
    });
    let made: Vec<(RoleId, MoveId)> = remembered.collect::<Result<_, Invalid>>()?;
    let fluents = game.rules.fluent_count() as Atom;
    let history: FxHashMap<String, Atom> =
        (fluents..).take(made.len()).map(|atom| (name(game, &made, atom), atom)).collect();
    let fluent = |name: &String| game.rules.find_fluent(name).ok_or_else(|| unknown("fluent", name));
    let atom = |name: &String| history.get(name).copied().map_or_else(|| fluent(name).map(|it| it.0), Ok);
    // Any claim requires a proof that no number leaves its range.
    let mut claims: Vec<Claim> =
        game.rules.outside().map(|outside| Claim::Clause(vec![(outside.0, false)])).into_iter().collect();
    for clause in &claimed.clauses {
        let literals = clause.iter().map(|(name, holds)| Ok((atom(name)?, *holds))).collect::<Result<_, Invalid>>()?;
        claims.push(Claim::Clause(literals));
    }
    for group in &claimed.exclusive {
        claims.push(Claim::AtMostOne(group.iter().map(atom).collect::<Result<_, Invalid>>()?));
    }
    let count = |counter: &Counter| {
        let numbers = counter.values.iter().map(|(value, _)| *value).chain([counter.offset]);
        if let Some(beyond) = numbers.into_iter().find(|number| number.unsigned_abs() > MOST_COUNTED) {
            return Err(Invalid::Number(beyond));
        }
        let values = counter.values.iter().map(|(value, name)| Ok((*value, atom(name)?)));
        let tokens = counter.tokens.iter().map(|(fluent, made)| Ok((atom(fluent)?, atom(made)?)));
        Ok(Count {
            values: values.collect::<Result<_, Invalid>>()?,
            tokens: tokens.collect::<Result<_, Invalid>>()?,
            sign: counter.sign.signum(),
            offset: counter.offset,
        })
    };
    let counts = claimed.counts.iter().map(count).collect::<Result<_, Invalid>>()?;
    let registers = game.rules.register_names();
    let none = (vec![false; fluents as usize], vec![false; registers.len()]);
    let mut agreement = Agreement { fluents: none.0, registers: none.1, ..Agreement::default() };
    for name in &claimed.agree_numbers {
        let register = registers.iter().position(|other| other == name).ok_or_else(|| unknown("number", name))?;
        agreement.registers[register] = true;
    }
    for name in &claimed.agree {
        agreement.fluents[fluent(name)?.0 as usize] = true;
    }
    for (number, group) in claimed.agree_counts.iter().enumerate() {
        let mut group: Vec<FluentId> = group.iter().map(fluent).collect::<Result<_, _>>()?;
        // A fluent counts once.
        group.sort_unstable();
        group.dedup();
        agreement.counts.all.push(group);
        agreement.counts.agreeing.push(number);
    }
    for formula in &claimed.formulas {
        let number = agreement.formulas.all.len();
        let operand = |(part, holds): &(Part, bool)| match part {
            Part::Fluent(name) => Ok((Operand::Fluent(fluent(name)?), *holds)),
            Part::Formula(earlier) if *earlier < number => Ok((Operand::Formula(*earlier), *holds)),
            Part::Formula(other) => Err(unknown("formula", &other.to_string())),
        };
        let operands = formula.iter().map(operand).collect::<Result<_, Invalid>>()?;
        agreement.formulas.all.push(operands);
    }
    if let Some(beyond) = claimed.agree_formulas.iter().find(|&&number| number >= claimed.formulas.len()) {
        return Err(unknown("formula", &beyond.to_string()));
    }
    agreement.formulas.agreeing = claimed.agree_formulas.clone();
    let invariants = Invariants { from: claimed.from, made, claims, counts };
    Ok(Induction { invariants, agreement, back: claimed.back })
}
