//! Names split into shapes and arguments: fluents whose names differ only in their arguments have the same shape.

use percept_game::{FluentId, Game, Term};
use rustc_hash::FxHashMap;

use super::claims::Atom;

/// A name in two parts: its shape without arguments, and the arguments.
pub(super) struct Shape {
    pub functor: String,
    pub arguments: Vec<u32>,
}

/// The numbers of argument names.
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

    /// Splits a name: the first word of each list belongs to the shape, everything else is an argument.
    pub(super) fn shape(&mut self, name: &Term) -> Shape {
        let mut shape = Shape { functor: name.head().to_owned(), arguments: Vec::new() };
        self.add(name.args(), &mut shape);
        shape
    }

    fn add(&mut self, args: &[Term], shape: &mut Shape) {
        for arg in args {
            if arg.is_list() {
                shape.functor.extend(["(", arg.head()]);
                self.add(arg.args(), shape);
                shape.functor.push(')');
            } else {
                shape.functor.push_str(" _");
                shape.arguments.push(self.number(arg.head()));
            }
        }
    }

    pub(super) fn integer(&self, word: u32) -> Option<i64> {
        self.words[word as usize].parse().ok()
    }
}

/// All groups of fluents whose names differ in one argument or in all arguments.
pub(super) fn groups_by_name(game: &Game) -> Vec<Vec<Atom>> {
    let mut words = Words::default();
    let mut groups: FxHashMap<(String, usize, Vec<u32>), Vec<Atom>> = FxHashMap::default();
    for fluent in 0..game.rules.fluent_count() as u32 {
        let Shape { functor, arguments } = words.shape(&game.rules.fluent_term(FluentId(fluent)));
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
