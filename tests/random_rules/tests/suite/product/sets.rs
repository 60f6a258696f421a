//! Information sets by every method, compared with all histories: the same histories, numbers and probabilities.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use percept_game::{Game, JointMove, RoleId};
use percept_infoset::{Method, Options, Report, View, Wanted, infoset};
use percept_random_rules::truth::Histories;

use super::{Checked, Tally, fail, joint, long, same, words};

const METHODS: [(&str, Method); 7] = [
    ("exact", Method::Exact),
    ("dfs", Method::Dfs),
    ("csp", Method::Csp),
    ("csp --paper", Method::Paper { most_constrained: false }),
    ("csp --paper, most constrained", Method::Paper { most_constrained: true }),
    ("sat", Method::Sat),
    ("auto", Method::Auto),
];

/// The size above which a set is computed only by some methods.
const LARGE: usize = 300;

/// Compares the histories that a role cannot distinguish from the given one.
pub fn compare(
    game: &Game,
    histories: &Histories<'_>,
    at: usize,
    role: usize,
    seed: u64,
    tally: &mut Tally,
) -> Checked {
    let id = RoleId(role as u16);
    let moves: Vec<JointMove> = histories.moves(at).iter().map(|words| joint(game, words)).collect::<Checked<_>>()?;
    let name = histories.graph.roles[role].clone();
    let place = |what: &str| format!("{what}: the set of {name} after {:?}", histories.moves(at));
    let view = match View::of_match(game, id, &moves) {
        Ok(view) => view,
        Err(error) => return fail("no match", place(&error.to_string())),
    };
    let like = histories.like(at, role);
    let expected: BTreeMap<Vec<Vec<String>>, f64> =
        like.iter().map(|&other| (histories.moves(other), histories.probability(other, role))).collect();
    let mut states: Vec<usize> = like.iter().map(|&other| histories.all[other].node).collect();
    states.sort_unstable();
    states.dedup();
    tally.count("sets", 1);
    tally.count("sets of several histories", usize::from(expected.len() > 1));
    for (label, method) in METHODS {
        if expected.len() > LARGE && matches!(method, Method::Sat | Method::Paper { .. }) {
            continue;
        }
        let options = Options { method, seed, ..Options::default() };
        let report = match infoset(game, &view, &options, &long()) {
            Ok(report) => report,
            Err(error) => return fail(format!("no set by {label}"), place(&format!("{label}: {error}"))),
        };
        listed(game, &report, &expected, &|| place(label), label)?;
        same("states of a set", || place(label), report.states, states.len())?;
    }
    for (label, method) in [("exact", Method::Exact), ("csp", Method::Csp), ("auto", Method::Auto)] {
        for wanted in [Wanted::Uniform, Wanted::ByProbability] {
            let options = Options { method, wanted, seed, limit: 20, ..Options::default() };
            let report = match infoset(game, &view, &options, &long()) {
                Ok(report) => report,
                Err(error) => return fail(format!("no draws by {label}"), place(&format!("{label}: {error}"))),
            };
            let stranger = report.members.iter().find(|member| {
                let words: Vec<Vec<String>> = member.moves.iter().map(|joint| words(game, joint)).collect();
                !expected.contains_key(&words)
            });
            if stranger.is_some() || report.members.is_empty() {
                return fail(format!("draws by {label}"), place(&format!("{label}, {wanted:?}: {stranger:?}")));
            }
        }
    }
    Ok(())
}

/// All members, each once, with their probabilities.
fn listed(
    game: &Game,
    report: &Report,
    expected: &BTreeMap<Vec<Vec<String>>, f64>,
    place: &dyn Fn() -> String,
    label: &str,
) -> Checked {
    let class = |what: &str| format!("{what} of a set by {label}");
    if !report.complete {
        return fail(class("incomplete list"), format!("{}: {:?}", place(), report.stopped));
    }
    same(&class("number"), place, report.histories.clone(), BigUint::from(expected.len()))?;
    same(&class("length of the list"), place, report.members.len(), expected.len())?;
    let mut found: BTreeMap<Vec<Vec<String>>, f64> = BTreeMap::new();
    for member in &report.members {
        let words = member.moves.iter().map(|joint| words(game, joint)).collect();
        found.insert(words, member.ln_probability.exp());
    }
    let names = |set: &BTreeMap<Vec<Vec<String>>, f64>| set.keys().cloned().collect::<Vec<_>>();
    same(&class("histories"), place, names(&found), names(expected))?;
    for (moves, probability) in expected {
        if (found[moves] - probability).abs() > 1e-9 {
            return fail(class("probability"), format!("{}: {moves:?}: {} {probability}", place(), found[moves]));
        }
    }
    Ok(())
}
