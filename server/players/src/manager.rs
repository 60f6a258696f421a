//! The manager of a match, chapter 17.5 of *General Game Playing*. It asks every player for moves, replaces late and
//! illegal ones by a random legal move, moves for chance, sends each role its own move and its percepts, and records
//! everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use percept_infoset::Round;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::briefing::Briefing;
use crate::clock::Clocks;
use crate::player::{Seat, Trouble};
use crate::seat::{Occupied, Until};
use crate::strategies::Strategy;

/// Options for running a match.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The identifier of the match that players receive.
    pub id: String,
    /// The clocks for the answers of all players.
    pub clocks: Clocks,
    /// The seed of chance, and of the moves made for players that give none.
    pub seed: u64,
    /// The most rounds; a longer match is ended.
    pub max_rounds: usize,
    /// True if people have no clock: the manager waits for them without limit.
    pub waits: bool,
    /// Set by the caller to end the match; a round that is interrupted does not count.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The first rounds of a match that was interrupted, which are not played again. They must be legal.
    pub played: Vec<JointMove>,
    /// Receives every new round, before the players do.
    pub watch: Option<Watch>,
}

/// A function that receives every new round of a match. It can end the match by its flag: then the round does not count.
#[derive(Clone)]
pub struct Watch(pub Arc<dyn Fn(&JointMove) + Send + Sync>);

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watch")
    }
}

impl Default for MatchOptions {
    fn default() -> MatchOptions {
        MatchOptions {
            id: "match".into(),
            clocks: Clocks::default(),
            seed: 0,
            max_rounds: 10_000,
            waits: false,
            cancel: None,
            played: Vec::new(),
            watch: None,
        }
    }
}

/// The kind of a player's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The player did not answer in time.
    Late,
    /// The player gave an answer that is not a move of the game.
    Nonsense,
    /// The player gave a move that is not legal.
    Illegal,
    /// The player could not be reached.
    Unreachable,
    /// The player crashed.
    Died,
    /// The player gave no move.
    NoMove,
}

impl FaultKind {
    /// Returns the name used in records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Late => "late",
            FaultKind::Nonsense => "nonsense",
            FaultKind::Illegal => "illegal",
            FaultKind::Unreachable => "unreachable",
            FaultKind::Died => "died",
            FaultKind::NoMove => "no-move",
        }
    }
}

/// A fault of one player in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The round, from 1; 0 is before the first.
    pub round: usize,
    /// The role of the player.
    pub role: RoleId,
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The fault in words.
    pub detail: String,
    /// The move of the player, if it is not legal.
    pub made: Option<MoveId>,
    /// The move that was made for the player.
    pub played: Option<MoveId>,
}

impl Fault {
    /// The fault for people, with their name for the player's move.
    pub fn wording(&self, name: impl Fn(MoveId) -> String) -> String {
        self.made.map_or_else(|| self.detail.clone(), |mv| not_legal(&name(mv)))
    }
}

fn not_legal(name: &str) -> String {
    format!("`{name}` is not legal")
}

/// The way a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The match reached a terminal state.
    Over,
    /// A role had no legal move.
    Stuck,
    /// The greatest number of rounds was reached.
    TooLong,
    /// The caller ended the match.
    Cancelled,
}

/// The record of a match.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The reason why the match ended.
    pub ended: Ended,
    /// The goal of each role at the end; `None` if the rules give none, or several.
    pub goals: Vec<Option<i64>>,
    /// The joint moves.
    pub moves: Vec<JointMove>,
    /// The faults of players, in the order of the rounds.
    pub faults: Vec<Fault>,
    /// For each role, the remark of its player about its play.
    pub remarks: Vec<Option<String>>,
    /// For each role, the longest time an answer took.
    pub slowest: Vec<Duration>,
    /// The duration of the whole match, including start clocks.
    pub seconds: f64,
}

/// A game on which matches can be played: the rules that the manager runs, and the briefing of the players.
#[derive(Clone, Debug)]
pub struct Arena {
    rules: Briefing,
    briefing: Briefing,
}

impl Arena {
    /// Creates an arena whose manager runs the rules of the briefing.
    pub fn new(briefing: Briefing) -> Arena {
        Arena { rules: briefing.clone(), briefing }
    }

    /// Creates an arena whose manager runs other rules than those of the briefing, with the same moves and percepts. An
    /// example is rules that watch where their states go.
    pub fn with_rules(rules: Arc<Game>, briefing: Briefing) -> Arena {
        Arena { rules: Briefing::of_game(rules), briefing }
    }

    /// Returns the game that the manager runs.
    pub fn game(&self) -> &Game {
        &self.rules.game
    }

    /// Returns the briefing of the players.
    pub fn briefing(&self) -> &Briefing {
        &self.briefing
    }

    /// Plays a match. `strategies` has one per role; those of chance are not used.
    pub fn play(&self, strategies: &[Strategy], options: &MatchOptions) -> Outcome {
        Match::new(self, strategies, options).play()
    }
}

struct Match<'a> {
    game: &'a Game,
    options: &'a MatchOptions,
    /// The player of each role; `None` for chance.
    seats: Vec<Option<Occupied>>,
    /// True for the roles that have no clock.
    is_waited_for: Vec<bool>,
    state: State,
    /// The dice of chance. They are separate, so that faults do not change chance's moves.
    chance: Xoshiro256PlusPlus,
    /// The dice for moves made for players that fail.
    substitute: Xoshiro256PlusPlus,
    outcome: Outcome,
}

impl<'a> Match<'a> {
    fn new(arena: &'a Arena, strategies: &[Strategy], options: &'a MatchOptions) -> Match<'a> {
        let game = arena.game();
        let is_person = |strategy: &Strategy| matches!(strategy, Strategy::Human(_));
        let is_waited_for: Vec<bool> = strategies.iter().map(|strategy| options.waits && is_person(strategy)).collect();
        let seat = |role: RoleId| {
            let index = role.0 as usize;
            (!game.roles[index].is_chance).then(|| {
                let seed = options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index as u64 + 1) << 48;
                let (briefing, id) = (arena.briefing.clone(), options.id.clone());
                let mut clocks = options.clocks;
                if is_waited_for[index] {
                    clocks.play = None;
                }
                let seat = Seat { briefing, role, clocks, id, seed };
                Occupied::new(seat, strategies[index].clone())
            })
        };
        let roles = game.roles.len();
        Match {
            game,
            options,
            seats: game.role_ids().map(seat).collect(),
            is_waited_for,
            state: game.rules.initial(),
            chance: Xoshiro256PlusPlus::seed_from_u64(options.seed),
            substitute: Xoshiro256PlusPlus::seed_from_u64(!options.seed),
            outcome: Outcome {
                ended: Ended::Over,
                goals: vec![None; roles],
                moves: Vec::new(),
                faults: Vec::new(),
                remarks: vec![None; roles],
                slowest: vec![Duration::ZERO; roles],
                seconds: 0.0,
            },
        }
    }

    fn play(mut self) -> Outcome {
        let begin = Instant::now();
        self.get_ready();
        let mut seen: Vec<Vec<Round>> = vec![Vec::new(); self.seats.len()];
        self.outcome.ended = loop {
            if self.game.rules.terminal(&self.state) {
                break Ended::Over;
            }
            if self.outcome.moves.len() >= self.options.max_rounds {
                break Ended::TooLong;
            }
            if self.is_cancelled() {
                break Ended::Cancelled;
            }
            let legal: Vec<Vec<MoveId>> =
                self.game.role_ids().map(|role| self.game.rules.legal(&self.state, role)).collect();
            if legal.iter().any(Vec::is_empty) {
                break Ended::Stuck;
            }
            let joint = match self.options.played.get(self.outcome.moves.len()) {
                Some(joint) => self.played_before(joint, &legal),
                None => self.ask_everybody(&legal, &mut seen),
            };
            if self.is_cancelled() {
                break Ended::Cancelled;
            }
            let mut at = self.game.at(&self.state);
            for role in self.game.role_ids() {
                seen[role.0 as usize].push(Round::of(self.game, &mut *at, &joint, role));
            }
            drop(at);
            self.state = self.game.rules.next(&self.state, &joint);
            self.outcome.moves.push(joint);
        };
        self.finish(seen, begin)
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// The moment after which an answer is late.
    fn limit(&self, clock: Option<Duration>) -> Option<Instant> {
        clock.and_then(|clock| Instant::now().checked_add(clock + self.options.clocks.grace))
    }

    fn get_ready(&mut self) {
        let until = self.limit(self.options.clocks.start);
        for role in self.game.role_ids() {
            let ready = self.seats[role.0 as usize]
                .as_mut()
                .map(|seat| seat.ready(&Until::new(until, self.options.cancel.as_ref())));
            if let Some(Err(trouble)) = ready {
                self.note(0, role, &trouble, None);
            }
        }
    }

    /// A round of the interrupted match. The dice are thrown as they were then, so that the match goes on as it would have.
    fn played_before(&mut self, joint: &JointMove, legal: &[Vec<MoveId>]) -> JointMove {
        for (seat, choices) in self.seats.iter().zip(legal) {
            let dice = if seat.is_some() { &mut self.substitute } else { &mut self.chance };
            dice.random_range(0..choices.len());
        }
        joint.clone()
    }

    fn ask_everybody(&mut self, legal: &[Vec<MoveId>], seen: &mut [Vec<Round>]) -> JointMove {
        let begin = Instant::now();
        let until = self.limit(self.options.clocks.play);
        for (seat, seen) in self.seats.iter_mut().zip(seen) {
            if let Some(seat) = seat {
                seat.ask(std::mem::take(seen));
            }
        }
        let round = self.outcome.moves.len() + 1;
        let mut joint = JointMove::new();
        for role in self.game.role_ids() {
            let index = role.0 as usize;
            let choices = &legal[index];
            let Some(seat) = &mut self.seats[index] else {
                joint.push(choices[self.chance.random_range(0..choices.len())]);
                continue;
            };
            // Drawn before the answer is known, so that a fault does not change the next substitute.
            let substitute = choices[self.substitute.random_range(0..choices.len())];
            let until = until.filter(|_| !self.is_waited_for[index]);
            let answer = seat.answer(&Until::new(until, self.options.cancel.as_ref()));
            // Excludes the time spent waiting for the roles before it.
            let took = seat.answered.unwrap_or_else(Instant::now).saturating_duration_since(begin);
            self.outcome.slowest[index] = self.outcome.slowest[index].max(took);
            joint.push(match answer {
                Ok(mv) if choices.contains(&mv) => mv,
                Ok(mv) => {
                    let detail = not_legal(&self.game.rules.move_name(role, mv));
                    let (made, played) = (Some(mv), Some(substitute));
                    let fault = Fault { round, role, kind: FaultKind::Illegal, detail, made, played };
                    self.outcome.faults.push(fault);
                    substitute
                }
                Err(trouble) => {
                    self.note(round, role, &trouble, Some(substitute));
                    substitute
                }
            });
        }
        if let Some(Watch(tell)) = self.options.watch.as_ref().filter(|_| !self.is_cancelled()) {
            tell(&joint);
        }
        joint
    }

    fn note(&mut self, round: usize, role: RoleId, trouble: &Trouble, played: Option<MoveId>) {
        let kind = match trouble {
            Trouble::Nonsense(_) | Trouble::Unreadable(_) => FaultKind::Nonsense,
            Trouble::Unreachable(_) => FaultKind::Unreachable,
            Trouble::Lost | Trouble::Hurried => FaultKind::NoMove,
            Trouble::Late => FaultKind::Late,
            Trouble::Died(_) => FaultKind::Died,
        };
        self.outcome.faults.push(Fault { round, role, kind, detail: trouble.to_string(), made: None, played });
    }

    fn finish(mut self, mut seen: Vec<Vec<Round>>, begin: Instant) -> Outcome {
        // In a cancelled match, the manager does not wait for goodbyes.
        let until = match self.outcome.ended {
            Ended::Cancelled => Some(Instant::now()),
            _ => self.limit(self.options.clocks.play),
        };
        for (index, seat) in self.seats.into_iter().enumerate() {
            if let Some(seat) = seat {
                self.outcome.remarks[index] = seat.remark.clone();
                seat.stop(std::mem::take(&mut seen[index]), until);
            }
        }
        for role in self.game.role_ids() {
            if let [goal] = self.game.rules.goals(&self.state, role)[..] {
                self.outcome.goals[role.0 as usize] = Some(goal);
            }
        }
        self.outcome.seconds = begin.elapsed().as_secs_f64();
        self.outcome
    }
}
