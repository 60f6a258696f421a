//! The statements of a text, each with a normal form: without comments and layout, in GDL with variables by number.

use percept_syntax::gdl::{Description, Statement};
use percept_syntax::pddl::{Action, Condition, Definition, Domain, Effect, Init, Problem};
use percept_syntax::{Source, Syntax, TextRange, Token, TokenKind};

/// The most characters of a statement that are shown.
const SHOWN: usize = 200;

/// A piece of a text: a rule or fact, a part of an action, a fact of the initial state.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The kind of statement, with its owner, such as ``effect of `move` ``.
    pub what: String,
    /// The normal form, which is equal for equal statements.
    pub normal: String,
    /// The text on one line.
    pub shown: String,
    /// The number of its file.
    pub file: u32,
    /// The place in its file.
    pub range: TextRange,
    /// Its words, lower case, variables and brackets excluded.
    pub words: Vec<String>,
    /// The number of `words` that its head has.
    pub head: usize,
}

impl Piece {
    /// The key, which is equal for statements that can replace each other.
    pub(super) fn key(&self) -> (String, String) {
        (self.what.clone(), self.words.iter().take(2).cloned().collect::<Vec<_>>().join(" "))
    }

    /// The share of common words among the words of both, in percent.
    pub(super) fn likeness(&self, other: &Piece) -> usize {
        let mut rest: Vec<&str> = other.normal.split(' ').collect();
        let all = rest.len().max(self.normal.split(' ').count());
        let is_in_both = |word: &&str| rest.iter().position(|it| it == word).map(|at| rest.swap_remove(at)).is_some();
        self.normal.split(' ').filter(is_in_both).count() * 100 / all.max(1)
    }
}

/// The statements of the texts of a game.
pub(super) fn of(sources: &[&Source]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        // A domain and a problem may be one text, named twice.
        if file > 0 && sources[0].text == source.text {
            continue;
        }
        let mut reader = Reader { source, file: file as u32, pieces: &mut pieces };
        match &source.syntax {
            Syntax::Gdl(description) => reader.description(description),
            Syntax::Pddl(file) => file.definitions.iter().for_each(|definition| match definition {
                Definition::Domain(domain) => reader.domain(domain),
                Definition::Problem(problem) => reader.problem(problem),
            }),
        }
    }
    pieces
}

struct Reader<'a> {
    source: &'a Source,
    file: u32,
    pieces: &'a mut Vec<Piece>,
}

impl Reader<'_> {
    fn description(&mut self, description: &Description) {
        for Statement { range, head, arrow, .. } in &*description.statements {
            let what = if arrow.is_some() { "rule" } else { "fact" };
            self.push(what.to_string(), *range, head.as_ref().map(|head| head.range));
        }
    }

    fn domain(&mut self, domain: &Domain) {
        for action in &domain.actions {
            self.action(action.as_read(), &|range| action.here(range));
        }
        for gain in &domain.gains {
            self.push("gain".to_string(), gain.range, None);
        }
        for derived in &domain.derived {
            self.push("derived predicate".to_string(), derived.range, Some(derived.head.range));
        }
    }

    /// Adds the parts of an action. `here` returns the place of a range.
    fn action(&mut self, action: &Action, here: &dyn Fn(TextRange) -> TextRange) {
        let of = |what: &str| format!("{what} of `{}`", action.name.text);
        for condition in action.precondition.iter().flat_map(conditions) {
            self.push(of("precondition"), here(condition), None);
        }
        for effect in action.effect.iter().flat_map(effects) {
            match effect {
                Effect::Observe { recipients, .. } => {
                    for recipient in recipients {
                        self.push(of("observation"), here(recipient.range), None);
                    }
                }
                effect => self.push(of("effect"), here(effect.range()), None),
            }
        }
    }

    fn problem(&mut self, problem: &Problem) {
        for init in &problem.init {
            let range = match init {
                Init::Fact(atom) => atom.range,
                Init::Negated { range, .. } | Init::Value { range, .. } => *range,
                Init::Outside { .. } | Init::Error { .. } => continue,
            };
            self.push("initial fact".to_string(), range, None);
        }
    }

    /// Adds the statement of a range; without a head, all of it counts as one.
    fn push(&mut self, what: String, range: TextRange, head: Option<TextRange>) {
        let tokens = tokens(self.source, range);
        let text = |token: &Token| &self.source.text[token.range.as_usize()];
        let is_gdl = matches!(self.source.syntax, Syntax::Gdl(_));
        let (mut normal, mut variables) = (Vec::new(), Vec::new());
        let (mut words, mut in_head) = (Vec::new(), 0);
        for token in &tokens {
            let lower = text(token).to_ascii_lowercase();
            if token.kind == TokenKind::Variable && is_gdl {
                let at = variables.iter().position(|other| *other == lower).unwrap_or_else(|| {
                    variables.push(lower);
                    variables.len() - 1
                });
                normal.push(format!("?{at}"));
                continue;
            }
            if matches!(token.kind, TokenKind::Word | TokenKind::Number) {
                in_head += usize::from(head.is_none_or(|head| head.contains_range(token.range)));
                words.push(lower.clone());
            }
            normal.push(lower);
        }
        let (normal, shown) = (normal.join(" "), shown(self.source, &tokens));
        self.pieces.push(Piece { what, normal, shown, file: self.file, range, words, head: in_head });
    }
}

/// The tokens of a range, without comments.
pub(super) fn tokens(source: &Source, range: TextRange) -> Vec<Token> {
    let first = source.tokens.partition_point(|token| token.range.start < range.start);
    let inside = source.tokens[first..].iter().take_while(|token| token.range.end <= range.end);
    inside.filter(|token| token.kind != TokenKind::Comment).copied().collect()
}

/// The tokens on one line, with a blank where the text has blanks or comments.
fn shown(source: &Source, tokens: &[Token]) -> String {
    let mut line = String::new();
    let mut end = tokens.first().map_or(0, |token| token.range.start);
    for token in tokens {
        // A bracket on a line of its own needs no blank.
        if token.range.start > end && token.kind != TokenKind::Close {
            line.push(' ');
        }
        line += &source.text[token.range.as_usize()];
        end = token.range.end;
        if line.chars().count() > SHOWN {
            return line.chars().take(SHOWN).chain(" ...".chars()).collect();
        }
    }
    line
}

/// The conditions that a conjunction joins.
fn conditions(condition: &Condition) -> Vec<TextRange> {
    match condition {
        Condition::And { parts, .. } => parts.iter().flat_map(conditions).collect(),
        other => vec![other.range()],
    }
}

/// The effects that a conjunction joins.
fn effects(effect: &Effect) -> Vec<&Effect> {
    match effect {
        Effect::And { parts, .. } => parts.iter().flat_map(effects).collect(),
        other => vec![other],
    }
}
