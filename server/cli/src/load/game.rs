//! Games and traces from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_game::gdl::Grounding;
use percept_game::plain::{self, pogddl::Range};
use percept_game::trace::{self, Trace, View};
use percept_game::{Game, GameError, JointMove, PogddlTerminal, RoleId};
use percept_infoset::{Budget, Property, Stop};
use percept_report::blame::{Blamer, Rule};
use percept_report::board::Layout;
use percept_report::files;
use percept_report::load::{self, LoadError};
use percept_report::place::InFile;
use percept_report::speech::Speech;
#[cfg(feature = "bench")]
use percept_syntax::Language;
use percept_syntax::lines::LineIndex;
use percept_syntax::{Source, Syntax, TextRange};

use super::text;
use crate::args::{GameArgs, Terminal};
use crate::failure::{Failure, Place};
use crate::limits;
use crate::work::Work;

/// A game with the files it came from.
pub(crate) struct Loaded {
    pub game: Arc<Game>,
    /// The description, or the domain and the problem.
    pub files: Vec<(PathBuf, Source)>,
    /// The words that the files' comments give to moves and fluents.
    pub speech: Speech,
    /// The interpretations of unsafe rules, each with its place.
    remarks: Vec<GameError>,
}

const OWN_MOVES: &str = "this view's own moves do not count: in POGDDL, a role knows its own move only from a message";

/// The part of a command's time that the circuit may take.
const SETTING_UP: (usize, usize) = (2, 5);

/// Loads a game again and again, as the stepper does when files change.
#[derive(Clone)]
pub(crate) struct Loader {
    args: GameArgs,
    /// The limits of the circuit: at their end the game is played without it.
    circuit: Budget,
    /// The limits of the set-up. If it exceeds them, loading fails.
    set_up: Budget,
}

impl Loader {
    /// Loads a game within the limits of a command that has begun: only so is there an end to set-up. A part of the
    /// time may be spent on the circuit; if the circuit is not finished by then, the rules are interpreted.
    pub(crate) fn new(args: &GameArgs, work: &Work) -> Loader {
        work.say("setting the game up");
        let (parts, of) = SETTING_UP;
        let set_up = Budget { progress: None, ..work.budget() };
        Loader { args: args.clone(), circuit: set_up.shares(parts, of), set_up }
    }

    /// Like [`Loader::new`], for callers that need the circuit.
    pub(crate) fn with_circuit(self) -> Loader {
        Loader { circuit: self.set_up.clone(), ..self }
    }

    /// Like [`Loader::new`], with at most this time for the circuit.
    pub(crate) fn with_circuit_in(self, time: Duration) -> Loader {
        Loader { circuit: self.set_up.until(Instant::now() + time), ..self }
    }

    /// Reads the files and builds the game.
    ///
    /// # Errors
    /// If a file cannot be read, or the rules are not a game; the message has the place.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let files = load::sources(&self.args.game, self.args.domain.as_deref())?;
        let (budget, set_up) = (self.circuit.clone(), self.set_up.clone());
        let grounding = Grounding { budget, set_up, ..Grounding::default() };
        let game =
            load::game(&files, self.args.pogddl_terminal.map(Into::into), &grounding).map_err(
                |error| match grounding.set_up.stop() {
                    Some(stop) => not_set_up(stop),
                    None => error.into(),
                },
            )?;
        let remarks = match &files[0].1.syntax {
            Syntax::Gdl(description) => percept_game::gdl::remarks(description, &grounding.set_up),
            Syntax::Pddl(_) => Vec::new(),
        };
        let speech = Speech::of(&files.iter().map(|(_, source)| source).collect::<Vec<_>>());
        Ok(Loaded { game: Arc::new(game), files, speech, remarks })
    }
}

/// The failure of work that was stopped while the rules were set up.
fn not_set_up(stop: Stop) -> Failure {
    let failure = |why: &str| Failure::open(format!("the rules are not set up: {why}"));
    match limits::stopped() {
        Some(why) => failure(why),
        None => failure(&stop.to_string()).note("allow more with --time or --memory"),
    }
}

/// A game of a domain and a problem without files.
///
/// # Errors
/// Like [`Loader::load`].
#[cfg(feature = "bench")]
pub(crate) fn pogddl(domain: &str, problem: &str) -> Result<Game, Failure> {
    let source = |name: &str, text: &str| (PathBuf::from(name), Source::parse(text, Language::Pogddl));
    let files = [source("domain", domain), source("problem", problem)];
    Ok(load::game(&files, None, &Grounding::default())?)
}

impl From<Terminal> for PogddlTerminal {
    fn from(terminal: Terminal) -> PogddlTerminal {
        match terminal {
            Terminal::NoMoves => PogddlTerminal::NoMoves,
            Terminal::Payoff => PogddlTerminal::Payoff,
        }
    }
}

fn located(errors: &[GameError], files: &[(PathBuf, Source)]) -> Failure {
    let place = |error: &GameError| {
        let (path, source) = &files[usize::from(error.in_problem).min(files.len() - 1)];
        text::place(path, &source.text, error.range, &error.message)
    };
    Failure::Located(errors.iter().map(place).collect())
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        match error {
            LoadError::File(error) => error.into(),
            LoadError::Domain { ref missing, .. } => {
                missing.notes().into_iter().fold(Failure::new(error.to_string()), Failure::note)
            }
            LoadError::NotAGame { message, note } => Failure::new(message).note(note),
            LoadError::Broken { files, errors } => located(&errors, &files),
        }
    }
}

impl Loaded {
    /// Searches for the rules behind a role's missing knowledge.
    pub(crate) fn blamer(&self) -> Blamer<'_> {
        Blamer::new(&self.game, &self.files[0].1)
    }

    /// Returns a function that gives the place of a rule.
    pub(crate) fn place(&self) -> impl Fn(&Rule) -> InFile {
        let lines: Vec<LineIndex> = self.files.iter().map(|(_, source)| LineIndex::new(&source.text)).collect();
        move |rule| InFile::new(&self.files[rule.file].0, &lines[rule.file], rule.range)
    }

    /// The layout of the game's boards.
    pub(crate) fn layout(&self) -> Layout {
        Layout::new(&self.game, &self.files.iter().map(|(_, source)| source).collect::<Vec<_>>())
    }

    /// Reports on standard error the interpretation of unsafe rules.
    pub(crate) fn warned(self) -> Loaded {
        for remark in self.remarks.iter().take(20) {
            let (path, source) = &self.files[0];
            text::place(path, &source.text, remark.range, &remark.message).warn();
        }
        self
    }

    /// The same game from the same files, grounded plainly, independent of the code of the other one. `numbers`: the
    /// ranges of numbers that change; `property`: the property to prove with it.
    ///
    /// # Errors
    /// If its rules have too many instances, or `control` stops the work.
    pub(crate) fn plain(&self, numbers: &[Range], property: Property, budget: &Budget) -> Result<Game, Failure> {
        let limits = plain::Limits { budget: budget.clone(), ..plain::Limits::default() };
        let game = self.game.plain(numbers, property == Property::Goal, &limits);
        let game = game.expect("a game that was loaded has a description");
        game.map_err(|errors| match budget.stop() {
            Some(stop) => Failure::open(format!("{stop} while the rules were grounded one by one for the certificate")),
            None => located(&errors, &self.files),
        })
    }

    /// Checks that every answer of the rules so far was complete.
    ///
    /// # Errors
    /// Names the rule whose evaluation exceeded a limit.
    pub(crate) fn sound(&self) -> Result<(), Failure> {
        match self.game.rules.fault() {
            Some(error) => Err(located(&[error], &self.files)),
            None => Ok(()),
        }
    }

    /// The role with this name.
    ///
    /// # Errors
    /// If there is none. The message lists the roles.
    pub(crate) fn role(&self, name: &str) -> Result<RoleId, Failure> {
        self.game.role_named(name).map_err(|error| Failure::new(error.to_string()))
    }

    /// The role with this name, which must not be chance.
    ///
    /// # Errors
    /// If there is none. The message lists the roles.
    pub(crate) fn player(&self, name: &str) -> Result<RoleId, Failure> {
        let role = self.role(name)?;
        let roles = &self.game.roles;
        if roles[role.0 as usize].is_chance {
            let names: Vec<&str> = roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str()).collect();
            let failure = Failure::new(format!("`{name}` is chance: it has no knowledge to judge"));
            return Err(failure.note(format!("the other roles are {}", names.join(", "))));
        }
        Ok(role)
    }

    /// Reads a trace of this game.
    pub(crate) fn trace(&self, path: &Path, viewer: Option<RoleId>) -> Result<Trace, Failure> {
        let bytes = files::read(path, trace::MAX_BYTES)?;
        let place = |range: TextRange, message: String| {
            // Both are the same up to the first byte that is not text; the error is reported there.
            let text = String::from_utf8_lossy(&bytes);
            let text = if text.contains('\0') { String::new() } else { text.into_owned() };
            Place {
                file: path.display().to_string(),
                range: if text.is_empty() { TextRange::at(0) } else { range },
                text: text.into(),
                message,
                notes: Vec::new(),
            }
        };
        let read = trace::read_for(&self.game, &bytes, viewer)
            .map_err(|error| Failure::Located(vec![place(error.range, error.message)]))?;
        if let Trace::View(_) = read
            && !self.game.knows_own_moves
            && let Some(range) = trace::first_own_move(&bytes)
        {
            place(range, OWN_MOVES.into()).warn();
        }
        Ok(read)
    }

    /// Reads a trace in which every role's moves are known.
    pub(crate) fn full_match(&self, path: &Path) -> Result<Vec<JointMove>, Failure> {
        match self.trace(path, None) {
            Ok(Trace::Match(rounds)) => Ok(rounds),
            Ok(Trace::View(_)) => Err(Failure::new(format!(
                "{} is the view of one role; this command needs the moves of all roles",
                path.display()
            ))),
            Err(failure) => Err(failure),
        }
    }

    /// The role's knowledge at a place of a trace: from its messages, or from a match.
    pub(crate) fn view(&self, path: &Path, role: Option<&str>, round: Option<usize>) -> Result<View, Failure> {
        let role = role.map(|name| self.role(name)).transpose()?;
        let mut view = match (self.trace(path, role)?, role) {
            (Trace::View(view), _) => view,
            (Trace::Match(rounds), Some(role)) => trace::view_of(&self.game, &rounds, role, rounds.len()),
            (Trace::Match(_), None) => {
                let names = self.game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str());
                let names: Vec<&str> = names.collect();
                return Err(Failure::new("the role is missing: name it with --role")
                    .note(format!("the roles are {}", names.join(", "))));
            }
        };
        if let Some(round) = round {
            if round > view.rounds.len() {
                return Err(Failure::new(format!(
                    "the trace has {} rounds; there is no round {round}",
                    view.rounds.len()
                )));
            }
            view.rounds.truncate(round);
        }
        Ok(view)
    }
}
