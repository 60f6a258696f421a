//! What is known of a POGDDL domain and its problem: [`Model`], built by [`model()`].
//!
//! In: the typed syntax of one or two files. Out: declarations, scopes, every use of a name with what it stands
//! for, conditions and effects in a form that can be reasoned about. Nothing here reports anything: that is what
//! `rules::pogddl` does.

mod conditions;
mod declare;
mod effects;
mod facts;
mod features;
mod formula;
mod known;
mod model;
mod names;
mod reach;
mod resolve;
mod types;
mod unread;
mod usage;
mod values;

pub use conditions::{ConditionFinding, Flaw, Judge, Whole, judge_conditions};
pub use declare::{first_domain, first_problem};
pub use effects::{EffectFinding, EffectFlaw, judge_effects};
pub use facts::{Facts, file_of, remove, replace};
pub use features::{FLAGS, Feature, features_in, features_of};
pub use formula::{EffectNode, Formula, KeyId, Number, ObjectId, Orders, Term, UseId, VarId};
pub use known::{Known, Verdict};
pub use model::*;
pub use names::{Names, Symbol, nearest, same_word};
pub use reach::{Stuck, stuck_actions};
pub use resolve::{is_reserved, model};
pub use types::{OBJECT, Type, TypeId, TypeSet, Types};
pub use usage::{CallableUses, Usage, action_of, fits, terms_fit};
pub use values::Values;

use percept_syntax::{Source, Syntax, TextRange, pddl::Definition};
use rustc_hash::FxHashSet;

use crate::{Diagnostic, FileId, Settings, check_pddl};

/// Checks a file whose other half is not known. Ranges are in [`FileId`] 0, whichever half it is.
///
/// A file may hold several definitions: every problem is checked with the domain it names, where that is in the file.
pub fn check_alone(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    let mut told = Told::default();
    for view in views(source) {
        let list = match first_domain(&view) {
            None if first_problem(&view).is_some() => in_first_file(check_pddl(None, Some(&view), settings)),
            _ => check_pddl(Some(&view), None, settings),
        };
        all.extend(list.into_iter().filter(|finding| told.is_new(finding)));
    }
    all.sort_by_key(|finding| (finding.range.start, finding.range.end));
    all
}

/// What is wrong with a problem and, where only the two together show it, with its domain: findings about the domain
/// ([`FileId`] 0) that it has without the problem as well are left out.
pub fn check_with_domain(domain: &Source, problem: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let alone = check_pddl(Some(domain), None, settings);
    let mut list = check_pddl(Some(domain), Some(problem), settings);
    let mut told = Told::default();
    for finding in &alone {
        told.is_new(finding);
    }
    list.retain(|finding| finding.file == FileId(1) || !told.knows(finding));
    list
}

/// What has been said, and of which place: a rule that says the same of it again has found nothing new.
#[derive(Debug, Default)]
pub struct Told(FxHashSet<(FileId, TextRange, &'static str, String)>);

impl Told {
    /// Whether the finding says something new; from then on it is known.
    pub fn is_new(&mut self, finding: &Diagnostic) -> bool {
        self.0.insert(Told::key(finding))
    }

    /// Whether this has been said.
    pub fn knows(&self, finding: &Diagnostic) -> bool {
        self.0.contains(&Told::key(finding))
    }

    fn key(finding: &Diagnostic) -> (FileId, TextRange, &'static str, String) {
        (finding.file, finding.range, finding.rule.name, finding.message.clone())
    }
}

fn in_first_file(mut list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for diagnostic in &mut list {
        diagnostic.file = FileId(0);
        diagnostic.related.iter_mut().for_each(|related| related.file = FileId(0));
        let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.file = FileId(0));
    }
    list
}

/// The file as one source for every definition that is to be looked at by itself: at most one domain and one problem
/// each. Nearly always that is the file as it is.
fn views(source: &Source) -> Vec<Source> {
    /// Each definition is read with the whole file around it: of more than this nobody writes in one file.
    const MOST: usize = 200;
    let Syntax::Pddl(file) = &source.syntax else { return vec![source.clone()] };
    let is_domain = |definition: &&Definition| matches!(definition, Definition::Domain(_));
    let (domains, problems): (Vec<&Definition>, Vec<&Definition>) = file.definitions.iter().partition(is_domain);
    if domains.len() < 2 && problems.len() < 2 {
        return vec![source.clone()];
    }
    let view = |definitions: Vec<Definition>| {
        let mut view = source.clone();
        if let Syntax::Pddl(file) = &mut view.syntax {
            file.definitions = definitions;
        }
        view
    };
    let domain_of = |problem: &Definition| {
        let Definition::Problem(problem) = problem else { return None };
        let wanted = problem.domain.as_ref()?;
        domains.iter().position(|domain| match domain {
            Definition::Domain(domain) => domain.name.as_ref().is_some_and(|name| name.is(&wanted.text)),
            Definition::Problem(_) => false,
        })
    };
    let mut has_problem = vec![false; domains.len()];
    let mut views = Vec::new();
    for problem in problems.into_iter().take(MOST) {
        let domain = domain_of(problem);
        if let Some(domain) = domain {
            has_problem[domain] = true;
        }
        views.push(view(domain.map(|n| domains[n].clone()).into_iter().chain([problem.clone()]).collect()));
    }
    let lonely = domains.iter().zip(has_problem).filter(|(_, has)| !has);
    views.extend(lonely.take(MOST).map(|(domain, _)| view(vec![(*domain).clone()])));
    views
}
