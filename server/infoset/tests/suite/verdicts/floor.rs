//! Proofs about published games and the project's own are repeated on the rules as written: every proof is written for
//! the plain game and followed there.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use percept_game::plain::{self, Limits, pogddl::Range};
use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_infoset::prove::certificate::{self, Invalid};
use percept_infoset::prove::{Options, Prover};
use percept_infoset::{Budget, Property};
use percept_syntax::{Language, Source, Syntax};

use super::{MethodVerdict, ask, questions};
use crate::support::side_by_side::side_by_side;

/// The time to prove each answer and to write the proof.
const PROVE: Duration = Duration::from_secs(3);
const WRITE: Duration = Duration::from_secs(20);
/// The time after which no further game is begun.
const ENOUGH: Duration = Duration::from_secs(80);

/// A game's file; for POGDDL also its domain and the end of its matches.
type File = (PathBuf, Option<(PathBuf, PogddlTerminal)>);

fn source(path: &Path) -> Option<Source> {
    let bytes = std::fs::read(path).ok()?;
    let language = Language::detect(path, &String::from_utf8_lossy(&bytes))?;
    Source::from_bytes(bytes, language).ok()
}

/// The plain games, one with goals and one without, or the reason why there is none.
struct Floors {
    with_goals: Result<Game, String>,
    without: Result<Game, String>,
    numbers: Vec<Range>,
}

/// Loads the game and its plain games.
fn load((path, domain): &File) -> Option<(Game, Floors)> {
    let problem = source(path)?;
    let why = |errors: Vec<percept_game::GameError>| errors[0].message.clone();
    let Some((domain, terminal)) = domain else {
        let Syntax::Gdl(description) = &problem.syntax else { return None };
        let game = Game::from_gdl(description).ok()?;
        let plain = plain::gdl(description, &Limits::default()).map_err(why);
        return Some((game, Floors { with_goals: plain.clone(), without: plain, numbers: Vec::new() }));
    };
    let domain = source(domain)?;
    let terminal = PogddlOptions::declared(&domain.text, &domain.comments).unwrap_or(*terminal);
    let options = PogddlOptions { terminal };
    let (domain, problem) = (domain.domain()?, problem.problem()?);
    let game = Game::from_pogddl(domain, problem, &options).ok()?;
    let numbers = plain::ranges(&game);
    let plain = |goals| plain::pogddl_for(domain, problem, &options, &numbers, goals, &Limits::default()).map_err(why);
    let (with_goals, without) = (plain(true), plain(false));
    Some((game, Floors { with_goals, without, numbers }))
}

#[derive(Default)]
struct Tally {
    certified: usize,
    /// The seconds to prove, to write and to follow; and the bytes of all files.
    seconds: [f64; 3],
    bytes: usize,
    /// The proofs that were not written, with the reasons.
    open: Vec<String>,
}

fn certify(file: &File, tally: &Mutex<Tally>) {
    let name = file.0.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((game, floors)) = load(file) else { return };
    let mut prover = Prover::new(&game);
    for (role, property) in questions(&game) {
        let begin = Instant::now();
        let (verdict, argument) = ask(&mut prover, &game, (role, property), &Options::default(), PROVE);
        let proving = begin.elapsed().as_secs_f64();
        let Some(argument) = argument.filter(|_| verdict == MethodVerdict::Proved) else { continue };
        let who = format!("{name} {} {property:?}", game.roles[role.0 as usize].name);
        let plain = if property == Property::Goal { &floors.with_goals } else { &floors.without };
        let written = plain.as_ref().map_err(Clone::clone).and_then(|plain| {
            let budget = Budget { deadline: Some(Instant::now() + WRITE), ..Budget::default() };
            let floor = (plain, &floors.numbers[..]);
            let written = certificate::write(&game, floor, role, property, false, &argument, &budget);
            let message =
                |why: Invalid| if budget.stop().is_some() { "not in time".to_owned() } else { format!("no: {why}") };
            Ok((plain, written.map_err(message)?, begin.elapsed().as_secs_f64() - proving))
        });
        let mut tally = match written {
            Ok((plain, written, writing)) => {
                // The proof as a file, which is the form that users read.
                let text = serde_json::to_string(&written).expect("JSON");
                let begin = Instant::now();
                let read = serde_json::from_str(&text).expect("our own JSON");
                let checked = certificate::check(plain, &read, &Budget::default());
                assert!(checked.is_ok(), "{who}: {checked:?}");
                let mut tally = tally.lock().expect("no panic");
                tally.bytes += text.len();
                let seconds = [proving, writing, begin.elapsed().as_secs_f64()];
                tally.seconds.iter_mut().zip(seconds).for_each(|(sum, seconds)| *sum += seconds);
                tally
            }
            Err(why) => {
                let mut tally = tally.lock().expect("no panic");
                tally.open.push(format!("{who}: {why}"));
                continue;
            }
        };
        tally.certified += 1;
    }
}

/// The files of a folder, the smallest first.
fn by_size(folder: &Path) -> Vec<PathBuf> {
    let mut paths = percept_test::entries(folder);
    paths.sort_by_key(|path| std::fs::metadata(path).map_or(0, |data| data.len()));
    paths
}

/// Writes and follows every proof about these games, and checks that there are at least `least` of them.
fn certify_all(all: &[File], least: usize) {
    let (tally, begin) = (Mutex::default(), Instant::now());
    side_by_side(all, |file| match begin.elapsed() < ENOUGH {
        true => certify(file, &tally),
        false => eprintln!("{}: no time left", file.0.display()),
    });
    let Tally { certified, seconds: [proving, writing, following], bytes, open } =
        tally.into_inner().expect("no panic");
    eprintln!("{:.0} s", begin.elapsed().as_secs_f64());
    eprintln!("proved in {proving:.1} s, written in {writing:.1} s, followed in {following:.1} s; {bytes} bytes");
    eprintln!("{certified} proofs hold on the rules as written; not written:\n{}", open.join("\n"));
    let missing = open.iter().filter(|why| why.contains(": no: "));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(certified > least, "{certified} proofs");
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "takes minutes"]
    fn every_proof_about_our_own_games_stands_on_the_rules_as_written() {
        let mut all: Vec<File> = Vec::new();
        for folder in by_size(&percept_test::games()).iter().filter(|path| path.is_dir()) {
            let domain = folder.join(format!("{}.pog", percept_test::file_name(folder)));
            for path in by_size(folder).into_iter().filter(|path| path.is_file() && *path != domain) {
                let is_problem = path.extension().is_some_and(|extension| extension == "pog");
                all.push((path, is_problem.then(|| (domain.clone(), PogddlTerminal::NoMoves))));
            }
        }
        certify_all(&all, 30);
    }
}

mod corpus {
    use percept_test::folder;

    use super::super::published_games::PROBLEMS;
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn every_proof_about_published_games_stands_on_the_rules_as_written() {
        let corpus = folder("PERCEPT_CORPUS");
        let mut all: Vec<File> = by_size(&corpus.join("gdl-ii")).into_iter().map(|path| (path, None)).collect();
        let folder = corpus.join("pogddl");
        for (domain, problem, terminal) in PROBLEMS {
            all.push((folder.join("problems").join(problem), Some((folder.join(domain), terminal))));
        }
        certify_all(&all, 30);
    }
}
