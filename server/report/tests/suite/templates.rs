//! The completions for a whole game are games: no findings, matches end, and every player knows its result.

use percept_analysis::ide::templates::{filled, templates};
use percept_game::stepper::{StepError, Stepper};
use percept_game::{Game, PogddlOptions};
use percept_syntax::{Language, Source, Syntax};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays random matches to their ends.
fn plays(game: Game) {
    let game = std::sync::Arc::new(game);
    for seed in 0..4 {
        let mut stepper = Stepper::new(game.clone());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let ended = loop {
            match stepper.play_random(&[], &mut rng) {
                Ok(()) if stepper.len() < 10 => {}
                Ok(()) => panic!("it does not end"),
                Err(error) => break error,
            }
        };
        assert_eq!((ended, stepper.len()), (StepError::Over, 2));
        let player = stepper.view().roles.into_iter().find(|role| !role.chance).expect("a player");
        assert_eq!(player.goals.len(), 1, "one goal: {:?}", player.goals);
        let observation = percept_infoset::observe(
            &game,
            &stepper.joints(),
            &percept_infoset::ObserveOptions::default(),
            &percept_infoset::Budget::default(),
        );
        for finding in observation.expect("judged").findings {
            assert_eq!(finding.verdict.name(), "known", "{finding:?}");
        }
    }
}

#[test]
fn whole_games_are_games() {
    for language in [Language::GdlPrefix, Language::GdlInfix] {
        let text = filled(templates(language, true)[0].text);
        let source = Source::parse(text.as_str(), language);
        assert!(source.errors.is_empty(), "{:?}\n{text}", source.errors);
        let findings = percept_analysis::check(&source, &percept_analysis::Settings::default());
        assert!(findings.is_empty(), "{findings:?}");
        let Syntax::Gdl(description) = &source.syntax else { panic!("a description") };
        plays(Game::from_gdl(description).expect("a game"));
    }
}

#[test]
fn the_domain_and_its_problem_are_a_game() {
    let texts = templates(Language::Pogddl, true).iter().map(|it| filled(it.text));
    let sources: Vec<Source> = texts.map(|text| Source::parse(text.as_str(), Language::Pogddl)).collect();
    for source in &sources {
        assert!(source.errors.is_empty(), "{:?}", source.errors);
    }
    let findings =
        percept_analysis::check_pddl(Some(&sources[0]), Some(&sources[1]), &percept_analysis::Settings::default());
    assert!(findings.is_empty(), "{findings:?}");
    let (domain, problem) = (sources[0].domain().expect("a domain"), sources[1].problem().expect("a problem"));
    plays(Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game"));
}
