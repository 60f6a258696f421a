//! Every published game is set up and played, or refused for a reason that helps its author. Reads the folder
//! `PERCEPT_CORPUS`. (`examples/survey.rs` prints the whole table, with speed and memory.)

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_game::play::{Limits, play_match, run};
use percept_test::games::description_of;
use percept_test::{entries, folder, source};
use rayon::prelude::*;

/// The games that cannot be played, with the line and the reason. All are mistakes in the files.
const REFUSED: [(&str, u32, &str); 3] = [
    ("7wonders.kif", 22, "a variable cannot be the name of a relation"),
    ("oneCardGame.gdl", 26, "unsafe rule: no positive condition binds `?Player`"),
    ("sushi_go.kif", 333, "unsafe rule: no positive condition binds `?p`"),
];

/// Time for all games, the smallest first; the games left then are reported.
const TIME: Duration = Duration::from_secs(100);
/// Time to play one game.
const PLAY: Duration = Duration::from_millis(500);

/// The game, or the line and the reason why there is none.
fn set_up(path: &Path) -> Result<Game, (u32, String)> {
    let source = source(path);
    let line = |at: u32| source.text[..at as usize].matches('\n').count() as u32 + 1;
    if let Some(error) = source.errors.first() {
        return Err((line(error.range.start), error.message.clone()));
    }
    Game::from_gdl(description_of(&source)).map_err(|errors| (line(errors[0].range.start), errors[0].message.clone()))
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn every_game_is_played_or_refused_for_a_reason() {
        let folder = folder("PERCEPT_CORPUS");
        let mut paths = [entries(folder.join("gdl")), entries(folder.join("gdl-ii"))].concat();
        paths.retain(|path| path.is_file());
        paths.sort_by_key(|path| std::fs::metadata(path).map_or(0, |data| data.len()));
        assert!(paths.len() > 200, "only {} games in {}", paths.len(), folder.display());
        let start = Instant::now();
        let is_played = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let refused = REFUSED.iter().find(|(other, ..)| *other == name);
            if refused.is_none() && start.elapsed() > TIME {
                println!("{name}: skipped, the time was up");
                return false;
            }
            match (set_up(path), refused) {
                (Ok(game), None) => {
                    let _ = game.rules.playouts();
                    let limits = Limits { seed: 1, max_rounds: 500, deadline: Some(Instant::now() + PLAY) };
                    let mut rounds = 0;
                    run(&game, 0..100, &limits, &mut |record| rounds += record.rounds);
                    if rounds == 0 {
                        let one = Limits { seed: 1, max_rounds: 1, deadline: None };
                        rounds = play_match(&game, 0, &one).0.rounds;
                    }
                    assert!(game.rules.fault().is_none(), "{name}: {:?}", game.rules.fault());
                    let begins = game.role_ids().all(|role| !game.rules.legal(&game.rules.initial(), role).is_empty());
                    assert!(
                        rounds > 0 || !begins || game.rules.terminal(&game.rules.initial()),
                        "{name} was not played"
                    );
                    true
                }
                (Err((line, reason)), Some((_, known_line, expected))) => {
                    assert!(reason.starts_with(expected) && line == *known_line, "{name}, line {line}: {reason}");
                    false
                }
                (Ok(_), Some(_)) => panic!("{name} can be played now: take it off the list"),
                (Err((line, reason)), None) => panic!("{name}, line {line}: {reason}"),
            }
        };
        // The smallest first, on all threads.
        let played = paths.par_iter().by_uniform_blocks(4).map(is_played).filter(|played| *played).count();
        println!("{played} games played");
        assert!(played > 50, "only {played} games were played");
    }
}
