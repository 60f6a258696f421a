//! The first rounds of a game as clauses (DIMACS CNF): each model is one history of exactly the given number of rounds,
//! and each such history is one model. Comments name the variables: `c true 2 (cell 1 1 b) = 17` is the fluent after
//! two rounds, `c does 1 white (mark 1 1) = 9` a move of the first round, and so on for `c sees`, `c terminal` and `c
//! goal`.

use std::io::Write;

use percept_game::circuit::{Lit, Node};
use percept_game::{Game, Ground, MoveId, RoleId, Scope};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use super::{ExportError, in_comment};

/// The size of the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The number of variables, which are numbered from 1.
    pub variables: usize,
    /// The number of clauses.
    pub clauses: usize,
}

#[derive(Default)]
struct Clauses {
    variables: i32,
    clauses: Vec<Vec<i32>>,
    names: Vec<String>,
}

impl Clauses {
    fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn and(&mut self, operands: &[i32]) -> i32 {
        let gate = self.fresh();
        let mut long = vec![gate];
        for &operand in operands {
            self.clauses.push(vec![-gate, operand]);
            long.push(-operand);
        }
        self.clauses.push(long);
        gate
    }

    fn or(&mut self, operands: &[i32]) -> i32 {
        let negated: Vec<i32> = operands.iter().map(|operand| -operand).collect();
        -self.and(&negated)
    }

    fn equal(&mut self, left: i32, right: i32) {
        self.clauses.push(vec![-left, right]);
        self.clauses.push(vec![left, -right]);
    }

    fn exactly_one(&mut self, literals: &[i32]) {
        self.clauses.push(literals.to_vec());
        for (at, &one) in literals.iter().enumerate() {
            self.clauses.extend(literals[at + 1..].iter().map(|&other| vec![-one, -other]));
        }
    }
}

/// The literals of one round's circuit.
struct Round {
    nodes: Vec<i32>,
}

impl Round {
    fn literal(&self, lit: Lit) -> i32 {
        let variable = self.nodes[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }
}

/// Writes the histories of `depth` rounds.
///
/// # Errors
/// If the game does not become a circuit, or has numbers that are not fluents.
pub fn write(
    game: &Game,
    title: &str,
    depth: usize,
    mut out: impl Write,
    budget: &Budget,
) -> Result<Written, ExportError> {
    let names = game.rules.register_names();
    let ground = game.rules.ground(&Scope::default())?;
    if !names.is_empty() && (!ground.updates.is_empty() || !ground.circuit.comparisons().is_empty()) {
        return Err(ExportError::Numbers(names.join(", ")));
    }
    let mut cnf = Clauses::default();
    let truth = cnf.fresh();
    cnf.clauses.push(vec![truth]);
    let initial = game.rules.initial();
    let mut state: Vec<i32> = (0..game.rules.fluent_count() as u32)
        .map(|fluent| if initial.has(percept_game::FluentId(fluent)) { truth } else { -truth })
        .collect();
    for number in 0..=depth {
        budget.check()?;
        let moves = if number < depth { moves(game, &ground, &mut cnf, number + 1) } else { Moves::default() };
        let round = unroll(&ground, &state, &moves, truth, &mut cnf);
        settle(game, &ground, &round, &moves, &mut cnf, number, number == depth);
        if number < depth {
            state = next(game, &ground, &round, &mut cnf, number + 1, truth);
        }
    }
    let title = in_comment(title);
    writeln!(out, "c percept export --to dimacs: {title}, every history of {depth} rounds is a model")?;
    for name in &cnf.names {
        writeln!(out, "c {}", in_comment(name))?;
    }
    writeln!(out, "p cnf {} {}", cnf.variables, cnf.clauses.len())?;
    for clause in &cnf.clauses {
        for literal in clause {
            write!(out, "{literal} ")?;
        }
        writeln!(out, "0")?;
    }
    out.flush()?;
    Ok(Written { variables: cnf.variables as usize, clauses: cnf.clauses.len() })
}

/// The variables of the moves in a round, by role.
#[derive(Default)]
struct Moves {
    by_role: Vec<Vec<(MoveId, i32)>>,
    ids: FxHashMap<(RoleId, MoveId), i32>,
}

fn moves(game: &Game, ground: &Ground, cnf: &mut Clauses, round: usize) -> Moves {
    let mut moves = Moves::default();
    for role in game.role_ids() {
        let mut own = Vec::new();
        for &(mv, gate) in &ground.moves[role.0 as usize] {
            if gate == Lit::FALSE {
                continue;
            }
            let variable = cnf.fresh();
            let name = &game.roles[role.0 as usize].name;
            cnf.names.push(format!("does {round} {name} {} = {variable}", game.rules.move_name(role, mv)));
            own.push((mv, variable));
            moves.ids.insert((role, mv), variable);
        }
        moves.by_role.push(own);
    }
    // In a sequential game, the roles whose turn it is not have `noop` as a move.
    for own in moves.by_role.iter().filter(|own| !own.is_empty()) {
        let own: Vec<i32> = own.iter().map(|&(_, variable)| variable).collect();
        cnf.exactly_one(&own);
    }
    moves
}

/// The circuit of a round over the state before it and the moves.
fn unroll(ground: &Ground, state: &[i32], moves: &Moves, truth: i32, cnf: &mut Clauses) -> Round {
    let mut members: Vec<Vec<i32>> =
        ground.circuit.groups().iter().map(|group| vec![-truth; group.definitions.len()]).collect();
    // A group depends only on itself and on earlier groups. It reaches its least solution in as many passes as it has
    // members.
    for (number, group) in ground.circuit.groups().iter().enumerate() {
        let nodes = group.definitions.iter().map(|lit| lit.node() as usize + 1).max().unwrap_or(0);
        for _ in &group.definitions {
            let round = pass(ground, nodes, state, moves, &members, truth, cnf);
            members[number] = group.definitions.iter().map(|&definition| round.literal(definition)).collect();
        }
    }
    pass(ground, ground.circuit.nodes().len(), state, moves, &members, truth, cnf)
}

/// The first nodes of a round's circuit, if these are the members of its groups.
fn pass(
    ground: &Ground,
    nodes: usize,
    state: &[i32],
    moves: &Moves,
    members: &[Vec<i32>],
    truth: i32,
    cnf: &mut Clauses,
) -> Round {
    let mut round = Round { nodes: Vec::with_capacity(nodes) };
    for node in &ground.circuit.nodes()[..nodes] {
        let literal = match node {
            Node::True => truth,
            Node::Fluent(fluent) => state.get(fluent.0 as usize).copied().unwrap_or(-truth),
            Node::Move(role, mv) => moves.ids.get(&(*role, *mv)).copied().unwrap_or(-truth),
            Node::And(operands) => gate(&round, operands, truth, true, cnf),
            Node::Or(operands) => gate(&round, operands, truth, false, cnf),
            // Games with registers are not exported, so there are no comparisons.
            Node::Compare(_) => -truth,
            Node::Loop { group, member } => members[*group as usize][*member as usize],
        };
        round.nodes.push(literal);
    }
    round
}

/// A gate with its constants folded.
fn gate(round: &Round, operands: &[Lit], truth: i32, is_and: bool, cnf: &mut Clauses) -> i32 {
    let (neutral, absorbing) = if is_and { (truth, -truth) } else { (-truth, truth) };
    let mut literals: Vec<i32> = operands.iter().map(|&lit| round.literal(lit)).collect();
    literals.sort_unstable();
    literals.dedup();
    if literals.contains(&absorbing) || literals.iter().any(|literal| literals.binary_search(&-literal).is_ok()) {
        return absorbing;
    }
    literals.retain(|&literal| literal != neutral);
    match literals[..] {
        [] => neutral,
        [only] => only,
        _ if is_and => cnf.and(&literals),
        _ => cnf.or(&literals),
    }
}

/// The clauses of a round, and the names of its variables.
fn settle(game: &Game, ground: &Ground, round: &Round, moves: &Moves, cnf: &mut Clauses, number: usize, is_last: bool) {
    let terminal = round.literal(ground.terminal);
    cnf.names.push(format!("terminal {number} = {terminal}"));
    for (role, goals) in ground.goals.iter().enumerate() {
        for &(goal, gate) in goals {
            let literal = round.literal(gate);
            cnf.names.push(format!("goal {number} {} {goal} = {literal}", game.roles[role].name));
        }
    }
    if is_last {
        return;
    }
    cnf.clauses.push(vec![-terminal]);
    for (role, own) in moves.by_role.iter().enumerate() {
        for &(mv, variable) in own {
            let legal = ground.moves[role].iter().find(|(other, _)| *other == mv);
            let legal = legal.map(|&(_, gate)| round.literal(gate));
            cnf.clauses.extend(legal.map(|legal| vec![-variable, legal]));
        }
    }
    for (role, sees) in ground.sees.iter().enumerate() {
        for &(percept, gate) in sees {
            let name = game.rules.percept_name(RoleId(role as u16), percept);
            let literal = round.literal(gate);
            cnf.names.push(format!("sees {} {} {name} = {literal}", number + 1, game.roles[role].name));
        }
    }
}

/// The state after a round: a variable of its own for each fluent that may hold.
fn next(game: &Game, ground: &Ground, round: &Round, cnf: &mut Clauses, number: usize, truth: i32) -> Vec<i32> {
    let mut state = vec![-truth; game.rules.fluent_count()];
    for &(fluent, gate) in &ground.next {
        let literal = round.literal(gate);
        let variable = if literal.abs() == truth {
            literal
        } else {
            let variable = cnf.fresh();
            cnf.equal(variable, literal);
            variable
        };
        state[fluent.0 as usize] = variable;
        cnf.names.push(format!("true {number} {} = {variable}", game.rules.fluent_name(fluent)));
    }
    state
}
