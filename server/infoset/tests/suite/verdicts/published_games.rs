//! Published games and the project's own: every method is compared with an exhaustive search over pairs of states, and
//! that search with the definition, if the matches are few.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use percept_game::gdl::Grounding;
use percept_game::{Game, PogddlTerminal};
use percept_infoset::prove::{Method, Options, Prover};
use percept_infoset::{Budget, Property};
use percept_syntax::Syntax;
use percept_test::{entries, file_name, source};

use super::definition::shortest;
use super::{MethodVerdict, ask, exhaustive, pogddl};
use crate::support::side_by_side::side_by_side;

/// The numbers of answers that were compared.
#[derive(Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    exhaustive: usize,
    by_definition: usize,
}

const METHODS: [Method; 5] = [Method::Structure, Method::Induction, Method::Bounded, Method::Matches, Method::Auto];

fn compare(name: &str, game: &Game, (explicit, each): (Duration, Duration), tally: &Mutex<Tally>) {
    let mut prover = Prover::new(game);
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let truth = exhaustive(game, role, explicit);
        let plain = shortest(game, role, 12, 3_000);
        for ((property, truth), plain_found) in Property::ALL.into_iter().zip(truth).zip(plain.found) {
            let who = format!("{name} {} {property:?}", game.roles[role.0 as usize].name);
            let by_definition = plain_found.map_or(MethodVerdict::Holds(Some(plain.rounds)), MethodVerdict::Refuted);
            assert!(truth.agrees_with(by_definition), "{who}: {truth:?} by pairs, {by_definition:?} by definition");
            let mut all = vec![(None, truth), (None, by_definition)];
            for method in METHODS {
                let options = Options { method, ..Options::default() };
                let (verdict, _) = ask(&mut prover, game, (role, property), &options, each);
                for (other, earlier) in &all {
                    assert!(verdict.agrees_with(*earlier), "{who}: {method:?} {verdict:?}, {other:?} {earlier:?}");
                }
                all.push((Some(method), verdict));
            }
            let mut tally = tally.lock().expect("no panic");
            let is =
                |wanted: fn(&MethodVerdict) -> bool| all[2..].iter().filter(|(_, verdict)| wanted(verdict)).count();
            tally.proved += is(|verdict| *verdict == MethodVerdict::Proved);
            tally.refuted += is(|verdict| matches!(verdict, MethodVerdict::Refuted(_) | MethodVerdict::Seen(_)));
            tally.exhaustive += usize::from(!matches!(truth, MethodVerdict::Holds(_)));
            tally.by_definition += usize::from(plain_found.is_some());
        }
    }
}

fn run(games: &[(String, Game)], times: (Duration, Duration)) {
    let tally = Mutex::default();
    side_by_side(games, |(name, game)| {
        let start = Instant::now();
        compare(name, game, times, &tally);
        eprintln!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    });
    let Tally { proved, refuted, exhaustive, by_definition } = tally.into_inner().expect("no panic");
    eprintln!(
        "{proved} proofs and {refuted} refutations; {exhaustive} questions decided by exhaustive search, {by_definition} \
         refuted by definition"
    );
    assert!(proved > 0 && refuted > 0 && exhaustive > 0);
}

fn times() -> (Duration, Duration) {
    (Duration::from_secs(2), Duration::from_millis(500))
}

fn load(path: &Path) -> Option<Game> {
    match source(path).syntax {
        Syntax::Gdl(description) => {
            let budget = Budget::default().until(Instant::now() + Duration::from_secs(4));
            Game::from_gdl_with(&description, &Grounding { budget, ..Grounding::default() }).ok()
        }
        Syntax::Pddl(_) => None,
    }
}

/// Published problems small enough to be decided, at least in part.
pub const PROBLEMS: [(&str, &str, PogddlTerminal); 8] = [
    ("Difference.pog", "difference-1.pog", PogddlTerminal::NoMoves),
    ("Difference.pog", "difference-5.pog", PogddlTerminal::Payoff),
    ("LongBattleship.pog", "battleship-1.4.pog", PogddlTerminal::NoMoves),
    ("LongBattleship.pog", "battleship-2.4.pog", PogddlTerminal::Payoff),
    ("LongBattleship.pog", "battleship-5.4.pog", PogddlTerminal::NoMoves),
    ("Gops.pog", "gops-2.10.pog", PogddlTerminal::NoMoves),
    ("EndGame.pog", "endgame-1.pog", PogddlTerminal::NoMoves),
    ("Racko.pog", "racko-5.20.pog", PogddlTerminal::Payoff),
];

mod corpus {
    use percept_test::{folder, published};
    use rayon::prelude::*;

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let paths = entries(folder("PERCEPT_CORPUS").join("gdl-ii"));
        let games = paths.par_iter().filter_map(|path| Some((file_name(path), load(path)?)));
        run(&games.collect::<Vec<_>>(), times());
    }

    /// Late differences are found along random matches, while the search for a shortest pair stops after a dozen
    /// rounds.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn late_refutations_by_random_matches() {
        let game = load(&folder("PERCEPT_CORPUS").join("gdl-ii/blind_breakthrough_6x6.gdl")).expect("a published game");
        let mut prover = Prover::new(&game);
        for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
            let options = Options { method: Method::Matches, ..Options::default() };
            let verdict = ask(&mut prover, &game, (role, Property::Goal), &options, Duration::from_secs(60)).0;
            assert!(matches!(verdict, MethodVerdict::Seen(rounds) if rounds > 15), "{role:?}: {verdict:?}");
        }
    }

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games_in_pogddl() {
        let game = |(domain, problem, terminal): (&str, &str, PogddlTerminal)| {
            (problem.to_owned(), published::pogddl(domain, problem, terminal))
        };
        run(&PROBLEMS.map(game), times());
    }
}

mod heavy {
    use percept_test::read;

    use super::*;

    /// The project's own library, as far as it is defined by its rules alone.
    #[test]
    #[ignore = "takes minutes"]
    fn our_own_library() {
        let mut games = Vec::new();
        for folder in entries(percept_test::games()).iter().filter(|path| path.is_dir()) {
            let (mut domains, mut problems) = (Vec::new(), Vec::new());
            for path in entries(folder).into_iter().filter(|path| path.is_file()) {
                let text = read(&path);
                match () {
                    () if text.contains("(define (domain") => domains.push(text),
                    () if text.contains("(define (problem") => problems.push((file_name(&path), text)),
                    () => games.extend(load(&path).map(|game| (file_name(&path), game))),
                }
            }
            for (name, problem) in problems {
                let game = pogddl(&domains[0], &problem, PogddlTerminal::NoMoves);
                games.push((name, game.unwrap_or_else(|why| panic!("{why}"))));
            }
        }
        assert!(games.len() > 12, "{} games of our own", games.len());
        run(&games, times());
    }
}
