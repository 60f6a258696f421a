//! From nested lists to domains and problems.

use super::Placed;
use super::ast::{Content, Definition, Derived, Domain, Gain, Outside, Problem, Section, TimedKind};
use crate::{
    Name, Parent, SyntaxError, TextRange,
    forms::{self, Form, Forms, report},
    near,
    nest::Node,
    token::{Token, TokenKind},
};

/// The results of lowering besides the typed syntax.
pub(super) struct Findings<'e> {
    pub errors: &'e mut Vec<SyntaxError>,
    pub outside: Vec<Outside>,
    /// The times of the conditions and effects being read.
    pub timing: Timing,
}

/// The presence of times in a condition or effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    /// No times: this is not a durative action.
    None,
    Expected,
    Given,
}

impl Findings<'_> {
    pub(super) fn report(&mut self, range: TextRange, message: impl Into<String>) {
        report(self.errors, range, message);
    }

    /// Records a construct that is not read.
    pub(super) fn outside(&mut self, keyword: Form<'_>, range: TextRange, what: &'static str) {
        self.push_outside(keyword, range, what, false);
    }

    pub(super) fn push_outside(&mut self, keyword: Form<'_>, range: TextRange, what: &'static str, is_read: bool) {
        self.outside.push(Outside { keyword: keyword.name(), range, what, is_read });
    }
}

pub(crate) fn lower(text: &str, tokens: &[Token], nodes: &[Node], errors: &mut Vec<SyntaxError>) -> Content {
    let mut findings = Findings { errors, outside: Vec::new(), timing: Timing::None };
    let mut definitions = Vec::new();
    let mut loose: Option<Domain> = None;
    for form in forms::top(text, tokens, nodes) {
        match form.head() {
            Some(head) if head.is_word("define") => definitions.push(define(form, &mut findings)),
            Some(head) if is_misspelt_define(form, head) => {
                findings.report(head.range(), format!("`{}` means nothing here: did you mean `define`?", head.word()));
                definitions.push(define(form, &mut findings));
            }
            Some(head) if head.is_word(":define") => {
                findings.report(head.range(), "write `define`, without the `:`");
                definitions.push(define(form, &mut findings));
            }
            Some(head) if head.kind() == TokenKind::Keyword => {
                let domain = loose.get_or_insert_with(|| {
                    findings.report(
                        head.range(),
                        "a section belongs inside a definition: put `(define (domain name)` before the sections and `)` after them",
                    );
                    Domain { range: form.range(), ..Domain::default() }
                });
                domain.range = domain.range.cover(form.range());
                section(form, head, domain, &mut findings);
            }
            _ if form.kind() == TokenKind::Text => {}
            // A form from the time in which PDDL was read by Lisp.
            Some(head) if head.is_word("in-package") => {}
            _ => findings.report(
                form.first_range(),
                "a file holds `(define (domain name) ...)` or `(define (problem name) ...)`",
            ),
        }
    }
    definitions.extend(loose.map(|domain| Definition::Domain(Box::new(domain))));
    Content { definitions, outside: findings.outside }
}

/// True if all forms are parts of a list of this kind, without an error and without a construct outside of POGDDL.
pub(crate) fn is_sound(text: &str, tokens: &[Token], nodes: &[Node], parent: Parent) -> bool {
    let mut errors = Vec::new();
    let mut findings = Findings { errors: &mut errors, outside: Vec::new(), timing: Timing::None };
    let mut forms = forms::top(text, tokens, nodes);
    let are_whole = match parent {
        Parent::Define => forms.all(|form| {
            let Some(keyword) = form.head().filter(|head| head.is_word(":action")) else { return false };
            let mut domain = Domain::default();
            section(form, keyword, &mut domain, &mut findings);
            domain.actions.len() == 1
        }),
        Parent::Predicates => super::declare::signatures(forms.clone(), &mut findings).len() == forms.count(),
        Parent::Init => {
            forms.for_each(|form| drop(super::init::init(form, &mut findings)));
            true
        }
    };
    let is_plain = findings.outside.is_empty();
    are_whole && is_plain && errors.is_empty()
}

/// True for `(defnie (domain ...`.
fn is_misspelt_define(form: Form<'_>, head: Form<'_>) -> bool {
    let title = form.children().nth(1).and_then(Form::head);
    head.kind() == TokenKind::Word
        && near::meant(head.word(), &["define"]).is_some()
        && title.is_some_and(|title| title.is_word("domain") || title.is_word("problem"))
}

/// The intended section or field of a misspelt keyword, which is reported.
pub(super) fn meant_keyword(
    keyword: Form<'_>,
    words: &[&'static str],
    what: &str,
    findings: &mut Findings<'_>,
) -> Option<&'static str> {
    let meant = near::meant(keyword.word(), words)?;
    findings.report(keyword.range(), format!("`{}` is not a {what}: did you mean `{meant}`?", keyword.word()));
    Some(meant)
}

const DOMAIN_SECTIONS: &[&str] =
    &[":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived", ":gain"];
const PROBLEM_SECTIONS: &[&str] = &[":domain", ":requirements", ":objects", ":init", ":goal"];

fn define(form: Form<'_>, findings: &mut Findings<'_>) -> Definition {
    let mut parts = form.children();
    let define = parts.next().expect("`define` itself");
    let title = parts
        .clone()
        .next()
        .filter(|title| title.head().is_some_and(|head| head.is_word("domain") || head.is_word("problem")));
    let is_problem = match title {
        Some(title) => {
            parts.next();
            title.head().is_some_and(|head| head.is_word("problem"))
        }
        None => {
            findings.report(
                define.range(),
                "a definition begins with its kind and name: write `(domain name)` or `(problem name)` after `define`",
            );
            parts.clone().filter_map(Form::head).any(|head| {
                head.is_word(":domain") || head.is_word(":init") || head.is_word(":objects") || head.is_word(":goal")
            })
        }
    };
    let name = title.and_then(|title| title_name(title, findings));
    if is_problem {
        let mut problem = Problem { range: form.range(), name, ..Problem::default() };
        each_section(parts, findings, |section, keyword, findings| {
            problem_section(section, keyword, &mut problem, findings)
        });
        missing_sections(define, &problem, findings);
        Definition::Problem(Box::new(problem))
    } else {
        let mut domain = Domain { range: form.range(), name, ..Domain::default() };
        each_section(parts, findings, |form, keyword, findings| section(form, keyword, &mut domain, findings));
        Definition::Domain(Box::new(domain))
    }
}

/// The name in `(domain name)`.
fn title_name(title: Form<'_>, findings: &mut Findings<'_>) -> Option<Name> {
    let mut parts = title.children().skip(1);
    let name = parts.next().filter(|name| matches!(name.kind(), TokenKind::Word | TokenKind::Number));
    if name.is_none() {
        findings.report(
            title.range(),
            format!("a name is missing: `({} name)`", title.head().map_or("domain", Form::word)),
        );
    } else if let Some(extra) = parts.next() {
        findings.report(extra.first_range(), "one name is enough here");
    }
    name.map(Form::name)
}

/// Calls `f` on every section; each run of forms that are not sections gets one error.
fn each_section<'a>(
    parts: Forms<'a>,
    findings: &mut Findings<'_>,
    mut f: impl FnMut(Form<'a>, Form<'a>, &mut Findings<'_>),
) {
    let mut previous: Option<Form<'a>> = None;
    let mut reported = false;
    for part in parts {
        match part.head() {
            Some(keyword) if keyword.kind() == TokenKind::Keyword => {
                f(part, keyword, findings);
                previous = Some(keyword);
                reported = false;
            }
            _ if reported => {}
            _ => {
                reported = true;
                no_section(part, previous, findings);
            }
        }
    }
}

fn no_section(part: Form<'_>, previous: Option<Form<'_>>, findings: &mut Findings<'_>) {
    let head = part.head().map_or("", Form::word);
    let is_section = super::condition::SECTION_WORDS.iter().any(|word| head.eq_ignore_ascii_case(word));
    let message = match previous {
        _ if is_section => format!("write `(:{head}`, with a `:`"),
        Some(previous) => format!(
            "this is outside of every section: does a `)` close `({}` too early? Sections begin with a keyword such as `:action`",
            previous.word()
        ),
        None => "a definition consists of sections such as `(:requirements ...)`; this is not a section".to_owned(),
    };
    findings.report(part.first_range().cover(part.head().map_or(part.first_range(), Form::range)), message);
    if let (Some(previous), false) = (previous, is_section) {
        let error = findings.errors.last_mut().expect("just reported");
        error.related = Some((previous.range(), "the section before it".to_owned()));
    }
}

fn missing_sections(define: Form<'_>, problem: &Problem, findings: &mut Findings<'_>) {
    let has = |word: &str| problem.sections.iter().any(|section| section.keyword.is(word));
    if !has(":domain") {
        findings.report(define.range(), "a problem needs the name of its domain: add `(:domain name)`");
    } else if !has(":init") {
        findings.report(define.range(), "a problem needs an initial state: add `(:init ...)`");
    }
}

/// The keyword of a section in lower case; a misspelt one is reported and corrected.
fn section_word(
    keyword: Form<'_>,
    own: &[&'static str],
    other: &[&'static str],
    findings: &mut Findings<'_>,
) -> (String, Name) {
    let word = keyword.word().to_ascii_lowercase();
    let is_known = |words: &[&str]| words.contains(&word.as_str());
    if is_known(own) || is_known(other) || outside_section(&word).is_some() {
        return (word, keyword.name());
    }
    match meant_keyword(keyword, own, "section", findings) {
        Some(meant) => (meant.to_owned(), Name::new(meant, keyword.range())),
        None => (word, keyword.name()),
    }
}

/// Reads a section of a domain.
fn section(form: Form<'_>, keyword: Form<'_>, domain: &mut Domain, findings: &mut Findings<'_>) {
    let (word, name) = section_word(keyword, DOMAIN_SECTIONS, PROBLEM_SECTIONS, findings);
    domain.sections.push(Section { keyword: name, range: form.range() });
    let mut rest = form.children();
    rest.next();
    match word.as_str() {
        ":requirements" => domain.requirements.extend(super::declare::requirements(rest, findings)),
        ":types" => domain.types.extend(super::declare::typed_names(rest, findings)),
        ":constants" => domain.constants.extend(super::declare::typed_names(rest, findings)),
        ":predicates" => domain.predicates.extend(super::declare::signatures(rest, findings)),
        ":functions" => domain.functions.extend(super::declare::functions(rest, findings)),
        ":action" => {
            let action = super::action::action(form, rest, None, findings);
            domain.actions.extend(action.map(|timed| Placed::new(timed.action)));
        }
        ":durative-action" | ":process" | ":event" | ":axiom" => {
            let (kind, what) = timed_kind(&word);
            findings.read_outside(keyword, form.range(), what);
            domain.timed.extend(super::action::action(form, rest, Some(kind), findings));
        }
        ":constraints" => {
            findings.read_outside(keyword, form.range(), "trajectory constraints");
            domain.constraints.extend(rest.map(|form| super::condition::condition(form, findings)));
        }
        ":derived" => domain.derived.extend(derived(form, rest, findings)),
        ":gain" => domain.gains.extend(gain(form, keyword, rest, findings)),
        word => match outside_section(word) {
            Some(what) => findings.outside(keyword, form.range(), what),
            None if matches!(word, ":init" | ":goal" | ":objects" | ":domain") => {
                findings.report(keyword.range(), format!("`{word}` belongs in a problem, and this is a domain"));
            }
            None => findings.report(keyword.range(), unknown_section(word)),
        },
    }
}

fn problem_section(form: Form<'_>, keyword: Form<'_>, problem: &mut Problem, findings: &mut Findings<'_>) {
    let (word, name) = section_word(keyword, PROBLEM_SECTIONS, DOMAIN_SECTIONS, findings);
    problem.sections.push(Section { keyword: name, range: form.range() });
    let mut rest = form.children();
    rest.next();
    match word.as_str() {
        ":metric" => problem.metric = super::beyond::metric(keyword, form, findings).or(problem.metric.take()),
        ":constraints" => {
            findings.read_outside(keyword, form.range(), "trajectory constraints");
            problem.constraints.extend(rest.map(|form| super::condition::condition(form, findings)));
        }
        ":length" => findings.read_outside(keyword, form.range(), "a plan length"),
        ":domain" => problem.domain = title_name(form, findings).or(problem.domain.take()),
        ":requirements" => problem.requirements.extend(super::declare::requirements(rest, findings)),
        ":objects" => problem.objects.extend(super::declare::typed_names(rest, findings)),
        ":init" => {
            problem.init.reserve_exact(rest.clone().count());
            problem.init.extend(rest.map(|fact| super::init::init(fact, findings)));
        }
        ":goal" => {
            let goal = one(form, keyword, rest, "a condition", findings)
                .map(|goal| super::condition::condition(goal, findings));
            problem.goal = problem.goal.take().or(goal);
        }
        word => match outside_section(word) {
            Some(what) => findings.outside(keyword, form.range(), what),
            None if matches!(
                word,
                ":action" | ":gain" | ":derived" | ":predicates" | ":functions" | ":types" | ":constants"
            ) =>
            {
                findings.report(keyword.range(), format!("`{word}` belongs in the domain, and this is a problem"));
            }
            None => findings.report(keyword.range(), unknown_section(word)),
        },
    }
}

fn unknown_section(word: &str) -> String {
    format!("`{word}` is not a section of PDDL or POGDDL")
}

fn timed_kind(word: &str) -> (TimedKind, &'static str) {
    match word {
        ":durative-action" => (TimedKind::Durative, "a durative action"),
        ":process" => (TimedKind::Process, "a process"),
        ":event" => (TimedKind::Event, "an event"),
        _ => (TimedKind::Axiom, "an axiom of PDDL 1; POGDDL has `:derived`"),
    }
}

fn outside_section(word: &str) -> Option<&'static str> {
    Some(match word {
        ":durative-action" | ":event" | ":process" | ":axiom" => timed_kind(word).1,
        ":constraints" => "trajectory constraints",
        ":metric" => "a plan metric",
        ":length" => "a plan length",
        ":task" | ":method" | ":htn" => "a hierarchical task",
        ":observation" | ":sensor" => "a sensor of contingent PDDL; POGDDL has the effect `observe`",
        ":rewards" | ":goal-reward" => "a reward of probabilistic PDDL; POGDDL has `:gain`",
        _ => return None,
    })
}

/// The only form that may follow `keyword`.
pub(super) fn one<'a>(
    form: Form<'a>,
    keyword: Form<'a>,
    mut rest: impl Iterator<Item = Form<'a>>,
    what: &str,
    findings: &mut Findings<'_>,
) -> Option<Form<'a>> {
    let Some(first) = rest.next() else {
        let range = TextRange::new(keyword.range().start, form.range().end);
        findings.report(range, format!("{what} is missing after `{}`", keyword.word()));
        return None;
    };
    if let Some(extra) = rest.next() {
        findings.report(
            extra.first_range(),
            format!(
                "`{}` takes only one: join several with `(and ...)`, or check the position of each `)`",
                keyword.word()
            ),
        );
    }
    Some(first)
}

fn derived(form: Form<'_>, mut rest: Forms<'_>, findings: &mut Findings<'_>) -> Option<Derived> {
    let keyword = form.head()?;
    let Some(head) = rest.next() else {
        findings.report(form.range(), "a derived predicate is written `(:derived (name ?x) condition)`");
        return None;
    };
    let head = super::declare::signature(head, findings)?;
    let body = one(form, keyword, rest, "a condition", findings)?;
    Some(Derived { range: form.range(), head, body: super::condition::condition(body, findings) })
}

/// Reads `(:gain ?p - role <f-exp> <GD>)`: the variables have no brackets, so they end at the first other form.
fn gain(form: Form<'_>, keyword: Form<'_>, mut rest: Forms<'_>, findings: &mut Findings<'_>) -> Option<Gain> {
    let params = match rest.clone().next() {
        // `(:gain p1 1 (won))` has a name in place of the variable.
        Some(name) if name.kind() == TokenKind::Word && rest.clone().count() > 2 => {
            findings.report(
                name.range(),
                "a gain begins with the variable of the role that gains: `(:gain ?p - role 1 (won ?p))`",
            );
            rest.next();
            return None;
        }
        Some(list) if list.head().is_some_and(|head| head.kind() == TokenKind::Variable) => {
            findings.report(
                list.first_range(),
                "the variables of `:gain` are written without parentheses: `(:gain ?p - role 1 (won ?p))`",
            );
            rest.next();
            super::declare::parameters(list, findings)
        }
        _ => super::declare::leading_parameters(&mut rest, findings),
    };
    // `- (pot)` without its own parentheses.
    if let Some(dash) = rest.clone().next().filter(|dash| dash.kind() == TokenKind::Dash && rest.clone().count() > 2) {
        findings.report(dash.range(), "a negative value needs parentheses: `(- (pot))`");
        rest.next();
    }
    let missing = "a gain is written `(:gain ?p - role value condition)`";
    let (Some(mut value), Some(mut condition)) = (rest.next(), rest.next()) else {
        findings.report(keyword.range(), missing);
        return None;
    };
    if value.is_list() && condition.kind() == TokenKind::Number {
        findings.report(condition.range(), "the value comes before the condition: `(:gain ?p - role 1 (won ?p))`");
        std::mem::swap(&mut value, &mut condition);
    }
    if let Some(extra) = rest.next() {
        findings.report(extra.first_range(), missing);
    }
    let value = super::condition::expr(value, findings);
    Some(Gain { range: form.range(), params, value, condition: super::condition::condition(condition, findings) })
}
