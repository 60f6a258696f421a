//! A person at the terminal, who sees only the role's knowledge.

use std::io::{BufRead, IsTerminal};

use percept_game::stepper::shown;
use percept_game::{Game, Term};
use percept_players::{Absence, Clock, Person, Sight};
use percept_report::board::Layout;
use percept_report::speech::{apart, joined};

use crate::{output, show, wrap};

/// The most possible facts that are listed.
const LISTED: usize = 40;

/// Standard input and output.
pub(super) struct Screen {
    /// The layout of the game's boards.
    pub layout: Layout,
}

impl Person for Screen {
    fn choose(&self, game: &Game, sight: &Sight, clock: &Clock) -> Result<usize, Absence> {
        output::println(&format!("\n{}", self.place(game, sight)));
        if let [only] = &sight.moves[..] {
            output::println(&format!("you can only {}", self.layout.speech.shown(only)));
            return Ok(0);
        }
        let names = self.layout.speech.listed(&sight.moves);
        for line in numbered(&names, wrap::terminal_width().unwrap_or(wrap::WIDTH)) {
            output::println(&line);
        }
        loop {
            let time = clock.left().map_or(String::new(), |left| format!(" ({:.1} s)", left.as_secs_f64()));
            output::print(&format!("your move{time}: "));
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
                return Err(Absence::Left);
            }
            match picked(&sight.moves, &names, line.trim()) {
                Some(at) => {
                    if std::io::stdout().is_terminal() {
                        output::println("waiting for the others ...");
                    }
                    return Ok(at);
                }
                None => {
                    output::println("write the number of a move, or the move");
                }
            }
            if !std::io::stdin().is_terminal() && line.trim().is_empty() {
                return Err(Absence::Left);
            }
        }
    }

    fn over(&self, game: &Game, sight: &Sight) {
        output::println(&format!("\n{}\nthe match is over", self.place(game, sight)));
    }
}

/// The number of lines of moves above which a common beginning is printed once.
const MANY_LINES: usize = 10;

/// Numbered moves in as many columns as fit, so that a list of a hundred moves does not push the board off the screen.
fn numbered(moves: &[String], width: usize) -> Vec<String> {
    let lines = in_numbered_columns(moves, width);
    let shared = shared_beginning(moves);
    if lines.len() <= MANY_LINES || shared.is_empty() {
        return lines;
    }
    let close = if shared.starts_with('(') { ")" } else { "" };
    let rests: Vec<String> = moves.iter().map(|mv| mv[shared.len()..mv.len() - close.len()].to_string()).collect();
    let mut lines = vec![format!("  {shared}...{close}")];
    lines.extend(in_numbered_columns(&rests, width));
    lines
}

fn in_numbered_columns(texts: &[String], width: usize) -> Vec<String> {
    let number = texts.len().to_string().len().max(3);
    let texts: Vec<String> = (1..).zip(texts).map(|(at, text)| format!("{at:>number$}  {text}")).collect();
    wrap::in_columns(&texts, width - 2).into_iter().map(|line| format!("  {line}")).collect()
}

/// The words, or the functor and the arguments, that all moves begin with, up to the next blank; empty if there are
/// none, or if a move has nothing else.
fn shared_beginning(moves: &[String]) -> &str {
    let Some(first) = moves.first() else { return "" };
    let are_words = moves.iter().all(|mv| !mv.starts_with('('));
    if !are_words && !moves.iter().all(|mv| mv.starts_with('(') && mv.ends_with(')')) {
        return "";
    }
    let common = |other: &String| first.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let common = moves.iter().map(common).min().unwrap_or(0);
    let (mut depth, mut end) = (0, 0);
    for (at, byte) in first.bytes().enumerate().take(common) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b' ' if depth == 1 || are_words => end = at + 1,
            _ => {}
        }
    }
    &first[..end]
}

/// The chosen move: by its number, by its words or its name in any case and spacing, or by an unambiguous end of its
/// name.
fn picked(moves: &[Term], names: &[String], text: &str) -> Option<usize> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let words = |name: &Term| name.words().join(" ").to_lowercase();
    match text.parse::<usize>() {
        Ok(number) if (1..=moves.len()).contains(&number) => Some(number - 1),
        _ if text.is_empty() => None,
        _ => {
            if let Some(at) = names.iter().position(|name| plain(name) == plain(text)) {
                return Some(at);
            }
            let typed = words(&Term::typed(text)?);
            let moves: Vec<String> = moves.iter().map(words).collect();
            let end = format!(" {typed}");
            let mut ending = (0..moves.len()).filter(|&at| moves[at].ends_with(&end));
            let only = ending.next().filter(|_| ending.next().is_none());
            moves.iter().position(|mv| *mv == typed).or(only)
        }
    }
}

impl Screen {
    /// The role's knowledge as text.
    fn place(&self, game: &Game, sight: &Sight) -> String {
        let (width, speech) = (wrap::terminal_width().unwrap_or(wrap::WIDTH), &self.layout.speech);
        let mut lines = vec![format!("after round {}, as {} knows it", sight.round, sight.role)];
        if let Some((own, percepts)) = sight.seen.last() {
            let own = own.as_ref().map_or("you moved".to_string(), |own| format!("you made {}", speech.phrase(own)));
            let percepts: Vec<String> = percepts.iter().map(|it| speech.percept(&sight.role, it)).collect();
            let percept_list = if percepts.is_empty() { "nothing".to_string() } else { joined(&percepts) };
            lines.extend(wrap::broken(&format!("{own}; you perceived: {percept_list}"), width));
        }
        let mut facts = shown(game, &sight.certain);
        facts.numbers.retain(|(name, _)| !sight.numbers.iter().any(|(other, _)| other == name));
        facts.numbers.extend(sight.numbers.iter().filter_map(|(name, value)| Some((name.clone(), (*value)?))));
        lines.push(if sight.is_proved { "certain:" } else { "certain, as far as samples show:" }.to_string());
        let certain = show::state(&self.layout.picture(&facts), speech, width - 2);
        lines.extend(certain.into_iter().map(|line| format!("  {line}")));
        let unknown = sight.numbers.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone());
        let possible: Vec<String> =
            sight.possible.iter().cloned().chain(unknown).map(|it| speech.phrase(&it)).collect();
        if !possible.is_empty() {
            let more = possible.len().saturating_sub(LISTED);
            let names = apart(possible[..possible.len().min(LISTED)].to_vec());
            lines.extend(wrap::wrapped("possible", &names, width));
            if more > 0 {
                lines.push(format!("  ... and {more} more"));
            }
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_many_moves_begin_with_is_written_once() {
        let shots = |count: usize| -> Vec<String> { (1..=count).map(|at| format!("(shoot (sea b) c{at})")).collect() };
        let shown = |moves: &[String]| format!("moves\n{}", numbered(moves, 40).join("\n"));
        expect![[r#"
            moves
                1  (shoot (sea b) c1)
                2  (shoot (sea b) c2)
                3  (shoot (sea b) c3)"#]]
        .assert_eq(&shown(&shots(3)));
        expect![[r#"
            moves
              (shoot (sea b) ...)
                1  c1       5  c5       9  c9
                2  c2       6  c6      10  c10
                3  c3       7  c7      11  c11
                4  c4       8  c8"#]]
        .assert_eq(&shown(&shots(11)));
        let words: Vec<String> = (1..=25).map(|at| format!("shoot at c{at}")).collect();
        assert_eq!((shared_beginning(&words), numbered(&words, 40)[0].as_str()), ("shoot at ", "  shoot at ..."));
        assert_eq!(shared_beginning(&["(go (a 1))".into(), "(go (a 2))".into()]), "(go ");
        assert_eq!(shared_beginning(&["pass".into(), "(go 1)".into()]), "");
    }

    #[test]
    fn a_move_is_picked_by_its_words_or_its_name() {
        let moves: Vec<Term> = ["(mark 1 1)", "(mark 1 2)"].map(|it| it.parse().expect("a term")).into();
        let names = ["mark row 1, column 1".to_owned(), "mark row 1, column 2".to_owned()];
        for text in ["2", "(mark 1 2)", "mark 1 2", "Mark row 1,  column 2", "1 2"] {
            assert_eq!(picked(&moves, &names, text), Some(1), "{text}");
        }
        assert_eq!(picked(&moves, &names, "mark row"), None);
    }
}
