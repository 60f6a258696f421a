//! Access to nested lists: a node with the text and tokens needed to read it.

use crate::{
    Name, SyntaxError, TextRange,
    nest::Node,
    token::{Token, TokenKind},
};

/// A list or a token of a nested text. Cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    pub text: &'a str,
    tokens: &'a [Token],
    nodes: &'a [Node],
    node: u32,
}

/// The outermost forms.
pub(crate) fn top<'a>(text: &'a str, tokens: &'a [Token], nodes: &'a [Node]) -> Forms<'a> {
    Forms { text, tokens, nodes, at: 0, end: nodes.len() as u32 }
}

impl<'a> Form<'a> {
    fn node(self) -> Node {
        self.nodes[self.node as usize]
    }

    pub(crate) fn is_list(self) -> bool {
        self.node().is_list
    }

    /// The kind of a single token; `Open` for a list.
    pub(crate) fn kind(self) -> TokenKind {
        self.tokens[self.node().first as usize].kind
    }

    /// The range from the first to the last token.
    pub(crate) fn range(self) -> TextRange {
        let node = self.node();
        self.tokens[node.first as usize].range.cover(self.tokens[node.last as usize].range)
    }

    /// The range of the first token: for a list, its `(`.
    pub(crate) fn first_range(self) -> TextRange {
        self.tokens[self.node().first as usize].range
    }

    /// The text of a single token; for a list only its `(`.
    pub(crate) fn word(self) -> &'a str {
        &self.text[self.first_range().as_usize()]
    }

    /// The token as a name, without the `?` of a variable.
    pub(crate) fn name(self) -> Name {
        Name::new(self.word().strip_prefix('?').unwrap_or(self.word()), self.first_range())
    }

    pub(crate) fn is_word(self, word: &str) -> bool {
        !self.is_list() && self.word().eq_ignore_ascii_case(word)
    }

    /// The parts of a list; empty for a token.
    pub(crate) fn children(self) -> Forms<'a> {
        let Form { text, tokens, nodes, node } = self;
        Forms { text, tokens, nodes, at: node + 1, end: self.node().next }
    }

    /// The first part of a list, if it is a single token.
    pub(crate) fn head(self) -> Option<Form<'a>> {
        self.children().next().filter(|first| !first.is_list())
    }
}

#[derive(Clone)]
pub(crate) struct Forms<'a> {
    text: &'a str,
    tokens: &'a [Token],
    nodes: &'a [Node],
    at: u32,
    end: u32,
}

impl<'a> Forms<'a> {
    /// Applies `read` to each form and collects the results in a vector without spare room, because most lists are
    /// short and kept.
    pub(crate) fn read<T>(self, mut read: impl FnMut(Form<'a>) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(self.clone().count());
        for form in self {
            all.push(read(form));
        }
        all
    }
}

impl<'a> Iterator for Forms<'a> {
    type Item = Form<'a>;

    fn next(&mut self) -> Option<Form<'a>> {
        if self.at >= self.end {
            return None;
        }
        let form = Form { text: self.text, tokens: self.tokens, nodes: self.nodes, node: self.at };
        self.at = form.node().next;
        Some(form)
    }
}

/// Adds a syntax error.
pub(crate) fn report(errors: &mut Vec<SyntaxError>, range: TextRange, message: impl Into<String>) {
    errors.push(SyntaxError { range, message: message.into(), related: None, is_unclosed: false });
}
