//! Tests which conditions can hold: the description with an additional percept for each conjunction in the query.
//!
//! A percept of the first role that comes exactly when the conjunction holds does not change states or moves, so the
//! same grounding and evaluation work for any part of any rule. A percept that grounding removes never comes: fluents
//! that no round makes and moves that are never legal have been folded away.

use percept_game::circuit::Lit;
use percept_game::gdl::Grounding;
use percept_game::{FluentId, Game, JointMove, MoveId, PerceptId, RoleId, Rules, Scope, State};
use percept_infoset::Budget;
use percept_infoset::prove::never;
use percept_syntax::Name;
use percept_syntax::TextRange;
use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Case;

/// The percept's functor. Games that use this name are judged without a probe.
const FUNCTOR: &str = "percept-judge-probe";
/// The most gates of a game that is grounded a second time.
const MOST_GATES: usize = 150_000;
/// Steps that grounding costs for each gate of the game.
const STEPS_A_GATE: u64 = 1_000;

/// The game with its additional percepts.
pub(crate) struct Probe {
    game: Game,
    role: RoleId,
    by_percept: FxHashMap<PerceptId, usize>,
    /// For each conjunction, true if its percept can come at all, as far as grounding shows.
    possible: Vec<bool>,
    /// For each conjunction, true if it mentions moves. Grounding replaces a move without an alternative by a condition
    /// that always holds, so its percept may come even without any move.
    asks_for_moves: Vec<bool>,
}

impl Probe {
    /// A probe for conjunctions; `None` if the game is too large, or the additional rules cannot be run.
    pub(crate) fn new(case: &Case<'_>, conjunctions: &[Vec<Formula>], budget: &Budget) -> Option<Probe> {
        let description = case.description()?;
        let gates = case.game.rules.ground(&Scope::default()).ok()?.circuit.nodes().len();
        case.game.rules.playouts().filter(|_| gates <= MOST_GATES)?;
        let declared = case.heads("role").filter_map(|head| head.args().first());
        let role = declared.into_iter().find(|term| matches!(term.kind, TermKind::Constant))?.clone();
        let id = case.game.role(&role.name.text)?;
        let description = description.with(conjunctions.iter().enumerate().map(|(number, body)| Statement {
            range: role.range,
            head: Some(percept(role.clone(), number)),
            arrow: Some(role.range),
            body: body.clone(),
        }));
        let share = budget.share(2);
        budget.count(STEPS_A_GATE * gates as u64);
        let grounding = Grounding { budget: share.clone(), nodes: 4 * MOST_GATES, ..Grounding::default() };
        let game = Game::from_gdl_with(&description, &grounding).ok()?;
        if game.rules.playouts().is_none() || !is_same(&*case.game.rules, &*game.rules, case.game) {
            return None;
        }
        let find = |number: usize| game.rules.find_percept(id, &format!("({FUNCTOR} {number})"));
        let found: Vec<Option<PerceptId>> = (0..conjunctions.len()).map(find).collect();
        let possible = found.iter().map(Option::is_some).collect();
        let places = found.into_iter().enumerate();
        let by_percept = places.filter_map(|(number, percept)| Some((percept?, number))).collect();
        let of_moves = of_moves(case.description()?);
        let asks_for_moves = conjunctions.iter().map(|body| names_one(body, &of_moves)).collect();
        Some(Probe { game, role: id, by_percept, possible, asks_for_moves })
    }

    /// The price of a query about a round ([`Game::price`]).
    pub(crate) fn price(&self) -> u64 {
        self.game.price()
    }

    /// True if grounding does not exclude that a conjunction holds.
    pub(crate) fn is_possible(&self, number: usize) -> bool {
        self.possible[number]
    }

    /// True if a conjunction mentions moves, or relations that depend on them.
    pub(crate) fn asks_for_moves(&self, number: usize) -> bool {
        self.asks_for_moves[number]
    }

    /// The conjunctions that are proved, by induction, to hold in no match. `None` if the time ran out.
    pub(crate) fn never(&self, numbers: &[usize], budget: &Budget) -> Option<Vec<bool>> {
        let ground = self.game.rules.ground(&Scope::default()).ok()?;
        let gates = &ground.sees[self.role.0 as usize];
        let gate = |number: &usize| gates.iter().find(|(id, _)| self.by_percept.get(id) == Some(number));
        let wanted = numbers.iter().map(|number| gate(number).map(|(_, lit)| *lit)).collect::<Option<Vec<Lit>>>()?;
        never::never(&self.game, &ground, &wanted, budget)
    }

    /// The conjunctions that hold in a state with these moves.
    pub(crate) fn fulfilled(&self, state: &State, joint: &[MoveId]) -> impl Iterator<Item = usize> + use<'_> {
        let percepts = self.game.rules.percepts(state, joint, self.role);
        percepts.into_iter().filter_map(|percept| self.by_percept.get(&percept).copied())
    }

    /// The conjunctions that hold in a state without moves: none that mentions moves.
    pub(crate) fn fulfilled_without_moves(&self, state: &State) -> impl Iterator<Item = usize> + use<'_> {
        let nothing: JointMove = vec![MoveId::NOOP; self.game.roles.len()];
        self.fulfilled(state, &nothing).filter(|&number| !self.asks_for_moves[number])
    }
}

/// The relations whose rules mention moves or their effects, with the numbers of their arguments.
fn of_moves(description: &Description) -> FxHashSet<(String, usize)> {
    let mut found: FxHashSet<(String, usize)> =
        [("does", 2), ("next", 1)].map(|(word, arity)| (word.to_string(), arity)).into_iter().collect();
    loop {
        let before = found.len();
        for statement in description.statements.with_body() {
            if let Some(head) = statement.head.as_ref().filter(|_| names_one(&statement.body, &found)) {
                found.insert(key(head));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn key(atom: &Term) -> (String, usize) {
    (atom.name.text.to_ascii_lowercase(), atom.args().len())
}

/// True if a body mentions one of these relations.
fn names_one(body: &[Formula], relations: &FxHashSet<(String, usize)>) -> bool {
    let mut names = false;
    let mut note = |atom: &Term, _| names |= relations.contains(&key(atom));
    body.iter().for_each(|formula| formula.atoms(false, &mut note));
    names
}

fn percept(role: Term, number: usize) -> Term {
    let range = role.range;
    let word = |text: String| Name::new(text, range);
    let number = Term { range, name: word(number.to_string()), kind: TermKind::Constant };
    let percept = Term { range, name: word(FUNCTOR.into()), kind: TermKind::Compound([number].into()) };
    Term {
        range: TextRange::at(range.start),
        name: word("sees".into()),
        kind: TermKind::Compound([role, percept].into()),
    }
}

/// True if fluents and moves have the same numbers in both.
fn is_same(one: &dyn Rules, other: &dyn Rules, game: &Game) -> bool {
    let fluents = one.fluent_count() == other.fluent_count()
        && (0..one.fluent_count() as u32).map(FluentId).all(|id| one.fluent_term(id) == other.fluent_term(id));
    let (Ok(first), Ok(second)) = (one.ground(&Scope::default()), other.ground(&Scope::default())) else {
        return false;
    };
    let moves = game.role_ids().all(|role| {
        let (a, b) = (&first.moves[role.0 as usize], &second.moves[role.0 as usize]);
        a.len() == b.len()
            && a.iter().zip(b).all(|((a, _), (b, _))| a == b && one.move_term(role, *a) == other.move_term(role, *b))
    });
    fluents && moves
}
