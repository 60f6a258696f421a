//! Formatting of lists in parentheses: prefix GDL and PDDL.
//!
//! One pass over the tokens with a stack of open lists. A list that fits on its line and was written on one line is
//! left on one; a list with breaks keeps them; a list that is too long is broken before its parts.

use super::{Gap, Options, Words};
use crate::{Language, Source, nest, token::TokenKind};

pub(super) fn gaps(source: &Source, options: &Options) -> Vec<Option<Gap>> {
    let words = Words { text: &source.text, tokens: &source.tokens };
    let layout = Layout::new(source.language, &words, options);
    let mut gaps = layout.run();
    leave_broken(source, &mut gaps);
    gaps
}

/// Leaves everything unchanged from the first outermost form with a bracket mistake: its end is a guess, and the
/// indentation helps to find the mistake.
fn leave_broken(source: &Source, gaps: &mut [Option<Gap>]) {
    if source.errors.is_empty() {
        return;
    }
    let nesting = nest::nest(source.language, &source.text, &source.tokens);
    let Some(error) = nesting.errors.iter().map(|error| error.range).min() else { return };
    let mut first = source.tokens.partition_point(|token| token.range.start < error.start);
    let mut next = 0;
    while let Some(node) = nesting.nodes.get(next) {
        if source.tokens[node.last as usize].range.end > error.start {
            first = first.min(node.first as usize);
            break;
        }
        next = node.next as usize;
    }
    gaps[first..].fill(None);
}

/// The layout of the parts of a broken list.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// `(<= head` with the body below the head.
    Rule,
    /// Parts below the first part after the name, or one step further right if no part is next to the name.
    Call,
    /// Parts one step further right than the list itself: PDDL's sections.
    Section,
    /// `(define` with each of its sections on its own line.
    Define,
}

struct List {
    shape: Shape,
    column: u32,
    /// The column of parts that begin a line.
    indent: u32,
    /// The number of parts so far, without comments.
    parts: u32,
    /// True if the list is too long for its line and has to be broken before its parts.
    must_break: bool,
    /// True if the parts are typed names, which are broken after types only.
    is_typed: bool,
    /// True for an action, which is broken before its fields only.
    has_fields: bool,
}

struct Layout<'a> {
    language: Language,
    words: &'a Words<'a>,
    options: &'a Options,
    /// For each `(` the index of its `)`; for any other token its own index.
    closing: Vec<usize>,
    /// The column of each token if all were on one line.
    flat: Vec<u32>,
    /// The number of breaks kept before and at each token.
    breaks: Vec<u32>,
    /// The column of the sections in `(define`.
    sections: u32,
    open: Vec<List>,
    /// The column at which the last token ended, and the column at which its line begins.
    column: u32,
    line: u32,
}

impl<'a> Layout<'a> {
    fn new(language: Language, words: &'a Words<'a>, options: &'a Options) -> Layout<'a> {
        let mut layout = Layout {
            language,
            words,
            options,
            closing: (0..words.tokens.len()).collect(),
            flat: Vec::with_capacity(words.tokens.len()),
            breaks: Vec::with_capacity(words.tokens.len()),
            sections: options.indent,
            open: Vec::new(),
            column: 0,
            line: 0,
        };
        layout.measure();
        layout
    }

    /// Computes brackets, widths and kept breaks.
    fn measure(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let (mut flat, mut breaks) = (0, 0);
        let mut sections = None;
        for at in 0..self.words.tokens.len() {
            let kind = self.words.kind(at);
            let is_tight = at == 0 || kind == TokenKind::Close || self.words.kind(at - 1) == TokenKind::Open;
            flat += u32::from(!is_tight);
            let list = open.last().copied();
            breaks += u32::from(at > 0 && self.keeps_break(at, list));
            self.flat.push(flat);
            self.breaks.push(breaks);
            flat += self.words.width(at);
            match kind {
                TokenKind::Open => {
                    if sections.is_none() && self.is_section_of_define(at, list) && self.words.breaks(at) > 0 {
                        sections =
                            Some(if self.words.space(at).ends_with(['\n', '\r']) { 0 } else { self.options.indent });
                    }
                    open.push(at);
                }
                TokenKind::Close => {
                    if let Some(start) = open.pop() {
                        self.closing[start] = at;
                    }
                }
                _ => {}
            }
        }
        self.sections = sections.unwrap_or(self.options.indent);
        // Unclosed lists end with the text.
        for start in open {
            self.closing[start] = self.words.tokens.len() - 1;
        }
    }

    fn head(&self, open: usize) -> &'a str {
        match self.words.tokens.get(open + 1) {
            Some(token) if !matches!(token.kind, TokenKind::Open | TokenKind::Close | TokenKind::Comment) => {
                self.words.word(open + 1)
            }
            _ => "",
        }
    }

    fn shape(&self, open: usize, depth: usize) -> Shape {
        let head = self.head(open);
        match self.language {
            Language::Pogddl if head.eq_ignore_ascii_case("define") || head.eq_ignore_ascii_case(":define") => {
                Shape::Define
            }
            Language::Pogddl if head.starts_with(':') && depth <= 1 => Shape::Section,
            Language::GdlPrefix if head == "<=" => Shape::Rule,
            _ => Shape::Call,
        }
    }

    fn is_section_of_define(&self, at: usize, list: Option<usize>) -> bool {
        self.language == Language::Pogddl
            && self.words.kind(at) == TokenKind::Open
            && self.head(at).starts_with(':')
            && list.is_some_and(|list| self.shape(list, 0) == Shape::Define)
    }

    /// True if a line break before this token is kept or is required in any case.
    fn keeps_break(&self, at: usize, list: Option<usize>) -> bool {
        let kind = self.words.kind(at);
        if self.words.is_after_comment(at) || self.is_section_of_define(at, list) {
            return true;
        }
        if self.words.breaks(at) == 0 {
            return false;
        }
        let Some(list) = list else { return true };
        match kind {
            TokenKind::Close => {
                self.language == Language::Pogddl && matches!(self.shape(list, 0), Shape::Define | Shape::Section)
            }
            TokenKind::Comment => true,
            _ if at == list + 1 => false,
            _ => !(at == list + 2 && self.head(list) == "<="),
        }
    }

    fn run(mut self) -> Vec<Option<Gap>> {
        let mut gaps = Vec::with_capacity(self.words.tokens.len());
        for at in 0..self.words.tokens.len() {
            let gap = match self.open.is_empty() {
                true => self.outside(at),
                false => self.inside(at),
            };
            if gap.breaks > 0 || at == 0 {
                self.column = gap.columns;
                self.line = gap.columns;
            } else {
                self.column += gap.columns;
            }
            self.place(at, gap);
            gaps.push(Some(gap));
        }
        gaps
    }

    /// The gap before a token outside of all lists.
    fn outside(&self, at: usize) -> Gap {
        if at == 0 {
            return Gap::NONE;
        }
        let kind = self.words.kind(at);
        let is_form = kind == TokenKind::Open && (self.language == Language::Pogddl || self.head(at) == "<=");
        let is_far = kind == TokenKind::Open && self.column + 1 + self.flat_width(at) > self.options.width;
        if self.words.is_after_comment(at) || self.words.breaks(at) > 0 || is_form || is_far {
            return self.words.kept(at, 0);
        }
        if kind == TokenKind::Close { Gap::NONE } else { Gap::SPACE }
    }

    fn flat_width(&self, at: usize) -> u32 {
        let mut last = self.closing[at];
        let end = self.flat[last] + self.words.width(last);
        let mut closers = 0;
        while self.words.tokens.get(last + 1).is_some_and(|token| token.kind == TokenKind::Close) {
            closers += 1;
            last += 1;
        }
        end - self.flat[at] + closers
    }

    /// The gap before a part, a comment or the `)` of a list.
    fn inside(&self, at: usize) -> Gap {
        let list = self.open.last().expect("inside a list");
        let kind = self.words.kind(at);
        let before = self.words.kind(at - 1);
        let breaks = self.breaks[at] > self.breaks[at - 1];
        match kind {
            TokenKind::Close if breaks => Gap { breaks: 1, columns: list.column },
            TokenKind::Close => Gap::NONE,
            TokenKind::Comment if breaks => self.words.kept(at, list.indent),
            TokenKind::Comment => Gap::SPACE,
            _ if breaks || self.is_break_point(at, list) => {
                let is_value = list.shape == Shape::Section
                    && before == TokenKind::Keyword
                    && kind != TokenKind::Keyword
                    && list.parts > 1;
                let columns = list.indent + if is_value { self.options.indent } else { 0 };
                let kept = self.words.kept(at, columns);
                // After a `(` a blank line has no meaning.
                if list.parts == 0 { Gap { breaks: 1, ..kept } } else { kept }
            }
            _ if before == TokenKind::Open => Gap::NONE,
            _ => Gap::SPACE,
        }
    }

    /// True if a list that is too long is broken before this part.
    fn is_break_point(&self, at: usize, list: &List) -> bool {
        if !list.must_break {
            return false;
        }
        let kind = self.words.kind(at);
        let is_behind_type = || at > 1 && kind != TokenKind::Dash && self.words.kind(at - 2) == TokenKind::Dash;
        match list.shape {
            _ if list.is_typed => list.parts > 1 && is_behind_type(),
            Shape::Section if list.has_fields => kind == TokenKind::Keyword && list.parts > 0,
            Shape::Section | Shape::Define => kind == TokenKind::Open && list.parts > 0,
            Shape::Rule | Shape::Call => list.parts > 1,
        }
    }

    /// Updates the state with the token at its column.
    fn place(&mut self, at: usize, gap: Gap) {
        let kind = self.words.kind(at);
        if !matches!(kind, TokenKind::Close | TokenKind::Comment)
            && let Some(list) = self.open.last_mut()
        {
            // The first part next to the name determines the column of the others.
            if list.parts == 1 && list.shape == Shape::Call && gap.breaks == 0 {
                list.indent = self.column;
            }
            list.parts += 1;
        }
        match kind {
            TokenKind::Open => {
                let list = self.list(at);
                self.open.push(list);
            }
            TokenKind::Close => {
                self.open.pop();
            }
            _ => {}
        }
        self.column += self.words.width(at);
    }

    fn list(&self, at: usize) -> List {
        let shape = self.shape(at, self.open.len());
        let (column, step) = (self.column, self.options.indent);
        let head = self.head(at);
        let is_headless = head.is_empty() || head.starts_with('?');
        let indent = match shape {
            Shape::Rule => column + 4,
            Shape::Call if is_headless => column + 1,
            Shape::Call => self.line.min(column) + step,
            Shape::Section => column + step,
            Shape::Define => column + self.sections,
        };
        let close = self.closing[at];
        let has_breaks = self.breaks[close] > self.breaks[at];
        let is_typed = self.language == Language::Pogddl
            && (head.starts_with('?')
                || [":types", ":constants", ":objects"].iter().any(|word| head.eq_ignore_ascii_case(word)));
        let must_break = !has_breaks && column + self.flat_width(at) > self.options.width;
        let has_fields =
            [":action", ":durative-action", ":event", ":process"].iter().any(|word| head.eq_ignore_ascii_case(word));
        List { shape, column, indent, parts: 0, must_break, is_typed, has_fields }
    }
}
