//! Names without regard to case, as small numbers; and the declared name nearest to a slip of the pen.

use percept_syntax::pddl::Section;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A name in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// Every name of a domain and its problem, each once.
#[derive(Debug, Default)]
pub struct Names {
    numbers: FxHashMap<SmolStr, Symbol>,
    texts: Vec<SmolStr>,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(found) = self.get(text) {
            return found;
        }
        let lower: SmolStr = if has_upper(text) { text.to_ascii_lowercase().into() } else { text.into() };
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(lower.clone());
        self.numbers.insert(lower, symbol);
        symbol
    }

    /// The number of a name that has occurred.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        if has_upper(text) {
            return self.numbers.get(text.to_ascii_lowercase().as_str()).copied();
        }
        self.numbers.get(text).copied()
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// Whether no two of a few sections or fields have the same keyword.
pub fn all_differ(sections: &[Section]) -> bool {
    let is_new =
        |(at, section): (usize, &Section)| !sections[..at].iter().any(|it| it.keyword.is(&section.keyword.text));
    sections.iter().enumerate().all(is_new)
}

fn has_upper(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// The candidate that `name` was probably meant to be: at most one slip in a short name, two in a long one
/// (a letter more, less, changed, or two exchanged), or the same letters with other separators. Only so many candidates are looked at as a person would.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let allowed = match name.len() {
        0..=1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(3_000) {
        if candidate.len().abs_diff(name.len()) > allowed || candidate.eq_ignore_ascii_case(&name) {
            continue;
        }
        let lower = candidate.to_ascii_lowercase();
        // `p3` beside `p1` and `p2` is one more of them, no slip.
        if letters(&lower).eq(letters(&name)) {
            continue;
        }
        let distance = if stripped(&lower).eq(stripped(&name)) { 1 } else { slips(&name, &lower) };
        let plausible = distance <= allowed && distance < name.len().min(lower.len());
        if plausible && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The one candidate that is another form of the same word: `standing` for `stands`, `moved-to` for `moves-to`. Both have the
/// same beginning, which is most of them, and the same end after it, or an English ending.
pub fn same_word<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let mut forms = candidates.into_iter().filter(|candidate| is_same_word(&name, &candidate.to_ascii_lowercase()));
    let first = forms.next()?;
    forms.all(|other| other == first).then_some(first)
}

fn is_same_word(a: &str, b: &str) -> bool {
    const ENDINGS: [&str; 8] = ["", "s", "es", "ed", "d", "ing", "e", "er"];
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    if shared < 4 || a == b {
        return false;
    }
    // The ending begins where the words part, or a letter before: `moves`, `moved`.
    (0..2).filter(|back| shared - back >= 4).any(|back| {
        let at = shared - back;
        let (a, b) = (a.get(at..).unwrap_or("-"), b.get(at..).unwrap_or("-"));
        ENDINGS.contains(&a) && ENDINGS.contains(&b)
    })
}

fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !byte.is_ascii_digit())
}

fn stripped(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !matches!(byte, b'-' | b'_'))
}

/// The optimal string alignment distance (Levenshtein's with exchanges of neighbours).
fn slips(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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

    #[test]
    fn finds_other_forms_of_a_word_but_no_longer_words() {
        let words = ["stands", "moves", "on", "carry", "open-door"];
        assert_eq!(same_word("standing", words), Some("stands"));
        assert_eq!(same_word("moved", words), Some("moves"));
        assert_eq!(same_word("carrying", words), Some("carry"));
        assert_eq!(same_word("open-window", words), None);
        assert_eq!(same_word("ones", words), None);
    }

    #[test]
    fn finds_slips_but_not_other_words() {
        let words = ["whoseturn", "inphase", "at", "owns", "choose-left"];
        assert_eq!(nearest("whosetrun", words), Some("whoseturn"));
        assert_eq!(nearest("in-phase", words), Some("inphase"));
        assert_eq!(nearest("choose_left", words), Some("choose-left"));
        assert_eq!(nearest("own", words), Some("owns"));
        assert_eq!(nearest("on", words), None);
        assert_eq!(nearest("at", words), None);
        assert_eq!(nearest("c03", ["c01", "c02"]), None);
        assert_eq!(nearest("crad3", ["card3"]), Some("card3"));
    }
}
