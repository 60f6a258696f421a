//! Typed syntax to [`Model`]: names become numbers, variables slots, formulas negation normal form.
//!
//! A part without a meaning becomes a [`GameError`] at its place; everything else is still lowered, so that all errors
//! are reported at once. Types of arguments are not checked here: the analysis does that.

mod formula;

use std::sync::Arc;

use percept_syntax::{
    TextRange,
    pddl::{
        Action, Arg, AssignOp, Atom as AtomSyntax, Condition, Domain, Effect, Init, Problem,
        Recipient as RecipientSyntax, Signature, TimedAction, TimedKind, TypedGroup,
    },
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{
    model::*,
    names::{Universe, key},
};
use crate::GameError;

/// Lowers a domain with one of its problems.
pub(crate) fn lower(domain: &Domain, problem: &Problem) -> Result<Model, Vec<GameError>> {
    let universe = match Universe::new(domain, problem) {
        Ok(universe) => universe,
        Err(message) => return Err(vec![GameError { message, range: problem.range, in_problem: true }]),
    };
    let (words, word_ids) = universe.words();
    let predicates = symbols(&domain.predicates, domain.derived.iter().map(|rule| &rule.head));
    let functions = symbols(domain.functions.iter().map(|function| &function.signature), []);
    let mut lowering = Lowering {
        universe,
        words,
        word_ids,
        predicates,
        functions,
        scope: Vec::new(),
        next_slot: 0,
        in_problem: false,
        errors: Vec::new(),
    };
    let model = lowering.model(domain, problem);
    if lowering.errors.is_empty() { Ok(model) } else { Err(lowering.errors) }
}

/// Declared symbols with their ids; the first declaration of a name counts.
#[derive(Default)]
struct Symbols {
    list: Vec<Symbol>,
    ids: FxHashMap<SmolStr, u16>,
}

fn symbols<'a>(
    declared: impl IntoIterator<Item = &'a Signature>,
    also: impl IntoIterator<Item = &'a Signature>,
) -> Symbols {
    let mut symbols = Symbols::default();
    for signature in declared.into_iter().chain(also) {
        let name = key(&signature.name.text);
        if symbols.ids.contains_key(&name) || symbols.list.len() >= u16::MAX as usize {
            continue;
        }
        symbols.ids.insert(name.clone(), symbols.list.len() as u16);
        let arity = signature.params.iter().map(|group| group.names.len()).sum();
        symbols.list.push(Symbol { name, arity });
    }
    symbols
}

struct Lowering {
    universe: Universe,
    words: Vec<SmolStr>,
    word_ids: FxHashMap<SmolStr, u32>,
    predicates: Symbols,
    functions: Symbols,
    /// Variables in scope, innermost last.
    scope: Vec<(SmolStr, u8)>,
    next_slot: usize,
    in_problem: bool,
    errors: Vec<GameError>,
}

impl Lowering {
    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.errors.push(GameError { message: message.into(), range, in_problem: self.in_problem });
    }

    fn model(&mut self, domain: &Domain, problem: &Problem) -> Model {
        let place = domain.name.as_ref().map_or(domain.range, |name| name.range);
        if self.universe.roles.is_empty() {
            self.error(place, "no roles: declare the players as constants of type `role`, as in `chance p1 p2 - role`");
        }
        let turn = self.turn_predicate(place);
        domain.timed.iter().for_each(|timed| self.refuse_timed(timed));
        let schemas = domain.actions.iter().map(|action| self.schema(action)).collect();
        let derived = domain.derived.iter().filter_map(|rule| self.derived(&rule.head, &rule.body)).collect();
        let gains = domain.gains.iter().filter_map(|gain| self.gain(gain)).collect();
        self.in_problem = true;
        let (init, init_values) = self.init(problem);
        let roles = self.universe.roles.clone();
        Model {
            chance: roles.iter().position(|&role| self.universe.name(role) == "chance"),
            objects: self.universe.objects.clone(),
            words: std::mem::take(&mut self.words),
            roles,
            predicates: std::mem::take(&mut self.predicates.list),
            functions: std::mem::take(&mut self.functions.list),
            turn,
            schemas,
            derived,
            gains,
            init,
            init_values,
        }
    }

    /// An action that takes time or happens by itself is not a move: a match without it would be another game.
    fn refuse_timed(&mut self, timed: &TimedAction) {
        let name = &timed.action.name;
        let message = match timed.kind {
            TimedKind::Durative => {
                format!("`{}` takes time, and matches are played move by move: make it an `:action`", name.text)
            }
            TimedKind::Process | TimedKind::Event => {
                format!("`{}` happens by itself, and in a match only roles act: let `chance` do it", name.text)
            }
            TimedKind::Axiom => "an axiom of PDDL 1 is not played: write `(:derived (name ?x) condition)`".to_owned(),
        };
        self.error(name.range, message);
    }

    fn turn_predicate(&mut self, place: TextRange) -> u16 {
        match self.predicates.ids.get("whoseturn") {
            Some(&id) if self.predicates.list[id as usize].arity == 1 => id,
            _ => {
                self.error(
                    place,
                    "no role can move: declare the predicate `(whoseturn ?r - role)`, which says whose turn it is",
                );
                0
            }
        }
    }

    fn schema(&mut self, action: &Action) -> Schema {
        if let Some(group) = action.vars.first() {
            self.error(group.range, "the mover chooses all variables of a move: put these into `:parameters`");
        }
        let params = self.enter(&action.params);
        let precondition = action.precondition.as_ref().map_or(Formula::True, |inner| self.condition(inner, true));
        let items = action.effect.as_ref().map_or_else(Vec::new, |effect| self.effect(effect));
        self.leave(params.len());
        Schema { name: key(&action.name.text), params, precondition, items }
    }

    fn derived(&mut self, head: &Signature, body: &Condition) -> Option<DerivedRule> {
        let &predicate = self.predicates.ids.get(&key(&head.name.text))?;
        let params = self.enter(&head.params);
        let arity = self.predicates.list[predicate as usize].arity;
        if params.len() != arity {
            self.error(head.range, format!("`{}` has {arity} arguments", head.name.text));
        }
        let body = self.condition(body, true);
        self.leave(params.len());
        Some(DerivedRule { predicate, params, body })
    }

    fn gain(&mut self, gain: &percept_syntax::pddl::Gain) -> Option<Gain> {
        let mut params = self.enter(&gain.params);
        if params.is_empty() {
            self.error(gain.range, "a gain needs its role: `(:gain ?p - role ...)`");
            return None;
        }
        let value = self.number(&gain.value);
        let condition = self.condition(&gain.condition, true);
        self.leave(params.len());
        let role = params.remove(0);
        let mut stray = false;
        value.slots(&mut |slot| stray |= slot != role.slot);
        if stray {
            self.error(gain.value.range(), "the value of a gain may mention its first variable only, the role");
        }
        let condition = if params.is_empty() { condition } else { Formula::exists(params, condition) };
        let domain = &role.domain;
        let roles = self.universe.roles.iter().copied().filter(|id| domain.contains(id)).collect();
        Some(Gain { roles, value, range: gain.value.range(), condition })
    }

    #[allow(clippy::type_complexity)]
    fn init(&mut self, problem: &Problem) -> (Vec<(u16, Box<[Obj]>)>, Vec<(u16, Box<[Obj]>, i64)>) {
        let (mut facts, mut values) = (Vec::new(), Vec::new());
        for entry in &problem.init {
            match entry {
                Init::Fact(atom) => {
                    if let Some((symbol, args)) = self.ground_atom(atom, false) {
                        facts.push((symbol, args));
                    }
                }
                Init::Value { target, value, .. } => {
                    let number = self.number(value);
                    let Num::Constant(number) = number else {
                        self.error(value.range(), "the value in `:init` must be a number");
                        continue;
                    };
                    if let Some((symbol, args)) = self.ground_atom(target, true) {
                        values.push((symbol, args, number));
                    }
                }
                Init::Negated { .. } => {}
                Init::Outside { keyword, .. } => {
                    let message = "this fact is uncertain or comes later: all facts of a match hold when it begins";
                    self.error(keyword.range, message);
                }
                Init::Error { range } => self.error(*range, "this entry of `:init` is not understood"),
            }
        }
        (facts, values)
    }

    fn ground_atom(&mut self, atom: &AtomSyntax, is_function: bool) -> Option<(u16, Box<[Obj]>)> {
        let lowered = self.atom(atom, is_function)?;
        let args = lowered.args.iter().map(|term| match term {
            Term::Const(object) => Some(*object),
            Term::Var(_) => None,
        });
        Some((lowered.symbol, args.collect::<Option<_>>()?))
    }

    /// Brings the variables of a typed list into scope.
    fn enter(&mut self, groups: &[TypedGroup]) -> Vec<Var> {
        let mut vars = Vec::new();
        for group in groups {
            let domain: Arc<[Obj]> = self.universe.of_types(&group.types);
            for name in &group.names {
                if self.next_slot == MAX_SLOTS {
                    self.error(name.range, format!("more than {MAX_SLOTS} variables at one place"));
                    self.next_slot -= 1;
                }
                let slot = self.next_slot as u8;
                self.next_slot += 1;
                self.scope.push((key(&name.text), slot));
                vars.push(Var { slot, domain: domain.clone() });
            }
        }
        vars
    }

    fn leave(&mut self, count: usize) {
        self.scope.truncate(self.scope.len().saturating_sub(count));
        self.next_slot = self.next_slot.saturating_sub(count);
    }

    fn effect(&mut self, effect: &Effect) -> Vec<Item> {
        match effect {
            Effect::And { parts, .. } => parts.iter().flat_map(|part| self.effect(part)).collect(),
            Effect::Add(atom) => self.atom(atom, false).map(Item::Add).into_iter().collect(),
            Effect::Delete { atom, .. } => self.atom(atom, false).map(Item::Delete).into_iter().collect(),
            Effect::When { condition, effect, .. } => {
                let condition = self.condition(condition, true);
                let items = self.effect(effect);
                vec![Item::Block(Block { vars: Vec::new(), condition, items })]
            }
            Effect::Forall { params, effect, .. } => {
                let vars = self.enter(params);
                let items = self.effect(effect);
                self.leave(vars.len());
                vec![Item::Block(merged(vars, items))]
            }
            Effect::Assign { op, target, value, range, .. } => {
                let value = self.number(value);
                let op = match op {
                    AssignOp::Assign => NumericOp::Assign,
                    AssignOp::Increase => NumericOp::Increase,
                    AssignOp::Decrease => NumericOp::Decrease,
                    AssignOp::ScaleUp => NumericOp::ScaleUp,
                    AssignOp::ScaleDown => NumericOp::ScaleDown,
                };
                self.atom(target, true).map(|target| Item::Numeric(op, target, value, *range)).into_iter().collect()
            }
            Effect::Observe { recipients, .. } => {
                vec![Item::Observe(recipients.iter().filter_map(|recipient| self.recipient(recipient)).collect())]
            }
            Effect::Outside { keyword, .. } => {
                let message =
                    format!("`{}` has no place in a match: effects happen at once, and `chance` moves", keyword.text);
                self.error(keyword.range, message);
                Vec::new()
            }
            Effect::Error { range } => {
                self.error(*range, "this effect is not understood");
                Vec::new()
            }
        }
    }

    fn recipient(&mut self, recipient: &RecipientSyntax) -> Option<Recipient> {
        let mut to = Vec::new();
        for arg in &recipient.receivers {
            if arg.is_variable {
                to.push(Receiver::Role(Term::Var(self.variable(&arg.name)?)));
            } else if arg.name.is("all") {
                to.push(Receiver::All);
            } else if arg.name.is("others") {
                to.push(Receiver::Others);
            } else {
                match self.universe.object(&arg.name.text) {
                    Some(role) if self.universe.roles.contains(&role) => to.push(Receiver::Role(Term::Const(role))),
                    _ => self.error(
                        arg.name.range,
                        format!("`{}` is not a role, so no role gets this message", arg.name.text),
                    ),
                }
            }
        }
        let Some(message) = &recipient.message else {
            self.error(recipient.range, "the message is missing");
            return None;
        };
        let head = self.word(&message.name.text);
        let args = message.args.iter().map(|arg| self.message_term(arg)).collect::<Option<_>>()?;
        Some(Recipient { to, message: Message { head, args } })
    }

    fn message_term(&mut self, arg: &Arg) -> Option<MessageTerm> {
        if arg.is_variable {
            return self.variable(&arg.name).map(MessageTerm::Var);
        }
        Some(MessageTerm::Word(self.word(&arg.name.text)))
    }

    fn word(&mut self, name: &str) -> u32 {
        let name = key(name);
        if let Some(&id) = self.word_ids.get(&name) {
            return id;
        }
        let id = self.words.len() as u32;
        self.words.push(name.clone());
        self.word_ids.insert(name, id);
        id
    }
}

/// `forall` around a single `when` is one block, so that the condition takes part in choosing the bindings.
fn merged(mut vars: Vec<Var>, mut items: Vec<Item>) -> Block {
    if let [Item::Block(_)] = &items[..]
        && let Some(Item::Block(inner)) = items.pop()
    {
        vars.extend(inner.vars);
        return Block { vars, condition: inner.condition, items: inner.items };
    }
    Block { vars, condition: Formula::True, items }
}
