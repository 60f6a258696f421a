//! From expressions to rounds, plans and views; every move is checked in the state it is made in.

use super::{MAX_ROUNDS, Trace, TraceError, View};
use crate::sexpr::{self, Expr};
use crate::view;
use crate::{Game, JointMove, MoveId, RoleId, State, Term};
use percept_syntax::{TextRange, words};

/// The most legal moves that an error message lists.
const LISTED: usize = 24;

pub(super) fn read(game: &Game, text: &str, viewer: Option<RoleId>) -> Result<Trace, TraceError> {
    let top = sexpr::read(text)?;
    if is_view(&top) && !is_of_moves(game, &top) {
        return Ok(Trace::View(read_view(game, &top, viewer)?));
    }
    if game.is_sequential {
        let steps = plan_steps(game, top);
        return replay(game, steps.len(), |checker, round| checker.action(&steps[round]));
    }
    let rounds = rounds(game, top);
    replay(game, rounds.len(), |checker, round| checker.joint(&rounds[round]))
}

fn replay(
    game: &Game,
    rounds: usize,
    mut next: impl FnMut(&Checker<'_>, usize) -> Result<JointMove, TraceError>,
) -> Result<Trace, TraceError> {
    let mut checker = Checker::new(game);
    for round in 0..rounds {
        let joint = next(&checker, round)?;
        checker.advance(joint);
    }
    Ok(Trace::Match(checker.joints))
}

fn is_view(top: &[Expr]) -> bool {
    let is_message = |head: &str| ["play", "stop", "start"].iter().any(|word| head.eq_ignore_ascii_case(word));
    !top.is_empty() && top.iter().all(|expr| expr.head().is_some_and(is_message))
        // A message has a match id, a turn number and two more fields.
        && top.iter().all(|expr| {
            let items = expr.list().unwrap_or_default();
            expr.head().is_some_and(|head| head.eq_ignore_ascii_case("start"))
                || (items.len() == 5 && items[2].word().is_some_and(|turn| turn.parse::<u32>().is_ok()))
        })
}

/// The place of the first own move in the messages of a view.
pub(super) fn first_own_move(text: &str) -> Option<TextRange> {
    let messages = sexpr::read(text).ok()?;
    let mut own = messages.iter().filter_map(|message| match message.list()? {
        [_, _, _, own, _] if !message.head()?.eq_ignore_ascii_case("start") => Some(own),
        _ => None,
    });
    own.find(|own| !own.is_word("nil")).map(|own| own.range)
}

/// True if everything that looks like a message is a move of the game: its moves may be named `play` and `start`.
fn is_of_moves(game: &Game, top: &[Expr]) -> bool {
    top.iter().all(|expr| game.role_ids().any(|role| named_move(game, role, expr).is_some()))
}

/// One round in the text: its moves and its range.
pub(super) struct Round {
    pub range: TextRange,
    pub moves: Vec<Expr>,
}

/// Finds the rounds in the top-level expressions: one list of rounds, one list for each round, or one line for each
/// round.
fn rounds(game: &Game, top: Vec<Expr>) -> Vec<Round> {
    let roles = game.roles.len();
    if let [only] = &top[..]
        && let Some(items) = only.list()
        && is_list_of_rounds(game, items)
    {
        return items.iter().cloned().map(|item| round_of(game, item)).collect();
    }
    if let Some(lines) = by_line(&top, roles).filter(|_| !top.iter().all(|expr| looks_like_round(game, expr))) {
        return lines;
    }
    top.into_iter().map(|expr| round_of(game, expr)).collect()
}

/// True if the elements of one list are rounds, and not the moves of one round. If each element is as long as there are
/// roles, as in `((a b) (c d))` for two, the reading with more known moves wins, and then the number of elements
/// decides.
fn is_list_of_rounds(game: &Game, items: &[Expr]) -> bool {
    let roles = game.roles.len();
    let is_round = |item: &Expr| item.list().is_some_and(|moves| moves.len() == roles) || is_single(game, item);
    if items.is_empty() || is_joint(game, items) || !items.iter().all(is_round) {
        return false;
    }
    let as_rounds = items.iter().filter_map(Expr::list).map(|moves| known_moves(game, moves)).max().unwrap_or(0);
    let all_single = items.iter().all(|item| is_single(game, item));
    let as_moves = known_moves(game, items);
    all_single || as_rounds > as_moves || as_rounds == as_moves && items.len() != roles
}

/// The item as a name; arguments may be separated by commas.
fn name_of(item: &Expr) -> Option<Term> {
    item.show().parse().ok()
}

/// The move that an item names, legal or not.
fn named_move(game: &Game, role: RoleId, item: &Expr) -> Option<MoveId> {
    game.rules.move_named(role, &name_of(item)?)
}

/// The number of items that are moves of the roles in their order.
fn known_moves(game: &Game, items: &[Expr]) -> usize {
    game.role_ids().zip(items).filter(|(role, item)| named_move(game, *role, item).is_some()).count()
}

/// True if `items` has a move for every role, each known to the game.
fn is_joint(game: &Game, items: &[Expr]) -> bool {
    items.len() == game.roles.len()
        && game.role_ids().zip(items).all(|(role, item)| named_move(game, role, item).is_some())
}

fn looks_like_round(game: &Game, expr: &Expr) -> bool {
    expr.list().is_some_and(|items| items.len() == game.roles.len()) && !is_single(game, expr)
}

/// In a game with one role, a round may be the move alone.
fn is_single(game: &Game, expr: &Expr) -> bool {
    game.roles.len() == 1 && named_move(game, RoleId(0), expr).is_some()
}

fn by_line(top: &[Expr], roles: usize) -> Option<Vec<Round>> {
    let lines: Vec<Round> = top
        .chunk_by(|a, b| a.line == b.line)
        .map(|line| Round { range: line[0].range.cover(line[line.len() - 1].range), moves: line.to_vec() })
        .collect();
    (roles > 1 && !lines.is_empty() && lines.iter().all(|line| line.moves.len() == roles)).then_some(lines)
}

fn round_of(game: &Game, expr: Expr) -> Round {
    let range = expr.range;
    if is_single(game, &expr) {
        return Round { range, moves: vec![expr] };
    }
    match expr.kind {
        sexpr::Kind::List(moves) => Round { range, moves },
        sexpr::Kind::Word(_) => Round { range, moves: vec![expr] },
    }
}

/// The actions of a plan, without step numbers and costs; a single list of actions is opened.
fn plan_steps(game: &Game, top: Vec<Expr>) -> Vec<Expr> {
    let exists = |expr: &Expr| game.role_ids().any(|role| named_move(game, role, expr).is_some());
    let top = match &top[..] {
        [only] if !exists(only) && only.list().is_some_and(|items| items.iter().all(|item| item.list().is_some())) => {
            only.list().unwrap_or_default().to_vec()
        }
        _ => top,
    };
    top.into_iter().filter(|expr| !expr.word().is_some_and(is_decoration)).collect()
}

/// `0:`, `12.000:`, `[1]`, `[1.0]`.
fn is_decoration(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    word.strip_suffix(':').is_some_and(number)
        || word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(number)
}

/// A match in progress, to check the next round against.
pub(super) struct Checker<'a> {
    game: &'a Game,
    state: State,
    /// The order of the roles' moves in a round.
    pub order: Vec<RoleId>,
    pub joints: Vec<JointMove>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(game: &'a Game) -> Self {
        Checker { game, state: game.rules.initial(), order: game.role_ids().collect(), joints: Vec::new() }
    }

    pub(super) fn advance(&mut self, joint: JointMove) {
        self.state = self.game.rules.next(&self.state, &joint);
        self.joints.push(joint);
    }

    fn round(&self) -> usize {
        self.joints.len() + 1
    }

    /// Refuses a round after the end of the match, and a trace that never ends.
    fn open(&self, range: TextRange) -> Result<(), TraceError> {
        let round = self.round();
        let message = if self.joints.len() >= MAX_ROUNDS {
            format!("the trace has more than {MAX_ROUNDS} rounds")
        } else if self.game.rules.terminal(&self.state) {
            format!("round {round}: the match was over after {}; remove what follows", words::rounds(self.joints.len()))
        } else {
            return Ok(());
        };
        Err(TraceError { round: Some(round), ..TraceError::at(range, message) })
    }

    /// The joint move of a round written as a move per role.
    pub(super) fn joint(&self, round: &Round) -> Result<JointMove, TraceError> {
        self.open(round.range)?;
        if round.moves.len() != self.order.len() {
            let name = |role: &RoleId| self.game.roles[role.0 as usize].name.as_str();
            let names: Vec<&str> = self.order.iter().map(name).collect();
            let message = format!(
                "round {}: {} for {} roles; write one move for each of {}, in this order",
                self.round(),
                words::counted(round.moves.len(), "move", "moves"),
                names.len(),
                names.join(", ")
            );
            return Err(TraceError { round: Some(self.round()), ..TraceError::at(round.range, message) });
        }
        let mut joint = vec![MoveId::NOOP; self.order.len()];
        for (&role, written) in self.order.iter().zip(&round.moves) {
            joint[role.0 as usize] = self.one_move(role, &written.show(), written.range)?;
        }
        Ok(joint)
    }

    /// A role's move by name, legal now.
    pub(super) fn one_move(&self, role: RoleId, name: &str, range: TextRange) -> Result<MoveId, TraceError> {
        let legal = self.game.rules.legal(&self.state, role);
        if let Some(mv) = self.game.rules.find_move(role, name).filter(|mv| legal.contains(mv)) {
            return Ok(mv);
        }
        let legal: Vec<String> = legal.iter().map(|&mv| self.game.rules.move_name(role, mv)).collect();
        let role_name = &self.game.roles[role.0 as usize].name;
        let message = format!("round {}: `{name}` is not legal for {role_name}; {}", self.round(), list_legal(&legal));
        Err(TraceError { message, range, round: Some(self.round()), role: Some(role), legal })
    }

    /// The joint move of a plan step: the role of the action makes it, all others wait.
    pub(super) fn action(&self, step: &Expr) -> Result<JointMove, TraceError> {
        self.open(step.range)?;
        if let Some(items) = step.list()
            && items.len() == self.game.roles.len()
            && items.iter().all(|item| item.list().is_some() || item.is_word("noop"))
        {
            return self.joint(&Round { range: step.range, moves: items.to_vec() });
        }
        let name = step.show();
        let mut actors = Vec::new();
        let mut legal = Vec::new();
        for role in self.game.role_ids() {
            let moves = self.game.rules.legal(&self.state, role);
            if moves.iter().all(|&mv| mv == MoveId::NOOP) {
                continue;
            }
            actors.push(role);
            if let Some(mv) = self.game.rules.find_move(role, &name).filter(|mv| moves.contains(mv)) {
                let joint = |other: RoleId| if other == role { mv } else { MoveId::NOOP };
                return Ok(self.game.role_ids().map(joint).collect());
            }
            legal.extend(moves.iter().map(|&mv| self.game.rules.move_name(role, mv)));
        }
        let who: Vec<&str> = actors.iter().map(|role| self.game.roles[role.0 as usize].name.as_str()).collect();
        let who = if who.is_empty() { "any role".to_string() } else { who.join(" or ") };
        let message = format!("round {}: `{name}` is not legal for {who}; {}", self.round(), list_legal(&legal));
        Err(TraceError {
            message,
            range: step.range,
            round: Some(self.round()),
            role: actors.first().copied().filter(|_| actors.len() == 1),
            legal,
        })
    }
}

fn list_legal(legal: &[String]) -> String {
    match legal.len() {
        0 => "no move is legal".to_string(),
        1 => format!("the only legal move is {}", legal[0]),
        n if n <= LISTED => format!("the legal moves are {}", legal.join(", ")),
        n => format!("the legal moves are {} and {} more", legal[..LISTED].join(", "), n - LISTED),
    }
}

/// A view from `(start id role ...)`, `(play id turn move percepts)` and `(stop ...)` messages.
fn read_view(game: &Game, top: &[Expr], viewer: Option<RoleId>) -> Result<View, TraceError> {
    let mut role = viewer;
    let mut rounds = Vec::new();
    let mut turn = 0;
    for message in top {
        let items = message.list().unwrap_or_default();
        if message.head().is_some_and(|head| head.eq_ignore_ascii_case("start")) {
            role = Some(start_role(game, message, viewer)?);
            continue;
        }
        let Some(role) = role else {
            return Err(TraceError::at(
                message.range,
                "these messages do not say whose view they are; name the role, or begin with `(start id role)`",
            ));
        };
        let [_, _, number, own, percepts] = items else { continue };
        // A first message may be left out: it has no content.
        if number.is_word("0") {
            if turn > 0 || !own.is_word("nil") || !percepts.is_word("nil") {
                let text = "turn 0 comes first and has nil for the move and the percepts";
                return Err(TraceError::at(message.range, text));
            }
            continue;
        }
        turn += 1;
        if number.word().and_then(|word| word.parse().ok()) != Some(turn) {
            let text = format!("this should be turn {turn}, the text says {}", number.show());
            return Err(TraceError { round: Some(turn), ..TraceError::at(number.range, text) });
        }
        if turn > MAX_ROUNDS {
            return Err(TraceError::at(message.range, format!("the view has more than {MAX_ROUNDS} rounds")));
        }
        rounds.push(observation(game, role, turn, own, percepts)?);
    }
    let role = role.ok_or_else(|| TraceError::at(TextRange::at(0), "the view has no role"))?;
    Ok(View { role, rounds })
}

/// The role of this name, which is at `range`.
pub(super) fn role_named(game: &Game, name: &str, range: TextRange) -> Result<RoleId, TraceError> {
    game.role(name).ok_or_else(|| {
        let names: Vec<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
        let text = format!("`{name}` is not a role of this game; its roles are {}", names.join(", "));
        TraceError::at(range, text)
    })
}

fn start_role(game: &Game, message: &Expr, viewer: Option<RoleId>) -> Result<RoleId, TraceError> {
    let Some(name) = message.list().and_then(|items| items.get(2)) else {
        return Err(TraceError::at(message.range, "a start message names the role: `(start id role ...)`"));
    };
    let role = role_named(game, &name.show(), name.range)?;
    match viewer {
        Some(wanted) if wanted != role => {
            let text = format!("these are {}'s messages, not {}'s", name.show(), game.roles[wanted.0 as usize].name);
            Err(TraceError::at(name.range, text))
        }
        _ => Ok(role),
    }
}

fn observation(game: &Game, role: RoleId, turn: usize, own: &Expr, percepts: &Expr) -> Result<view::Round, TraceError> {
    let role_name = &game.roles[role.0 as usize].name;
    let wrong = |range, message| TraceError { round: Some(turn), role: Some(role), ..TraceError::at(range, message) };
    let own = match named_move(game, role, own) {
        Some(mv) => game.knows_own_moves.then_some(mv),
        None if own.is_word("nil") && !game.knows_own_moves => None,
        None => {
            let text = format!("round {turn}: `{}` is not a move of {role_name} in this game", own.show());
            return Err(wrong(own.range, text));
        }
    };
    let can_be = |percept: &Expr| name_of(percept).is_some_and(|name| game.rules.percept_named(role, &name).is_some());
    let listed: Vec<&Expr> = match percepts.list() {
        None if percepts.is_word("nil") => Vec::new(),
        // A single compound percept without the list's parentheses is understood too.
        Some(items) if items.iter().all(can_be) || !can_be(percepts) => items.iter().collect(),
        _ => vec![percepts],
    };
    for percept in &listed {
        if !can_be(percept) {
            let text = format!("round {turn}: {role_name} can never perceive `{}` in this game", percept.show());
            return Err(wrong(percept.range, text));
        }
    }
    // In POGDDL the position among the round's messages is part of a percept, so they are looked up together.
    let names: Vec<Term> = listed.iter().filter_map(|percept| name_of(percept)).collect();
    let Some(mut ids) = game.rules.percepts_named(role, &names) else {
        let text = format!("round {turn}: {role_name} can never perceive these together in this game");
        return Err(wrong(percepts.range, text));
    };
    if !game.is_sequential {
        ids.sort_unstable();
        ids.dedup();
    }
    Ok(view::Round { own, percepts: ids })
}
