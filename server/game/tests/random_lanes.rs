//! Matches in lanes are the matches that the circuit's cursor plays one by one: of the games in `games/`, and of those
//! in the folder `PERCEPT_CORPUS` (all of them under `PERCEPT_HEAVY=1`, the small ones otherwise).

use std::path::{Path, PathBuf};

use percept_game::Game;
use percept_game::gdl::Grounding;
use percept_game::play::{Limits, MatchRecord, play_match, run};
use percept_syntax::{Language, Source, Syntax};
use rayon::prelude::*;

/// The games under a folder whose files have at most so many bytes, the smallest first.
fn games(folder: &Path, most: u64) -> Vec<(PathBuf, Game)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(path),
                Ok(data) if data.len() <= most => files.push((data.len(), path)),
                _ => {}
            }
        }
    }
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

/// How many of these games were compared.
fn compare(games: Vec<(PathBuf, Game)>) -> usize {
    games.par_iter().for_each(|(path, game)| {
        // Long enough for lanes to be used again; wide and narrow words.
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let compared = compare(games(&folder, 12_000));
    assert!(compared > 10, "only {compared} games");
}

#[test]
fn published_games() {
    let Some(folder) = std::env::var_os("PERCEPT_CORPUS") else {
        println!("skipped: PERCEPT_CORPUS is not set");
        return;
    };
    let most = if std::env::var_os("PERCEPT_HEAVY").is_some() { u64::MAX } else { 3_000 };
    let compared = compare(games(Path::new(&folder), most));
    assert!(compared > 10, "only {compared} games");
}
