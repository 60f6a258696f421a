//! The game tree in Gambit's format (`EFG 2 R`), written node by node as matches are played. Nothing is merged, so this
//! tree shares only the views with [`crate::tree`].
//!
//! In each round, chance moves first, then one role after the other. A role that moves later does not learn the earlier
//! choices of the round: they all lead to the same information set. A role with one legal move has no node. Information
//! sets are numbered from 1 for each player, as OpenSpiel 2.0.2 demands. Their names and the labels of moves contain
//! player and number, since some readers take equal labels for equal moves.

use std::io::Write;

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use percept_infoset::{Budget, Pace};
use rustc_hash::FxHashMap;

use super::ExportError;
use crate::tree::{Views, legal_moves};

/// The most rounds of a match that is written.
const MAX_ROUNDS: usize = 500;

/// The size of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The number of nodes, including leaves.
    pub nodes: usize,
    /// The number of leaves.
    pub leaves: usize,
    /// The number of information sets of all players.
    pub infosets: usize,
}

struct Writer<'a, W> {
    game: &'a Game,
    out: W,
    budget: &'a Budget,
    pace: Pace,
    /// The roles that are not chance.
    players: Vec<RoleId>,
    views: Vec<Views>,
    /// For each player and view, the number of the information set and its legal moves.
    infosets: FxHashMap<(usize, u32), (usize, Vec<MoveId>)>,
    /// For each player, the number of information sets met.
    counts: Vec<usize>,
    chances: usize,
    outcomes: FxHashMap<Vec<i64>, usize>,
    nodes: usize,
    written: Written,
}

/// A round in progress: the choices of each role, and the moves made.
struct Round<'s> {
    state: &'s State,
    views: &'s [u32],
    legal: Vec<Vec<MoveId>>,
    /// The order of moves: chance first, then the players.
    order: Vec<RoleId>,
    number: usize,
}

/// Writes a tree of at most `nodes` nodes.
///
/// # Errors
/// If the game has no such tree, or writing fails.
pub fn write(game: &Game, title: &str, nodes: usize, out: impl Write, budget: &Budget) -> Result<Written, ExportError> {
    let players: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
    let mut writer = Writer {
        game,
        out,
        budget,
        pace: Pace::default(),
        views: vec![Views::default(); players.len()],
        counts: vec![0; players.len()],
        players,
        infosets: FxHashMap::default(),
        chances: 0,
        outcomes: FxHashMap::default(),
        nodes,
        written: Written::default(),
    };
    let names: Vec<String> = writer.players.iter().map(|role| quoted(&game.roles[role.0 as usize].name)).collect();
    writeln!(writer.out, "EFG 2 R {} {{ {} }}", quoted(title), names.join(" "))?;
    writeln!(writer.out, "\"\"\n")?;
    let views = vec![0; writer.players.len()];
    writer.position(&game.rules.initial(), &views, 0)?;
    writer.out.flush()?;
    writer.written.infosets = writer.infosets.len();
    Ok(writer.written)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "/").replace('"', "'"))
}

impl<W: Write> Writer<'_, W> {
    fn name(&self, role: RoleId) -> String {
        self.game.roles[role.0 as usize].name.clone()
    }

    fn node(&mut self) -> Result<(), ExportError> {
        self.written.nodes += 1;
        if self.written.nodes > self.nodes {
            return Err(ExportError::Nodes(self.nodes));
        }
        Ok(self.pace.check(self.budget)?)
    }

    fn position(&mut self, state: &State, views: &[u32], number: usize) -> Result<(), ExportError> {
        if self.game.rules.terminal(state) {
            return self.leaf(state, number);
        }
        if number >= MAX_ROUNDS {
            return Err(ExportError::Endless(MAX_ROUNDS));
        }
        let legal: Vec<Vec<MoveId>> = self.game.role_ids().map(|role| legal_moves(self.game, state, role)).collect();
        if let Some(role) = legal.iter().position(Vec::is_empty) {
            let role = self.name(RoleId(role as u16));
            return Err(ExportError::Stuck { role, round: number });
        }
        let mut order: Vec<RoleId> = self.game.role_ids().collect();
        order.sort_by_key(|role| !self.game.roles[role.0 as usize].is_chance);
        let round = Round { state, views, legal, order, number };
        let mut joint = vec![MoveId::NOOP; self.game.roles.len()];
        self.choose(&round, 0, &mut joint)
    }

    /// Writes the choice of the role at this position of the round's order, and everything that follows it.
    fn choose(&mut self, round: &Round<'_>, place: usize, joint: &mut JointMove) -> Result<(), ExportError> {
        let Some(&role) = round.order.get(place) else { return self.step(round, joint) };
        let legal = &round.legal[role.0 as usize];
        if legal.len() > 1 {
            self.node()?;
            match self.players.iter().position(|&player| player == role) {
                None => self.chance(role, legal)?,
                Some(player) => self.decision(player, round, legal)?,
            }
        }
        for &mv in legal {
            joint[role.0 as usize] = mv;
            self.choose(round, place + 1, joint)?;
        }
        Ok(())
    }

    fn chance(&mut self, role: RoleId, legal: &[MoveId]) -> Result<(), ExportError> {
        self.chances += 1;
        write!(self.out, "c \"\" {} \"\" {{", self.chances)?;
        for &mv in legal {
            let name = quoted(&format!("{} #c{}", self.game.rules.move_name(role, mv), self.chances));
            write!(self.out, " {name} 1/{}", legal.len())?;
        }
        Ok(writeln!(self.out, " }} 0")?)
    }

    fn decision(&mut self, player: usize, round: &Round<'_>, legal: &[MoveId]) -> Result<(), ExportError> {
        let role = self.players[player];
        let key = (player, round.views[player]);
        let count = &mut self.counts[player];
        let (number, moves) = self.infosets.entry(key).or_insert_with(|| {
            *count += 1;
            (*count, legal.to_vec())
        });
        if moves != legal {
            return Err(ExportError::UnknownMoves { role: self.name(role), round: round.number });
        }
        let number = *number;
        write!(self.out, "p \"\" {} {number} \"{}.{number}\" {{", player + 1, player + 1)?;
        for &mv in legal {
            let name = quoted(&format!("{} #{}.{number}", self.game.rules.move_name(role, mv), player + 1));
            write!(self.out, " {name}")?;
        }
        Ok(writeln!(self.out, " }} 0")?)
    }

    fn step(&mut self, round: &Round<'_>, joint: &JointMove) -> Result<(), ExportError> {
        let rules = &self.game.rules;
        let mut views = Vec::with_capacity(round.views.len());
        for (player, &role) in self.players.iter().enumerate() {
            let own = self.game.knows_own_moves.then(|| joint[role.0 as usize]);
            let percepts = rules.percepts(round.state, joint, role);
            views.push(self.views[player].after(round.views[player], own, &percepts));
        }
        self.position(&rules.next(round.state, joint), &views, round.number + 1)
    }

    fn leaf(&mut self, state: &State, number: usize) -> Result<(), ExportError> {
        self.node()?;
        self.written.leaves += 1;
        let mut goals = Vec::with_capacity(self.players.len());
        for &role in &self.players {
            match self.game.rules.goals(state, role)[..] {
                [goal] => goals.push(goal),
                _ => return Err(ExportError::Goals { role: self.name(role), round: number }),
            }
        }
        let fresh = self.outcomes.len() + 1;
        let outcome = *self.outcomes.entry(goals.clone()).or_insert(fresh);
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        Ok(writeln!(self.out, "t \"\" {outcome} \"\" {{ {} }}", goals.join(" "))?)
    }
}
