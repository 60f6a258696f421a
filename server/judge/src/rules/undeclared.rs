//! Fluents and moves that occur although `base` and `input` leave them out.

use percept_game::gdl::{Declared, Watch as Names};
use percept_game::{FluentId, JointMove, MoveId, RoleId, Term as Named};

use percept_infoset::Budget;

use percept_syntax::TextRange;
use percept_syntax::gdl::Term;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Fix, Occasion, Rule, Severity, Watch};

/// See the page.
pub(super) static FLUENT: Rule =
    Rule { name: "undeclared-fluent", severity: Severity::Warning, page: include_str!("undeclared-fluent.md") };
/// See the page.
pub(super) static MOVE: Rule =
    Rule { name: "undeclared-move", severity: Severity::Warning, page: include_str!("undeclared-move.md") };

/// The rule of the text that reports an undeclared word, wherever it occurs.
const TOLD_BY: &[&str] = &["outside-declaration"];

/// The most instances that a repair declares.
const LISTED: usize = 60;

pub(super) fn watch<'a>(case: &'a Case<'a>, budget: &Budget) -> Option<Box<dyn Watch + 'a>> {
    // Listing 90,000 moves takes a quarter of a second, which would be wasted without time for the check.
    budget.check().ok()?;
    let declared = Declared::of(case.description()?).ok()?;
    let wanted = declared.has_fluents() || declared.has_moves();
    wanted.then(|| {
        Box::new(Undeclared { declared, reported: CheckedInstances::default(), fluent: None, mv: None })
            as Box<dyn Watch>
    })
}

struct Undeclared {
    declared: Declared,
    reported: CheckedInstances,
    fluent: Option<Outside>,
    mv: Option<Outside>,
}

/// An undeclared instance, preferably one whose word is declared with other arguments: the text reports the others.
struct Outside {
    name: String,
    /// All instances that were met, with their roles.
    all: Vec<(Option<RoleId>, String)>,
    role: Option<RoleId>,
    is_word_declared: bool,
    evidence: Evidence,
}

fn is_settled(outside: &Option<Outside>) -> bool {
    outside.as_ref().is_some_and(|it| it.is_word_declared && it.all.len() >= LISTED)
}

impl Undeclared {
    fn note(&mut self, role: Option<RoleId>, name: String, evidence: impl FnOnce() -> Evidence) {
        let (kept, is_word_declared) = match role {
            Some(_) => (&mut self.mv, self.declared.has_move_like(&name)),
            None => (&mut self.fluent, self.declared.has_fluent_like(&name)),
        };
        let mut all = kept.as_mut().map(|it| std::mem::take(&mut it.all)).unwrap_or_default();
        all.push((role, name.clone()));
        match kept {
            Some(kept) if kept.is_word_declared || !is_word_declared => kept.all = all,
            _ => *kept = Some(Outside { name, role, all, is_word_declared, evidence: evidence() }),
        }
    }
}

impl Watch for Undeclared {
    fn state(&mut self, occasion: &Occasion<'_>) {
        let rules = &occasion.game.rules;
        let (mut fluents, mut moves) = (Vec::new(), Vec::new());
        let mut names = Names::new(occasion.game, &self.declared);
        if !is_settled(&self.fluent) {
            let new = occasion.state.fluents().filter(|fluent| self.reported.fluents.insert(*fluent));
            fluents.extend(new.filter(|&fluent| !names.knows_fluent(fluent)));
        }
        if !is_settled(&self.mv) {
            let legal = occasion.game.role_ids().zip(occasion.legal);
            let all = legal.flat_map(|(role, legal)| legal.iter().map(move |&mv| (role, mv)));
            let new = all.filter(|other| self.reported.moves.insert(*other));
            moves.extend(new.filter(|&(role, mv)| !names.knows_move(role, mv)));
        }
        fluents.into_iter().for_each(|fluent| self.note(None, rules.fluent_name(fluent), || occasion.evidence()));
        moves
            .into_iter()
            .for_each(|(role, mv)| self.note(Some(role), rules.move_name(role, mv), || occasion.evidence()));
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        // The place is beside a declaration of the same word, if there is one.
        let place = |word: &str, name: &str| {
            let is_like = |head: &&Term| {
                let declared = head.args().last().map_or("", |it| &it.name.text);
                name.trim_start_matches('(').split([' ', ')']).next() == Some(declared)
            };
            let head = case.heads(word).find(is_like).or_else(|| case.heads(word).next());
            case.here(head.map(|head| head.range))
        };
        let finding = |rule: &'static Rule, word: &str, outside: Outside, what: &str| {
            let rounds = if let Evidence::Match { rounds, .. } = &outside.evidence { rounds.len() } else { 0 };
            let message = format!(
                "`{}` {what} {}, but `{word}` does not declare it: programs that rely on `{word}` play another game",
                outside.name,
                when(rounds)
            );
            let made = made(case, &outside);
            let finding = Finding::new(rule, place(word, &outside.name), message, outside.evidence.clone());
            let mut finding = made
                .into_iter()
                .take(2)
                .fold(finding, |finding, head| finding.related(case.here(Some(head)), "made by this rule"));
            finding.fixes.extend(declared_too(case, word, &outside));
            finding.told_by = (!outside.is_word_declared).then(|| (case.everywhere(), TOLD_BY));
            finding
        };
        let fluent = self.fluent.map(|outside| finding(&FLUENT, "base", outside, "holds"));
        let mv = self.mv.map(|outside| {
            let what = outside.role.map_or(String::new(), |role| format!("is legal for `{}`", case.name(role)));
            finding(&MOVE, "input", outside, &what)
        });
        fluent.into_iter().chain(mv).collect()
    }
}

/// Declares each of the undeclared instances.
fn declared_too(case: &Case<'_>, word: &str, outside: &Outside) -> Option<Fix> {
    let last = case.statements(word).last().filter(|_| case.is_prefix())?;
    let one = |(role, name): &(Option<RoleId>, String)| match role {
        Some(role) => format!("({word} {} {name})", case.name(*role)),
        None => format!("({word} {name})"),
    };
    let mut lines: Vec<String> = outside.all.iter().take(LISTED).map(one).collect();
    lines.sort_by_key(|line| *line != one(&(outside.role, outside.name.clone())));
    Some(Fix::statement(case.here(Some(last.range)), &lines.join("\n")))
}

/// The heads of the rules that make an atom in the last round of its match.
fn made(case: &Case<'_>, outside: &Outside) -> Vec<TextRange> {
    let (Evidence::Match { rounds, .. }, Some(name)) = (&outside.evidence, Named::typed(&outside.name)) else {
        return Vec::new();
    };
    let rules = &case.game.rules;
    let state = |rounds: &[JointMove]| rounds.iter().fold(rules.initial(), |state, joint| rules.next(&state, joint));
    match (outside.role, rounds.split_last()) {
        (Some(role), _) => {
            let legal = Named::list("legal", [Named::word(case.name(role)), name]);
            case.reasons(&state(rounds), &[], &legal)
        }
        (None, Some((last, before))) => case.reasons(&state(before), last, &Named::list("next", [name])),
        (None, None) => case.reasons(&state(&[]), &[], &Named::list("init", [name])),
    }
}

/// Instances that were checked already.
#[derive(Default)]
struct CheckedInstances {
    fluents: rustc_hash::FxHashSet<FluentId>,
    moves: rustc_hash::FxHashSet<(RoleId, MoveId)>,
}
