//! Names taken apart: fluents whose names differ in their arguments alone are of one shape.

use percept_game::{FluentId, Game};
use rustc_hash::FxHashMap;

use super::Atom;

/// A name taken apart: what it is with its arguments left out, and the arguments.
pub(super) struct Shape {
    pub functor: String,
    pub arguments: Vec<u32>,
}

/// Names of arguments by number.
#[derive(Default)]
pub(super) struct Words {
    numbers: FxHashMap<String, u32>,
    words: Vec<String>,
}

impl Words {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), self.words.len() as u32 - 1);
        self.words.len() as u32 - 1
    }

    /// The first word of each list belongs to the shape, everything else is an argument.
    pub(super) fn shape(&mut self, name: &str) -> Shape {
        let (mut functor, mut arguments) = (String::new(), Vec::new());
        let mut head = true;
        for word in name.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            let structure = matches!(word, "(" | ")");
            if structure || head {
                functor.push_str(word);
            } else {
                functor.push('_');
                arguments.push(self.number(word));
            }
            functor.push(' ');
            head = word == "(";
        }
        Shape { functor, arguments }
    }

    pub(super) fn integer(&self, word: u32) -> Option<i64> {
        self.words[word as usize].parse().ok()
    }
}

/// All groups of fluents whose names differ in one argument, or in all.
pub(crate) fn groups_by_name(game: &Game) -> Vec<Vec<Atom>> {
    let mut words = Words::default();
    let mut groups: FxHashMap<(String, usize, Vec<u32>), Vec<Atom>> = FxHashMap::default();
    for fluent in 0..game.rules.fluent_count() as u32 {
        let Shape { functor, arguments } = words.shape(&game.rules.fluent_name(FluentId(fluent)));
        for (at, _) in arguments.iter().enumerate().filter(|_| arguments.len() > 1) {
            let rest = arguments.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, &it)| it).collect();
            groups.entry((functor.clone(), at, rest)).or_default().push(fluent);
        }
        groups.entry((functor, usize::MAX, Vec::new())).or_default().push(fluent);
    }
    let mut groups: Vec<Vec<Atom>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}
