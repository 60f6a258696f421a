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

/// The names of a text, from which the new ones are made when all statements have been added.
pub(super) struct Used {
    names: Names,
    seen: FxHashSet<SmolStr>,
    /// The names that the other notation may not be able to write, in the order of their first use.
    doubtful: Vec<SmolStr>,
    /// The doubtful names that begin statements.
    heads: FxHashSet<SmolStr>,
}

impl Used {
    pub(super) fn new(to: Language) -> Used {
        Used { names: Names::new(to), seen: FxHashSet::default(), doubtful: Vec::new(), heads: FxHashSet::default() }
    }

    /// Adds the names of a part of the text.
    pub(super) fn add(&mut self, description: &Description) {
        for statement in description.statements.iter() {
            if let Some(head) = &statement.head
                && goes_on_with_a_statement(&head.name.text)
            {
                self.heads.insert(head.name.text.clone());
            }
            each_term(statement, &mut |term| {
                let name = &term.name.text;
                if !term.is_variable() && !self.seen.contains(name) {
                    self.seen.insert(name.clone());
                    if !self.names.is_writable(name, true) {
                        self.doubtful.push(name.clone());
                    }
                }
            });
        }
    }

    /// True if none of the names so far needs a new one.
    pub(super) fn are_writable(&self) -> bool {
        self.doubtful.iter().all(|name| self.names.is_writable(name, self.heads.contains(name)))
    }

    /// The new names of all that were added.
    pub(super) fn names(self) -> Names {
        let Used { mut names, seen: mut taken, doubtful, heads } = self;
        for name in doubtful {
            if names.is_writable(&name, heads.contains(&name)) {
                continue;
            }
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
}

/// New names for a whole text.
pub(super) struct Names {
    to: Language,
    constants: FxHashMap<SmolStr, SmolStr>,
    /// The old and new names in the order of their first use.
    renamed: Vec<(SmolStr, SmolStr)>,
}

impl Names {
    /// Keeps all names.
    pub(super) fn new(to: Language) -> Names {
        Names { to, constants: FxHashMap::default(), renamed: Vec::new() }
    }

    /// The old and new names.
    pub(super) fn renamed(&self) -> &[(SmolStr, SmolStr)] {
        &self.renamed
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

    /// Finds the variables of a statement as the other notation writes them, marks included.
    pub(super) fn variables(&self, statement: &Statement, variables: &mut Variables) {
        let Variables { old, new, counts, taken, first_choices } = variables;
        old.clear();
        new.clear();
        counts.clear();
        taken.clear();
        each_term(statement, &mut |term| {
            if term.is_variable() {
                match counts.get_mut(&term.name.text) {
                    Some(count) => *count += 1,
                    None => {
                        counts.insert(term.name.text.clone(), 1);
                        old.push(term.name.text.clone());
                    }
                }
            }
        });
        if first_choices.len() > MOST_CHOICES {
            first_choices.clear();
        }
        for name in old.drain(..) {
            let mut choice = |make: &dyn Fn(&str) -> String| match first_choices.get(&name) {
                Some(choice) => choice.clone(),
                None => {
                    let choice = SmolStr::new(make(&name));
                    first_choices.insert(name.clone(), choice.clone());
                    choice
                }
            };
            let written = match self.to {
                // An anonymous variable that is used once stays anonymous.
                Language::GdlInfix if is_anonymous(&name) && counts[&name] == 1 => SmolStr::new("_"),
                Language::GdlInfix => free(&choice(&capital), |new| taken.contains(new) || !is_infix_variable(new)),
                _ => free(&choice(&|name| format!("?{}", small(name))), |new| taken.contains(new)),
            };
            if written != "_" {
                taken.insert(written.clone());
            }
            new.insert(name, written);
        }
    }
}

/// The most first choices that are kept.
const MOST_CHOICES: usize = 10_000;

/// The variables of a statement. One value serves all statements of a text, so that its tables are made once.
#[derive(Default)]
pub(super) struct Variables {
    old: Vec<SmolStr>,
    new: FxHashMap<SmolStr, SmolStr>,
    counts: FxHashMap<SmolStr, u32>,
    taken: FxHashSet<SmolStr>,
    /// The new name of each variable if no other in its statement has it.
    first_choices: FxHashMap<SmolStr, SmolStr>,
}

impl Variables {
    /// The new name of a variable.
    pub(super) fn get(&self, name: &str) -> Option<&SmolStr> {
        self.new.get(name)
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
