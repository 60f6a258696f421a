//! The knowledge of roles: along matches, in every match, and in queries.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use percept_game::gdl::Declared;
use percept_game::{Game, JointMove, RoleId, bound};
use percept_infoset::prove::{self, Pair, Prover};
use percept_infoset::{Budget, ObserveOptions, Property, Verdict, observe};
use percept_judge::{Bounds, exhaust};
use percept_random_rules::graph::Graph;
use percept_random_rules::truth::{self, Histories, PROPERTIES, Shortest};

use super::{Checked, Tally, fail, has_registers, impatient, joint, patient, same, words};

fn product_of(property: truth::Property) -> Property {
    match property {
        truth::Property::Legal => Property::Legal,
        truth::Property::Terminal => Property::Terminal,
        truth::Property::Goal => Property::Goal,
        truth::Property::Own => Property::Own,
    }
}

/// The index of a history in the tree; `None` if the naive reader does not allow it.
pub fn find(histories: &Histories<'_>, moves: &[Vec<String>]) -> Option<usize> {
    let mut children: std::collections::HashMap<(usize, usize), usize> = std::collections::HashMap::new();
    for (at, history) in histories.all.iter().enumerate() {
        if let Some(parent) = history.parent {
            children.insert(parent, at);
        }
    }
    moves.iter().try_fold(0, |at, joint| {
        let rounds = &histories.graph.nodes[histories.all[at].node].rounds;
        let round = rounds.iter().position(|round| round.joint == *joint)?;
        children.get(&(at, round)).copied()
    })
}

/// True if the naive reader agrees that the role cannot distinguish the two histories and that they differ in the
/// property.
fn is_pair(
    histories: &Histories<'_>,
    role: usize,
    property: truth::Property,
    first: &[Vec<String>],
    second: &[Vec<String>],
) -> Option<bool> {
    if first.len().max(second.len()) > histories.depth {
        return None;
    }
    let (Some(first), Some(second)) = (find(histories, first), find(histories, second)) else { return Some(false) };
    let alike = histories.all[first].views[role] == histories.all[second].views[role];
    let value = |at: usize| histories.value(at, role, property);
    Some(alike && value(first).zip(value(second)).is_some_and(|(first, second)| first != second))
}

/// The verdicts along one match, for every role, round and property.
pub fn along(
    game: &Game,
    histories: &Histories<'_>,
    at: usize,
    announced: bool,
    exact: bool,
    tally: &mut Tally,
) -> Checked {
    let moves: Vec<JointMove> = histories.moves(at).iter().map(|words| joint(game, words)).collect::<Checked<_>>()?;
    let properties = PROPERTIES.map(product_of).to_vec();
    let mut options = ObserveOptions { announce_end: announced, properties, ..ObserveOptions::default() };
    if !exact {
        options.exact_time = Duration::ZERO;
    }
    let place = || format!("along {:?}, announced: {announced}, exact: {exact}", histories.moves(at));
    let observed = match observe(game, &moves, &options, &patient(game)) {
        Ok(observed) => observed,
        Err(error) => return fail("observe", format!("{}: {error}", place())),
    };
    let beginnings = histories.beginnings(at);
    let players = histories.graph.players();
    // Own moves have no verdict before the first round.
    if observed.findings.len() != players.len() * (PROPERTIES.len() * beginnings.len() - 1) {
        return fail("number of verdicts", format!("{}: {} verdicts", place(), observed.findings.len()));
    }
    for (role, sizes) in &observed.sizes {
        for size in sizes {
            let count = histories.count(beginnings[size.round], role.0 as usize, announced);
            if size.histories != count.into() {
                return fail("size along a match", format!("{}: {size:?}, not {count}", place()));
            }
        }
    }
    for finding in &observed.findings {
        let (role, now) = (finding.role.0 as usize, beginnings[finding.round]);
        let property = PROPERTIES.into_iter().find(|it| product_of(*it) == finding.property).expect("all of them");
        let holds =
            histories.is_known(now, role, property, announced) || (announced && property == truth::Property::Terminal);
        let place = || format!("{}: {} after {}, {property:?}", place(), histories.graph.roles[role], finding.round);
        let class = |what: &str| format!("{what} along a match ({})", finding.method);
        match &finding.verdict {
            Verdict::Known if holds => tally.count("known", 1),
            Verdict::Known => return fail(class("false knowledge"), place()),
            Verdict::Unknown(_) if holds => return fail(class("false ignorance"), place()),
            Verdict::Unknown(witness) => {
                let [first, second] = [&witness.first, &witness.second]
                    .map(|history| history.iter().map(|joint| words(game, joint)).collect::<Vec<_>>());
                let matches = !witness.first_is_match || first == histories.moves(now);
                let of_view = find(histories, &first).is_some_and(|first| histories.like(now, role).contains(&first));
                if is_pair(histories, role, property, &first, &second) != Some(true) || !matches || !of_view {
                    return fail(class("false witness"), format!("{}: {first:?} {second:?}", place()));
                }
                tally.count("unknown", 1);
            }
            Verdict::Undecided { .. } if histories.all.len() < 500 && !has_registers(game) => {
                return fail(class("no verdict"), format!("{}: {:?}", place(), finding.verdict));
            }
            Verdict::Undecided { .. } => tally.count("undecided", 1),
        }
    }
    Ok(())
}

/// The methods of `prove`.
pub const METHODS: [prove::Method; 6] = [
    prove::Method::Structure,
    prove::Method::Induction,
    prove::Method::Bounded,
    prove::Method::Pairs,
    prove::Method::Matches,
    prove::Method::Auto,
];

/// The verdict that is compared. A proof that the second reader refuses is a difference by itself.
pub fn verdict(
    prover: &mut Prover<'_>,
    role: usize,
    property: truth::Property,
    options: &prove::Options,
    budget: &Budget,
    tally: &mut Tally,
) -> Checked<prove::Verdict> {
    let finding = prover.prove(RoleId(role as u16), product_of(property), options, budget);
    if let Some(refused) = finding.refused.first() {
        return fail(
            format!("a proof by {} was refused", refused.method),
            format!("{role} {property:?}: {}", refused.why),
        );
    }
    if let prove::Verdict::Proved { checked, .. } = &finding.verdict {
        tally.count("proofs", 1);
        tally.count("checked proofs", usize::from(checked.is_ok()));
        if let Err(why) = checked {
            tally.count(format!("proofs unchecked: {why}"), 1);
        }
    }
    Ok(finding.verdict)
}

/// True if two verdicts on one property contradict each other in every game.
fn disagree(one: &prove::Verdict, other: &prove::Verdict) -> bool {
    match (one, other) {
        (prove::Verdict::Proved { .. }, prove::Verdict::Refuted { .. }) => true,
        (prove::Verdict::Open { depth }, prove::Verdict::Refuted { pair, .. }) => {
            *depth > 0 && pair.left.len() <= *depth
        }
        (prove::Verdict::Refuted { .. }, prove::Verdict::Proved { .. } | prove::Verdict::Open { .. }) => {
            disagree(other, one)
        }
        _ => false,
    }
}

/// The verdicts about every match.
pub fn in_every_match(game: &Game, graph: &Graph, histories: &Histories<'_>, tally: &mut Tally) -> Checked {
    let mut prover = Prover::new(game);
    for role in graph.players() {
        let truth = truth::shortest(graph, role, 20_000);
        for (index, property) in PROPERTIES.into_iter().enumerate() {
            let mut answers: Vec<(String, prove::Verdict)> = Vec::new();
            // The announcement of the end does not distinguish two matches that both go on, or both are over: only the
            // last property is affected.
            let announced = METHODS.iter().map(|method| (*method, false)).chain([(prove::Method::Induction, true)]);
            for (method, announce_end) in announced {
                let depth = (method != prove::Method::Auto || has_registers(game)).then_some(histories.depth.max(6));
                let options = prove::Options { method, depth, announce_end };
                // If brute force is incomplete, the game may be large, and the verdict may stay open.
                let budget = match method {
                    // Without a pair to find, this method never ends.
                    prove::Method::Matches => impatient().until(Instant::now() + Duration::from_millis(5)),
                    _ if truth.depth.is_none() => patient(game),
                    _ => impatient(),
                };
                let verdict = verdict(&mut prover, role, property, &options, &budget, tally)?;
                if announce_end && property == truth::Property::Terminal {
                    if !matches!(verdict, prove::Verdict::Proved { .. }) && game.rules.fault().is_none() {
                        return fail("an announced end that is not known", format!("{verdict:?}"));
                    }
                    continue;
                }
                let by = if announce_end { format!("{method:?}, announced") } else { format!("{method:?}") };
                let place = || format!("{} {property:?} by {by}: {verdict:?}, naive: {truth:?}", graph.roles[role]);
                let kind = judge(game, histories, role, property, &truth, index, &verdict, &options)
                    .map_err(|class| super::Failure { class: format!("{class} by {by}"), message: place() })?;
                if let Some((other, answer)) = answers.iter().find(|(_, answer)| disagree(answer, &verdict)) {
                    return fail(format!("{other} and {by} disagree"), format!("{}\n  {other}: {answer:?}", place()));
                }
                tally.count(format!("{kind} by {by}"), 1);
                if property == truth::Property::Own && !game.knows_own_moves {
                    tally.count(format!("own moves {kind} by {by}"), 1);
                }
                answers.push((by, verdict));
            }
        }
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn judge(
    game: &Game,
    histories: &Histories<'_>,
    role: usize,
    property: truth::Property,
    truth: &Shortest,
    index: usize,
    verdict: &prove::Verdict,
    options: &prove::Options,
) -> Result<&'static str, &'static str> {
    let method = options.method;
    let (found, depth) = (truth.found[index], truth.depth);
    match verdict {
        prove::Verdict::Proved { .. } if found.is_some() => Err("false proof"),
        prove::Verdict::Proved { .. } => Ok("proved"),
        prove::Verdict::Refuted { pair: Pair { left, right }, method: by } => {
            let [left, right] =
                [left, right].map(|history| history.iter().map(|joint| words(game, joint)).collect::<Vec<_>>());
            if is_pair(histories, role, property, &left, &right) == Some(false) {
                return Err("false pair");
            }
            match (found, depth) {
                // Random matches find a pair, not necessarily a shortest one.
                (Some(found), _) if *by == "matches" && found <= left.len() => Ok("refuted"),
                (Some(found), _) if found != left.len() => Err("pair that is not the shortest"),
                (None, None) => Err("false refutation"),
                (None, Some(depth)) if left.len() <= depth => Err("false refutation"),
                _ => Ok("refuted"),
            }
        }
        prove::Verdict::Open { depth: open } => match (found, depth) {
            // A depth of 0 may mean that no round was examined.
            (Some(found), _) if *open > 0 && found <= *open => Err("overlooked pair"),
            // If brute force is complete, these methods have to be, too, up to their depth.
            (_, None)
                if matches!(method, prove::Method::Bounded | prove::Method::Pairs)
                    && options.depth.is_some_and(|depth| *open < depth)
                    && !has_registers(game) =>
            {
                Err("gave up")
            }
            (_, None)
                if matches!(method, prove::Method::Auto) && !has_registers(game) && game.rules.fault().is_none() =>
            {
                Err("no answer")
            }
            _ => Ok("open"),
        },
    }
}

/// Checks every bound on the length of a match: no match is longer.
pub fn lengths(game: &Game, graph: &Graph, histories: &Histories<'_>, tally: &mut Tally) -> Checked {
    let longest = histories.all.iter().map(|history| history.length).max().unwrap_or(0);
    if let Some(bound) = bound::bound(game, None, &percept_game::Budget::default()) {
        if (bound.rounds as usize) < longest {
            return fail("bound", format!("a match has {longest} rounds; percept says at most {}", bound.rounds));
        }
        tally.count("bounds", 1);
    }
    visited(game, graph, tally)?;
    tally.count("games that always end", usize::from(histories.is_complete && graph.is_complete));
    Ok(())
}

/// Checks the results of visiting every state: the longest match, an endless one, a role without a move.
fn visited(game: &Game, graph: &Graph, tally: &mut Tally) -> Checked {
    let all = exhaust(game, &Declared::default(), &Bounds::default(), &percept_game::Budget::default());
    let (true, Ok(found)) = (graph.is_complete, all) else { return Ok(()) };
    // Adds one round at a time: a match with as many rounds as there are states was in one of them twice.
    let (mut ends, mut rounds) = (BTreeSet::from([0]), 0);
    while rounds < graph.nodes.len() {
        ends = ends.iter().flat_map(|&at: &usize| graph.nodes[at].rounds.iter().map(|round| round.to)).collect();
        if ends.is_empty() {
            break;
        }
        rounds += 1;
    }
    let longest = (rounds < graph.nodes.len()).then_some(rounds);
    same("longest", || "the longest match".into(), found.longest, longest)?;
    same("endless", || "a match for ever".into(), found.endless.is_some(), longest.is_none())?;
    let is_stuck = graph.nodes.iter().any(|node| !node.terminal && node.legal.iter().any(Vec::is_empty));
    same("stuck", || "a role without a move".into(), found.stuck.is_some(), is_stuck)?;
    tally.count("games with a longest match", usize::from(longest.is_some()));
    tally.count("games that may go on for ever", usize::from(longest.is_none()));
    tally.count("games in which a role is stuck", usize::from(is_stuck));
    Ok(())
}
