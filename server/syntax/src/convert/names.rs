//! Names in the other notation.
//!
//! In infix text a word that begins with a capital or `_` is a variable and `& , | ~ \ . ; % ? : < > = "` and brackets
//! are not part of any word; in prefix text a variable has a `?` and a name may contain nearly any character.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::same::same;
use crate::{
    Language, Source, Syntax, TextRange,
    gdl::{Description, Formula, Statement, Term, TermKind, goes_on_with_a_statement, is_foreign_operator, is_keyword},
    lex,
    token::TokenKind,
};

/// New names for a whole description.
pub(super) struct Names {
    to: Language,
    constants: FxHashMap<SmolStr, SmolStr>,
    /// The old and new names in the order of their first use.
    renamed: Vec<(SmolStr, SmolStr)>,
}

impl Names {
    pub(super) fn new(description: &Description, to: Language) -> Names {
        let mut names = Names { to, constants: FxHashMap::default(), renamed: Vec::new() };
        let mut used: Vec<SmolStr> = Vec::new();
        let mut seen = FxHashSet::default();
        for statement in description.statements.iter() {
            each_term(statement, &mut |term| {
                if !term.is_variable() && seen.insert(term.name.text.clone()) {
                    used.push(term.name.text.clone());
                }
            });
        }
        let heads: FxHashSet<SmolStr> =
            description.statements.iter().filter_map(|it| Some(it.head.as_ref()?.name.text.clone())).collect();
        let (kept, lost): (Vec<SmolStr>, Vec<SmolStr>) =
            used.into_iter().partition(|name| names.is_writable(name, heads.contains(name)));
        let mut taken: FxHashSet<SmolStr> = kept.into_iter().collect();
        for name in lost {
            let new = if is_keyword(&name) {
                name.to_ascii_lowercase().into()
            } else {
                free(&writable(&name), |new| taken.contains(new) || is_keyword(new) || !names.is_writable(new, true))
            };
            taken.insert(new.clone());
            names.renamed.push((name.clone(), new.clone()));
            names.constants.insert(name, new);
        }
        names
    }

    pub(super) fn renamed(&self) -> Vec<(SmolStr, SmolStr)> {
        self.renamed.clone()
    }

    /// The new name of a constant, function or relation.
    pub(super) fn constant<'a>(&'a self, name: &'a str) -> &'a str {
        self.constants.get(name).map_or(name, SmolStr::as_str)
    }

    /// True if a name can be kept. One that begins statements must not be read as part of the statement before it.
    fn is_writable(&self, name: &str, is_head: bool) -> bool {
        let is_operator = is_foreign_operator(name) || is_head && goes_on_with_a_statement(name);
        if self.to == Language::GdlInfix && is_operator {
            return false;
        }
        matches!(one_token(self.to, name), Some(TokenKind::Word | TokenKind::Number))
            && (is_plain(name) || is_read_as_a_name(self.to, name))
    }

    /// The variables of a statement as the other notation writes them, marks included.
    pub(super) fn variables(&self, statement: &Statement) -> FxHashMap<SmolStr, SmolStr> {
        let mut old: Vec<SmolStr> = Vec::new();
        let mut counts: FxHashMap<SmolStr, u32> = FxHashMap::default();
        each_term(statement, &mut |term| {
            if term.is_variable() {
                let count = counts.entry(term.name.text.clone()).or_default();
                *count += 1;
                if *count == 1 {
                    old.push(term.name.text.clone());
                }
            }
        });
        let mut new: FxHashMap<SmolStr, SmolStr> = FxHashMap::default();
        let mut taken = FxHashSet::default();
        for name in old {
            let written = match self.to {
                // An anonymous variable that is used once stays anonymous.
                Language::GdlInfix if is_anonymous(&name) && counts[&name] == 1 => SmolStr::new("_"),
                Language::GdlInfix => free(&capital(&name), |new| taken.contains(new) || !is_infix_variable(new)),
                _ => free(&format!("?{}", small(&name)), |new| taken.contains(new)),
            };
            if written != "_" {
                taken.insert(written.clone());
            }
            new.insert(name, written);
        }
        new
    }
}

/// The kind of token of a word in a notation, if it is one token.
fn one_token(language: Language, word: &str) -> Option<TokenKind> {
    let mut tokens = Vec::new();
    lex::scan(language, word, TextRange::new(0, word.len() as u32), &mut tokens);
    match &tokens[..] {
        [token] => Some(token.kind),
        _ => None,
    }
}

/// True if infix text reads a word as a variable in every position of a variable: `Or` and `Not` are operators in some.
fn is_infix_variable(word: &str) -> bool {
    one_token(Language::GdlInfix, word) == Some(TokenKind::Variable) && !goes_on_with_a_statement(word)
}

/// True for a letter or digit followed by letters, digits, `_`, `-` and `+`: such a word is a name unless a notation
/// reserves it.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+".contains(&byte))
}

/// True if a name with other characters is read as a name in every position of a name. The readers recognize signs of
/// other languages in order to suggest a replacement; this asks them whether they would take the name for one.
fn is_read_as_a_name(language: Language, name: &str) -> bool {
    const PLAIN: &str = "plain";
    let text = |n: &str| match language {
        Language::GdlInfix => format!(
            "a {n}(b) {n}(b, c) {n} {n}(b) :- {n}(b) & {n} & ~{n}(b) & ~{n} & p({n}, {n}(b), b) & (a | {n}) {n} :- {n} a"
        ),
        _ => format!(
            "(a) ({n} b) ({n} (b) (c)) ({n} terminal) {n} (<= ({n} b) ({n} b) {n} (not ({n} b)) (not {n}) (p {n} ({n} b) b) (or a {n})) (a) {n} (a)"
        ),
    };
    let (old, new) = (Source::parse(text(PLAIN), language), Source::parse(text(name), language));
    let (Syntax::Gdl(before), Syntax::Gdl(after)) = (&old.syntax, &new.syntax) else { return false };
    new.errors.is_empty() && same(before, after, [(PLAIN, name)], |_| false).is_ok()
}

/// `_`, and the `_#2` of a second `_` in infix text.
fn is_anonymous(name: &str) -> bool {
    name == "_" || name.starts_with("_#")
}

/// The first of `name`, `name_2`, `name_3` ... that is free.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> SmolStr {
    if !is_taken(name) {
        return name.into();
    }
    (2u64..)
        .map(|number| format!("{name}_{number}"))
        .find(|candidate| !is_taken(candidate))
        .expect("some number is free")
        .into()
}

/// Keeps letters, digits and `_`, and replaces every other character by `instead`.
fn plain(name: &str, instead: impl Fn(char) -> &'static str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '_' => out.push('_'),
            c if c.is_alphanumeric() => out.push(c),
            c => out.push_str(instead(c)),
        }
    }
    out
}

/// Makes a name for a constant that infix text can write.
fn writable(name: &str) -> String {
    let mut out = plain(name, |c| match c {
        '<' => "lt",
        '>' => "gt",
        '=' => "eq",
        '-' => "-",
        '+' => "+",
        '≠' => "neq",
        _ => "_",
    });
    let capitals = out.bytes().take_while(u8::is_ascii_uppercase).count();
    out[..capitals].make_ascii_lowercase();
    if out.starts_with('_') {
        out.insert(0, 'x');
    }
    if out.eq_ignore_ascii_case("not") || out.eq_ignore_ascii_case("or") || goes_on_with_a_statement(&out) {
        out.push('_');
    }
    out
}

/// Makes a variable name for infix text: `Cell` for `cell`.
fn capital(name: &str) -> String {
    let name = plain(name, |_| "_");
    match name.chars().next() {
        Some('_') if name.len() > 1 => name,
        Some(c) if c.is_ascii_alphabetic() => {
            let capital = c.to_ascii_uppercase().to_string() + &name[1..];
            if is_infix_variable(&capital) { capital } else { capital + "_" }
        }
        _ => format!("V{}", name.trim_start_matches('_')),
    }
}

/// Makes a variable name for prefix text: `cell` for `Cell`, `xy` for `XY`.
fn small(name: &str) -> String {
    let name = plain(name, |c| if c == '#' { "" } else { "_" });
    if name.chars().any(|c| c.is_ascii_lowercase()) {
        let first = name.chars().next().map_or(0, char::len_utf8);
        return name[..first].to_ascii_lowercase() + &name[first..];
    }
    name.to_ascii_lowercase()
}

/// Every term of a statement in the order of the text, outermost first.
fn each_term<'a>(statement: &'a Statement, f: &mut dyn FnMut(&'a Term)) {
    let mut walk = |term: &'a Term| {
        term.walk(&mut |inner| {
            if !matches!(inner.kind, TermKind::Error(_)) {
                f(inner);
            }
        });
    };
    statement.head.iter().for_each(&mut walk);
    statement.body.iter().for_each(|formula: &Formula| formula.terms(&mut walk));
}
