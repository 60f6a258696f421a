//! Something in the place of a role that is not a role.

use super::mends;
use crate::gdl::{Facts, Fault, Node, Occurrence, RuleId, Shape, Space, Sym, TermId, keyword, nearest, slip_of, slips};
use crate::{Diagnostic, FileId, Findings, Fix, Rule, Severity, TextEdit};
use percept_syntax::TextRange;
use rustc_hash::FxHashSet;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-role", severity: Severity::Error, page: include_str!("unknown-role.md") };

/// The most unknown names whose use as a role is tested.
const MOST: usize = 50;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    for fault in &facts.structure.faults {
        if let Fault::Swapped { atom, .. } = fault {
            findings.push_cause(swapped(facts, *atom));
        }
    }
    let undeclared = undeclared(facts, roles);
    for sym in &undeclared {
        findings.push(never_declared(facts, *sym));
    }
    for (id, rule) in facts.sound_rules() {
        if let Some(head) = rule.head() {
            atom(facts, roles, &undeclared, id, head, true, findings);
            variable(facts, roles, id, head, findings);
        }
        for literal in rule.body() {
            literal.atoms(false, &mut |term, _| atom(facts, roles, &undeclared, id, term, false, findings));
        }
    }
}

/// The repair of exchanged arguments: `(does (mark 1 2) white)`.
fn swapped(facts: &Facts, atom: TermId) -> Diagnostic {
    let node = facts.term(atom);
    let parts: Vec<TextRange> = node.args().map(|arg| facts.range(arg)).collect();
    let (first, second) = (parts[0], parts[1]);
    let (what, role) = (facts.text(first), facts.text(second));
    let keyword = facts.spelling(node);
    let message = format!("the role comes first in `{keyword}`: exchange `{what}` and `{role}`");
    let edit = |range, insert: &str| TextEdit { file: FileId(0), range, insert: insert.to_string() };
    facts
        .at(&RULE, first.cover(second), message)
        .fix("Exchange the arguments", vec![edit(first, role), edit(second, what)])
}

/// Names that are used as roles, with their own moves, and that no `role` declares. One fact is missing for each,
/// however often the name is used.
fn undeclared(facts: &Facts, roles: &[Sym]) -> Vec<Sym> {
    let legal = facts.predicate(Space::Relation, keyword::LEGAL);
    let mut names = Vec::new();
    let mut seen = FxHashSet::default();
    for head in legal.into_iter().flat_map(|legal| legal.produced()).filter(|head| !facts.is_broken(head.rule)) {
        let node = facts.term(head.term);
        let Some(first) = node.arg(0).map(|arg| facts.term(arg)).filter(|_| node.arity() == 2) else { continue };
        let role_names = roles.iter().map(|role| facts.name(*role));
        let is_new = first.shape() == Shape::Constant && !facts.is_role(first.sym) && seen.insert(first.sym);
        if is_new && slip_of(facts.name(first.sym), role_names).is_none() && uses(facts, first.sym).len() > 1 {
            names.push(first.sym);
        }
        // Each is compared with every role, and with this many the mistake is clear.
        if seen.len() == MOST {
            break;
        }
    }
    names
}

/// The places at which a name is used as a role, in the order of the text.
fn uses(facts: &Facts, role: Sym) -> Vec<TermId> {
    let about_roles = |sym: &Sym| keyword::has_role_argument(*sym) && *sym != keyword::ROLE;
    let keywords = (0..=keyword::PERCEPT.0).map(Sym).filter(about_roles);
    let atoms = keywords.filter_map(|sym| facts.predicate(Space::Relation, sym)).flat_map(|it| &it.occurrences);
    let sound = atoms.filter(|atom| !facts.is_broken(atom.rule));
    let first = |atom: &Occurrence| facts.term(atom.term).arg(0).filter(|_| speaks_of_roles(facts.term(atom.term)));
    let mut uses: Vec<TermId> = sound.filter_map(first).collect();
    uses.retain(|arg| facts.term(*arg).sym == role && facts.term(*arg).shape() == Shape::Constant);
    uses.sort_unstable();
    uses
}

fn never_declared(facts: &Facts, role: Sym) -> Diagnostic {
    let uses = uses(facts, role);
    let name = facts.text(facts.range(uses[0]));
    let declared = match facts.source.language {
        percept_syntax::Language::GdlInfix => format!("role({name})"),
        _ => format!("(role {name})"),
    };
    let message = format!("`{name}` has moves and is not a role: add `{declared}`");
    let mut finding = facts.at(&RULE, facts.range(uses[0]), message);
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(FileId(0), facts.range(*other), "a role here, too");
    }
    let last = facts.predicate(Space::Relation, keyword::ROLE).and_then(|roles| roles.produced().last());
    finding.offer(last.map(|last| mends::statement(facts, last.rule, &declared)))
}

fn atom(
    facts: &Facts,
    roles: &[Sym],
    unknown: &[Sym],
    rule: RuleId,
    term: TermId,
    in_head: bool,
    findings: &mut Findings,
) {
    let node = facts.term(term);
    let right_arity = Some(node.arity()) == keyword::arity(node.sym);
    if node.variable().is_some() || !keyword::has_role_argument(node.sym) || !right_arity {
        return;
    }
    let Some(first) = node.arg(0).map(|arg| facts.term(arg)) else { return };
    let wrong = match first.shape() {
        Shape::Constant => !facts.is_role(first.sym) && !unknown.contains(&first.sym),
        Shape::Compound => true,
        _ => false,
    };
    if wrong && node.sym != keyword::ROLE {
        if let Some(places) =
            slips::unmarked_variable(facts, rule, first.sym).filter(|_| first.shape() == Shape::Constant)
        {
            return unmarked(facts, first, &places, findings);
        }
        report(facts, roles, node, first, in_head, findings);
    }
}

/// A constant in place of a variable: `legal(r, pass) :- player(r)`.
fn unmarked(facts: &Facts, first: &Node, places: &[TermId], findings: &mut Findings) {
    let name = facts.text(first.range());
    let variable = match facts.source.language {
        percept_syntax::Language::GdlInfix => {
            let mut letters = name.chars();
            letters.next().map_or(String::new(), |letter| letter.to_uppercase().chain(letters).collect())
        }
        _ => format!("?{name}"),
    };
    let edits =
        places.iter().map(|place| TextEdit { file: FileId(0), range: facts.range(*place), insert: variable.clone() });
    let message = format!("`{name}` is not a role, and appears nowhere else: did you mean the variable `{variable}`?");
    let finding = facts.at(&RULE, first.range(), message).fix(format!("Change to `{variable}`"), edits.collect());
    places.iter().for_each(|place| findings.explain(FileId(0), facts.range(*place)));
    findings.push_cause(finding);
}

/// A head whose first argument is a variable that no role can be.
fn variable(facts: &Facts, roles: &[Sym], rule: RuleId, head: TermId, findings: &mut Findings) {
    let node = facts.term(head);
    let Some(first) = node.arg(0).map(|arg| facts.term(arg)) else { return };
    let (Some(number), true) = (first.variable(), speaks_of_roles(node)) else { return };
    let mut places = facts.domains.places_of(rule, number).peekable();
    let closed =
        places.peek().is_some() && places.all(|place| !facts.domains.is_open(place) && !facts.domains.is_empty(place));
    if !closed {
        return;
    }
    if roles.iter().any(|role| facts.domains.variable_can_be(rule, number, *role)) {
        if node.sym == keyword::LEGAL {
            some_values(facts, roles, rule, number, first, findings);
        }
        return;
    }
    let (shown, keyword) = (facts.text(first.range()), facts.spelling(node));
    let mut message = format!(
        "no value of `{shown}` is a role, and the first argument of `{keyword}` must be one: bind it with `(role {shown})`"
    );
    let second =
        node.arg(1).map(|arg| facts.term(arg)).filter(|arg| arg.shape() == Shape::Constant && roles.contains(&arg.sym));
    if let Some(second) = second {
        message =
            format!("the role comes first in `{keyword}`: exchange `{shown}` and `{}`", facts.text(second.range()));
        findings.explain(FileId(0), second.range());
    }
    let argument = node.arg(0).filter(|_| second.is_none());
    let exchanges = argument.map(|it| super::arguments::exchanges(facts, rule, it)).unwrap_or_default();
    let bind = mends::is_prefix(facts) && second.is_none() && !facts.lowered.rules[rule as usize].is_fact();
    let rule = mends::here(facts.lowered.rules[rule as usize].range);
    let bind = bind.then(|| Fix::condition(rule, &format!("(role {shown})")));
    findings.push(facts.at(&RULE, first.range(), message).offer(exchanges).offer(bind));
}

/// A head of `legal` whose variable can be roles and names without a `role`: their `role` is missing.
fn some_values(facts: &Facts, roles: &[Sym], rule: RuleId, number: u32, first: &Node, findings: &mut Findings) {
    let Some(place) = facts.domains.places_of(rule, number).next() else { return };
    let values = facts.domains.constants(place).filter(|sym| facts.domains.variable_can_be(rule, number, *sym));
    let role_names = || roles.iter().map(|role| facts.name(*role));
    let strangers: Vec<&str> = values
        .filter(|sym| !roles.contains(sym))
        .map(|sym| facts.name(sym))
        .filter(|name| slip_of(name, role_names()).is_none())
        .collect();
    let is_reported = |name: &&&str| findings.has_told_of(&RULE, name);
    let Some(stranger) = strangers.iter().find(|name| !is_reported(name)) else { return };
    if strangers.iter().any(|name| is_reported(&name)) || facts.is_doubtful(keyword::ROLE) {
        return;
    }
    let shown = facts.text(first.range());
    let message = format!("`{shown}` can be `{stranger}`, which is not a role: add a `role` for it, or exclude it");
    let last = facts.predicate(Space::Relation, keyword::ROLE).and_then(|roles| roles.produced().last());
    let add = last
        .filter(|_| mends::is_prefix(facts))
        .map(|last| mends::statement(facts, last.rule, &format!("(role {stranger})")));
    let mut finding = facts.at(&RULE, first.range(), message).offer(add);
    finding.severity = Severity::Warning;
    findings.push_about(stranger, finding);
}

/// True if the atom belongs to a keyword about a role, with the right number of arguments.
fn speaks_of_roles(node: &Node) -> bool {
    let right_arity = Some(node.arity()) == keyword::arity(node.sym);
    node.variable().is_none() && keyword::has_role_argument(node.sym) && right_arity && node.sym != keyword::ROLE
}

fn report(facts: &Facts, roles: &[Sym], node: &Node, first: &Node, in_head: bool, findings: &mut Findings) {
    let names: Vec<&str> = roles.iter().map(|role| facts.name(*role)).collect();
    let shown = facts.text(first.range());
    let keyword = facts.spelling(node);
    let list = names.join(", ");
    let near = nearest(shown, names.iter().copied());
    let message = match near {
        Some(near) => format!("`{shown}` is not a role: did you mean `{near}`?"),
        None => format!("`{shown}` is not a role, and the first argument of `{keyword}` must be one of: {list}"),
    };
    let mut finding = facts.at(&RULE, first.range(), message);
    if let Some(near) = near {
        finding.fixes.push(Fix::rename([mends::here(first.range())], near));
    }
    // A statement about a name that is not a role has no effect.
    if in_head && near.is_none() && first.shape() == Shape::Constant {
        finding.severity = Severity::Warning;
    }
    findings.push(finding);
}
