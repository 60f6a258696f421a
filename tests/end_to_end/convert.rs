//! A converted description is the same game: both are ground, and played side by side.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

use percept_game::gdl::Grounding;
use percept_game::{FluentId, Game, RoleId, Scope, State};
use percept_syntax::convert::{Converted, convert};
use percept_syntax::format::Options;
use percept_syntax::{Language, Source, Syntax};
use percept_test::{files, games};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The extensions of GDL descriptions.
const ENDINGS: [&str; 3] = ["kif", "gdl", "hrf"];
const ROUNDS: usize = 20;
/// Time for published games, the smallest first; at least [`AT_LEAST`] of them are compared however long they take.
const TIME: Duration = Duration::from_secs(40);
const AT_LEAST: usize = 60;

/// The game, if it can be ground for less than `effort` times a fraction of a second.
fn ground(source: &Source, effort: u64) -> Option<Game> {
    let Syntax::Gdl(description) = &source.syntax else { return None };
    if !source.errors.is_empty() {
        return None;
    }
    let bounds = Grounding { fuel: 2_000_000 * effort, nodes: 100_000 * effort as usize, ..Grounding::default() };
    let game = Game::from_gdl_with(description, &bounds).ok()?;
    game.rules.playouts().is_some().then_some(game)
}

/// A name after all renamings of its words, one after the other.
fn renamed(name: &str, by: &[&Converted]) -> String {
    let maps: Vec<HashMap<&str, &str>> =
        by.iter().map(|it| it.renamed.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect()).collect();
    let word = |word: &str| {
        maps.iter().fold(word.to_string(), |word, map| map.get(&*word).map_or(word.clone(), |it| it.to_string()))
    };
    let mut out = String::new();
    for part in name.split_inclusive(['(', ')', ' ']) {
        let bare = part.trim_end_matches(['(', ')', ' ']);
        out += &word(bare);
        out += &part[bare.len()..];
    }
    out
}

/// A game whose names are translated into those of the game it is compared with.
struct Translated<'a> {
    game: &'a Game,
    by: &'a [&'a Converted],
}

impl Translated<'_> {
    fn set(&self, names: impl Iterator<Item = String>) -> BTreeSet<String> {
        names.map(|name| renamed(&name, self.by)).collect()
    }

    fn state(&self, state: &State) -> BTreeSet<String> {
        self.set(state.fluents().map(|fluent| self.game.rules.fluent_name(fluent)))
    }

    /// The names in the ground game: its roles, fluents, moves and percepts.
    fn vocabulary(&self) -> Vec<(String, BTreeSet<String>)> {
        let rules = &self.game.rules;
        let ground = rules.ground(&Scope::default()).expect("it is ground");
        let fluents = (0..rules.fluent_count() as u32).map(|it| rules.fluent_name(FluentId(it)));
        let mut all = vec![("fluents".to_string(), self.set(fluents))];
        for role in self.game.role_ids() {
            let at = role.0 as usize;
            let name = renamed(&self.game.roles[at].name, self.by);
            let moves = ground.moves[at].iter().map(|(it, _)| rules.move_name(role, *it));
            all.push((format!("moves of {name}"), self.set(moves)));
            let sees = ground.sees[at].iter().map(|(it, _)| rules.percept_name(role, *it));
            all.push((format!("percepts of {name}"), self.set(sees)));
            all.push((format!("goals of {name}"), ground.goals[at].iter().map(|(it, _)| it.to_string()).collect()));
        }
        all
    }

    /// The rules' answers about a state; `round` covers its next state and percepts.
    fn position(&self, state: &State) -> Vec<BTreeSet<String>> {
        let rules = &self.game.rules;
        let mut all = vec![self.state(state), BTreeSet::from([rules.terminal(state).to_string()])];
        for role in self.game.role_ids() {
            all.push(self.legal(state, role));
            all.push(rules.goals(state, role).iter().map(i64::to_string).collect());
        }
        all
    }

    fn legal(&self, state: &State, role: RoleId) -> BTreeSet<String> {
        let legal = self.game.rules.legal(state, role);
        self.set(legal.into_iter().map(|mv| self.game.rules.move_name(role, mv)))
    }

    /// Makes a joint move, named in the words of the compared game; returns the percepts of every role and the next
    /// state.
    fn round(&self, state: &State, joint: &[String]) -> (Vec<BTreeSet<String>>, State) {
        let rules = &self.game.rules;
        let find = |role: RoleId| {
            let named = |mv: &_| renamed(&rules.move_name(role, *mv), self.by) == joint[role.0 as usize];
            rules.legal(state, role).into_iter().find(named).expect("it is legal in both")
        };
        let joint: Vec<_> = self.game.role_ids().map(find).collect();
        let sees = self.game.role_ids().map(|role| {
            let percepts = rules.percepts(state, &joint, role);
            self.set(percepts.into_iter().map(|it| rules.percept_name(role, it)))
        });
        (sees.collect(), rules.next(state, &joint))
    }
}

/// Compares a game with its conversion, over a random match.
fn same(what: &str, left: &Translated<'_>, right: &Translated<'_>) {
    assert_eq!(left.vocabulary(), right.vocabulary(), "{what}");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let start = || (left.game.rules.initial(), right.game.rules.initial());
    let (mut one, mut other) = start();
    for round in 0..ROUNDS {
        assert_eq!(left.position(&one), right.position(&other), "{what}, round {round}");
        let legal = left.game.role_ids().map(|role| left.legal(&one, role));
        let mut joint = Vec::new();
        for moves in legal {
            if moves.is_empty() {
                break;
            }
            joint.extend(moves.iter().nth(random.random_range(0..moves.len())).cloned());
        }
        // A match that is over, or stuck, is followed by another.
        if joint.len() < left.game.roles.len() || left.game.rules.terminal(&one) {
            (one, other) = start();
            continue;
        }
        let (one_sees, one_next) = left.round(&one, &joint);
        let (other_sees, other_next) = right.round(&other, &joint);
        assert_eq!(one_sees, other_sees, "{what}, round {round}: {joint:?}");
        (one, other) = (one_next, other_next);
    }
}

/// True if the file is a game that can be ground cheaply; it, its conversion and the way back are then the same game.
fn compared(path: &Path) -> bool {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned();
    let source = Source::parse(text.clone(), Language::detect(path, &text).unwrap_or(Language::GdlPrefix));
    let Some(game) = ground(&source, 1) else { return false };
    let what = path.display().to_string();
    let other = if source.language == Language::GdlInfix { Language::GdlPrefix } else { Language::GdlInfix };
    let to = |source: &Source, language| {
        let it = convert(source, language, &Options::default()).unwrap_or_else(|it| panic!("{what}: {}", it.message));
        let source = Source::parse(it.text.clone(), language);
        let game = ground(&source, 2).unwrap_or_else(|| panic!("{what}: the conversion cannot be ground\n{}", it.text));
        (it, source, game)
    };
    let (there, middle, there_game) = to(&source, other);
    let (back, _, back_game) = to(&middle, source.language);
    same(
        &format!("{what}, converted"),
        &Translated { game: &game, by: &[&there] },
        &Translated { game: &there_game, by: &[] },
    );
    let both = [&there, &back];
    same(
        &format!("{what}, and back"),
        &Translated { game: &game, by: &both },
        &Translated { game: &back_game, by: &[] },
    );
    true
}

#[test]
fn our_games_are_the_same_in_the_other_notation() {
    let files = files(games(), &ENDINGS);
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        assert!(compared(&file), "{} cannot be ground", file.display());
    }
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games_are_the_same_in_the_other_notation() {
        let corpus = percept_test::folder("PERCEPT_CORPUS");
        let mut files = [files(corpus.join("gdl"), &ENDINGS), files(corpus.join("gdl-ii"), &ENDINGS)].concat();
        files.sort_by_key(|file| (std::fs::metadata(file).map_or(0, |it| it.len()), file.clone()));
        let start = Instant::now();
        let (mut same, mut left_out, mut left) = (0, Vec::new(), 0);
        for file in &files {
            if same >= AT_LEAST && start.elapsed() > TIME {
                left += 1;
            } else if compared(file) {
                same += 1;
            } else {
                left_out.push(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
        println!("{same} games compared, {} too large or refused, {left} left for lack of time", left_out.len());
        println!("{}", left_out.join(" "));
        assert!(same >= AT_LEAST, "only {same} of {} games compared", files.len());
    }
}
