//! A person at the terminal, who is shown what the role knows, and nothing else.

use std::fmt::Display;
use std::io::{BufRead, IsTerminal, Write};

use percept_game::stepper::shown;
use percept_game::{Game, Term};
use percept_players::{Clock, Person, Sight};
use percept_report::board::Layout;

use crate::show;

/// Possible facts that are listed.
const LISTED: usize = 40;

/// Standard input and output.
pub struct Screen {
    /// How the game's boards lie.
    pub layout: Layout,
}

impl Person for Screen {
    fn choose(&self, game: &Game, sight: &Sight, clock: &Clock) -> Option<usize> {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "\n{}", self.place(game, sight));
        if let [only] = &sight.moves[..] {
            let _ = writeln!(out, "you can only {only}");
            return Some(0);
        }
        for line in numbered(&sight.moves, show::terminal_width().unwrap_or(show::WIDTH)) {
            let _ = writeln!(out, "{line}");
        }
        loop {
            let time = clock.left().map_or(String::new(), |left| format!(" ({:.1} s)", left.as_secs_f64()));
            let _ = write!(out, "your move{time}: ");
            let _ = out.flush();
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line).ok()? == 0 {
                return None;
            }
            match picked(sight, line.trim()) {
                Some(at) => {
                    if std::io::stdout().is_terminal() {
                        let _ = writeln!(out, "waiting for the others ...");
                    }
                    return Some(at);
                }
                None => {
                    let _ = writeln!(out, "write the number of a move, or the move");
                }
            }
            if !std::io::stdin().is_terminal() && line.trim().is_empty() {
                return None;
            }
        }
    }

    fn over(&self, game: &Game, sight: &Sight) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "\n{}\nthe match is over", self.place(game, sight));
    }
}

/// Numbered moves in as many columns as fit: a list of a hundred moves must not push the board off the screen.
fn numbered<T: Display>(moves: &[T], width: usize) -> Vec<String> {
    let number = moves.len().to_string().len().max(3);
    let moves: Vec<String> = (1..).zip(moves).map(|(at, mv)| format!("{at:>number$}  {mv}")).collect();
    show::in_columns(&moves, width - 2).into_iter().map(|line| format!("  {line}")).collect()
}

/// The move that was meant: its number, or its name in any case and spacing.
fn picked(sight: &Sight, text: &str) -> Option<usize> {
    let words = |name: &Term| name.words().join(" ").to_lowercase();
    match text.parse::<usize>() {
        Ok(number) if (1..=sight.moves.len()).contains(&number) => Some(number - 1),
        _ if text.is_empty() => None,
        _ => Term::typed(text).and_then(|typed| sight.moves.iter().position(|mv| words(mv) == words(&typed))),
    }
}

impl Screen {
    /// What is known, as text.
    fn place(&self, game: &Game, sight: &Sight) -> String {
        let width = show::terminal_width().unwrap_or(show::WIDTH);
        let mut lines = vec![format!("after round {}, as {} knows it", sight.round, sight.role)];
        if let Some((own, percepts)) = sight.seen.last() {
            let own = own.as_ref().map_or("you moved".to_string(), |own| format!("you made {own}"));
            let told = if percepts.is_empty() { "nothing".to_string() } else { percepts.join(", ") };
            lines.extend(show::broken(&format!("{own}; you were told: {told}"), width));
        }
        let mut known = shown(game, &sight.certain);
        known.numbers.retain(|(name, _)| !sight.numbers.iter().any(|(other, _)| other == name));
        known.numbers.extend(sight.numbers.iter().filter_map(|(name, value)| Some((name.clone(), (*value)?))));
        lines.push(if sight.is_proved { "certain:" } else { "certain, as far as a sample tells:" }.to_string());
        lines.extend(show::state(&self.layout.picture(&known), width - 2).into_iter().map(|line| format!("  {line}")));
        let unknown = sight.numbers.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone());
        let possible: Vec<String> = sight.possible.iter().cloned().chain(unknown).collect();
        if !possible.is_empty() {
            let more = possible.len().saturating_sub(LISTED);
            let names = &possible[..possible.len().min(LISTED)];
            lines.extend(show::wrapped("possible", names, width));
            if more > 0 {
                lines.push(format!("  ... and {more} more"));
            }
        }
        lines.join("\n")
    }
}
