//! The tree of a game as a picture: decisions from top to bottom, with an oval around the places that a player cannot
//! distinguish. In a round, chance decides first, and then the players, who do not see each other's moves.

mod drawing;

use percept_game::{Game, JointMove, MoveId, RoleId, State, Term};
use percept_infoset::{Budget, Round as Seen, Stop, View};

use self::drawing::{Drawing, Edge, Mover, Place};
use crate::names;
use crate::speech::Speech;

/// The most nodes of a picture.
const MOST: usize = 3_000;
/// The most decisions from top to bottom: the work is as deep.
const LEVELS: usize = 300;
/// The rounds of a match without an end.
const ROUNDS: usize = 10_000;

/// A drawn tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The picture itself.
    pub svg: String,
    /// The number of nodes.
    pub nodes: usize,
    /// The number of information sets with a choice.
    pub sets: usize,
    /// True if every branch is drawn to its end.
    pub complete: bool,
}

/// The reason why a tree is not drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TreeError {
    #[error("the tree has more than {MOST} nodes or {LEVELS} levels: draw it to a smaller depth")]
    TooLarge,
    #[error("{role} has no legal move after round {round}")]
    Stuck { role: String, round: usize },
    #[error("{0} before the tree was drawn")]
    Stopped(#[from] Stop),
}

/// The probabilities of moves at a view, by name; empty if they are not known.
pub type Behaviour<'a> = dyn Fn(&View) -> Vec<(String, f64)> + 'a;

/// Draws the tree of a game down to a number of decisions: who decides, the moves, the probabilities of chance and of
/// `behaviour`, and the goals. Moves and percepts are in the words of `speech`.
///
/// # Errors
/// If the tree is too large, a role has no move, or the work is stopped.
pub fn draw(
    game: &Game,
    speech: &Speech,
    title: &str,
    depth: Option<usize>,
    behaviour: &Behaviour<'_>,
    budget: &Budget,
) -> Result<Picture, TreeError> {
    let (chance, players): (Vec<RoleId>, Vec<RoleId>) =
        game.role_ids().partition(|role| game.roles[role.0 as usize].is_chance);
    let names = players.iter().map(|role| game.roles[role.0 as usize].name.clone()).collect();
    let drawing = Drawing { players: names, places: Vec::new(), leaves: 0 };
    let order = chance.iter().chain(&players).copied().collect();
    let mut tree = Tree { game, speech, order, players, behaviour, budget, drawing };
    let views = game.role_ids().map(|role| View { role, rounds: Vec::new() }).collect();
    let start = Round { state: game.rules.initial(), views, number: 0 };
    let node = tree.begin(start)?;
    tree.place(&node, None, depth.unwrap_or(usize::MAX), 0)?;
    Ok(tree.drawing.picture(title))
}

/// A round in which some role has a choice, or the end.
#[derive(Clone)]
struct Round {
    state: State,
    views: Vec<View>,
    number: usize,
}

/// A place of the tree.
struct Node {
    round: Round,
    /// The legal moves of each role; empty at the end.
    legal: Vec<Vec<MoveId>>,
    /// The moves that are certain or made.
    chosen: Vec<Option<MoveId>>,
}

struct Tree<'a> {
    game: &'a Game,
    speech: &'a Speech,
    /// The roles in the order in which they decide in a round.
    order: Vec<RoleId>,
    players: Vec<RoleId>,
    behaviour: &'a Behaviour<'a>,
    budget: &'a Budget,
    drawing: Drawing,
}

impl Tree<'_> {
    /// The next round in which a role has a choice, or the end.
    fn begin(&self, mut round: Round) -> Result<Node, TreeError> {
        loop {
            self.budget.check()?;
            let mut at = self.game.at(&round.state);
            if at.is_terminal() || round.number >= ROUNDS {
                return Ok(Node { round, legal: Vec::new(), chosen: Vec::new() });
            }
            let legal = self.game.role_ids().map(|role| {
                let mut legal = at.legal(role);
                legal.sort_unstable();
                legal
            });
            let legal: Vec<Vec<MoveId>> = legal.collect();
            drop(at);
            if let Some(stuck) = legal.iter().position(Vec::is_empty) {
                let role = self.game.roles[stuck].name.clone();
                return Err(TreeError::Stuck { role, round: round.number });
            }
            let only = |legal: &Vec<MoveId>| if let [only] = legal[..] { Some(only) } else { None };
            let chosen: Vec<Option<MoveId>> = legal.iter().map(only).collect();
            let Some(joint) = chosen.iter().copied().collect::<Option<JointMove>>() else {
                return Ok(Node { round, legal, chosen });
            };
            round = self.after(&round, &joint);
        }
    }

    fn after(&self, round: &Round, joint: &JointMove) -> Round {
        let mut at = self.game.at(&round.state);
        let mut views = round.views.clone();
        for view in &mut views {
            let own = self.game.own_move(view.role, joint);
            view.rounds.push(Seen { own, percepts: at.percepts(joint, view.role) });
        }
        at.step(joint);
        Round { state: at.state().clone(), views, number: round.number + 1 }
    }

    /// The role that decides at a node.
    fn waiting(&self, node: &Node) -> Option<RoleId> {
        self.order.iter().copied().find(|role| node.chosen.get(role.0 as usize) == Some(&None))
    }

    /// Places a node and all below it; returns its number.
    fn place(&mut self, node: &Node, above: Option<Edge>, depth: usize, level: usize) -> Result<usize, TreeError> {
        let number = self.drawing.places.len();
        if number >= MOST || level > LEVELS {
            return Err(TreeError::TooLarge);
        }
        let waiting = self.waiting(node);
        let player = waiting.and_then(|role| self.players.iter().position(|&it| it == role));
        let who = match (waiting, player) {
            (None, _) => Mover::End(self.goals(&node.round.state)),
            (_, None) => Mover::Chance,
            (_, Some(player)) => Mover::Player(player),
        };
        let role = player.map(|player| self.players[player]);
        let knows = role.map_or_else(String::new, |role| self.knowledge(node, role));
        let words = role.map_or_else(String::new, |role| self.words(node, role));
        let is_cut = depth == 0 && waiting.is_some();
        self.drawing.places.push(Place { who, above, knows, words, level, x: 0.0, is_cut });
        let x = match waiting.filter(|_| !is_cut) {
            None => self.drawing.leaf(),
            Some(role) => {
                let shares = if player.is_some() { (self.behaviour)(self.view(node, role)) } else { Vec::new() };
                let legal = &node.legal[role.0 as usize];
                let even = player.is_none().then(|| 1.0 / legal.len() as f64);
                let (mut first, mut last) = (f64::MAX, 0.0);
                let terms: Vec<Term> = legal.iter().map(|&mv| self.game.rules.move_term(role, mv)).collect();
                for ((&mv, term), label) in legal.iter().zip(&terms).zip(self.speech.listed(&terms)) {
                    let term = term.to_string();
                    let probability = even.or_else(|| shares.iter().find(|it| it.0 == term).map(|it| it.1));
                    let child = self.child(node, role, mv)?;
                    let edge = Edge { from: number, label, term, probability };
                    let at = self.place(&child, Some(edge), depth - 1, level + 1)?;
                    first = self.drawing.places[at].x.min(first);
                    last = self.drawing.places[at].x;
                }
                f64::midpoint(first, last)
            }
        };
        self.drawing.places[number].x = x;
        Ok(number)
    }

    /// The place after a move of the role that decides.
    fn child(&self, node: &Node, role: RoleId, mv: MoveId) -> Result<Node, TreeError> {
        let mut chosen = node.chosen.clone();
        chosen[role.0 as usize] = Some(mv);
        match chosen.iter().copied().collect::<Option<JointMove>>() {
            Some(joint) => self.begin(self.after(&node.round, &joint)),
            None => Ok(Node { round: node.round.clone(), legal: node.legal.clone(), chosen }),
        }
    }

    fn goals(&self, state: &State) -> Vec<String> {
        let goals = |&role: &RoleId| {
            let goals: Vec<String> = self.game.rules.goals(state, role).iter().map(i64::to_string).collect();
            goals.join(" ")
        };
        self.players.iter().map(goals).collect()
    }

    fn view<'node>(&self, node: &'node Node, role: RoleId) -> &'node View {
        &node.round.views[role.0 as usize]
    }

    /// The knowledge of a role in words, if there are some.
    fn words(&self, node: &Node, role: RoleId) -> String {
        if self.speech.is_empty() {
            return self.knowledge(node, role);
        }
        let mut words = names::role(self.game, role).to_owned();
        for (number, round) in self.view(node, role).rounds.iter().enumerate() {
            let own = round.own.map(|mv| format!("{}; ", names::made_by(self.game, self.speech, role, mv)));
            let seen = names::percepts(self.game, self.speech, role, &round.percepts);
            words += &format!("\n{}. {}sees {seen}", number + 1, own.unwrap_or_default());
        }
        words
    }

    /// The knowledge of a role as text: equal for exactly the places that it cannot distinguish.
    fn knowledge(&self, node: &Node, role: RoleId) -> String {
        let rules = &self.game.rules;
        let round = |round: &Seen| {
            let own = round.own.map_or("-".to_string(), |mv| rules.move_name(role, mv));
            let seen: Vec<String> = round.percepts.iter().map(|&it| rules.percept_name(role, it)).collect();
            format!("({own} ({}))", seen.join(" "))
        };
        let rounds: Vec<String> = self.view(node, role).rounds.iter().map(round).collect();
        format!("{}: {}", self.game.roles[role.0 as usize].name, rounds.join(" "))
    }
}
