//! Strategies as tables: for each view of a role, the moves and their probabilities by name. A table can be kept, read
//! by people, and used after the game is loaded again.
//!
//! The text is a list of entries like this; `;` starts a comment:
//!
//! ```text
//! (at p2                           ; the role
//! (round noop (card 1))          ; what it knows: per round its own move, then what it perceived
//! (round noop (did p1 bet))
//! (play (0 bet) (1 pass)))       ; what it does: probability (a decimal number or a fraction) and move
//! ```
//!
//! `-` represents an own move that the role does not learn (POGDDL). Percepts are in alphabetical order in GDL, and in
//! the order of sending in POGDDL. A view that is not listed is one in which the role has only one move.

mod read;
mod shared;
mod words;

use std::borrow::Cow;
use std::fmt::Write;
use std::io;

use num_rational::BigRational;
use percept_game::{Game, MoveId, PerceptId, RoleId};
use percept_infoset::View;
use rustc_hash::FxHashMap;

use crate::tree::{Tree, Views};

pub use shared::Shared;
pub use words::StrategyError;

/// A role's knowledge about one round, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ViewRound {
    /// The role's own move; `None` if it does not learn the move.
    pub own: Option<String>,
    /// The percepts, by name.
    pub percepts: Vec<String>,
}

/// A role's behaviour at one view.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The role.
    pub role: String,
    /// Its knowledge, round by round.
    pub view: Vec<ViewRound>,
    /// Moves with their probabilities, which add up to one.
    pub moves: Vec<(String, f64)>,
    /// The probabilities as fractions, if they are known exactly.
    pub fractions: Option<Vec<BigRational>>,
}

/// A table of entries for any number of roles.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    entries: Vec<Entry>,
    by_view: FxHashMap<(String, Vec<ViewRound>), usize>,
    shared: Vec<Shared>,
}

/// The knowledge about a round, by name.
pub fn view_round(game: &Game, role: RoleId, own: Option<MoveId>, percepts: &[PerceptId]) -> ViewRound {
    let mut percepts: Vec<String> = percepts.iter().map(|&it| game.rules.percept_name(role, it)).collect();
    if !game.is_sequential {
        percepts.sort_unstable();
    }
    ViewRound { own: own.map(|mv| game.rules.move_name(role, mv)), percepts }
}

/// The knowledge in a view, by name.
pub fn known_view(game: &Game, view: &View) -> Vec<ViewRound> {
    view.rounds.iter().map(|round| view_round(game, view.role, round.own, &round.percepts)).collect()
}

pub(crate) fn names(game: &Game, role: RoleId, views: &Views, view: u32) -> Vec<ViewRound> {
    views.rounds(view).iter().map(|seen| view_round(game, role, seen.own, seen.percepts)).collect()
}

impl Strategy {
    /// Adds an entry, in place of an earlier one for the same view.
    pub fn add(&mut self, entry: Entry) {
        let key = (entry.role.to_ascii_lowercase(), entry.view.clone());
        match self.by_view.get(&key) {
            Some(&at) => self.entries[at] = entry,
            None => {
                self.by_view.insert(key, self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// A role's behaviour at a view: moves with probabilities. `None` if the table has no entry, for example if the
    /// role has only one move.
    pub fn moves(&self, role: &str, view: &[ViewRound]) -> Option<Cow<'_, [(String, f64)]>> {
        if let Some(shared) = self.shared(role) {
            return shared.at(view).map(Cow::Owned);
        }
        let at = *self.by_view.get(&(role.to_ascii_lowercase(), view.to_vec()))?;
        Some(Cow::Borrowed(&self.entries[at].moves))
    }

    /// The strategy of a role by views with the same future, if it is in that form.
    pub fn shared(&self, role: &str) -> Option<&Shared> {
        self.shared.iter().find(|shared| shared.role.eq_ignore_ascii_case(role))
    }

    /// The roles with the names of their moves.
    pub fn roles(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let entries = self.entries.iter().map(|it| (&*it.role, it.moves.iter().map(|it| &*it.0).collect()));
        let shared = self.shared.iter().map(|it| (&*it.role, it.moves().iter().map(|it| &**it).collect()));
        entries.chain(shared)
    }

    /// True if no role's strategy is by views with the same future.
    pub(crate) fn is_by_entries(&self) -> bool {
        self.shared.is_empty()
    }

    /// The approximate number of bytes of the strategies by views with the same future.
    pub(crate) fn bytes(&self) -> usize {
        self.shared.iter().map(Shared::bytes).sum()
    }

    pub(crate) fn of_shared(shared: Vec<Shared>) -> Strategy {
        Strategy { shared, ..Strategy::default() }
    }

    /// Like [`Strategy::moves`], for a view in the ids of a game.
    pub fn at(&self, game: &Game, view: &View) -> Option<Cow<'_, [(String, f64)]>> {
        self.moves(&game.roles[view.role.0 as usize].name, &known_view(game, view))
    }

    /// All entries, one for each information set; empty if views with the same future are one ([`Shared`]).
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn of_tree(
        game: &Game,
        tree: &Tree,
        behaviour: &[Vec<f64>],
        fractions: &[Option<Vec<BigRational>>],
    ) -> Strategy {
        let mut strategy = Strategy::default();
        for (player, plex) in tree.players.iter().enumerate() {
            let role = game.roles[plex.role.0 as usize].name.clone();
            for infoset in &plex.infosets {
                let sequences = infoset.sequences();
                let moves = sequences.clone().map(|sequence| {
                    (game.rules.move_name(plex.role, plex.moves[sequence]), behaviour[player][sequence])
                });
                strategy.add(Entry {
                    role: role.clone(),
                    view: names(game, plex.role, &tree.views[player], infoset.view),
                    moves: moves.collect(),
                    fractions: fractions[player].as_ref().map(|all| all[sequences].to_vec()),
                });
            }
        }
        strategy
    }

    /// The table as text, with `about` as comments at the beginning.
    pub fn to_text(&self, about: &[String]) -> String {
        let mut out = Vec::new();
        // Writing into memory does not fail.
        let _ = self.write(about, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Writes the table as text, with `about` as comments at the beginning.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, about: &[String], out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out, "; percept strategy, version {}", if self.shared.is_empty() { 1 } else { 2 })?;
        about.iter().try_for_each(|line| writeln!(out, "; {line}"))?;
        self.shared.iter().try_for_each(|shared| shared.write(out))?;
        out.write_all(self.entries_as_text().as_bytes())
    }

    fn entries_as_text(&self) -> String {
        let mut out = String::new();
        for entry in &self.entries {
            let _ = write!(out, "\n(at {}", entry.role);
            for round in &entry.view {
                let _ = write!(out, "\n  (round {}", round.own.as_deref().unwrap_or("-"));
                for percept in &round.percepts {
                    let _ = write!(out, " {percept}");
                }
                out.push(')');
            }
            out.push_str("\n  (play");
            for (at, (mv, probability)) in entry.moves.iter().enumerate() {
                let _ = match &entry.fractions {
                    Some(fractions) => write!(out, " ({} {mv})", fractions[at]),
                    None => write!(out, " ({probability} {mv})"),
                };
            }
            out.push_str("))\n");
        }
        out
    }
}
