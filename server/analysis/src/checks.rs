//! The entry points of the check: one file, a domain with its problem, a file of several definitions.

use percept_syntax::pddl::{Content, Definition, Dialect};
use percept_syntax::{Source, Syntax, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::findings::unknown_names;
use crate::pddl::{first_domain, first_problem};
use crate::{Diagnostic, FileId, Findings, Settings, heed, kept, rules};

/// The syntax errors of a file that have repairs.
const MENDED: usize = 20;

/// Returns all findings in one file, in the order of the text. Ranges are in [`FileId`] 0.
///
/// A POGDDL file is checked by itself, as far as that is possible. To check a domain with its problem, call
/// [`check_pddl`].
pub fn check(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let mut findings = Findings::new();
    if let Some(finding) = other_language(source, FileId(0)) {
        findings.push(finding);
        return findings.finish(&[Some(source)], settings);
    }
    if source.is_unread() {
        // One mistake, one finding: the missing parts of the game follow from it.
        findings.syntax_errors(FileId(0), &source.errors);
        return findings.finish(&[Some(source)], settings);
    }
    match &source.syntax {
        Syntax::Gdl(description) => kept::check_gdl(source, description, settings),
        Syntax::Pddl(_) => check_alone(source, settings),
    }
}

/// Returns all findings in a POGDDL domain ([`FileId`] 0), in its problem ([`FileId`] 1), and in the two together. If
/// one of them is missing, the rules that need both are skipped.
pub fn check_pddl(domain: Option<&Source>, problem: Option<&Source>, settings: &Settings) -> Vec<Diagnostic> {
    let mut findings = Findings::new();
    let sources = [(FileId(0), domain), (FileId(1), problem)];
    let others: Vec<Diagnostic> =
        sources.iter().filter_map(|(file, source)| other_language(source.as_ref()?, *file)).collect();
    if !others.is_empty() {
        // The other half is in the same language, even if its text does not show it.
        others.into_iter().for_each(|finding| findings.push(finding));
        return findings.finish(&[domain, problem], settings);
    }
    for (file, source) in sources {
        if let Some(source) = source {
            for (number, error) in source.errors.iter().enumerate() {
                // Each looks through the whole text.
                let fixes = if number < MENDED { crate::repair::words(source, error, file) } else { Vec::new() };
                findings.syntax_error(file, error, fixes);
            }
            findings.charset(file, source.charset);
        }
    }
    rules::pogddl::run(domain, problem, &mut findings);
    findings.finish(&[domain, problem], settings)
}

/// Checks a POGDDL file without its other half. Ranges are in [`FileId`] 0, for a domain and for a problem.
///
/// If the file has several definitions, every problem is checked with the domain it names, if that is in the file.
pub fn check_alone(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    if let Some(found) = kept::check_domain(source, settings) {
        return found;
    }
    if Dialect::of(source).is_some() {
        return in_first_file(check_view(source, settings));
    }
    let Some(views) = views(source) else { return in_first_file(check_view(source, settings)) };
    let mut dedup = Dedup::default();
    let mut all: Vec<Diagnostic> = views.iter().flat_map(|view| in_first_file(check_view(view, settings))).collect();
    all.retain(|finding| dedup.is_new(finding));
    let mut all = heed(all, &[Some(source)], settings);
    all.extend(unknown_names(source, settings));
    all.sort_by_key(|finding| (finding.range.start, finding.range.end));
    all
}

/// Returns the only finding for a file in a language other than PDDL.
fn other_language(source: &Source, file: FileId) -> Option<Diagnostic> {
    let Dialect { name, what, range } = Dialect::of(source)?;
    let message =
        format!("this is {name}, a separate language for {what}: it is not read, so nothing else is reported");
    Some(Diagnostic::new(rules::outside_pogddl(), file, range, message))
}

fn check_view(view: &Source, settings: &Settings) -> Vec<Diagnostic> {
    match first_domain(view) {
        None if first_problem(view).is_some() => check_pddl(None, Some(view), settings),
        _ => check_pddl(Some(view), None, settings),
    }
}

/// Returns the findings in a problem, and those in its domain that only the two together show: findings in the domain
/// ([`FileId`] 0) that it has without the problem are left out.
pub fn check_with_domain(domain: &Source, problem: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let alone = check_pddl(Some(domain), None, settings);
    let mut list = check_pddl(Some(domain), Some(problem), settings);
    let mut dedup = Dedup::default();
    for finding in &alone {
        dedup.is_new(finding);
    }
    list.retain(|finding| finding.file == FileId(1) || !dedup.knows(finding));
    list
}

/// The findings reported so far, with their places. A rule that repeats one of them adds nothing.
#[derive(Debug, Default)]
pub struct Dedup(FxHashSet<(FileId, TextRange, &'static str, String)>);

impl Dedup {
    /// Records the finding. Returns true if it was not recorded yet.
    pub fn is_new(&mut self, finding: &Diagnostic) -> bool {
        self.0.insert(Dedup::key(finding))
    }

    /// Returns true if the finding is recorded.
    pub fn knows(&self, finding: &Diagnostic) -> bool {
        self.0.contains(&Dedup::key(finding))
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

/// Splits the file into one source per group of definitions that is checked by itself: at most one domain and one
/// problem each. `None`, the usual case, means that the file needs no split.
fn views(source: &Source) -> Option<Vec<Source>> {
    let Syntax::Pddl(file) = &source.syntax else { return None };
    let is_domain = |definition: &&Definition| matches!(definition, Definition::Domain(_));
    let (domains, problems): (Vec<&Definition>, Vec<&Definition>) = file.definitions.iter().partition(is_domain);
    if domains.len() < 2 && problems.len() < 2 {
        return None;
    }
    // A view gets those errors and that text outside of definitions that are within its definitions. Silencing comments
    // are applied at the end, and errors outside of all definitions go to the first view.
    let mut told_errors = vec![false; source.errors.len()];
    let mut view = |definitions: Vec<Definition>| {
        let mut errors = Vec::new();
        for range in definitions.iter().map(Definition::range) {
            let first = source.errors.partition_point(|error| error.range.start < range.start);
            let inside = source.errors[first..].iter().take_while(|error| error.range.start < range.end);
            for (number, error) in inside.enumerate() {
                told_errors[first + number] = true;
                errors.push(error.clone());
            }
        }
        errors.sort_by_key(|error| (error.range.start, error.range.end));
        let mut outside = Vec::new();
        for range in definitions.iter().map(Definition::range) {
            let first = file.outside.partition_point(|outside| outside.range.start < range.start);
            outside.extend(file.outside[first..].iter().take_while(|outside| outside.range.start < range.end).cloned());
        }
        Source {
            language: source.language,
            charset: source.charset,
            text: source.text.clone(),
            syntax: Syntax::Pddl(Content { definitions, outside }.into()),
            tokens: source.tokens.clone(),
            comments: Vec::new(),
            errors,
        }
    };
    let mut first_named: FxHashMap<String, usize> = FxHashMap::default();
    for (number, domain) in domains.iter().enumerate() {
        if let Definition::Domain(domain) = domain
            && let Some(name) = &domain.name
        {
            first_named.entry(name.text.to_ascii_lowercase()).or_insert(number);
        }
    }
    let domain_of = |problem: &Definition| {
        let Definition::Problem(problem) = problem else { return None };
        let wanted = problem.domain.as_ref()?;
        first_named.get(&wanted.text.to_ascii_lowercase()).copied()
    };
    let mut has_problem = vec![false; domains.len()];
    let mut views = Vec::new();
    for problem in problems {
        let domain = domain_of(problem);
        if let Some(domain) = domain {
            has_problem[domain] = true;
        }
        views.push(view(domain.map(|n| domains[n].clone()).into_iter().chain([problem.clone()]).collect()));
    }
    let lonely = domains.iter().zip(has_problem).filter(|(_, has)| !has);
    views.extend(lonely.map(|(domain, _)| view(vec![(*domain).clone()])));
    if let Some(first) = views.first_mut() {
        let outside = source.errors.iter().zip(told_errors).filter(|(_, is_reported)| !is_reported);
        first.errors.extend(outside.map(|(error, _)| error.clone()));
        first.errors.sort_by_key(|error| (error.range.start, error.range.end));
    }
    Some(views)
}
