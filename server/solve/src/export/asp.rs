//! A game as a logic program in the language of clingo: each answer set is a match of at most `rounds` rounds.
//!
//! Round `T` leads from time `T` to `T+1`. `true(F,T)`, `does(R,M,T)`, `legal(R,M,T)`, `sees(R,P,T)`, `terminal(T)` and
//! `goal(R,V,T)` use numbers for fluents, roles, moves and percepts. Their names are in `fluent/2`, `role/2`, `move/3`
//! and `percept/3`. `over` holds if the match has ended: add `:- not over.` for complete matches only. The recursion of
//! the rules is kept, because answer sets give it the same meaning as GDL does.

use std::io::Write;

use percept_game::circuit::{Circuit, Lit, Node};
use percept_game::{Game, RoleId, Scope};

use super::{ExportError, in_comment};

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A literal of the circuit in the body of a rule at time `T`.
fn body(circuit: &Circuit, lit: Lit) -> String {
    let atom = match &circuit.nodes()[lit.node() as usize] {
        Node::True => "#true".to_string(),
        Node::Fluent(fluent) => format!("true({},T)", fluent.0),
        Node::Move(role, mv) => format!("does({},{},T)", role.0, mv.0),
        Node::And(_) | Node::Or(_) | Node::Compare(_) => format!("g({},T)", lit.node()),
        Node::Loop { group, member } => format!("r({group},{member},T)"),
    };
    match (lit.is_negated(), &circuit.nodes()[lit.node() as usize]) {
        (true, Node::True) => "#false".to_string(),
        (true, _) => format!("not {atom}"),
        (false, _) => atom,
    }
}

/// Writes the program for matches of at most `rounds` rounds.
///
/// # Errors
/// If the game does not become a circuit, or has numbers that are not fluents.
pub fn write(game: &Game, title: &str, rounds: usize, mut out: impl Write) -> Result<(), ExportError> {
    let names = game.rules.register_names();
    let ground = game.rules.ground(&Scope::default())?;
    let circuit = &ground.circuit;
    if !names.is_empty() && (!ground.updates.is_empty() || !circuit.comparisons().is_empty()) {
        return Err(ExportError::Numbers(names.join(", ")));
    }
    writeln!(out, "% percept export --to asp: {}\n#const rounds = {rounds}.\n", in_comment(title))?;
    for (index, role) in game.roles.iter().enumerate() {
        writeln!(out, "role({index},{}).", quoted(&role.name))?;
        if role.is_chance {
            writeln!(out, "chance({index}).")?;
        }
    }
    for fluent in (0..game.rules.fluent_count() as u32).map(percept_game::FluentId) {
        writeln!(out, "fluent({},{}).", fluent.0, quoted(&game.rules.fluent_name(fluent)))?;
    }
    for (index, (moves, sees)) in ground.moves.iter().zip(&ground.sees).enumerate() {
        let role = RoleId(index as u16);
        for (mv, _) in moves {
            writeln!(out, "move({index},{},{}).", mv.0, quoted(&game.rules.move_name(role, *mv)))?;
        }
        for (percept, _) in sees {
            let name = quoted(&game.rules.percept_name(role, *percept));
            writeln!(out, "percept({index},{},{name}).", percept.0)?;
        }
    }
    writeln!(out, "\ntime(0).\ntime(T+1) :- time(T), T < rounds, not terminal(T).")?;
    writeln!(out, "played(T) :- time(T), time(T+1).")?;
    writeln!(out, "1 {{ does(R,M,T) : legal(R,M,T) }} 1 :- played(T), role(R,_).")?;
    writeln!(out, "over :- terminal(T).\n")?;
    for fluent in game.rules.initial().fluents() {
        writeln!(out, "true({},0).", fluent.0)?;
    }
    for (index, node) in circuit.nodes().iter().enumerate() {
        match node {
            Node::And(operands) => {
                let operands: Vec<String> = operands.iter().map(|&lit| body(circuit, lit)).collect();
                writeln!(out, "g({index},T) :- time(T), {}.", operands.join(", "))?;
            }
            Node::Or(operands) => {
                for &lit in operands {
                    writeln!(out, "g({index},T) :- time(T), {}.", body(circuit, lit))?;
                }
            }
            _ => {}
        }
    }
    for (group, it) in circuit.groups().iter().enumerate() {
        for (member, &lit) in it.definitions.iter().enumerate() {
            writeln!(out, "r({group},{member},T) :- time(T), {}.", body(circuit, lit))?;
        }
    }
    for (fluent, lit) in &ground.next {
        writeln!(out, "true({},T+1) :- played(T), {}.", fluent.0, body(circuit, *lit))?;
    }
    writeln!(out, "terminal(T) :- time(T), {}.", body(circuit, ground.terminal))?;
    for (role, moves) in ground.moves.iter().enumerate() {
        for (mv, lit) in moves {
            writeln!(out, "legal({role},{},T) :- time(T), {}.", mv.0, body(circuit, *lit))?;
        }
    }
    for (role, sees) in ground.sees.iter().enumerate() {
        for (percept, lit) in sees {
            writeln!(out, "sees({role},{},T) :- played(T), {}.", percept.0, body(circuit, *lit))?;
        }
    }
    for (role, goals) in ground.goals.iter().enumerate() {
        for (goal, lit) in goals {
            writeln!(out, "goal({role},{goal},T) :- time(T), {}.", body(circuit, *lit))?;
        }
    }
    writeln!(out, "\n#show does/3.")?;
    Ok(out.flush()?)
}
