//! A cell that loses its content, and a cell that has two.

use percept_game::{FluentId, JointMove, MoveId, State, Term};
use percept_infoset::Budget;
use percept_syntax::TextRange;

use crate::case::is_frame;
use crate::cells::Cells;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends};

/// See the page.
pub(crate) static LOST: Rule =
    Rule { name: "fluent-not-kept", severity: Severity::Warning, page: include_str!("fluent-not-kept.md") };
/// See the page.
pub(super) static TWO: Rule =
    Rule { name: "two-contents", severity: Severity::Warning, page: include_str!("two-contents.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    case.description()?;
    let cells = Cells::of(case)?;
    Some(Box::new(Contents { cells, lost: None, two: None }))
}

/// A round, and the cell that is wrong after it.
struct Round {
    cell: usize,
    before: State,
    joint: JointMove,
    after: State,
    evidence: Evidence,
}

struct Contents {
    cells: Cells,
    lost: Option<Round>,
    two: Option<Round>,
}

impl Watch for Contents {
    fn round(&mut self, occasion: &Occasion<'_>, joint: &[MoveId], next: &State) {
        if self.lost.is_some() && self.two.is_some() {
            return;
        }
        let after = self.cells.contents(next);
        let wrong = |cells: &Cells, cell: Option<usize>| {
            let cell = cell?;
            // Only from a state in which every cell is right, and in which a role continues on the board.
            let before = cells.contents(occasion.state);
            let is_news = before.iter().all(|&values| values == 1) && !occasion.game.rules.terminal(next);
            is_news.then(|| Round {
                cell,
                before: occasion.state.clone(),
                joint: joint.to_vec(),
                after: next.clone(),
                evidence: occasion.evidence_after(joint),
            })
        };
        if self.lost.is_none() {
            self.lost = wrong(&self.cells, self.cells.lost(&after));
        }
        if self.two.is_none() {
            self.two = wrong(&self.cells, after.iter().position(|&values| values > 1));
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let lost = self.lost.map(|round| lost(case, &self.cells, round));
        let two = self.two.and_then(|round| two(case, &self.cells, round));
        lost.into_iter().chain(two).collect()
    }
}

fn rounds(evidence: &Evidence) -> usize {
    if let Evidence::Match { rounds, .. } = evidence { rounds.len() } else { 0 }
}

fn lost(case: &Case<'_>, cells: &Cells, round: Round) -> Finding {
    let fluent = cells.values(round.cell, &round.before).first().copied().unwrap_or(FluentId(0));
    let name = case.game.rules.fluent_term(fluent);
    let wanted = Term::list("next", [name.clone()]);
    let explained =
        case.explainer().and_then(|it| it.explain(&case.fluents(&round.before), &case.moves(&round.joint), &wanted, 0));
    // The rule that could have kept the content and got furthest, with its failed conditions.
    let failures = explained.map(|it| it.failures).unwrap_or_default();
    let statement = |range: TextRange| case.description().and_then(|description| description.statements.at(range));
    let keeps = failures.iter().filter(|failure| statement(failure.rule).is_some_and(|it| is_frame(&it)));
    let keeps: Vec<_> = keeps.collect();
    let made = round_name(case, &round.joint);
    let head = format!("`{name}` is lost in round {} ({made}), and nothing takes its place", rounds(&round.evidence));
    match keeps.first() {
        Some(failure) => {
            let failed = failure.failed.first();
            let why = failed.map_or(String::new(), |(literal, _)| format!(", since `{literal}` does not hold then"));
            let message = format!(
                "{head}: this rule does not keep it{why}; every cell has one content at first, so let a rule keep it"
            );
            let mut finding = Finding::new(&LOST, case.here(Some(case.head_at(failure.rule))), message, round.evidence);
            let without = failed.into_iter().flat_map(|(_, range)| mends::without(case, *range));
            finding.fixes.extend(mends::exchanges_of(case, name.head()).into_iter().chain(without));
            let others = keeps.iter().skip(1).take(3).map(|failure| case.head_at(failure.rule));
            others.fold(finding, |finding, head| finding.related(case.here(Some(head)), "nor does this one"))
        }
        None => {
            let message = format!(
                "{head}: no rule keeps it; every cell has one content at first, so add a rule for `(next {name})` with `(true {name})` \
                 in its body"
            );
            let of_kind = |word: &'static str| {
                case.heads(word)
                    .find(|head| head.args().first().is_some_and(|it| it.name.is(name.head())))
                    .map(|it| it.range)
            };
            Finding::new(&LOST, case.here(of_kind("next").or_else(|| of_kind("init"))), message, round.evidence)
        }
    }
}

fn two(case: &Case<'_>, cells: &Cells, round: Round) -> Option<Finding> {
    let values = cells.values(round.cell, &round.after);
    let names: Vec<Term> = values.iter().map(|&fluent| case.game.rules.fluent_term(fluent)).collect();
    let wanted = |name: &Term| Term::list("next", [name.clone()]);
    let by = |name: &Term| case.reasons(&round.before, &round.joint, &wanted(name)).into_iter().next();
    let rules: Vec<TextRange> = names.iter().map(by).collect::<Option<_>>()?;
    let made = round_name(case, &round.joint);
    let message = format!(
        "`{}` and `{}` both hold after round {} ({made}): every cell has one content at first, so let one of the rules exclude the \
         case of the other",
        names[0],
        names[1],
        rounds(&round.evidence)
    );
    let mut finding = Finding::new(&TWO, case.here(rules.get(1).copied()), message, round.evidence);
    if let [one, other, ..] = rules[..] {
        finding.fixes.extend(mends::apart(case, one, other));
    }
    finding.fixes.extend(mends::exchanges_of(case, names[0].head()));
    Some(finding.related(case.here(rules.first().copied()), format!("`{}` holds by this rule", names[0])))
}

/// A joint move for a message: the moves of the roles that had a choice.
fn round_name(case: &Case<'_>, joint: &[MoveId]) -> String {
    let moves: Vec<String> = case.moves(joint).into_iter().map(|(role, mv)| format!("{role}: {mv}")).collect();
    moves.join(", ")
}
