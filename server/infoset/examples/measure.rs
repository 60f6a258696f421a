//! Measures the constraint sampler on one position of a POGDDL game, phase by phase.
//!
//! ```text
//! measure DOMAIN PROBLEM no-moves|payoff ROLE SHARE SEED [SECONDS]
//! ```
//! plays a random match with the seed, goes to the first decision of the role after that share of it, and samples there.

use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, PogddlOptions, PogddlTerminal, RoleId};
use percept_infoset::{
    Control, View,
    csp::{Csp, sampler::Worker},
};
use percept_syntax::{Language, Source, Syntax, pddl::Definition};
use rand::{Rng, SeedableRng, rngs::SmallRng};

fn definitions(path: &str) -> Vec<Definition> {
    let source = Source::from_bytes(std::fs::read(path).expect(path), Language::Pogddl).expect("text");
    match source.syntax {
        Syntax::Pddl(file) => file.definitions,
        Syntax::Gdl(_) => vec![],
    }
}

fn load(domain: &str, problem: &str, terminal: PogddlTerminal) -> Game {
    let domain = definitions(domain).into_iter().find_map(|definition| match definition {
        Definition::Domain(domain) => Some(domain),
        Definition::Problem(_) => None,
    });
    let problem = definitions(problem).into_iter().find_map(|definition| match definition {
        Definition::Problem(problem) => Some(problem),
        Definition::Domain(_) => None,
    });
    Game::from_pogddl(&domain.expect("domain"), &problem.expect("problem"), &PogddlOptions { terminal }).expect("game")
}

fn random_match(game: &Game, seed: u64) -> Vec<JointMove> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut state = game.rules.initial();
    let mut moves = Vec::new();
    while !game.rules.terminal(&state) && moves.len() < 2000 {
        let joint: JointMove = game
            .role_ids()
            .map(|role| {
                let legal = game.rules.legal(&state, role);
                legal[rng.random_range(0..legal.len())]
            })
            .collect();
        state = game.rules.next(&state, &joint);
        moves.push(joint);
    }
    moves
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let terminal = if args[3] == "payoff" { PogddlTerminal::Payoff } else { PogddlTerminal::NoMoves };
    let start = Instant::now();
    let game = load(&args[1], &args[2], terminal);
    println!("load            {:8.3} s", start.elapsed().as_secs_f64());
    let role: RoleId = game.role(&args[4]).expect("role");
    let share: f64 = args[5].parse().expect("share");
    let seconds: f64 = args.get(7).map_or(1.0, |seconds| seconds.parse().expect("seconds"));
    let mut moves = random_match(&game, args[6].parse().expect("seed"));
    let whole = moves.len();
    let states = percept_infoset::play(&game, &moves).expect("a match");
    let first = (share * whole as f64) as usize;
    let length = (first..whole).find(|&length| game.rules.legal(&states[length], role).len() > 1).unwrap_or(whole);
    moves.truncate(length);
    let view = View::of_match(&game, role, &moves).expect("a match");
    println!("round {length} of {whole}");
    let start = Instant::now();
    let csp = Csp::new(&game, &view, percept_infoset::DEFAULT_MEMORY, &Control::default()).expect("a network");
    println!("unroll, probe   {:8.3} s", start.elapsed().as_secs_f64());
    let problem = csp.problem().expect("possible");
    let mut sizes: Vec<usize> = problem.groups.iter().map(|group| group.options.len()).collect();
    sizes.sort_unstable();
    println!("{} gates, {} groups {sizes:?}", problem.net.len(), sizes.len());
    let sampler = csp.sampler().expect("possible");
    println!("{} support groups", sampler.support_count());
    let mut worker = Worker::new(&sampler);
    let draws = worker.chunk(1, 0, false);
    println!("first samples   {:8.3} s; {} gates to check", start.elapsed().as_secs_f64(), sampler.gates());
    if let Some(members) = (!draws.ln_weights.is_empty()).then(|| csp.members(&draws)) {
        println!(
            "first replayed  {:8.3} s; {} of {}",
            start.elapsed().as_secs_f64(),
            members.len(),
            draws.ln_weights.len()
        );
    }
    for uniform in [false, true] {
        let start = Instant::now();
        let (mut chunk, mut found, mut tally) = (0, 0, draws.tally);
        while start.elapsed() < Duration::from_secs_f64(seconds) {
            let draws = worker.chunk(2, chunk, uniform);
            chunk += 1;
            found += draws.ln_weights.len();
            tally.add(&draws.tally);
        }
        let rate = found as f64 / start.elapsed().as_secs_f64();
        println!(
            "{} {rate:10.0} /s; dead ends {}, refused {}, ESS {:.3}, accepted {:.3}, {:?}",
            if uniform { "uniform " } else { "weighted" },
            tally.dead_ends,
            tally.refused,
            tally.effective(),
            tally.acceptance(),
            sampler.estimate(&tally)
        );
    }
}
