//! The published POGDDL games, replayed: every action of the published experiment's matches must be legal for the role
//! that makes it. Reads `PERCEPT_CORPUS` and `PERCEPT_ORACLE`.

use std::{collections::BTreeMap, path::Path};

use percept_game::{Game, MoveId, PogddlOptions, PogddlTerminal, RoleId, State};
use percept_syntax::{
    Language, Source, Syntax,
    pddl::{Definition, Domain, Problem},
};

fn definitions(path: &Path) -> Vec<Definition> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::from_bytes(bytes, Language::Pogddl).expect("text");
    match source.syntax {
        Syntax::Pddl(file) => file.definitions,
        Syntax::Gdl(_) => Vec::new(),
    }
}

fn domain(path: &Path) -> Domain {
    let found = definitions(path).into_iter().find_map(|definition| match definition {
        Definition::Domain(domain) => Some(*domain),
        Definition::Problem(_) => None,
    });
    found.unwrap_or_else(|| panic!("no domain in {}", path.display()))
}

fn problem(path: &Path) -> Problem {
    let found = definitions(path).into_iter().find_map(|definition| match definition {
        Definition::Problem(problem) => Some(*problem),
        Definition::Domain(_) => None,
    });
    found.unwrap_or_else(|| panic!("no problem in {}", path.display()))
}

fn load(corpus: &Path, domain_file: &str, problem_file: &str, terminal: PogddlTerminal) -> Game {
    let folder = corpus.join("pogddl");
    let domain = domain(&folder.join(domain_file));
    let problem = problem(&folder.join("problems").join(problem_file));
    Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal })
        .unwrap_or_else(|errors| panic!("{problem_file}: {errors:?}"))
}

fn mover(game: &Game, state: &State) -> Option<RoleId> {
    game.role_ids().find(|&role| game.rules.legal(state, role) != [MoveId::NOOP])
}

/// The variable's folder, or `None` with a note.
fn folder(variable: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os(variable);
    if folder.is_none() {
        eprintln!("skipped: {variable} is not set");
    }
    folder.map(Into::into)
}

#[test]
fn published_matches_replay() {
    let (Some(corpus), Some(oracle)) = (folder("PERCEPT_CORPUS"), folder("PERCEPT_ORACLE")) else { return };
    let is_heavy = std::env::var_os("PERCEPT_HEAVY").is_some();
    let text = std::fs::read_to_string(oracle.join("table1.jsonl")).expect("table1.jsonl");
    let mut games: BTreeMap<String, Game> = BTreeMap::new();
    let mut replayed = 0;
    for (index, line) in text.lines().enumerate() {
        if !is_heavy && index % 5 != 0 {
            continue;
        }
        let entry: serde_json::Value = serde_json::from_str(line).expect("json");
        let word = |name: &str| entry[name].as_str().expect("text").to_owned();
        let terminal = match word("terminal").as_str() {
            "payoff" => PogddlTerminal::Payoff,
            _ => PogddlTerminal::NoMoves,
        };
        let game =
            games.entry(word("problem")).or_insert_with(|| load(&corpus, &word("domain"), &word("problem"), terminal));
        let mut state = game.rules.initial();
        let trace = entry["trace"].as_array().expect("trace");
        assert_eq!(trace.len() as u64, entry["round"].as_u64().expect("round"));
        for (round, action) in trace.iter().enumerate() {
            let name = action.as_str().expect("action");
            let place = format!("{} round {round}: {name}", word("cell"));
            assert!(!game.rules.terminal(&state), "{place}: the match is over");
            let role = mover(game, &state).unwrap_or_else(|| panic!("{place}: nobody's turn"));
            let mv = game.rules.find_move(role, name).unwrap_or_else(|| panic!("{place}: no such action"));
            let legal = game.rules.legal(&state, role);
            assert!(legal.contains(&mv), "{place}: not legal");
            let joint: Vec<MoveId> =
                game.role_ids().map(|other| if other == role { mv } else { MoveId::NOOP }).collect();
            for other in game.role_ids().filter(|other| other.0 > 0) {
                assert!(!game.rules.percepts(&state, &joint, other).is_empty(), "{place}: no message");
            }
            state = game.rules.next(&state, &joint);
        }
        let role = game.role(&word("role")).expect("role");
        assert_eq!(mover(game, &state), Some(role), "{}: whose turn after the trace", word("cell"));
        assert!(!game.rules.terminal(&state));
        replayed += 1;
    }
    assert!(replayed >= 59, "{replayed} matches replayed");
}
