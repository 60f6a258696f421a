//! The input of the rules: the model and the conclusions from it.

use std::cell::OnceCell;

use percept_syntax::pddl::{Action, File};
use percept_syntax::{Source, Syntax, TextRange};

use rustc_hash::FxHashSet;

use super::conditions::{ConditionFinding, judge_conditions};
use super::effects::{EffectFinding, judge_effects};
use super::features::{Feature, features_in};
use super::formula::{Term, UseId};
use super::loud::loud_actions;
use super::model::{Model, Place, UseKind};
use super::resolve::{model, telling_model};
use super::unread::{begins_within, broken_ranges, error_starts, unread_words};
use super::usage::Usage;
use super::values::Values;
use crate::{Diagnostic, FileId, Fix, Rule, TextEdit};

/// The knowledge about a domain and its problem, either of which may be missing.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub model: Model<'a>,
    pub usage: Usage,
    pub conditions: Vec<ConditionFinding>,
    pub effects: Vec<EffectFinding>,
    /// The possible values of variables, if the problem is known and not too large.
    pub values: Option<Values>,
    /// The place behind which declared predicates are not compared with an unknown one.
    pub compared_until: u32,
    /// The end of the last section of each kind that declares something.
    sections: Vec<(&'static str, u32)>,
    unread: FxHashSet<String>,
    /// The starts of the syntax errors in the domain's file, sorted.
    errors: Vec<u32>,
    features: OnceCell<Vec<(Feature, TextRange, bool)>>,
}

/// The order of these sections in PDDL.
const DECLARING: [&str; 5] = [":requirements", ":types", ":constants", ":predicates", ":functions"];

impl<'a> Facts<'a> {
    /// Collects the facts about every action.
    pub(crate) fn new(domain: Option<&'a Source>, problem: Option<&'a Source>) -> Self {
        Facts::of(model(domain, problem))
    }

    /// Collects the facts without the actions that repeat others: the rules find the same faults.
    pub(crate) fn telling(domain: Option<&'a Source>, problem: Option<&'a Source>) -> Self {
        Facts::of(telling_model(domain, problem))
    }

    fn of(model: Model<'a>) -> Self {
        let usage = Usage::new(&model);
        let loud = loud_actions(&model);
        let conditions = judge_conditions(&model, &loud);
        let values = Values::new(&model, &usage);
        let effects = judge_effects(&model, &usage, values.as_ref(), &loud);
        // Builds with debug assertions, as in every test, also judge the skipped actions.
        if cfg!(debug_assertions) {
            let all: Vec<u32> = (0..model.actions.len() as u32).collect();
            assert_eq!(judge_conditions(&model, &all).len(), conditions.len(), "only loud actions have findings");
            assert_eq!(judge_effects(&model, &usage, values.as_ref(), &all).len(), effects.len(), "as above");
        }
        let mut unread = unread_words(model.domain_source);
        unread.extend(unread_words(model.problem_source));
        let errors = model.domain_source.map(error_starts).unwrap_or_default();
        let parts = model.domain.map_or(&[][..], |domain| &domain.sections);
        let last = |word: &'static str| {
            let part = parts.iter().rfind(|part| part.keyword.is(word))?;
            Some((word, part.range.end))
        };
        let sections = DECLARING.into_iter().filter_map(last).collect();
        let features = OnceCell::new();
        let compared_until = u32::MAX;
        Facts { model, usage, conditions, effects, values, compared_until, sections, unread, errors, features }
    }

    /// True if both halves are present and were read without errors, so a missing name is really missing.
    pub(crate) fn is_whole(&self) -> bool {
        self.model.problem.is_some() && self.domain_is_sound() && self.is_sound(self.model.problem_source)
    }

    /// True if the domain is present and was read without errors, so an unused name is really unused.
    pub(crate) fn domain_is_sound(&self) -> bool {
        self.model.domain.is_some() && self.is_sound(self.model.domain_source)
    }

    fn is_sound(&self, source: Option<&Source>) -> bool {
        source.is_some_and(|source| source.errors.is_empty() && is_all_read(source))
    }

    /// True if the domain has this section of declarations.
    pub(crate) fn declares(&self, section: &str) -> bool {
        self.sections.iter().any(|(word, _)| *word == section)
    }

    /// True if an effect or initial fact has an undeclared predicate. It may belong to another predicate, and is
    /// reported itself.
    pub(crate) fn makes_unknown(&self) -> bool {
        let makes = |kind| matches!(kind, UseKind::Add | UseKind::InitFact | UseKind::InitValue | UseKind::Assigned);
        self.model.uses.iter().any(|atom| atom.callable.is_none() && makes(atom.kind))
    }

    /// True if a syntax error may hide the declaration of this name. The error is reported, its consequences are not.
    pub(crate) fn may_be_hidden(&self, name: &str) -> bool {
        !self.unread.is_empty() && self.unread.contains(&name.to_ascii_lowercase())
    }

    /// The features that the domain uses, then those that only the problem uses: see [`features_in`]. No range counts
    /// as broken.
    pub(crate) fn features(&self) -> &[(Feature, TextRange, bool)] {
        let (problem, actions) = (self.model.problem, self.actions());
        let found = || self.model.domain.map_or_else(Vec::new, |domain| features_in(domain, actions, problem, &[]));
        self.features.get_or_init(found)
    }

    /// The actions that rules have to check, followed by those that take time.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &'a Action> {
        self.model.actions.iter().map(|action| action.action)
    }

    /// True if an action was read without errors, so a missing condition is really missing.
    pub(crate) fn action_is_sound(&self, index: u32) -> bool {
        let range = self.model.actions[index as usize].action.range;
        !begins_within(&self.errors, range)
    }

    /// True if an action's parameters, or the text before its first condition, have syntax errors. Then its variables
    /// are not those of the author.
    pub(crate) fn header_is_broken(&self, place: Place) -> bool {
        let Place::Action(index) = place else { return false };
        if self.errors.is_empty() {
            return false;
        }
        let action = self.model.actions[index as usize].action;
        let body = action.fields.iter().find(|field| !field.keyword.is(":parameters"));
        let end = body.map_or(action.range.end, |field| field.range.start);
        let header = TextRange::new(action.range.start, end);
        begins_within(&self.errors, header)
    }

    /// True if the declaration of a predicate or function has syntax errors: then its types are unknown.
    pub(crate) fn declaration_is_broken(&self, declaration: TextRange) -> bool {
        begins_within(&self.errors, declaration)
    }

    /// The text from each bracket that is never closed to the end of its section. It was read with the wrong brackets,
    /// which causes any fault there.
    pub(crate) fn broken(&self) -> Vec<(FileId, TextRange)> {
        let mut broken = Vec::new();
        for (file, source) in self.model.sources() {
            broken.extend(broken_ranges(source).into_iter().map(|range| (file, range)));
        }
        broken
    }

    /// Creates a finding.
    pub(crate) fn at(
        &self,
        rule: &'static Rule,
        file: FileId,
        range: TextRange,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, file, range, message)
    }

    /// The text of a range on one line, for a message.
    pub(crate) fn quote(&self, file: FileId, range: TextRange) -> String {
        /// The most characters shown.
        const LONGEST: usize = 60;
        // Only the shown part is read, however long the range and its lines are.
        let whole = self.model.text(file, range);
        let mut end = whole.len().min(40 * LONGEST);
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        let text = &whole[..end];
        let mut line = String::new();
        for word in text.lines().flat_map(|line| line.split(';').next()).flat_map(str::split_whitespace) {
            let glued = line.is_empty() || word.starts_with(')');
            if !glued {
                line.push(' ');
            }
            line.extend(word.chars().take(LONGEST + 1));
            if line.len() > 4 * LONGEST {
                break;
            }
        }
        match line.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}...", &line[..cut]),
            None => line,
        }
    }

    /// A term as written: `?c`, `dealer`.
    pub(crate) fn term(&self, term: Term) -> String {
        let model = &self.model;
        match term {
            Term::Variable(id) => format!("?{}", model.variable(id).name.text),
            Term::Object(id) => model.names.text(model.object(id).name).to_string(),
            Term::Unknown(name) => model.names.text(name).to_string(),
        }
    }

    /// An atom as written: `(at ?c dealer)`.
    pub(crate) fn atom(&self, id: UseId) -> String {
        self.quote(self.model.atom(id).file, self.model.atom(id).range)
    }

    /// An edit that adds a declaration to a section of the domain, or the section itself.
    pub(crate) fn declare(&self, section: &str, text: &str) -> Option<TextEdit> {
        let domain = self.model.domain?;
        let file = self.model.domain_file;
        if let Some((_, end)) = self.sections.iter().find(|(word, _)| *word == section) {
            // The declaration is inserted inside the section's bracket, if it is closed.
            let closed = self.model.domain_source?.text[..*end as usize].ends_with(')');
            let at = TextRange::at(end - u32::from(closed));
            return Some(TextEdit { file, range: at, insert: format!(" {text}") });
        }
        let order = DECLARING.iter().position(|word| *word == section)?;
        let last = DECLARING[..order].iter().rev().find_map(|word| self.sections.iter().find(|(part, _)| part == word));
        let at = match (last, &domain.name) {
            (Some((_, end)), _) => *end,
            (None, Some(name)) => self.after_bracket(name.range.end)?,
            (None, None) => return None,
        };
        Some(TextEdit { file, range: TextRange::at(at), insert: format!("\n({section} {text})") })
    }

    /// The end of the next `)` in the domain's file, such as the `)` of `(domain name)` after its name. `None` if
    /// another token, or nothing, comes first.
    fn after_bracket(&self, start: u32) -> Option<u32> {
        let text = &self.model.domain_source?.text;
        let mut at = start as usize;
        loop {
            let rest = text[at..].trim_start();
            at = text.len() - rest.len();
            match rest.as_bytes().first()? {
                b')' => return Some(at as u32 + 1),
                b';' => at += rest.find('\n')?,
                _ => return None,
            }
        }
    }
}

/// A fix that replaces a range.
pub(crate) fn replace(title: impl Into<String>, file: FileId, range: TextRange, insert: impl Into<String>) -> Fix {
    Fix::new(title, vec![TextEdit { file, range, insert: insert.into() }])
}

/// A fix that replaces several ranges by one text, for a misspelt name with several uses.
pub(crate) fn replace_all(
    title: impl Into<String>,
    places: impl Iterator<Item = (FileId, TextRange)>,
    insert: &str,
) -> Fix {
    let edits = places.map(|(file, range)| TextEdit { file, range, insert: insert.to_owned() }).collect();
    Fix::new(title, edits)
}

/// A fix that removes a range and the white space before it.
pub(crate) fn remove(title: impl Into<String>, source: Option<&Source>, file: FileId, range: TextRange) -> Fix {
    let mut start = range.start as usize;
    if let Some(text) = source.map(|source| source.text.as_bytes()) {
        while start > 0 && matches!(text.get(start - 1), Some(b' ' | b'\t')) {
            start -= 1;
        }
    }
    replace(title, file, TextRange::new(start as u32, range.end), "")
}

/// True if no part of the file is only named and not read.
fn is_all_read(source: &Source) -> bool {
    file_of(source).is_none_or(|file| file.outside.iter().all(|outside| outside.is_read))
}

/// The PDDL of a source.
pub(crate) fn file_of(source: &Source) -> Option<&File> {
    match &source.syntax {
        Syntax::Pddl(file) => Some(file),
        Syntax::Gdl(_) => None,
    }
}
