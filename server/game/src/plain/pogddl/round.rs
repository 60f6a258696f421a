//! One round: the possible actions, their changes and messages, and the payoffs of the state.

use percept_syntax::pddl::{AssignOp, Comparison, Effect, Operator, Recipient};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::arithmetic::{calculated, compared};
use super::gates::{Cases, Gates};
use super::possible::Reach;
use super::{Binding, Fact, Obj, Refused, key};
use crate::circuit::{Lit, Number};
use crate::{FluentId, Ground, MoveId, PerceptId, RegisterUpdate, RoleId, Term, UpdateKind};

/// The circuit of a round with the names of its moves and percepts.
pub(super) struct Round {
    pub ground: Ground,
    pub moves: Vec<Term>,
    pub percepts: Vec<Term>,
}

/// The effect of an action under a gate.
enum Happening {
    Add(Fact),
    Delete(Fact),
    Number(AssignOp, Fact, Cases),
    /// The role by its place, and the message.
    Message(usize, Term),
}

type Happenings = Vec<(Lit, Happening)>;

/// A number after the changes of one action so far: the last assigned value, and the sum.
type Changed = Vec<((Option<Number>, Number), Lit)>;

/// `goals`: true if the results of matches are needed.
pub(super) fn round(
    mut gates: Gates<'_>,
    reach: &Reach,
    ends_at_payoff: bool,
    goals: bool,
) -> Result<(Round, Vec<Term>), Refused> {
    let world = gates.world;
    let turns = turns(&mut gates);
    let mut round = Round { ground: Ground::default(), moves: Vec::new(), percepts: Vec::new() };
    round.ground.moves = turns.iter().map(|&turn| vec![(MoveId::NOOP, !turn)]).collect();
    let (mut adds, mut deletes): (FxHashMap<FluentId, Vec<Lit>>, FxHashMap<FluentId, Vec<Lit>>) = Default::default();
    // For each number: the actions that may change it, each with its gate and the changed value.
    let mut numbers: FxHashMap<Fact, Vec<(Lit, Changed)>> = FxHashMap::default();
    let mut seen: Vec<FxHashMap<PerceptId, Vec<Lit>>> = vec![FxHashMap::default(); world.roles.len()];
    let mut percept_ids: FxHashMap<(usize, Term), PerceptId> = FxHashMap::default();
    let mut legal = Vec::new();
    for (number, args) in &reach.actions {
        world.go_on()?;
        let action = &world.domain.actions[*number];
        let names = action.params.iter().flat_map(|group| &group.names).map(key);
        let mut binding: Binding = names.zip(args.iter().copied()).collect();
        let precondition = match &action.precondition {
            Some(condition) => gates.condition(condition, &mut binding)?,
            None => Lit::TRUE,
        };
        if precondition == Lit::FALSE {
            continue;
        }
        let mv = MoveId(round.moves.len() as u32);
        round.moves.push(world.term(&(key(&action.name), args.clone().into())));
        let mut made = Vec::new();
        for (role, &turn) in turns.iter().enumerate() {
            let gate = gates.circuit.and([precondition, turn]);
            if gate != Lit::FALSE {
                legal.push(gate);
                round.ground.moves[role].push((mv, gate));
                made.push(gates.circuit.does(RoleId(role as u16), mv));
            }
        }
        let made = gates.circuit.or(made);
        let mut happenings = Happenings::new();
        if let Some(effect) = &action.effect {
            happens(&mut gates, effect, Lit::TRUE, &mut binding, &mut happenings)?;
        }
        let mut changed: FxHashMap<Fact, Changed> = FxHashMap::default();
        // For each role, the number of messages it received so far, as gates.
        let mut sent: Vec<Vec<Lit>> = vec![vec![Lit::TRUE]; world.roles.len()];
        for (gate, happening) in happenings {
            match happening {
                Happening::Add(fact) | Happening::Delete(fact) if !gates.facts.contains_key(&fact) => {}
                Happening::Add(fact) => {
                    adds.entry(gates.facts[&fact]).or_default().push(gates.circuit.and([made, gate]));
                }
                Happening::Delete(fact) => {
                    deletes.entry(gates.facts[&fact]).or_default().push(gates.circuit.and([made, gate]));
                }
                Happening::Number(op, target, value) => {
                    let before = match changed.remove(&target) {
                        Some(before) => before,
                        None => gates.cases(&target)?.into_iter().map(|(old, lit)| ((None, old), lit)).collect(),
                    };
                    let after = written(&mut gates, op, &target, &value, gate, before)?;
                    changed.insert(target, after);
                }
                Happening::Message(role, message) => {
                    for (place, before) in sent[role].clone().into_iter().enumerate() {
                        let here = gates.circuit.and([made, before, gate]);
                        if here != Lit::FALSE {
                            let next = PerceptId(percept_ids.len() as u32);
                            let id = *percept_ids.entry((place, message.clone())).or_insert_with(|| {
                                round.percepts.push(message.clone());
                                next
                            });
                            seen[role].entry(id).or_default().push(here);
                        }
                    }
                    sent[role] = counted(&mut gates, &sent[role], gate);
                }
            }
        }
        for (number, after) in changed {
            numbers.entry(number).or_default().push((made, after));
        }
    }
    next(&mut gates, &mut round.ground, &adds, &deletes, numbers)?;
    let sees = seen.into_iter().map(|seen| {
        let mut seen: Vec<(PerceptId, Vec<Lit>)> = seen.into_iter().collect();
        seen.sort_unstable();
        seen.into_iter().map(|(percept, causes)| (percept, gates.circuit.or(causes))).collect()
    });
    round.ground.sees = sees.collect();
    let someone = gates.circuit.or(legal);
    let mut over = vec![!someone];
    let mut total: Cases = vec![(Number::Constant(0), Lit::TRUE)];
    for role in 0..world.roles.len() {
        if !goals {
            round.ground.goals.push(Vec::new());
            continue;
        }
        let goals = payoff(&mut gates, role)?;
        if ends_at_payoff {
            total = gates.combined(Operator::Add, &total, &goals)?;
        }
        let (mut constants, mut numbers) = (Vec::new(), Vec::new());
        for (value, gate) in goals {
            match value {
                Number::Constant(value) => constants.push((value, gate)),
                number => numbers.push((number, gate)),
            }
        }
        round.ground.goals.push(constants);
        round.ground.goal_numbers.push(numbers);
    }
    if ends_at_payoff {
        for (value, gate) in &total {
            let positive = compared(&mut gates.circuit, Comparison::Greater, value, &Number::Constant(0));
            over.push(gates.circuit.and([*gate, positive]));
        }
    }
    round.ground.terminal = gates.circuit.or(over);
    round.ground.circuit = gates.circuit;
    Ok((round, gates.names))
}

/// For each role, the gate which states that it is the mover: it has the turn, and no later role has it.
fn turns(gates: &mut Gates<'_>) -> Vec<Lit> {
    let roles = gates.world.roles.clone();
    let turns: Vec<Lit> = roles.iter().map(|&role| gates.atom(&(SmolStr::new("whoseturn"), [role].into()))).collect();
    (0..turns.len())
        .map(|role| gates.circuit.and(turns[role + 1..].iter().map(|&later| !later).chain([turns[role]])))
        .collect()
}

fn happens(
    gates: &mut Gates<'_>,
    effect: &Effect,
    when: Lit,
    binding: &mut Binding,
    out: &mut Happenings,
) -> Result<(), Refused> {
    let world = gates.world;
    match effect {
        Effect::And { parts, .. } => parts.iter().try_for_each(|part| happens(gates, part, when, binding, out))?,
        Effect::Add(atom) => out.push((when, Happening::Add(world.fact(atom, binding)?))),
        Effect::Delete { atom, .. } => out.push((when, Happening::Delete(world.fact(atom, binding)?))),
        Effect::When { condition, effect, .. } => {
            let condition = gates.condition(condition, binding)?;
            let when = gates.circuit.and([when, condition]);
            if when != Lit::FALSE {
                happens(gates, effect, when, binding, out)?;
            }
        }
        Effect::Forall { params, effect, .. } => {
            let variables = world.variables(params);
            world.each(&variables, binding, &mut |binding| happens(gates, effect, when, binding, out))?;
        }
        Effect::Assign { target, .. } if !world.is_read(&key(&target.name)) => {}
        Effect::Assign { op, target, value, .. } => {
            let value = gates.value(value, binding)?;
            out.push((when, Happening::Number(*op, world.fact(target, binding)?, value)));
        }
        Effect::Observe { recipients, .. } => observe(gates, recipients, when, binding, out)?,
        Effect::Error { .. } | Effect::Outside { .. } => return Err(Refused::NotPogddl),
    }
    Ok(())
}

/// The receivers of each message: named roles; `all`; and `others`, which once represents every role that is not named
/// and is not chance.
fn observe(
    gates: &Gates<'_>,
    recipients: &[Recipient],
    when: Lit,
    binding: &Binding,
    out: &mut Happenings,
) -> Result<(), Refused> {
    let world = gates.world;
    let mut named: Vec<Vec<Obj>> = Vec::new();
    for recipient in recipients {
        let objects = recipient
            .receivers
            .iter()
            .map(|arg| world.arg(arg, binding)?.ok_or_else(|| Refused::Unknown(format!("?{}", arg.name.text))));
        named.push(objects.collect::<Result<_, _>>()?);
    }
    let has = |receivers: &[Obj], name: &str| receivers.iter().any(|&object| world.objects[object as usize] == name);
    for (role, object) in world.roles.iter().enumerate() {
        let is_chance = world.objects[*object as usize] == "chance";
        let gets = |receivers: &[Obj]| receivers.contains(object) || has(receivers, "all");
        let is_named = named.iter().any(|receivers| gets(receivers));
        let mut served = is_named || is_chance;
        for (recipient, receivers) in recipients.iter().zip(&named) {
            let as_other = !served && has(receivers, "others");
            served |= as_other;
            if gets(receivers) || as_other {
                let message = recipient.message.as_ref().ok_or(Refused::NotPogddl)?;
                out.push((when, Happening::Message(role, world.message(message, binding)?)));
            }
        }
    }
    Ok(())
}

/// The number of messages sent, with one more under a gate.
fn counted(gates: &mut Gates<'_>, before: &[Lit], gate: Lit) -> Vec<Lit> {
    let at = |place: Option<usize>| place.and_then(|place| before.get(place)).copied().unwrap_or(Lit::FALSE);
    (0..=before.len())
        .map(|place| {
            let stays = gates.circuit.and([at(Some(place)), !gate]);
            let grows = gates.circuit.and([at(place.checked_sub(1)), gate]);
            gates.circuit.or([stays, grows])
        })
        .collect()
}

/// A number with one more change if `gate` holds. All changes read the old value; the last assignment takes precedence
/// over additions.
fn written(
    gates: &mut Gates<'_>,
    op: AssignOp,
    target: &Fact,
    value: &Cases,
    gate: Lit,
    before: Changed,
) -> Result<Changed, Refused> {
    let old = gates.cases(target)?;
    let mut after = Changed::new();
    for ((set, sum), when) in before {
        after.push(((set.clone(), sum.clone()), gates.circuit.and([when, !gate])));
        for (value, when_value) in value {
            let when = gates.circuit.and([when, gate, *when_value]);
            let added = |value: &Number| (set.clone(), calculated(Operator::Add, &sum, value));
            match op {
                AssignOp::Assign => after.push(((Some(value.clone()), sum.clone()), when)),
                AssignOp::Increase => after.push((added(value), when)),
                AssignOp::Decrease => {
                    let less = calculated(Operator::Subtract, &Number::Constant(0), value);
                    after.push((added(&less), when));
                }
                AssignOp::ScaleUp | AssignOp::ScaleDown => {
                    let up = op == AssignOp::ScaleUp;
                    let operator = if up { Operator::Multiply } else { Operator::Divide };
                    for (old, lit) in &old {
                        let new = Some(calculated(operator, old, value));
                        after.push(((new, sum.clone()), gates.circuit.and([when, *lit])));
                    }
                }
            }
        }
    }
    after.retain(|(_, gate)| *gate != Lit::FALSE);
    after.sort_unstable();
    let chunks = after.chunk_by(|left, right| left.0 == right.0);
    Ok(chunks.map(|same| (same[0].0.clone(), gates.circuit.or(same.iter().map(|&(_, gate)| gate)))).collect())
}

fn next(
    gates: &mut Gates<'_>,
    ground: &mut Ground,
    adds: &FxHashMap<FluentId, Vec<Lit>>,
    deletes: &FxHashMap<FluentId, Vec<Lit>>,
    mut numbers: FxHashMap<Fact, Vec<(Lit, Changed)>>,
) -> Result<(), Refused> {
    let mut facts: Vec<FluentId> = gates.facts.values().copied().collect();
    facts.sort_unstable();
    for fluent in facts {
        let old = gates.circuit.fluent(fluent);
        let of = |list: &FxHashMap<FluentId, Vec<Lit>>| list.get(&fluent).cloned().unwrap_or_default();
        let (add, delete) = (gates.circuit.or(of(adds)), gates.circuit.or(of(deletes)));
        let kept = gates.circuit.and([old, !delete]);
        ground.next.push((fluent, gates.circuit.or([add, kept])));
    }
    let mut outside = vec![gates.circuit.fluent(gates.outside)];
    let mut all: Vec<(Fact, Vec<(i64, FluentId)>)> =
        gates.numbers.iter().map(|(number, values)| (number.clone(), values.clone())).collect();
    all.sort_unstable();
    for (number, values) in all {
        let changes = numbers.remove(&number).unwrap_or_default();
        let touched = gates.circuit.or(changes.iter().map(|&(made, _)| made));
        let mut cases: Cases = Vec::new();
        for (made, after) in changes {
            for ((set, sum), gate) in after {
                cases.push((set.unwrap_or(sum), gates.circuit.and([made, gate])));
            }
        }
        for &(value, fluent) in &values {
            let old = gates.circuit.fluent(fluent);
            cases.push((Number::Constant(value), gates.circuit.and([old, !touched])));
        }
        let mut cases = gates.merged(cases)?;
        for (value, fluent) in values {
            let at = cases.iter().position(|(other, _)| *other == Number::Constant(value));
            ground.next.push((fluent, at.map_or(Lit::FALSE, |at| cases.swap_remove(at).1)));
        }
        // The other values are outside the range, or those of a register, for which no range is claimed.
        outside.extend(cases.into_iter().map(|(_, gate)| gate));
    }
    for (register, number) in (0..).zip(gates.registers.clone()) {
        let mut cases: Cases = Vec::new();
        for (made, after) in numbers.remove(&number).unwrap_or_default() {
            for ((set, sum), gate) in after {
                cases.push((set.unwrap_or(sum), gates.circuit.and([made, gate])));
            }
        }
        // One action is played, and it leaves one value.
        let update = |(value, gate)| RegisterUpdate { register, gate, kind: UpdateKind::Assign, value };
        ground.updates.extend(gates.merged(cases)?.into_iter().map(update));
    }
    ground.next.push((gates.outside, gates.circuit.or(outside)));
    Ok(())
}

/// The sum of a role's gains; for each gain, the first instance that holds is paid.
fn payoff(gates: &mut Gates<'_>, role: usize) -> Result<Cases, Refused> {
    let world = gates.world;
    let object = world.roles[role];
    let mut sum: Cases = vec![(Number::Constant(0), Lit::TRUE)];
    if world.objects[object as usize] == "chance" {
        return Ok(sum);
    }
    for gain in &world.domain.gains {
        let mut variables = world.variables(&gain.params);
        let Some((_, candidates)) = variables.first_mut() else { return Err(Refused::NotPogddl) };
        candidates.retain(|&candidate| candidate == object);
        let (mut cases, mut unpaid) = (Cases::new(), Lit::TRUE);
        world.each(&variables, &mut Binding::new(), &mut |binding| {
            let gate = gates.condition(&gain.condition, binding)?;
            let here = gates.circuit.and([unpaid, gate]);
            if here != Lit::FALSE {
                for (value, lit) in gates.value(&gain.value, binding)? {
                    cases.push((value, gates.circuit.and([here, lit])));
                }
            }
            unpaid = gates.circuit.and([unpaid, !gate]);
            Ok(())
        })?;
        cases.push((Number::Constant(0), unpaid));
        let cases = gates.merged(cases)?;
        sum = gates.combined(Operator::Add, &sum, &cases)?;
    }
    Ok(sum)
}
