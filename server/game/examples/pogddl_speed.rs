//! How fast a POGDDL game is set up and played at random:
//! `cargo run --release -p percept-game --example pogddl_speed -- DOMAIN PROBLEM [no-moves|payoff] [SECONDS]`

use std::time::{Duration, Instant};

use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_syntax::{Language, Source, Syntax, pddl::Definition};
use rand::{SeedableRng, rngs::SmallRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [domain, problem, rest @ ..] = &arguments[..] else { return Err("DOMAIN PROBLEM [RULE] [SECONDS]".into()) };
    let terminal = match rest.first().map(String::as_str) {
        Some("payoff") => PogddlTerminal::Payoff,
        _ => PogddlTerminal::NoMoves,
    };
    let limit = Duration::from_secs_f64(rest.get(1).map_or(Ok(2.0), |seconds| seconds.parse())?);
    let texts = [std::fs::read_to_string(domain)?, std::fs::read_to_string(problem)?];
    let start = Instant::now();
    let (mut found_domain, mut found_problem) = (None, None);
    for text in texts {
        let Syntax::Pddl(file) = Source::parse(text, Language::Pogddl).syntax else { continue };
        for definition in file.definitions {
            match definition {
                Definition::Domain(domain) => found_domain = Some(domain),
                Definition::Problem(problem) => found_problem = Some(problem),
            }
        }
    }
    let parsed = start.elapsed();
    let (domain, problem) = (found_domain.ok_or("no domain")?, found_problem.ok_or("no problem")?);
    let game =
        Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal }).map_err(|errors| format!("{errors:?}"))?;
    let ready = start.elapsed();
    let mut random = SmallRng::seed_from_u64(1);
    let (mut steps, mut matches) = (0u64, 0u64);
    let start = Instant::now();
    while start.elapsed() < limit {
        let mut state = game.rules.initial();
        steps += game.rules.playout(game.roles.len(), &mut state, 100_000, &mut random) as u64;
        matches += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "parsed {:.2} ms, ready {:.2} ms, {} fluents, {matches} matches, {:.1} rounds each, {:.0} steps/s",
        parsed.as_secs_f64() * 1e3,
        ready.as_secs_f64() * 1e3,
        game.rules.fluent_count(),
        steps as f64 / matches as f64,
        steps as f64 / seconds,
    );
    Ok(())
}
