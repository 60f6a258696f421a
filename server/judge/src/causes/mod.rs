//! Causes behind the findings: a fluent that no rule keeps, although a rule needs it in a later round.
//!
//! A fluent is to blame if a match shows it holding and then gone, and the same match with the fluent kept lacks the
//! symptom: a dead rule fires, a role can move or has a goal, or the match does not repeat itself. This is true of the
//! match that is shown. If no rule ever keeps the fluent, it is reported with the symptoms below it; if rules keep it
//! at other times, the symptom is reported with those rules.

mod dying;
mod kept;
mod series;
mod symptoms;

use percept_game::play::{Limits, Stream, play_match};
use percept_game::{JointMove, MoveId, Term};
use percept_infoset::Budget;
use percept_syntax::gdl::Statement;

use crate::why::FailedCondition;
use kept::{Family, Lost, Match};
use symptoms::{Symptom, Symptoms};

use crate::rules::LOST;
use crate::{Case, Evidence, Finding, Fix, mends};

/// The number of random matches for dead rules, and of rounds in each.
const MATCHES: u64 = 40;
const ROUNDS: u32 = 100;
/// The most symptoms and rules that are named below a finding.
const NAMED: usize = 4;

/// A symptom that disappears if a family is kept.
struct Disappearance {
    /// The index of the finding.
    finding: usize,
    family: usize,
    /// The index of the match that shows it, and the round after which it does.
    in_match: usize,
    after: usize,
}

/// Replaces symptoms by the findings of their causes.
pub(crate) fn told_once(case: &Case<'_>, mut findings: Vec<Finding>, budget: &Budget) -> Vec<Finding> {
    if case.description().is_none() || budget.stop().is_some() {
        return findings;
    }
    let families = Family::all(case);
    let symptoms = Symptoms::of(case, &findings, budget);
    if symptoms.all.is_empty() {
        return dying::find(case, &families, budget).into_iter().chain(findings).collect();
    }
    let mut matches: Vec<Match> = symptoms.matches(case).collect();
    if symptoms.has_dead_rules() {
        matches.extend(random(case, budget));
    }
    let disappearances = find(case, &symptoms, &families, &matches, budget);
    let mut is_explained = vec![false; findings.len()];
    let mut causes: Vec<(usize, Finding)> = Vec::new();
    for it in &disappearances {
        if is_explained[it.finding] {
            continue;
        }
        let family = &families[it.family];
        let Some(lost) = needed(case, family, it, &matches) else { continue };
        let keepers = family.keepers_of(&case.game.rules.fluent_term(lost.fluent));
        let one = &matches[it.in_match];
        let symptom = findings[it.finding].clone();
        if !keepers.is_empty() {
            findings[it.finding] = with_keepers(case, symptom, &keepers, lost, one);
            continue;
        }
        if causes.iter().all(|(of, _)| *of != it.family) {
            let Some(cause) = cause(case, family, lost, one) else { continue };
            causes.push((it.family, cause));
        }
        let Some((_, cause)) = causes.iter_mut().find(|(of, _)| *of == it.family) else { continue };
        is_explained[it.finding] = true;
        cause.severity = cause.severity.max(symptom.severity);
        // The best of each symptom: a cause can have many.
        cause.fixes.extend(symptom.fixes.iter().take(NAMED).cloned());
        if cause.related.len() < NAMED {
            *cause = cause.clone().related(symptom.place(), below(&symptom));
        }
    }
    for (finding, symptom) in &symptoms.all {
        if !is_explained[*finding] {
            findings[*finding] = with_reasons(case, findings[*finding].clone(), symptom);
        }
    }
    let mut is_explained = is_explained.into_iter();
    findings.retain(|_| !is_explained.next().unwrap_or(false));
    let fresh = causes.into_iter().filter_map(|(_, cause)| merged(cause, &mut findings)).collect::<Vec<_>>();
    fresh.into_iter().chain(findings).collect()
}

/// Puts the symptoms of a cause below an existing finding about the same rule; returns the cause if there is none.
fn merged(cause: Finding, findings: &mut [Finding]) -> Option<Finding> {
    let finding = findings.iter_mut().find(|it| it.rule.name == LOST.name && it.place() == cause.place());
    let Some(finding) = finding else { return Some(cause) };
    finding.severity = finding.severity.max(cause.severity);
    finding.related.extend(cause.diagnostic.related);
    None
}

/// The symptoms that disappear, by kept family. Families that no rule keeps come first, and among these the ones with
/// the most symptoms.
fn find(
    case: &Case<'_>,
    symptoms: &Symptoms,
    families: &[Family<'_>],
    matches: &[Match],
    budget: &Budget,
) -> Vec<Disappearance> {
    let mut found: Vec<Disappearance> = Vec::new();
    for (family, it) in families.iter().enumerate() {
        if matches.iter().all(|one| it.is_replaced(case, &one.states))
            || (it.is_flag() && (it.arity > 0 || it.comes_again(matches)))
        {
            continue;
        }
        for (in_match, one) in matches.iter().enumerate() {
            budget.count(2 * one.rounds.len() as u64 * symptoms.price(case));
            let is_open = |finding: usize| found.iter().all(|other| other.family != family || other.finding != finding);
            let open: Vec<&(usize, Symptom)> = symptoms.all.iter().filter(|(finding, _)| is_open(*finding)).collect();
            if open.is_empty() || budget.stop().is_some() {
                break;
            }
            let Some(kept) = one.keeping(case.game, it) else { continue };
            for (finding, symptom) in open {
                let is_innocent = match symptom {
                    Symptom::Endless(..) => it.is_flag() || !it.ends_matches(case),
                    // A flag for one round disappears when its work is done: the symptoms of mistakes appear in a later
                    // round.
                    Symptom::Stuck(_) | Symptom::NoGoal(_) => it.is_flag(),
                    Symptom::Dead(_) => it.is_first_phase(),
                };
                if is_innocent {
                    continue;
                }
                if let Some(after) = symptoms.round_of_disappearance(case, symptom, one, &kept) {
                    found.push(Disappearance { finding: *finding, family, in_match, after });
                }
            }
        }
        if (it.keepers.is_empty() || it.kept.len() < it.fluents.len()) && !it.is_flag() && budget.stop().is_none() {
            let fired = play_keeping(case, it, symptoms, budget);
            let in_match = matches.iter().position(|one| one.lost(it).next().is_some());
            for finding in fired {
                let is_new = found.iter().all(|other| other.family != family || other.finding != finding);
                if let Some(in_match) = in_match.filter(|_| is_new) {
                    found.push(Disappearance { finding, family, in_match, after: 0 });
                }
            }
        }
    }
    let count = |family: usize| found.iter().filter(|it| it.family == family).count();
    let mut order: Vec<usize> = (0..families.len()).collect();
    order.sort_by_key(|&family| {
        let it = &families[family];
        let is_partly = !it.keepers.is_empty() && it.kept.len() == it.fluents.len();
        (it.is_flag(), is_partly, it.movers().next().is_some(), std::cmp::Reverse(count(family)))
    });
    let rank = |family: usize| order.iter().position(|it| *it == family);
    found.sort_by_key(|it| (rank(it.family), it.finding));
    found
}

/// The dead rules, as findings, that fire in matches that continue as if a family were kept.
fn play_keeping(case: &Case<'_>, family: &Family<'_>, symptoms: &Symptoms, budget: &Budget) -> Vec<usize> {
    let rules = &case.game.rules;
    let mut fired: Vec<usize> = Vec::new();
    for number in 0..MATCHES / 2 {
        let mut stream = Stream::new(2, number);
        let mut state = rules.initial();
        for _ in 0..ROUNDS {
            budget.count(symptoms.price(case));
            if budget.stop().is_some() {
                return fired;
            }
            let legal: Vec<Vec<MoveId>> = case.game.role_ids().map(|role| rules.legal(&state, role)).collect();
            if rules.terminal(&state) || legal.iter().any(Vec::is_empty) {
                fired.extend(symptoms.fired(&state, None));
                break;
            }
            let pick = |moves: &Vec<MoveId>| moves[stream.below(moves.len() as u32) as usize];
            let joint: JointMove = legal.iter().map(pick).collect();
            fired.extend(symptoms.fired(&state, Some(&joint)));
            state = family.after_keeping(case.game, &state, &joint);
        }
    }
    fired.sort_unstable();
    fired.dedup();
    fired
}

/// Random matches, as many as the time allows.
fn random(case: &Case<'_>, budget: &Budget) -> Vec<Match> {
    let limits = Limits { seed: 1, max_rounds: ROUNDS, deadline: budget.deadline };
    let play = |number: u64| {
        let one = Match::play(case.game, play_match(case.game, number, &limits).1);
        budget.count(2 * one.rounds.len() as u64 * case.game.price());
        one
    };
    (0..MATCHES).take_while(|_| budget.stop().is_none()).map(play).collect()
}

/// The fluent of a family that is lost before a symptom: the last one, preferably one that no rule keeps.
fn needed(case: &Case<'_>, family: &Family<'_>, disappearance: &Disappearance, matches: &[Match]) -> Option<Lost> {
    let one = &matches[disappearance.in_match];
    let before: Vec<Lost> = one.lost(family).take_while(|lost| lost.held < disappearance.after).collect();
    let is_unkept = |lost: &&Lost| family.keepers_of(&case.game.rules.fluent_term(lost.fluent)).is_empty();
    let last = before.iter().rev().find(is_unkept).or(before.last()).copied();
    last.or_else(|| one.lost(family).next())
}

fn cause(case: &Case<'_>, family: &Family<'_>, lost: Lost, one: &Match) -> Option<Finding> {
    let maker = family.makers.first()?.head.as_ref()?;
    let fluent = case.game.rules.fluent_term(lost.fluent);
    let (before, joint) = (&one.states[lost.held], &one.rounds[lost.held]);
    let is_gone = family.fluents.iter().all(|fluent| !one.states[lost.held + 1].has(*fluent));
    let movers: Vec<(&Statement, Option<&str>)> =
        family.movers().filter(|_| is_gone).take(NAMED).map(|mover| (mover, None)).collect();
    let why = (!movers.is_empty()).then(|| FailedCondition::new(case, &movers)).flatten();
    let fails = |at: usize| why.as_ref().and_then(|why| why.not(case, at, before, joint));
    let pattern = pattern(case, family);
    let keeper = Some(format!("(<= (next {pattern}) (true {pattern}))")).filter(|_| family.keepers.is_empty());
    let add = match &keeper {
        _ if !movers.is_empty() => ", and no rule makes another one then".to_string(),
        Some(keeper) => format!("; if it is to last, add `{keeper}`"),
        None => String::new(),
    };
    let message = format!("`{fluent}` {}, and no rule keeps it{add}", times(lost));
    let rounds = one.rounds[..=lost.held].to_vec();
    let evidence = Evidence::Match { rounds, is_shortest: false };
    let mut finding = Finding::new(&LOST, case.here(Some(maker.range)), message, evidence);
    let after = case.here(family.makers.last().map(|maker| maker.range));
    if case.is_prefix() && movers.is_empty() {
        finding.fixes.extend(keeper.map(|keeper| Fix::statement(after, &keeper)));
    }
    for (at, (mover, _)) in movers.iter().enumerate() {
        let Some((literal, range)) = fails(at) else { continue };
        finding.fixes.extend(series::next_fact(case, &fluent, &literal));
        finding.fixes.extend(mends::exchanges(case, range));
        finding.fixes.extend(mends::without(case, range));
        finding.fixes.extend(mends::keeper(case, mover, range));
        finding = finding.related(case.here(Some(range)), format!("`{literal}` does not hold then"));
    }
    Some(finding)
}

/// The time of a loss: "holds after round 1 and is gone after round 2".
fn times(lost: Lost) -> String {
    format!("holds {} and is gone after round {}", crate::case::when(lost.held), lost.held + 1)
}

/// The pattern of a family: `(cell ?a ?b)`, with the arguments on which all its fluents agree.
fn pattern(case: &Case<'_>, family: &Family<'_>) -> String {
    if family.arity == 0 {
        return family.name.clone();
    }
    let terms: Vec<Term> = family.fluents.iter().map(|fluent| case.game.rules.fluent_term(*fluent)).collect();
    let argument = |at: usize| {
        let first =
            terms.first().filter(|first| terms.len() > 1 && terms.iter().all(|it| it.args()[at] == first.args()[at]));
        first.map_or_else(|| format!("?{}", char::from(b'a' + at as u8 % 26)), |first| first.args()[at].to_string())
    };
    format!("({} {})", family.name, (0..family.arity).map(argument).collect::<Vec<_>>().join(" "))
}

/// A symptom in the words that appear below its cause.
fn below(finding: &Finding) -> String {
    match finding.rule.name {
        "dead-rule" => "so this never holds together with the rest of its rule".to_string(),
        "role-without-move" => format!("so it has no legal move {}", after(finding)),
        "no-goal" => format!("so a role has no goal value {}", after(finding)),
        _ => "so a match can go on for ever".to_string(),
    }
}

fn after(finding: &Finding) -> String {
    crate::case::when(finding.witness().map_or(0, <[JointMove]>::len))
}

/// A finding about a role that cannot move or has no goal, with the conditions that fail in the role's rules.
fn with_reasons(case: &Case<'_>, finding: Finding, symptom: &Symptom) -> Finding {
    let (rounds, word) = match symptom {
        Symptom::Stuck(rounds) => (rounds, "legal"),
        Symptom::NoGoal(rounds) => (rounds, "goal"),
        _ => return finding,
    };
    let one = Match::play(case.game, rounds.clone());
    let last = &one.states[rounds.len()];
    let lacks = |role: &percept_game::RoleId| match word {
        "legal" => case.game.rules.legal(last, *role).is_empty(),
        _ => case.game.rules.goals(last, *role).is_empty(),
    };
    // The role of the finding, if several lack it.
    let is_named = |role: &percept_game::RoleId| finding.message.starts_with(&format!("`{}`", case.name(*role)));
    let named = case.game.role_ids().filter(lacks).find(is_named);
    let Some(role) = named.or_else(|| case.game.role_ids().find(lacks)) else { return finding };
    let name = case.name(role);
    let rules: Vec<(&Statement, Option<&str>)> =
        case.statements_for(word, name).map(|rule| (rule, Some(name))).collect();
    let [lacking, others] = match word {
        "legal" => mends::moves(case, role, last),
        _ => mends::goals(case, role, last),
    };
    let mut finding = finding;
    // A rule that is lacking comes first, then the repairs of those that fail.
    let guesses = std::mem::replace(&mut finding.fixes, lacking);
    if let Some(why) = FailedCondition::new(case, &rules) {
        for (literal, range) in (0..rules.len()).filter_map(|at| why.not(case, at, last, &[])).take(NAMED) {
            finding = finding.related(case.here(Some(range)), format!("`{literal}` does not hold then"));
            finding.fixes.extend(mends::without(case, range));
        }
    }
    finding.fixes.extend(others.into_iter().chain(guesses));
    finding
}

/// A symptom with the rules that do not keep a fluent.
fn with_keepers(case: &Case<'_>, finding: Finding, keepers: &[&Statement], lost: Lost, one: &Match) -> Finding {
    let name = case.game.rules.fluent_term(lost.fluent);
    let wanted = Term::list("next", [name.clone()]);
    let (before, joint) = (&one.states[lost.held], &one.rounds[lost.held]);
    let explained = case.explainer().and_then(|it| it.explain(&case.fluents(before), &case.moves(joint), &wanted, 0));
    let failures = explained.map(|it| it.failures).unwrap_or_default();
    let why = |keeper: &Statement| {
        let failure = failures.iter().find(|failure| failure.rule == keeper.range)?;
        failure.failed.first().map(|(literal, _)| format!(", since `{literal}` does not hold then"))
    };
    keepers.iter().take(NAMED).fold(finding, |finding, keeper| {
        let head = keeper.head.as_ref().map(|head| head.range);
        let why = why(keeper).unwrap_or_default();
        let message = format!(
            "if `{name}` were kept, this would not happen; it {}: this rule does not keep \
        it{why}",
            times(lost)
        );
        finding.related(case.here(head), message)
    })
}
