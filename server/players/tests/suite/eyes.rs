//! No state reaches a player. The manager runs rules whose states carry a mark. The rules of the players look for it in
//! every state they are ever queried about.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::support::{gdl, repeatable, strategies};
use percept_game::{
    Cursor, FluentId, Game, Ground, MoveId, Names, PerceptId, Play, RoleId, Rules, Scope, State, Structure, Term,
    TooLarge,
};
use percept_players::Arena;

/// The mark of states: a number that no rule sets.
const MARK: i64 = 0x5eed_5ee5;

/// Rules that mark the states they return, or look for the mark in those they receive.
struct Watched {
    inner: Arc<dyn Rules>,
    marks: bool,
    found: Arc<AtomicBool>,
    queries: Arc<AtomicUsize>,
}

impl Watched {
    fn of(game: &Game, marks: bool) -> (Arc<Game>, Arc<AtomicBool>, Arc<AtomicUsize>) {
        let (found, queries) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let rules = Watched { inner: game.rules.clone(), marks, found: found.clone(), queries: queries.clone() };
        (Arc::new(Game { rules: Arc::new(rules), ..game.clone() }), found, queries)
    }

    fn clean(&self, state: &State) -> State {
        self.queries.fetch_add(1, Ordering::Relaxed);
        if state.registers[..] == [MARK] {
            self.found.store(true, Ordering::Relaxed);
        }
        State { bits: state.bits.clone(), registers: [].into() }
    }

    fn marked(&self, state: State) -> State {
        if self.marks { State { registers: [MARK].into(), ..state } } else { state }
    }
}

impl Rules for Watched {
    fn initial(&self) -> State {
        self.marked(self.inner.initial())
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        Box::new(At { inner: self.inner.at(&self.clean(state)), watched: self, state: state.clone() })
    }
}

struct At<'a> {
    watched: &'a Watched,
    inner: Box<dyn Cursor + 'a>,
    /// The state in the form the other rules use.
    state: State,
}

impl Cursor for At<'_> {
    fn state(&self) -> &State {
        &self.state
    }
    fn go(&mut self, state: &State) {
        self.inner.go(&self.watched.clean(state));
        self.state = state.clone();
    }
    fn is_terminal(&mut self) -> bool {
        self.inner.is_terminal()
    }
    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        self.inner.legal_into(role, moves);
    }
    fn next(&mut self, joint: &[MoveId]) -> State {
        self.watched.marked(self.inner.next(joint))
    }
    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        self.inner.percepts(joint, role)
    }
    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        self.inner.goals(role)
    }
    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.inner.fact(atom)
    }
}

impl Names for Watched {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.inner.fluent_term(fluent)
    }
    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.inner.move_term(role, mv)
    }
    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        self.inner.percept_term(role, percept)
    }
    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.inner.move_named(role, name)
    }
    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        self.inner.percept_named(role, name)
    }
    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.inner.fluent_named(name)
    }
    fn fluent_count(&self) -> usize {
        self.inner.fluent_count()
    }
}

impl Structure for Watched {
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        self.inner.ground(scope)
    }
}

impl Play for Watched {}

#[test]
fn no_state_of_the_match_reaches_any_player() {
    let briefing = gdl("exploding-bomb-arming/exploding-bomb-arming.kif");
    let names = [
        "legal",
        "random",
        "table",
        "sampling",
        "choosemove",
        "uct",
        "grave",
        "cfr",
        "mac-ucb-ii",
        "ismcts",
        "equilibrium",
        "auto",
    ];
    for name in names {
        let (real, _, managed) = Watched::of(&briefing.game, true);
        let (wrapped, found, queries) = Watched::of(&briefing.game, false);
        let wrapped = briefing.clone().with_rules(wrapped);
        let arena = Arena::with_rules(real, wrapped);
        let outcome = arena.play(&strategies(&[name, name]), &repeatable(1, 50));
        assert_eq!(outcome.faults, [], "{name}");
        assert!(managed.load(Ordering::Relaxed) > 0 && queries.load(Ordering::Relaxed) > 0);
        assert!(!found.load(Ordering::Relaxed), "{name} was asked about a state of the real match");
    }
}

/// The watch detects a leak.
#[test]
fn a_leak_would_be_noticed() {
    let briefing = gdl("exploding-bomb/exploding-bomb.kif");
    let (real, ..) = Watched::of(&briefing.game, true);
    let (wrapped, found, _) = Watched::of(&briefing.game, false);
    wrapped.rules.terminal(&real.rules.initial());
    assert!(found.load(Ordering::Relaxed));
}
