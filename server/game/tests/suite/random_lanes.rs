//! Matches in lanes are the matches that the circuit's cursor plays one by one: for the games in `games/`, and for
//! those in the folder `PERCEPT_CORPUS` (all of them under `PERCEPT_HEAVY=1`, else the small ones).

use std::path::{Path, PathBuf};

use percept_game::Game;
use percept_game::gdl::Grounding;
use percept_game::play::{Limits, MatchRecord, play_match, run};
use percept_syntax::{Language, Source, Syntax};
use percept_test::{files, folder, more};
use rayon::prelude::*;

/// The games under a folder whose files have at most `most` bytes, the smallest first.
fn games(folder: &Path, most: u64) -> Vec<(PathBuf, Game)> {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    let mut files: Vec<(u64, PathBuf)> = files(folder, &[]).into_iter().map(|path| (size(&path), path)).collect();
    files.retain(|(size, _)| *size <= most);
    files.sort();
    let game = |(_, path): (u64, PathBuf)| {
        let text = std::fs::read_to_string(&path).ok()?;
        let language = Language::detect(&path, &text).filter(|language| *language != Language::Pogddl)?;
        let source = Source::parse(text, language);
        let Syntax::Gdl(description) = &source.syntax else { return None };
        let grounding = Grounding { fuel: 20_000_000, ..Grounding::default() };
        let game = Game::from_gdl_with(description, &grounding).ok()?;
        game.rules.playouts().is_some().then_some((path, game))
    };
    files.into_par_iter().filter_map(game).collect()
}

/// The number of games that were compared.
fn compare(games: Vec<(PathBuf, Game)>) -> usize {
    games.par_iter().for_each(|(path, game)| {
        // The matches are long enough for lanes to be reused, in wide and narrow words.
        for (count, max_rounds) in [(300, 12), (20, 90)] {
            let limits = Limits { seed: 5, max_rounds, ..Limits::default() };
            let mut lanes = Vec::new();
            run(game, 0..count, &limits, &mut |record| lanes.push(record.clone()));
            lanes.sort_by_key(|record| record.number);
            let picked: Vec<u64> = (0..count).step_by(count as usize / 10).collect();
            let one_by_one: Vec<MatchRecord> =
                picked.iter().map(|&number| play_match(game, number, &limits).0).collect();
            assert_eq!(lanes.len() as u64, count, "{}", path.display());
            let lanes: Vec<MatchRecord> = picked.iter().map(|&number| lanes[number as usize].clone()).collect();
            assert_eq!(lanes, one_by_one, "{}", path.display());
        }
    });
    games.len()
}

#[test]
fn our_own_games() {
    let compared = compare(games(&percept_test::games(), 12_000));
    assert!(compared > 10, "only {compared} games");
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let compared = compare(games(&folder("PERCEPT_CORPUS"), more(3_000, u64::MAX)));
        assert!(compared > 10, "only {compared} games");
    }
}
