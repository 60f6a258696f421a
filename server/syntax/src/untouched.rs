//! The actions of a large domain without edits: they keep their typed syntax, and only the rest of the file is read
//! again.
//!
//! A domain is one list, so its actions are the units that can be kept. This is correct because brackets that nest
//! without an error nest in only one way: an action that was read without an error in `(define`, and whose tokens are
//! the same, reads the same in every other place directly inside `(define`. Any text that is less simple (an extra
//! bracket, a section outside of the definition, two definitions in one file) is read as a whole.

use std::sync::Arc;

use crate::{
    Charset, Language, Name, Source, Syntax, SyntaxError, TextRange, flood,
    forms::{self, Form},
    nest,
    pddl::{self, Action, Content, Definition, Domain, Placed, Section},
    source::{self, Tokens},
    token::{Token, TokenKind},
    tree::Same,
};

/// The parts of a snapshot that later ones can reuse.
#[derive(Clone, Debug)]
pub(crate) struct Untouched {
    /// The tokens of that snapshot.
    pub tokens: Arc<Vec<Token>>,
    /// The actions that were read without an error, in the order of the text.
    actions: Vec<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    /// The index of its `(` among the tokens.
    first: u32,
    /// The number of its tokens.
    count: u32,
    action: Placed<Action>,
}

impl Kept {
    fn moved(&self, tokens: u32, bytes: u32) -> Kept {
        Kept { first: self.first.wrapping_add(tokens), count: self.count, action: self.action.moved(bytes) }
    }
}

impl Untouched {
    /// The actions of a file whose brackets nest without an error; `None` if there are none to keep.
    pub(crate) fn of(source: &Source) -> Option<Untouched> {
        let Syntax::Pddl(file) = &source.syntax else { return None };
        let Content { definitions, outside } = &**file;
        let [Definition::Domain(domain)] = &definitions[..] else { return None };
        if !begins_define(&source.text, &source.tokens, domain.range) {
            return None;
        }
        let faults = Faults::new(&source.errors, outside);
        let mut at = 0;
        let actions: Vec<Kept> =
            domain.actions.iter().filter_map(|action| keep(source, action, &faults, &mut at)).collect();
        (!actions.is_empty()).then(|| Untouched { tokens: source.tokens.shared().clone(), actions })
    }

    /// Reads the edited text with the actions that have no edits; also returns the parts that later snapshots can
    /// reuse. `None` if it has to be read as a whole.
    pub(crate) fn read(
        &self,
        text: &Arc<str>,
        tokens: &Arc<Vec<Token>>,
        same: Same,
        by: u32,
    ) -> Option<(Source, Untouched)> {
        let kept = self.kept(tokens, same, by);
        let rest = rest(tokens, &kept)?;
        if flood::among(text, &rest).is_some() {
            return None;
        }
        let nesting = nest::nest(Language::Pogddl, text, &rest);
        if !nesting.errors.is_empty() {
            return None;
        }
        let mut errors = Vec::new();
        let mut file = pddl::lower::lower(text, &rest, &nesting.nodes, &mut errors);
        errors.sort_by_key(|error| (error.range.start, error.range.end));
        let range = only_domain(&mut file)?.range;
        let define = forms::top(text, &rest, &nesting.nodes).find(|form| form.range() == range)?;
        let span = |kept: &Kept| span(tokens, kept);
        let is_inside = kept.iter().all(|kept| range.contains_range(span(kept)));
        let first = kept.first().map_or(range.end, |kept| span(kept).start);
        if !is_inside || !begins_define(text, tokens, range) || !is_plain(define, first) {
            return None;
        }
        let faults = Faults::new(&errors, &file.outside);
        let domain = only_domain(&mut file)?;
        let actions = merge(domain, text, tokens, kept, &faults);
        let comments = source::comments(tokens);
        let source = Source {
            language: Language::Pogddl,
            charset: Charset::default(),
            text: text.clone(),
            syntax: Syntax::Pddl(file.into()),
            tokens: Tokens::made(text.clone(), Language::Pogddl, tokens.clone()),
            comments,
            errors,
        };
        (!actions.is_empty()).then(|| (source, Untouched { tokens: tokens.clone(), actions }))
    }

    /// The actions whose tokens are all the same, with their places in the new text.
    fn kept(&self, tokens: &[Token], same: Same, by: u32) -> Vec<Kept> {
        let further = (tokens.len() as u32).wrapping_sub(self.tokens.len() as u32);
        let behind = self.tokens.len() - same.after;
        let head = self.actions.partition_point(|kept| (kept.first + kept.count) as usize <= same.before);
        let tail = self.actions.partition_point(|kept| (kept.first as usize) < behind).max(head);
        let head = self.actions[..head].iter().cloned();
        head.chain(self.actions[tail..].iter().map(|kept| kept.moved(further, by))).collect()
    }
}

/// The starts of the texts that could not be read.
struct Faults(Vec<u32>);

impl Faults {
    fn new(errors: &[SyntaxError], outside: &[pddl::Outside]) -> Faults {
        let errors = errors.iter().map(|error| error.range.start);
        let mut starts: Vec<u32> = errors.chain(outside.iter().map(|outside| outside.range.start)).collect();
        starts.sort_unstable();
        Faults(starts)
    }

    fn touch(&self, range: TextRange) -> bool {
        let next = self.0.partition_point(|start| *start < range.start);
        self.0.get(next).is_some_and(|start| *start <= range.end)
    }
}

/// An action that was read without a fault; `at` is a token at or before it.
fn keep(source: &Source, action: &Placed<Action>, faults: &Faults, at: &mut usize) -> Option<Kept> {
    let tokens = &source.tokens;
    let range = action.range;
    *at += tokens[*at..].iter().position(|token| token.range.start >= range.start)?;
    let first = *at;
    *at += tokens[first..].iter().position(|token| token.range.start >= range.end).unwrap_or(tokens.len() - first);
    let kept = Kept { first: first as u32, count: (*at - first) as u32, action: action.clone() };
    is_whole(tokens, &kept, faults).then_some(kept)
}

/// True if an action begins with `(:action`, ends with its `)`, and has no fault.
fn is_whole(tokens: &[Token], kept: &Kept, faults: &Faults) -> bool {
    let own = &tokens[kept.first as usize..(kept.first + kept.count) as usize];
    let begins = own.len() > 2 && own[0].kind == TokenKind::Open && own[1].kind == TokenKind::Keyword;
    begins && own[own.len() - 1].kind == TokenKind::Close && !faults.touch(span(tokens, kept))
}

fn span(tokens: &[Token], kept: &Kept) -> TextRange {
    tokens[kept.first as usize].range.cover(tokens[(kept.first + kept.count - 1) as usize].range)
}

/// The tokens outside of kept actions, if every kept action is directly inside the file's first list.
fn rest(tokens: &[Token], kept: &[Kept]) -> Option<Vec<Token>> {
    let mut rest = Vec::new();
    let mut at = 0;
    let mut depth = 0;
    for kept in kept {
        for token in &tokens[at..kept.first as usize] {
            let was_inside = depth > 0;
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                _ => {}
            }
            if depth < i32::from(was_inside) {
                return None;
            }
            rest.push(*token);
        }
        if depth != 1 {
            return None;
        }
        at = (kept.first + kept.count) as usize;
    }
    rest.extend_from_slice(&tokens[at..]);
    (!kept.is_empty()).then_some(rest)
}

/// The domain of a file with no other definition.
fn only_domain(file: &mut Content) -> Option<&mut Domain> {
    match &mut file.definitions[..] {
        [Definition::Domain(domain)] => Some(domain),
        _ => None,
    }
}

/// True if a list begins with `(define`, with nothing between the two.
fn begins_define(text: &str, tokens: &[Token], list: TextRange) -> bool {
    let first = tokens.partition_point(|token| token.range.start < list.start);
    tokens.get(first + 1).is_some_and(|token| text[token.range.as_usize()].eq_ignore_ascii_case("define"))
}

/// True if a definition is `(define`, at most a title before its first kept action, and sections.
fn is_plain(define: Form<'_>, first_kept: u32) -> bool {
    let mut parts = define.children();
    if !parts.next().is_some_and(|first| first.is_word("define")) {
        return false;
    }
    let is_section = |part: Form<'_>| part.head().is_some_and(|head| head.kind() == TokenKind::Keyword);
    let is_title =
        |part: Form<'_>| part.head().is_some_and(|head| head.is_word("domain")) && part.range().start < first_kept;
    parts.enumerate().all(|(number, part)| is_section(part) || number == 0 && is_title(part))
}

/// Inserts the kept actions among those of the domain. Returns the actions that can be kept for later snapshots.
fn merge(domain: &mut Domain, text: &str, tokens: &[Token], kept: Vec<Kept>, faults: &Faults) -> Vec<Kept> {
    let sections = kept.iter().map(|kept| {
        let keyword = tokens[kept.first as usize + 1].range;
        Section { keyword: Name::new(&text[keyword.as_usize()], keyword), range: span(tokens, kept) }
    });
    let sections: Vec<Section> = sections.collect();
    let own = std::mem::take(&mut domain.sections);
    domain.sections = in_order(own, sections, |section| section.range.start);
    let fresh = std::mem::take(&mut domain.actions).into_iter().map(|action| {
        let range = action.range;
        let first = tokens.partition_point(|token| token.range.start < range.start);
        let end = tokens.partition_point(|token| token.range.start < range.end);
        Kept { first: first as u32, count: (end - first) as u32, action }
    });
    let mut all = in_order(fresh.collect(), kept, |kept| kept.first);
    domain.actions = all.iter().map(|kept| kept.action.clone()).collect();
    all.retain(|kept| is_whole(tokens, kept, faults));
    all
}

/// Merges two lists in the order of the text.
fn in_order<T>(few: Vec<T>, many: Vec<T>, place: impl Fn(&T) -> u32) -> Vec<T> {
    let mut all = Vec::with_capacity(few.len() + many.len());
    let mut few = few.into_iter().peekable();
    for part in many {
        while let Some(before) = few.next_if(|before| place(before) < place(&part)) {
            all.push(before);
        }
        all.push(part);
    }
    all.extend(few);
    all
}

#[cfg(test)]
mod tests {
    use crate::{Document, Language, Source, Syntax, TextRange, pddl::Definition, pddl::Placed};

    fn actions(source: &Source) -> &[Placed<crate::pddl::Action>] {
        let Syntax::Pddl(file) = &source.syntax else { panic!("PDDL") };
        let [Definition::Domain(domain)] = &file.definitions[..] else { panic!("one domain") };
        &domain.actions
    }

    /// True if both are the same in memory, wherever they are in the text.
    fn shared(before: &Source, after: &Source, action: usize) -> bool {
        actions(before)[action].is_shared_with(&actions(after)[action])
    }

    #[test]
    fn actions_that_no_edit_touched_are_shared() {
        let text = "(define (domain d)\n(:action a :effect (p))\n(:action b :effect (p))\n(:action c :effect (p)))\n";
        let at = |word: &str| text.find(word).expect("it is there") as u32;
        let mut document = Document::new(text, Language::Pogddl);
        let first = document.snapshot();
        document.edit(TextRange::at(at("b :effect")), "bb");
        let second = document.snapshot();
        assert_eq!([0, 1, 2].map(|action| shared(&first, &second, action)), [true, false, true]);
        assert_eq!(actions(&second)[2].name.range.start, at("c :effect") + 2);

        // A bracket is lost and comes back: the text before and after it is still the same.
        document.edit(TextRange::new(at("b :effect"), at("b :effect") + 2), "(");
        assert!(!document.snapshot().errors.is_empty());
        document.edit(TextRange::new(at("b :effect"), at("b :effect") + 1), "");
        let third = document.snapshot();
        assert_eq!(&*third.text, text);
        assert_eq!([0, 1, 2].map(|action| shared(&second, &third, action)), [true, false, true]);
        assert_eq!(third.syntax, first.syntax);

        // A list after an action is not a title.
        document.edit(TextRange::at(at("(domain")), "(:action b :effect (p))");
        let fourth = document.snapshot();
        assert_eq!(fourth.syntax, Source::parse(fourth.text.clone(), Language::Pogddl).syntax);
        assert_eq!(fourth.errors.len(), 2);
    }
}
