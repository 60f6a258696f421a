//! A bound on the length of every match, from the facts that actions use up.
//!
//! A *token* is a fact that holds, or one that does not. An action that needs `(deck ?c)` and deletes it uses up that
//! token; one that needs `(not (shot-at ?r ?c))` and adds it uses up that one. An action cannot happen more often than
//! its token is present at the start or made by others, so if those are bounded, the action is: a fixpoint that begins
//! with the tokens that no action makes. If it reaches every action, the sum is a bound.

use std::{cmp::Reverse, collections::BinaryHeap, ops::ControlFlow};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    derived,
    engine::{CompiledItem, Engine},
    eval::{Location, Until, World, has},
    layout::NONE,
    model::*,
    plan::{AtomRef, Cond, Expression, bit},
    relaxed::{self, Allowed, Unknown},
    rules::Operators,
};
use crate::{Budget, FluentId, Names, bound::Bound};

/// The most bindings of actions examined, in all and at each step of the reachability analysis.
const BINDINGS: usize = 8_000_000;
/// The most different actions, by the tokens that they use and make.
const ACTIONS: usize = 1_000_000;

/// A fluent's presence (twice its number) or absence (one more).
type Token = u32;

fn token(fluent: u32, holds: bool) -> Token {
    fluent << 1 | u32::from(!holds)
}

/// The tokens that an action certainly uses up, and those that it may make.
#[derive(Default, Clone, PartialEq, Eq, Hash)]
struct Trade {
    schema: u16,
    uses: Vec<Token>,
    makes: Vec<Token>,
}

/// The fluents that an action's precondition names.
struct Needs {
    positive: Vec<AtomRef>,
    negative: Vec<AtomRef>,
}

pub(crate) fn bound(rules: &Operators, budget: &Budget) -> Option<Bound> {
    let engine = &rules.engine;
    let possible = relaxed::reachable(engine, Allowed { bindings: BINDINGS / 8, until: Some(budget) }).ok()?;
    let trades = trades(engine, &possible, budget)?;
    let supplies = supplies(engine, &trades)?;
    let rounds = supplies.iter().fold(0u64, |sum, supply| sum.saturating_add(supply.times));
    Some(Bound { rounds, because: because(rules, &trades, &supplies) })
}

fn needs(engine: &Engine, schema: &Schema) -> Needs {
    let bound = schema.params.iter().fold(0, |mask, var| mask | bit(var.slot));
    let compiler = engine.compiler();
    let mut needs = Needs { positive: Vec::new(), negative: Vec::new() };
    for conjunct in schema.precondition.conjuncts() {
        match compiler.condition(conjunct, bound) {
            Cond::Fluent(atom) => needs.positive.push(atom),
            Cond::Not(inner) => {
                if let Cond::Fluent(atom) = *inner {
                    needs.negative.push(atom);
                }
            }
            _ => {}
        }
    }
    needs
}

/// The trade of every possible action; actions with equal trades count as one.
fn trades(engine: &Engine, possible: &[u64], budget: &Budget) -> Option<Vec<Trade>> {
    let nothing = vec![0; possible.len()];
    let (unknown, until) = (Unknown::new(engine), Until::new(budget));
    let world = World { until: Some(&until), ..unknown.world(engine, possible, &nothing) };
    let mut closed = possible.to_vec();
    derived::close(&engine.strata, world, &mut closed, Some(&mut nothing.clone()));
    let world = World { upper: &closed, ..world };
    let mut found: FxHashSet<Trade> = FxHashSet::default();
    let mut tried = 0;
    for (id, schema) in engine.schemas.iter().enumerate() {
        let needs = needs(engine, &engine.model.schemas[id]);
        let mut effects = Effects::new(engine, world);
        let walk = world.each(&schema.plan, &mut [0; MAX_SLOTS], &mut |frame| {
            tried += 1;
            if tried > BINDINGS || found.len() > ACTIONS {
                return ControlFlow::Break(());
            }
            effects.clear();
            effects.collect(&schema.effects, frame, true);
            effects.trades(id as u16, &needs, frame, &mut found);
            ControlFlow::Continue(())
        });
        if walk.is_break() || until.is_over() {
            return None;
        }
    }
    let mut trades: Vec<Trade> = found.into_iter().collect();
    // In a fixed order, so that the result does not depend on hashing.
    trades.sort_unstable_by(|left, right| {
        (left.schema, &left.uses, &left.makes).cmp(&(right.schema, &right.uses, &right.makes))
    });
    Some(trades)
}

/// The effects of one ground action.
struct Effects<'e> {
    engine: &'e Engine,
    world: World<'e>,
    /// Facts that are added or deleted in any case.
    adds: Set,
    deletes: Set,
    /// Facts that may be, in any case or not.
    may_add: Set,
    may_delete: Set,
    /// A number that is changed by a known amount in any case: its first fluent, the number of its fluents, the amount.
    step: Option<(u32, u32, i64)>,
    /// Fluents of numbers that may get any value.
    numbers: Set,
}

/// A few fluents, sorted once all have been added.
#[derive(Default)]
struct Set(Vec<u32>);

impl Set {
    fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
    }

    fn contains(&self, id: u32) -> bool {
        self.0.binary_search(&id).is_ok()
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}

impl<'e> Effects<'e> {
    fn new(engine: &'e Engine, world: World<'e>) -> Effects<'e> {
        Effects {
            engine,
            world,
            adds: Set::default(),
            deletes: Set::default(),
            may_add: Set::default(),
            may_delete: Set::default(),
            step: None,
            numbers: Set::default(),
        }
    }

    fn sets(&mut self) -> [&mut Set; 5] {
        [&mut self.adds, &mut self.deletes, &mut self.may_add, &mut self.may_delete, &mut self.numbers]
    }

    fn clear(&mut self) {
        self.sets().into_iter().for_each(|set| set.0.clear());
        self.step = None;
    }

    fn collect(&mut self, items: &[CompiledItem], frame: &mut Frame, always: bool) {
        for item in items {
            match item {
                CompiledItem::Add(atom) => {
                    let id = atom.id(frame);
                    if id != NONE {
                        self.may_add.0.push(id);
                        self.adds.0.extend(always.then_some(id));
                    }
                }
                CompiledItem::Delete(atom) => {
                    let id = atom.id(frame);
                    if id != NONE {
                        self.may_delete.0.push(id);
                        self.deletes.0.extend(always.then_some(id));
                    }
                }
                CompiledItem::Numeric(op, target, value, _) => self.number(*op, target.id(frame), value, frame, always),
                CompiledItem::Block(plan, items) => {
                    let world = self.world;
                    let _ = world.each(plan, frame, &mut |frame| {
                        self.collect(items, frame, false);
                        ControlFlow::Continue(())
                    });
                }
                CompiledItem::Observe(_) => {}
            }
        }
    }

    fn number(&mut self, op: NumericOp, register: u32, value: &Expression, frame: &Frame, always: bool) {
        if register == NONE {
            return;
        }
        let Location::Bits { first, len, .. } = self.engine.locations[register as usize] else { return };
        let (least, greatest) = self.world.range(value, frame);
        let amount = match op {
            NumericOp::Increase => least,
            NumericOp::Decrease => least.saturating_neg(),
            _ => 0,
        };
        if always && self.step.is_none() && least == greatest && amount != 0 {
            self.step = Some((first, len, amount));
        } else {
            self.numbers.0.extend(first..first + len);
        }
    }

    /// The trades of the action: one, or one for each value of the number it changes.
    fn trades(&mut self, schema: u16, needs: &Needs, frame: &Frame, found: &mut FxHashSet<Trade>) {
        self.sets().into_iter().for_each(Set::sort);
        let ids = |atoms: &[AtomRef]| {
            let fluents = atoms.iter().map(|atom| atom.id(frame));
            let mut set = Set(fluents.filter(|&id| id < self.engine.fluent_count).collect());
            set.sort();
            set
        };
        let (held, lacked) = (ids(&needs.positive), ids(&needs.negative));
        let mut trade = Trade { schema, ..Trade::default() };
        let used = self.deletes.iter().filter(|&id| held.contains(id) && !self.may_add.contains(id));
        trade.uses.extend(used.map(|id| token(id, true)));
        trade.uses.extend(self.adds.iter().filter(|&id| lacked.contains(id)).map(|id| token(id, false)));
        trade.makes.extend(self.may_add.iter().filter(|&id| !held.contains(id)).map(|id| token(id, true)));
        let lost = self.may_delete.iter().filter(|&id| !lacked.contains(id) && !self.adds.contains(id));
        trade.makes.extend(lost.map(|id| token(id, false)));
        trade.makes.extend(self.numbers.iter().flat_map(|id| [token(id, true), token(id, false)]));
        let Some((first, len, amount)) = self.step else {
            found.extend([sorted(trade)]);
            return;
        };
        let range = i64::from(first)..i64::from(first + len);
        // Nothing certain is known about a number that is changed twice.
        let is_certain = !self.numbers.contains(first);
        for old in first..first + len {
            let new = i64::from(old) + amount;
            if !range.contains(&new) || !has(self.world.upper, old) {
                continue;
            }
            let new = new as u32;
            let mut variant = trade.clone();
            if is_certain {
                variant.uses.extend([token(old, true), token(new, false)]);
            }
            variant.makes.extend([token(new, true), token(old, false)]);
            found.extend([sorted(variant)]);
        }
    }
}

fn sorted(mut trade: Trade) -> Trade {
    for tokens in [&mut trade.uses, &mut trade.makes] {
        tokens.sort_unstable();
        tokens.dedup();
    }
    trade
}

/// A token, the schemas of the actions that it bounds, and the number of times that these can happen together.
struct Supply {
    token: Token,
    schemas: Vec<u16>,
    times: u64,
}

/// Bounds every action by a token that it uses; `None` if some action is not bounded. Among the tokens with a known
/// supply, the one that bounds most actions for its supply goes first (greedily, as for a set cover), so that the sum
/// is small.
fn supplies(engine: &Engine, trades: &[Trade]) -> Option<Vec<Supply>> {
    let mut market = Market::new(engine, trades);
    let mut supplies = Vec::new();
    while let Some((token, times)) = market.best() {
        let (mut schemas, mut freed): (Vec<u16>, Vec<Token>) = Default::default();
        for user in market.users.remove(&token).unwrap_or_default() {
            if !std::mem::replace(&mut market.is_bounded[user as usize], true) {
                schemas.push(trades[user as usize].schema);
                freed.extend(&trades[user as usize].makes);
            }
        }
        freed.iter().for_each(|token| *market.makers.entry(*token).or_default() -= 1);
        freed.sort_unstable();
        freed.dedup();
        freed.into_iter().for_each(|token| market.made_by(token, times));
        schemas.sort_unstable();
        schemas.dedup();
        supplies.push(Supply { token, schemas, times });
    }
    market.is_bounded.iter().all(|&bounded| bounded).then_some(supplies)
}

/// The users and makers of each token.
struct Market {
    /// The number of unbounded actions that make a token.
    makers: FxHashMap<Token, u32>,
    users: FxHashMap<Token, Vec<u32>>,
    /// The number of initial tokens of each kind plus those made by bounded actions.
    supply: FxHashMap<Token, u64>,
    is_bounded: Vec<bool>,
    /// Tokens that only bounded actions make, by the average number of times each of their users can happen (in
    /// thousandths). Users may have been bounded since.
    ready: BinaryHeap<Reverse<(u64, Token)>>,
}

impl Market {
    fn new(engine: &Engine, trades: &[Trade]) -> Market {
        let mut market = Market {
            makers: FxHashMap::default(),
            users: FxHashMap::default(),
            supply: FxHashMap::default(),
            is_bounded: vec![false; trades.len()],
            ready: BinaryHeap::new(),
        };
        for (index, trade) in trades.iter().enumerate() {
            trade.makes.iter().for_each(|&token| *market.makers.entry(token).or_default() += 1);
            trade.uses.iter().for_each(|&token| market.users.entry(token).or_default().push(index as u32));
        }
        for &token in market.users.keys() {
            let holds = engine.initial.has(FluentId(token >> 1));
            market.supply.insert(token, u64::from(holds == (token & 1 == 0)));
        }
        let tokens: Vec<Token> = market.users.keys().copied().collect();
        tokens.into_iter().for_each(|token| market.offer(token));
        market
    }

    /// Records that actions which happen `times` times together make each token at most once each time.
    fn made_by(&mut self, token: Token, times: u64) {
        if let Some(supply) = self.supply.get_mut(&token) {
            *supply = supply.saturating_add(times);
            self.offer(token);
        }
    }

    fn offer(&mut self, token: Token) {
        if self.makers.get(&token).is_none_or(|&makers| makers == 0)
            && let Some(cost) = self.cost(token)
        {
            self.ready.push(Reverse((cost, token)));
        }
    }

    fn cost(&self, token: Token) -> Option<u64> {
        let users = self.users.get(&token)?.iter().filter(|&&user| !self.is_bounded[user as usize]).count() as u64;
        (users > 0).then(|| self.supply[&token].saturating_mul(1000) / users)
    }

    /// The token to bound its users by next, and its supply.
    fn best(&mut self) -> Option<(Token, u64)> {
        while let Some(Reverse((cost, token))) = self.ready.pop() {
            match self.cost(token) {
                Some(now) if now > cost => self.ready.push(Reverse((now, token))),
                Some(_) => return Some((token, self.supply[&token])),
                None => {}
            }
        }
        None
    }
}

/// The schemas with the tokens that they use up, and the number of times that is possible.
fn because(rules: &Operators, trades: &[Trade], supplies: &[Supply]) -> String {
    let engine = &rules.engine;
    if trades.is_empty() {
        return "no action is ever possible".to_owned();
    }
    let mut kinds: Vec<(&[u16], Token, u64)> = Vec::new();
    for supply in supplies {
        match kinds.iter_mut().find(|(schemas, ..)| **schemas == supply.schemas) {
            Some((.., times)) => *times = times.saturating_add(supply.times),
            None => kinds.push((&supply.schemas, supply.token, supply.times)),
        }
    }
    kinds.sort_unstable();
    let part = |(schemas, token, times): &(&[u16], Token, u64)| {
        let names: Vec<&str> = schemas.iter().map(|&id| engine.model.schemas[id as usize].name.as_str()).collect();
        let fact = rules.fluent_name(FluentId(token >> 1));
        let fact = if token & 1 == 0 { fact } else { format!("(not {fact})") };
        format!("{} at most {times} times, by facts such as {fact}", names.join(" or "))
    };
    format!("every action uses something up: {}", kinds.iter().map(part).collect::<Vec<_>>().join("; "))
}
