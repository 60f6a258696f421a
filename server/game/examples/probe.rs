use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let source = { let text = String::from_utf8_lossy(&bytes).to_string();
          let language = percept_syntax::Language::detect(path.as_ref(), &text).unwrap();
          percept_syntax::Source::parse(text, language) };
        let percept_syntax::Syntax::Gdl(description) = &source.syntax else { continue };
        let start = Instant::now();
        match percept_game::Game::from_gdl(description) {
            Err(errors) => {
                println!("{path}: {} errors", errors.len());
                for e in errors.iter().take(3) { println!("   {} {:?}", e.message, &source.text.get(e.range.as_usize())); }
            }
            Ok(game) => {
                let setup = start.elapsed();
                let mut state = game.rules.initial();
                let start = Instant::now();
                let mut rounds = 0;
                let mut seed = 1u64;
                while !game.rules.terminal(&state) && rounds < 30 && start.elapsed().as_secs() < 5 {
                    let joint: Vec<_> = game.role_ids().map(|r| {
                        let l = game.rules.legal(&state, r);
                        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        if l.is_empty() { percept_game::MoveId(0) } else { l[(seed >> 33) as usize % l.len()] }
                    }).collect();
                    state = game.rules.next(&state, &joint);
                    rounds += 1;
                }
                println!("{path}: {} roles, setup {:?}, {rounds} rounds in {:?}, fluents now {} of {}", game.roles.len(), setup, start.elapsed(), state.fluents().count(), game.rules.fluent_count());
            }
        }
    }
}
