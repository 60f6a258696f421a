//! From tokens to nested lists, for the languages written in parentheses, with each error at the place of the mistake.
//!
//! A missing `)` would swallow the rest of the file. Three signs show that the author began a new form:
//! 1. a `(` that can only begin a form of its own: `(<=` in GDL; `(define`, and `(:action` and its kin in PDDL;
//! 2. inside a form known to be unclosed, a `(` that is first on its line and no further right than the form itself
//!    (and does not look like a condition, which some authors do not indent);
//! 3. the end of the file.
//!
//! If a `)` comes too early, the rest of the form falls out of it, and the form's own `)` then closes nothing. If the
//! parts that fell out are still in the position of parts of the form, the early `)` is the mistake, and the parts are
//! put back.
//!
//! The algorithm is a loop over the tokens: a million `(` need no stack.

pub(crate) mod blame;

use blame::Fault;

use crate::{
    Language, SyntaxError, TextRange,
    token::{Token, TokenKind},
};

/// The nesting limit. Deeper lists are reported and left out, so that all other code may recurse over the typed syntax.
pub const MAX_DEPTH: usize = 256;

/// A list or a single token. Nodes are in the order of the text, so the first child of a list follows it and
/// `next` leads past a whole list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The index of the token, or of the list's `(`.
    pub first: u32,
    /// The index of the list's last token; the same as `first` for a token.
    pub last: u32,
    /// The index of the node after this one and all its parts.
    pub next: u32,
    pub is_list: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Nesting {
    pub nodes: Vec<Node>,
    pub errors: Vec<SyntaxError>,
}

pub(crate) fn nest(language: Language, text: &str, tokens: &[Token]) -> Nesting {
    let mut nester = Nester {
        text,
        tokens,
        language,
        nodes: Vec::with_capacity(tokens.iter().filter(|token| token.kind != TokenKind::Close).count()),
        open: Vec::new(),
        too_deep: 0,
        errors: Vec::new(),
        suspicious_until: 0,
        indented: (usize::MAX, false),
        last_define: None,
        last_section: None,
        last_rule: None,
    };
    nester.run();
    Nesting { nodes: nester.nodes, errors: nester.errors }
}

struct Nester<'a> {
    text: &'a str,
    tokens: &'a [Token],
    language: Language,
    nodes: Vec<Node>,
    /// The lists that are open, outermost first.
    open: Vec<u32>,
    /// The number of open lists beyond `MAX_DEPTH`.
    too_deep: usize,
    errors: Vec<SyntaxError>,
    /// The token up to which a form is known to be unclosed, so that line starts count as signs.
    suspicious_until: usize,
    /// The last form whose second line was examined; true if that line is indented.
    indented: (usize, bool),
    /// A PDDL `(define` that was closed, and the token of its `)`.
    last_define: Option<(u32, usize)>,
    /// The newest section in a `(define`.
    last_section: Option<u32>,
    /// A closed GDL rule that has been followed only by forms that look like its parts.
    last_rule: Option<u32>,
}

/// The state to return to if a form is found to be unclosed.
struct Start {
    token: usize,
    nodes: usize,
    errors: usize,
}

impl Nester<'_> {
    fn run(&mut self) {
        let mut start = Start { token: 0, nodes: 0, errors: 0 };
        let mut at = 0;
        loop {
            let boundary = match self.tokens.get(at) {
                Some(token) if token.kind == TokenKind::Open => self.boundary(at, start.token),
                Some(token) if token.kind == TokenKind::Keyword => self.field_boundary(at),
                Some(_) => None,
                None => Some(0),
            };
            if let Some(keep) = boundary
                && self.open.len() > keep
            {
                if keep == 0 && at > self.suspicious_until && self.has_sign(start.token, at) {
                    self.suspicious_until = at;
                    at = start.token;
                    self.nodes.truncate(start.nodes);
                    self.errors.truncate(start.errors);
                    self.open.clear();
                    self.too_deep = 0;
                    continue;
                }
                self.close_down_to(keep, at);
            }
            let Some(token) = self.tokens.get(at) else { return };
            if self.open.is_empty() {
                start = Start { token: at, nodes: self.nodes.len(), errors: self.errors.len() };
            }
            match token.kind {
                TokenKind::Comment => {}
                TokenKind::Open => self.open(at),
                TokenKind::Close => self.close(at),
                TokenKind::Unknown => self.error(at, "this character is not allowed in a game: remove it".to_owned()),
                TokenKind::Arrow if self.open.is_empty() && self.begins_rule(at) => self.open_rule(at),
                _ => {
                    if self.too_deep == 0 {
                        self.leaf(at);
                    }
                }
            }
            at += 1;
        }
    }

    fn error(&mut self, token: usize, message: String) {
        self.errors.push(SyntaxError { range: self.tokens[token].range, message, related: None, is_unclosed: false });
    }

    fn leaf(&mut self, at: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { first: at as u32, last: at as u32, next, is_list: false });
    }

    fn open(&mut self, at: usize) {
        if self.too_deep > 0 || self.open.len() >= MAX_DEPTH {
            if self.too_deep == 0 {
                self.error(at, format!("lists may be nested {MAX_DEPTH} deep: the contents of this one are not read"));
            }
            self.too_deep += 1;
            return;
        }
        match (self.language, self.open.len()) {
            (Language::Pogddl, 0) => self.reopen_define(at),
            (Language::GdlPrefix, 0) if !self.continues_rule(at) => self.last_rule = None,
            _ => {}
        }
        let list = self.nodes.len() as u32;
        if self.open.len() == 1 && self.is_section(at) {
            self.last_section = Some(list);
        }
        self.open.push(list);
        self.nodes.push(Node { first: at as u32, last: at as u32, next: 0, is_list: true });
    }

    /// True if a rule follows this `<=` whose `(` is missing.
    fn begins_rule(&self, at: usize) -> bool {
        self.language == Language::GdlPrefix
            && self.indent(at).is_some()
            && self.tokens.get(at + 1).is_some_and(|next| matches!(next.kind, TokenKind::Open | TokenKind::Word))
    }

    /// Reads on as if the missing `(` were there.
    fn open_rule(&mut self, at: usize) {
        self.error(at, "a rule begins with `(<=`: the `(` is missing".to_owned());
        self.last_rule = None;
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Node { first: at as u32, last: at as u32, next: 0, is_list: true });
        self.leaf(at);
    }

    fn close(&mut self, at: usize) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let next = self.nodes.len() as u32;
        match self.open.pop() {
            Some(list) => {
                let node = &mut self.nodes[list as usize];
                node.last = at as u32;
                node.next = next;
                let first = node.first as usize;
                if self.open.is_empty() {
                    let word = self.word_after(first);
                    if word.trim_start_matches(':').eq_ignore_ascii_case("define") {
                        self.last_define = Some((list, at));
                    } else if word == "<=" {
                        self.last_rule = Some(list);
                    }
                }
            }
            None if self.put_back_conditions(at) || self.put_back_at_end(at) => {}
            None => {
                // Several of them in a row have one cause.
                let range = self.tokens[at].range;
                match self.errors.last_mut() {
                    Some(last)
                        if at > 0
                            && self.tokens[at - 1].kind == TokenKind::Close
                            && last.range.end == self.tokens[at - 1].range.end =>
                    {
                        last.range.end = range.end;
                    }
                    _ => self.error(at, "this `)` closes nothing: remove it, or add the `(` it belongs to".to_owned()),
                }
            }
        }
    }

    /// Ends the innermost lists before the token `at` because a new form begins there.
    fn close_down_to(&mut self, keep: usize, at: usize) {
        let missing = self.open.len() - keep + self.too_deep;
        self.too_deep = 0;
        let innermost = self.nodes[*self.open.last().expect("more is open than is kept") as usize].first as usize;
        // In a whole `(define`, only the section at its end can be the unclosed one.
        let from = if self.language == Language::Pogddl { keep.max(1) } else { keep };
        let form = self.open.get(from).map(|list| self.nodes[*list as usize].first as usize);
        let fault = form.and_then(|form| blame::find(self.language, self.text, self.tokens, form, at));
        let fault = fault.unwrap_or(Fault::Unclosed(innermost));
        let next = self.nodes.len() as u32;
        let last = (0..at).rev().find(|token| self.tokens[*token].kind != TokenKind::Comment).unwrap_or(0) as u32;
        for list in self.open.drain(keep..) {
            self.nodes[list as usize].last = last;
            self.nodes[list as usize].next = next;
        }
        let place = match self.tokens.get(at) {
            Some(token) if token.kind == TokenKind::Keyword => format!("`{}`", &self.text[token.range.as_usize()]),
            Some(_) => format!("`({}` begins", self.word_after(at)),
            None => "the end of the file".to_owned(),
        };
        let (at_fault, message) = match (fault, missing) {
            (Fault::Doubled(open), 1) => (open, "two `(` in a row: one of them is extra and has no `)`".to_owned()),
            (Fault::Unclosed(open), 1) => (open, format!("this `(` is never closed: a `)` is missing before {place}")),
            (Fault::Unclosed(open) | Fault::Doubled(open), _) => {
                (open, format!("this `(` is never closed: {missing} `)` are missing before {place}"))
            }
        };
        if self.tokens[innermost].kind == TokenKind::Arrow {
            // A rule without its `(` has already been reported.
            return;
        }
        self.error(at_fault, message);
        let error = self.errors.last_mut().expect("just pushed");
        error.is_unclosed = matches!(fault, Fault::Unclosed(_));
        error.related = Some(match self.tokens.get(at) {
            Some(token) => (token.range, "a new form begins here".to_owned()),
            None => (TextRange::at(self.text.len() as u32), "the file ends here".to_owned()),
        });
    }

    /// Handles a section after the `)` that closed its `(define`: that `)` is extra, and the define continues.
    fn reopen_define(&mut self, at: usize) {
        if !self.is_section(at) {
            return;
        }
        if let Some((define, close)) = self.last_define.take() {
            if self.nodes[define as usize].next as usize != self.nodes.len() {
                return;
            }
            if !self.put_back_into_section(define, close) {
                let word = self.word_after(at).to_owned();
                self.error(close, format!("this `)` closes the whole `(define`, but `({word}` follows: remove it"));
            }
            self.open.push(define);
        }
    }

    /// Handles a `)` that closes nothing after a whole `(define`.
    fn put_back_at_end(&mut self, at: usize) -> bool {
        let Some((define, close)) = self.last_define.filter(|_| self.language == Language::Pogddl) else {
            return false;
        };
        if self.nodes[define as usize].next as usize != self.nodes.len() || !self.put_back_into_section(define, close) {
            return false;
        }
        self.nodes[define as usize].last = at as u32;
        self.last_define = None;
        true
    }

    /// Handles lists after the last section of a define that are not sections: the section was closed before them, and
    /// its own `)` closed the define.
    fn put_back_into_section(&mut self, define: u32, close: usize) -> bool {
        let Some(section) = self.last_section.filter(|section| *section > define) else { return false };
        let Node { next, last, .. } = self.nodes[section as usize];
        let Some(lost) = self.nodes.get(next as usize).copied() else { return false };
        let word = self.word_after(self.nodes[section as usize].first as usize).to_owned();
        self.error(last as usize, format!("this `)` closes `({word}` too early: the rest is outside of it"));
        self.errors.last_mut().expect("just pushed").related =
            Some((self.tokens[lost.first as usize].range, "this is outside of it".to_owned()));
        let end = self.nodes.len() as u32;
        let section = &mut self.nodes[section as usize];
        section.next = end;
        section.last = close as u32;
        true
    }

    /// True if a form after a rule is in the position of one of its conditions: on its last line or further right.
    fn continues_rule(&self, at: usize) -> bool {
        let Some(rule) = self.last_rule else { return false };
        let Some(limit) = self.indent(self.nodes[rule as usize].first as usize) else { return false };
        self.word_after(at) != "<=" && self.indent(at).is_none_or(|column| column > limit)
    }

    /// True if a rule's body has two bare words: `role ?r)` lacks its `(`, so its `)` is correct, and the rules of
    /// `percept-analysis` report the mistake.
    fn lacks_open(&self, rule: u32) -> bool {
        let mut child = rule as usize + 1;
        let (mut count, mut was_bare) = (0, false);
        while child < self.nodes[rule as usize].next as usize {
            let is_bare = count >= 2 && !self.nodes[child].is_list;
            if is_bare && was_bare {
                return true;
            }
            was_bare = is_bare;
            count += 1;
            child = self.nodes[child].next as usize;
        }
        false
    }

    /// Handles a `)` that closes nothing: if conditions have fallen out of the rule before it, it belongs to that rule.
    fn put_back_conditions(&mut self, at: usize) -> bool {
        let Some(rule) = self.last_rule.take().filter(|rule| !self.lacks_open(*rule)) else { return false };
        let Node { next, last, .. } = self.nodes[rule as usize];
        let Some(lost) = self.nodes.get(next as usize).copied().filter(|lost| lost.is_list) else { return false };
        self.error(last as usize, "this `)` closes the rule too early: the rest is outside of it".to_owned());
        self.errors.last_mut().expect("just pushed").related =
            Some((self.tokens[lost.first as usize].range, "this is outside of it".to_owned()));
        let end = self.nodes.len() as u32;
        let rule = &mut self.nodes[rule as usize];
        rule.next = end;
        rule.last = at as u32;
        true
    }

    /// The number of lists that stay open before the `(` at `at`, if that can only begin a new form.
    fn boundary(&mut self, at: usize, form: usize) -> Option<usize> {
        let depth = self.open.len();
        if depth == 0 {
            return None;
        }
        if at < self.suspicious_until && at > form && self.is_sign(at, form) {
            return Some(0);
        }
        let word = self.word_after(at);
        match self.language {
            Language::Pogddl if word.starts_with(':') => {
                let outer = self.nodes[self.open[0] as usize].first as usize;
                (depth > 1
                    && is_section_keyword(word)
                    && self.word_after(outer).trim_start_matches(':').eq_ignore_ascii_case("define"))
                .then_some(1)
            }
            Language::Pogddl => word.eq_ignore_ascii_case("define").then_some(0),
            _ => (word == "<=").then_some(0),
        }
    }

    /// The same before a field of an action: inside a condition or an effect it can only belong to the action.
    fn field_boundary(&mut self, at: usize) -> Option<usize> {
        if self.language != Language::Pogddl || !is_field(&self.text[self.tokens[at].range.as_usize()]) {
            return None;
        }
        self.reopen_action(at);
        (self.open.len() > 2 && self.last_section == Some(self.open[1])).then_some(2)
    }

    /// Handles a field directly after the `)` of its action: that `)` is extra, and the action continues.
    fn reopen_action(&mut self, at: usize) {
        let Some(section) = self.last_section.filter(|_| self.open.len() == 1) else { return };
        let Node { first, last, next, .. } = self.nodes[section as usize];
        let is_action = self.word_after(first as usize).to_ascii_lowercase().ends_with("action");
        if section > self.open[0] && next as usize == self.nodes.len() && is_action {
            let field = &self.text[self.tokens[at].range.as_usize()];
            self.error(last as usize, format!("this `)` closes the whole action, but `{field}` follows: remove it"));
            self.open.push(section);
        }
    }

    fn is_section(&self, at: usize) -> bool {
        is_section_keyword(self.word_after(at))
    }

    /// The text of the token after `at`, or an empty text.
    fn word_after(&self, at: usize) -> &str {
        match self.tokens.get(at + 1) {
            Some(token) if !matches!(token.kind, TokenKind::Comment | TokenKind::Close | TokenKind::Open) => {
                &self.text[token.range.as_usize()]
            }
            _ => "",
        }
    }

    fn has_sign(&mut self, form: usize, end: usize) -> bool {
        // In PDDL the sections are the signs.
        self.language == Language::GdlPrefix
            && (form + 1..end).any(|at| self.tokens[at].kind == TokenKind::Open && self.is_sign(at, form))
    }

    fn is_sign(&mut self, at: usize, form: usize) -> bool {
        let (Some(column), Some(limit)) = (self.indent(at), self.indent(form)) else { return false };
        let word = self.word_after(at);
        let is_any = |words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
        if column > limit
            || is_any(&["true", "does", "not", "or", "and", "distinct", ""])
            || word.starts_with([':', '?'])
        {
            return false;
        }
        // Any relation may be a condition, and some authors do not indent conditions.
        self.word_after(form) != "<="
            || is_any(&["role", "init", "base", "input"])
            || self.is_after_blank_line(at)
            || self.is_indented(form, limit)
    }

    /// True if the second line of a form is indented.
    fn is_indented(&mut self, form: usize, limit: usize) -> bool {
        if self.indented.0 != form {
            let second = (form + 1..self.tokens.len()).find_map(|at| self.indent(at));
            self.indented = (form, second.is_some_and(|column| column > limit));
        }
        self.indented.1
    }

    fn is_after_blank_line(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end as usize);
        let space = &self.text[before..self.tokens[at].range.start as usize];
        space.matches('\n').count().max(space.matches('\r').count()) > 1
    }

    /// The column of a token that is the first on its line.
    fn indent(&self, at: usize) -> Option<usize> {
        let start = self.tokens[at].range.start as usize;
        let before = &self.text.as_bytes()[..start];
        let width = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_first = before.len() == width || matches!(before[start - width - 1], b'\n' | b'\r');
        is_first.then_some(width)
    }
}

/// True for a keyword of a section, which is directly inside `(define ...)` and in no other list.
fn is_section_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        ":requirements",
        ":types",
        ":constants",
        ":predicates",
        ":functions",
        ":action",
        ":derived",
        ":gain",
        ":durative-action",
        ":event",
        ":process",
        ":constraints",
        ":domain",
        ":objects",
        ":init",
        ":goal",
        ":metric",
        ":length",
        ":axiom",
        ":task",
        ":method",
        ":htn",
    ];
    KEYWORDS.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// True for a keyword of a field, which is directly inside `(:action ...)` and in no other list.
fn is_field(word: &str) -> bool {
    [":parameters", ":precondition", ":effect", ":duration", ":condition"]
        .iter()
        .any(|other| word.eq_ignore_ascii_case(other))
}
