//! Comments that give the words of a move, a fluent or a percept: `; percept: say (mark ?m ?n) "mark row ?m, column ?n"`,
//! `; percept: say (sees ?r (taken ?m ?n)) "row ?m, column ?n is taken"`.
//!
//! In: a comment. Out: its [`Pattern`] and the [`Part`]s of its text, or the word of the first [`Slip`]. The pattern
//! is written in prefix notation, or as `mark(?m, ?n)`; a variable has its `?` in both.

use percept_syntax::{Source, TextRange};

use super::boards::order;

/// The deepest nesting of a pattern.
const DEEPEST: usize = 16;
/// The head of a pattern about a percept.
pub const SEES: &str = "sees";
/// The form of what follows `say`.
const SHAPE: &str = "`say (mark ?m ?n) \"mark row ?m, column ?n\"`";

/// The terms that a comment is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern<'c> {
    /// Any term; the name has no `?`.
    Variable(&'c str),
    /// A word without arguments.
    Word(&'c str),
    /// A term with arguments.
    List(&'c str, Vec<Pattern<'c>>),
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'c> {
    /// Words as written.
    Text(&'c str),
    /// The words of the variable's value.
    Variable(&'c str),
}

/// The words of the terms that fit a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying<'c> {
    /// The terms; never a variable alone.
    pub pattern: Pattern<'c>,
    /// Their words; all variables are among those of the pattern.
    pub parts: Vec<Part<'c>>,
}

/// A mistake in such a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip<'c> {
    /// The word of the mistake, a part of the comment.
    pub word: &'c str,
    /// The message of its finding.
    pub message: String,
    /// The word that was probably meant.
    pub near: Option<&'c str>,
}

impl<'c> Slip<'c> {
    fn new(word: &'c str, message: impl Into<String>) -> Slip<'c> {
        Slip { word, message: message.into(), near: None }
    }
}

impl<'c> Pattern<'c> {
    /// The word itself, or the functor; of a variable, its name.
    pub fn head(&self) -> &'c str {
        match self {
            Pattern::Variable(name) | Pattern::Word(name) | Pattern::List(name, _) => name,
        }
    }

    /// The number of arguments.
    pub fn arity(&self) -> usize {
        match self {
            Pattern::List(_, args) => args.len(),
            _ => 0,
        }
    }

    /// The role and the percept, if this is about a percept: `(sees ROLE PERCEPT)`, where the percept has a name.
    pub fn percept(&self) -> Option<(&Pattern<'c>, &Pattern<'c>)> {
        match self {
            Pattern::List(head, args) if head.eq_ignore_ascii_case(SEES) => match &args[..] {
                [role, percept] if !matches!(percept, Pattern::Variable(_)) => Some((role, percept)),
                _ => None,
            },
            _ => None,
        }
    }

    fn variables(&self, all: &mut Vec<&'c str>) {
        match self {
            Pattern::Variable(name) => all.push(name),
            Pattern::Word(_) => {}
            Pattern::List(_, args) => args.iter().for_each(|arg| arg.variables(all)),
        }
    }
}

/// The pattern and the words of a comment; `None` for any other comment.
pub fn saying(comment: &str) -> Option<Result<Saying<'_>, Slip<'_>>> {
    let after = order(comment)?;
    let (kind, rest) = after.split_at(after.find(|it: char| it.is_whitespace() || it == '(').unwrap_or(after.len()));
    (kind == "say").then(|| read(kind, rest.trim()))
}

/// The variables of a pattern, in its order; none if it is not one.
pub fn variables(pattern: &str) -> Vec<&str> {
    let rest = pattern.trim();
    let mut all = Vec::new();
    if let Ok(pattern) = (Reader { rest, is_infix: !rest.starts_with('(') }).term(0) {
        pattern.variables(&mut all);
    }
    all
}

/// The use of a name in such a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A move or a fluent.
    Said,
    /// A percept.
    Percept,
    /// The role that perceives it.
    Role,
}

/// The places of the names in such comments.
pub(super) fn names(source: &Source) -> impl Iterator<Item = (TextRange, Use)> + '_ {
    let patterns = source.comment_texts().filter_map(|comment| saying(comment)?.ok()).map(|it| it.pattern);
    let named = patterns.flat_map(|pattern| match pattern.percept() {
        None => vec![(pattern.head(), Use::Said)],
        Some((Pattern::Word(role), percept)) => vec![(*role, Use::Role), (percept.head(), Use::Percept)],
        Some((_, percept)) => vec![(percept.head(), Use::Percept)],
    });
    named.map(|(name, used)| (source.range_of(name), used))
}

fn read<'c>(kind: &'c str, rest: &'c str) -> Result<Saying<'c>, Slip<'c>> {
    let (before, quoted) = rest.split_at(rest.find('"').unwrap_or(rest.len()));
    let mut reader = Reader { rest: before.trim(), is_infix: !before.starts_with('(') };
    if reader.rest.is_empty() {
        return Err(Slip::new(kind, format!("a name needs a move or a fluent, then its words: {SHAPE}")));
    }
    let whole = reader.rest;
    let pattern = reader.term(0).map_err(|message| Slip::new(whole, message))?;
    if let Pattern::Variable(_) = pattern {
        return Err(Slip::new(whole, format!("a name is for a move or a fluent, not for any term: {SHAPE}")));
    }
    if !reader.rest.trim().is_empty() {
        let left = reader.rest.trim();
        let missing = if quoted.is_empty() { "words need quotes" } else { "the words in quotes come next" };
        return Err(Slip::new(left, format!("{missing}: {SHAPE}")));
    }
    let Some(inside) = quoted.strip_prefix('"') else {
        return Err(Slip::new(whole, format!("the words in quotes are missing: {SHAPE}")));
    };
    let Some((words, behind)) = inside.split_once('"') else {
        return Err(Slip::new(quoted, "the quote at the end of the words is missing"));
    };
    if !behind.trim().is_empty() {
        return Err(Slip::new(behind.trim(), "nothing follows the words in quotes"));
    }
    if words.trim().is_empty() {
        return Err(Slip::new(&quoted[..words.len() + 2], "there are no words between the quotes"));
    }
    Ok(Saying { parts: parts(words.trim(), &pattern)?, pattern })
}

/// The parts of a text. A name after a `?` ends where that makes it a variable of the pattern: `?m-th` is `?m` and
/// `-th`.
fn parts<'c>(words: &'c str, pattern: &Pattern<'c>) -> Result<Vec<Part<'c>>, Slip<'c>> {
    let mut variables = Vec::new();
    pattern.variables(&mut variables);
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(mark) = words[at..].find('?').map(|found| at + found) {
        let rest = &words[mark + 1..];
        let end = rest.find(|it: char| !(it.is_alphanumeric() || matches!(it, '-' | '_'))).unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches('-');
        at = mark + 1;
        if name.is_empty() {
            continue;
        }
        let ends = name.match_indices('-').map(|(at, _)| at).chain([name.len()]);
        let is_variable = |end: &usize| variables.iter().any(|it| it.eq_ignore_ascii_case(&name[..*end]));
        let Some(end) = ends.rev().find(is_variable) else {
            let near = percept_syntax::near::nearest(name, variables.iter().copied());
            let message = format!("`?{name}` is not a variable of the pattern");
            return Err(Slip { word: name, message, near });
        };
        if from < mark {
            parts.push(Part::Text(&words[from..mark]));
        }
        parts.push(Part::Variable(&name[..end]));
        from = mark + 1 + end;
        at = from;
    }
    if from < words.len() {
        parts.push(Part::Text(&words[from..]));
    }
    Ok(parts)
}

/// Reads a pattern.
struct Reader<'c> {
    rest: &'c str,
    is_infix: bool,
}

impl<'c> Reader<'c> {
    fn term(&mut self, depth: usize) -> Result<Pattern<'c>, &'static str> {
        if depth > DEEPEST {
            return Err("this pattern is nested too deeply");
        }
        if !self.is_infix && self.next('(') {
            let head = self.word();
            if head.is_empty() || head.starts_with('?') {
                return Err("a term begins with its name");
            }
            return Ok(Pattern::List(head, self.args(depth)?));
        }
        let word = self.word();
        match word.strip_prefix('?') {
            _ if word.is_empty() => Err("a parenthesis too many, or a term without a name"),
            Some("") => Err("a `?` needs the name of a variable"),
            Some(name) => Ok(Pattern::Variable(name)),
            None if self.is_infix && self.rest.starts_with('(') => {
                self.next('(');
                Ok(Pattern::List(word, self.args(depth)?))
            }
            None => Ok(Pattern::Word(word)),
        }
    }

    /// The arguments up to the closing parenthesis.
    fn args(&mut self, depth: usize) -> Result<Vec<Pattern<'c>>, &'static str> {
        let mut args = Vec::new();
        while !self.next(')') {
            if self.rest.is_empty() {
                return Err("a `)` is missing in this pattern");
            }
            args.push(self.term(depth + 1)?);
            if self.is_infix {
                self.next(',');
            }
        }
        Ok(args)
    }

    /// Takes the sign if it comes next.
    fn next(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn word(&mut self) -> &'c str {
        self.rest = self.rest.trim_start();
        let is_end = |it: char| it.is_whitespace() || matches!(it, '(' | ')') || self.is_infix && it == ',';
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_a_pattern_and_words() {
        let read =
            saying("; percept: say (mark ?m ?n) \"mark row ?m, column ?n\"").expect("a saying").expect("no slip");
        assert_eq!(read.pattern, Pattern::List("mark", vec![Pattern::Variable("m"), Pattern::Variable("n")]));
        let parts = [Part::Text("mark row "), Part::Variable("m"), Part::Text(", column "), Part::Variable("n")];
        assert_eq!(read.parts, parts);
        let infix = saying("% percept: say mark(?m, at(2, ?n)) \"?m?\"").expect("a saying").expect("no slip");
        let inner = Pattern::List("at", vec![Pattern::Word("2"), Pattern::Variable("n")]);
        assert_eq!(infix.pattern, Pattern::List("mark", vec![Pattern::Variable("m"), inner]));
        assert_eq!(infix.parts, [Part::Variable("m"), Part::Text("?")]);
        let word = saying(";; percept: say noop \"wait ?\"").expect("a saying").expect("no slip");
        assert_eq!((word.pattern, word.parts), (Pattern::Word("noop"), vec![Part::Text("wait ?")]));
        assert_eq!(saying("; percept: draw holds cards"), None);
        assert_eq!(saying("; say (mark 1 2) \"x\""), None);
    }

    #[test]
    fn a_variable_ends_where_the_pattern_knows_it() {
        let parts = |text: &'static str| {
            parts(text, &Pattern::List("f", vec![Pattern::Variable("m"), Pattern::Variable("a-b")]))
        };
        assert_eq!(parts("?m-th"), Ok(vec![Part::Variable("m"), Part::Text("-th")]));
        assert_eq!(parts("?a-b-?m"), Ok(vec![Part::Variable("a-b"), Part::Text("-"), Part::Variable("m")]));
        assert_eq!(parts("?x").map_err(|it| (it.word, it.near)), Err(("x", None)));
    }

    #[test]
    fn a_percept_has_its_role() {
        let pattern = |comment: &'static str| saying(comment).expect("a saying").expect("no slip").pattern;
        let taken = Pattern::List("taken", vec![Pattern::Variable("m")]);
        let prefix = pattern("; percept: say (sees white (taken ?m)) \"?m\"");
        assert_eq!(prefix.percept(), Some((&Pattern::Word("white"), &taken)));
        let infix = pattern("% percept: say sees(?r, taken(?m)) \"?m\"");
        assert_eq!(infix.percept(), Some((&Pattern::Variable("r"), &taken)));
        assert_eq!(pattern("; percept: say (sees ?r ?p) \"?r\"").percept(), None);
    }

    #[test]
    fn deep_patterns_are_refused() {
        let deep = format!("; percept: say {} \"x\"", "(f ".repeat(100_000));
        let slip = saying(&deep).expect("a saying").expect_err("too deep");
        assert_eq!(slip.message, "this pattern is nested too deeply");
    }
}
