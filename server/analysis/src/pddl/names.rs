//! Names without regard to case, as small numbers.

use percept_syntax::pddl::Section;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A name in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Symbol(pub u32);

/// Every name of a domain and its problem, each once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: FxHashMap<SmolStr, Symbol>,
    texts: Vec<SmolStr>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(found) = self.get(text) {
            return found;
        }
        let lower: SmolStr = if has_upper(text) { text.to_ascii_lowercase().into() } else { text.into() };
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(lower.clone());
        self.numbers.insert(lower, symbol);
        symbol
    }

    /// The number of a name, if it has occurred.
    pub(crate) fn get(&self, text: &str) -> Option<Symbol> {
        if has_upper(text) {
            return self.numbers.get(text.to_ascii_lowercase().as_str()).copied();
        }
        self.numbers.get(text).copied()
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// True if no two of a few sections or fields have the same keyword.
pub(crate) fn all_differ(sections: &[Section]) -> bool {
    let is_new =
        |(at, section): (usize, &Section)| !sections[..at].iter().any(|it| it.keyword.is(&section.keyword.text));
    sections.iter().enumerate().all(is_new)
}

fn has_upper(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_makes_no_difference() {
        let mut names = Names::default();
        assert_eq!(names.intern("Role"), names.intern("rOLE"));
        assert_eq!(names.text(Symbol(0)), "role");
    }
}
