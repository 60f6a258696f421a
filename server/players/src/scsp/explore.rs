//! Every state and every round of a game, if there are few.

use percept_game::{Game, JointMove, PerceptId, RoleId, State, States, joint_moves, longest_way};
use percept_infoset::{Budget, Stop};
use percept_syntax::words::rounds;

use crate::simulation::choices;

/// The most states and the most rounds that are visited.
const STATES: usize = 50_000;
const ROUNDS: usize = 400_000;

/// The reason why a game has no such translation.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ScspError {
    #[error(
        "the game has more than {STATES} states or {ROUNDS} different rounds, and the tables would not be complete"
    )]
    /// The game has too many states, or distinct rounds.
    TooLarge,
    /// The rules have too many ground instances.
    #[error("the game is too large to ground")]
    NotGround,
    /// The game has numbers that change.
    #[error("the game has numbers that change, which the translation does not support")]
    Numbers,
    /// The rules cannot be followed in some state.
    #[error("the rules cannot be followed in some state: {0}")]
    Incomplete(String),
    /// A match can go on for ever: this one returns, after its last round, to the state after round `back_to`.
    #[error(
        "a match can go on for ever, so the game has no horizon: the state after round {} is {} again",
        .history.len(), after_round(*.back_to)
    )]
    Endless {
        /// The joint moves of the match.
        history: Vec<JointMove>,
        /// The round after which the state was the same.
        back_to: usize,
    },
    /// A role cannot move after this match, a shortest one, although the match is not over.
    #[error("{role} has no legal move after {}, though the match is not over", rounds(.history.len()))]
    Stuck {
        /// The name of the role.
        role: String,
        /// The joint moves of the match.
        history: Vec<JointMove>,
    },
    /// The budget was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

fn after_round(round: usize) -> String {
    match round {
        0 => "the first one".into(),
        round => format!("the one after round {round}"),
    }
}

/// A round that can be played.
pub(crate) struct Played {
    pub from: usize,
    pub joint: JointMove,
    pub to: usize,
    /// The percepts of each role.
    pub percepts: Vec<Vec<PerceptId>>,
    /// One divided by the number of joint moves in the state.
    pub share: f64,
}

/// All states and rounds of a game.
pub(crate) struct Explored {
    pub states: Vec<State>,
    pub terminal: Vec<bool>,
    /// The rounds, grouped by the state in which they begin.
    pub rounds: Vec<Played>,
    /// The number of rounds of the longest match.
    pub horizon: usize,
}

/// Visits every state and every round, if each match ends.
///
/// # Errors
/// See [`ScspError`], except [`ScspError::NotGround`].
pub(crate) fn explore(game: &Game, budget: &Budget) -> Result<Explored, ScspError> {
    if !game.rules.register_names().is_empty() {
        return Err(ScspError::Numbers);
    }
    let mut search = Search::new(game);
    let mut next = 0;
    while next < search.states.len() {
        budget.check()?;
        search.expand(next)?;
        next += 1;
    }
    let horizon = search.horizon()?;
    Ok(Explored { states: search.states.into_list(), terminal: search.terminal, rounds: search.rounds, horizon })
}

/// The states and rounds met so far, the shortest matches first.
struct Search<'g> {
    game: &'g Game,
    states: States,
    terminal: Vec<bool>,
    rounds: Vec<Played>,
    /// The round that first led to each state; none for the first state.
    first: Vec<Option<usize>>,
    /// The index of each state's first round; one entry more than expanded states.
    begins: Vec<usize>,
}

impl Search<'_> {
    fn new(game: &Game) -> Search<'_> {
        let initial = game.rules.initial();
        let terminal = vec![game.rules.terminal(&initial)];
        let mut states = States::default();
        states.insert(initial);
        Search { game, states, terminal, rounds: Vec::new(), first: vec![None], begins: vec![0] }
    }

    /// Adds the rounds from a state after those of all earlier states.
    fn expand(&mut self, from: usize) -> Result<(), ScspError> {
        if !self.terminal[from] {
            let state = self.states[from as u32].clone();
            let legal = choices(self.game, &state);
            self.sound()?;
            if let Some(role) = legal.iter().position(Vec::is_empty) {
                let role = self.game.roles[role].name.clone();
                return Err(ScspError::Stuck { role, history: self.history(from) });
            }
            let count = legal.iter().try_fold(1usize, |product, moves| product.checked_mul(moves.len()));
            let count = count.filter(|count| *count <= ROUNDS - self.rounds.len() && self.states.len() <= STATES);
            let count = count.ok_or(ScspError::TooLarge)?;
            for joint in joint_moves(&legal) {
                self.play(from, &state, joint, 1.0 / count as f64);
            }
            self.sound()?;
        }
        self.begins.push(self.rounds.len());
        Ok(())
    }

    fn play(&mut self, from: usize, state: &State, joint: JointMove, share: f64) {
        let rules = &self.game.rules;
        let percepts = self.game.role_ids().map(|role: RoleId| rules.percepts(state, &joint, role)).collect();
        let (to, is_new) = self.states.insert(rules.next(state, &joint));
        if is_new {
            self.terminal.push(rules.terminal(&self.states[to]));
            self.first.push(Some(self.rounds.len()));
        }
        self.rounds.push(Played { from, joint, to: to as usize, percepts, share });
    }

    /// Fails if the rules were too large for some state, which then looks as if it had no legal moves.
    fn sound(&self) -> Result<(), ScspError> {
        self.game.rules.fault().map_or(Ok(()), |fault| Err(ScspError::Incomplete(fault.message)))
    }

    /// The shortest match to a state.
    fn history(&self, mut state: usize) -> Vec<JointMove> {
        let mut history = Vec::new();
        while let Some(round) = self.first[state] {
            history.push(self.rounds[round].joint.clone());
            state = self.rounds[round].from;
        }
        history.reverse();
        history
    }

    /// The number of rounds of the longest match.
    fn horizon(&self) -> Result<usize, ScspError> {
        let next: Vec<u32> = self.rounds.iter().map(|round| round.to as u32).collect();
        let of = |state: u32| self.begins[state as usize]..self.begins[state as usize + 1];
        longest_way(self.states.len(), |state| &next[of(state)]).map_err(|circle| {
            let mut history = self.history(circle[0] as usize);
            let back_to = history.len();
            for step in circle.windows(2) {
                let round = self.rounds[of(step[0])].iter().find(|round| round.to == step[1] as usize);
                history.extend(round.map(|round| round.joint.clone()));
            }
            ScspError::Endless { history, back_to }
        })
    }
}
