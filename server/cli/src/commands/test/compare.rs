//! From a command's answer to what differs from an expectation. An answer is the command's documented JSON.

use std::collections::BTreeSet;

use serde_json::Value;
use toml_edit::Array;

use super::ask::{Case, Kind};
use super::format::{Expected, Infoset, Observe, Prove, Solve, Step};

/// A difference between what is expected and what was found.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// The keys that lead to the value, below the expectation's own table.
    pub keys: Vec<String>,
    pub expected: toml_edit::Value,
    pub found: toml_edit::Value,
    /// What the values alone do not say.
    pub note: Option<String>,
}

/// What differs. `Err`: the answer lacks what was asked for, and why.
pub(super) fn differences(expected: &Expected, case: &Case, answer: &Value) -> Result<Vec<Difference>, String> {
    let mut found = Differences::default();
    match case.kind {
        Kind::Play => play(&expected.faults, answer, &mut found),
        Kind::Step => step(&expected.step[case.index], answer, &mut found)?,
        Kind::Infoset => infoset(&expected.infoset[case.index], answer, &mut found),
        Kind::Observe => observe(&expected.observe[case.index], answer, &mut found),
        Kind::Prove => prove(&expected.prove[case.index], answer, &mut found),
        Kind::Query => {
            let query = &expected.query[case.index];
            found.unless_equal(&["verdict"], query.verdict.as_str(), text(&answer["verdict"]), None);
        }
        Kind::Solve => solve(&expected.solve[case.index], answer, &mut found)?,
    }
    Ok(found.0)
}

#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn unless_equal<T: Into<toml_edit::Value> + PartialEq<U>, U: Into<toml_edit::Value>>(
        &mut self,
        keys: &[&str],
        expected: T,
        found: U,
        note: Option<String>,
    ) {
        if expected != found {
            self.add(keys, expected, found, note);
        }
    }

    fn add(
        &mut self,
        keys: &[&str],
        expected: impl Into<toml_edit::Value>,
        found: impl Into<toml_edit::Value>,
        note: Option<String>,
    ) {
        let keys = keys.iter().map(ToString::to_string).collect();
        self.0.push(Difference { keys, expected: expected.into(), found: found.into(), note });
    }

    fn unless_same(&mut self, keys: &[&str], expected: &BTreeSet<String>, found: &BTreeSet<String>) {
        if expected != found {
            self.add(keys, list(expected), list(found), None);
        }
    }
}

fn play(faults: &[String], answer: &Value, found: &mut Differences) {
    let these = each(&answer["faults"]).map(|fault| text(&fault["property"]).to_string()).collect();
    let message = each(&answer["faults"]).filter_map(|fault| fault["message"].as_str()).collect::<Vec<_>>().join("; ");
    if faults.iter().cloned().collect::<BTreeSet<_>>() != these {
        let note = (!message.is_empty()).then_some(message);
        found.add(&["faults"], list(faults), list(&these), note);
    }
}

fn step(expected: &Step, answer: &Value, found: &mut Differences) -> Result<(), String> {
    let last = each(&answer["places"]).count().saturating_sub(1);
    let round = expected.round.unwrap_or(last);
    let Some(place) = each(&answer["places"]).nth(round) else {
        return Err(format!("the trace has {last} rounds, and this is about round {round}"));
    };
    let groups = || each(&place["state"]["groups"]).flat_map(|group| each(&group["fluents"]));
    let holds: BTreeSet<String> = groups().filter_map(Value::as_str).map(squeezed).collect();
    let missing = |fact: &&String| !holds.contains(&squeezed(fact));
    let absent: Vec<_> = expected.holds.iter().filter(missing).collect();
    if !absent.is_empty() {
        let left = expected.holds.iter().filter(|fact| !missing(fact));
        found.add(&["holds"], list(&expected.holds), list(left), Some(format!("missing: {}", joined(&absent))));
    }
    let present: Vec<_> = expected.lacks.iter().filter(|fact| !missing(fact)).collect();
    if !present.is_empty() {
        let left = expected.lacks.iter().filter(missing);
        found.add(&["lacks"], list(&expected.lacks), list(left), Some(format!("these hold: {}", joined(&present))));
    }
    let role = |name: &str| {
        each(&place["roles"]).find(|role| role["name"] == *name).ok_or_else(|| format!("`{name}` is not a role"))
    };
    for (key, these) in [("legal", &expected.legal), ("percepts", &expected.percepts)] {
        for (name, these) in these {
            let these = these.iter().map(|term| squeezed(term)).collect();
            let those = each(&role(name)?[key]).filter_map(Value::as_str).map(squeezed).collect();
            found.unless_same(&[key, name], &these, &those);
        }
    }
    if let Some(terminal) = expected.terminal {
        found.unless_equal(&["terminal"], terminal, place["terminal"] == true, None);
    }
    for (name, &goal) in &expected.goals {
        let goals: Vec<i64> = each(&role(name)?["goals"]).filter_map(Value::as_i64).collect();
        match goals[..] {
            [one] => found.unless_equal(&["goals", name], goal, one, None),
            _ => {
                let note = format!("`{name}` has {} goals there", goals.len());
                found.add(&["goals", name], goal, goals.into_iter().collect::<Array>(), Some(note));
            }
        }
    }
    Ok(())
}

fn infoset(expected: &Infoset, answer: &Value, found: &mut Differences) {
    let note = || {
        let open = answer["complete"] != true;
        open.then(|| "this many were found in the time; there may be more (--time gives more)".to_string())
    };
    if let Some(histories) = &expected.histories {
        found.unless_equal(&["histories"], histories.as_str(), text(&answer["histories"]), note());
    }
    if let Some(states) = expected.states {
        let those = answer["states"].as_i64().unwrap_or_default();
        found.unless_equal(&["states"], i64::try_from(states).unwrap_or(i64::MAX), those, note());
    }
    if let Some(members) = &expected.members {
        let those: BTreeSet<Vec<String>> = each(&answer["members"]).map(made).collect();
        let all = answer["all_listed"] == true;
        if *members != those || !all {
            let array = |these: &BTreeSet<Vec<String>>| these.iter().map(list).collect::<Array>();
            let note = (!all).then(|| format!("it has {} members", text(&answer["histories"])));
            found.add(&["members"], array(members), array(&those), note);
        }
    }
}

/// The moves made in a member; those who only wait are left out.
fn made(member: &Value) -> Vec<String> {
    let moves = each(&member["moves"]).flat_map(each).filter_map(Value::as_str);
    moves.filter(|mv| *mv != "noop").map(String::from).collect()
}

fn observe(expected: &Observe, answer: &Value, found: &mut Differences) {
    let unknown = &expected.unknown;
    let states = [("legal", &unknown.legal), ("terminal", &unknown.terminal), ("goal", &unknown.goal)];
    for (property, rounds) in states.into_iter().chain([("own", &unknown.own)]) {
        let of = |verdict: &str| -> BTreeSet<u64> {
            let these = each(&answer["findings"]).filter(|it| it["property"] == property && it["verdict"] == verdict);
            these.filter_map(|it| it["round"].as_u64()).collect()
        };
        let numbers = |rounds: &BTreeSet<u64>| rounds.iter().map(|&round| round as i64).collect::<Array>();
        let undecided = of("undecided");
        if of("unknown") != *rounds || !undecided.is_empty() {
            let note = (!undecided.is_empty()).then(|| {
                let rounds: Vec<_> = undecided.iter().map(ToString::to_string).collect();
                format!("undecided in the time after round {}", rounds.join(", "))
            });
            found.add(&["unknown", property], numbers(rounds), numbers(&of("unknown")), note);
        }
    }
}

fn prove(expected: &Prove, answer: &Value, found: &mut Differences) {
    let states = [("legal", &expected.legal), ("terminal", &expected.terminal), ("goal", &expected.goal)];
    for (property, verdict) in states.into_iter().chain([("own", &expected.own)]) {
        let Some(verdict) = verdict else { continue };
        let finding = each(&answer["findings"]).find(|it| it["property"] == property).unwrap_or(&Value::Null);
        let mut said = text(&finding["verdict"]).to_string();
        if said == "refuted" {
            if refutes(verdict, finding) {
                continue;
            }
            // What random matches show need not be shortest, and is another pair another time.
            if text(&finding["method"]) != "matches" {
                said = format!("{said} {}", finding["depth"]);
            }
        }
        let note = match text(&finding["reason"]) {
            "no-end" => Some("it says nothing, since no match ever ends".to_string()),
            "no-goal" => Some(format!("it says nothing, since {} never has a goal", text(&finding["role"]))),
            _ => None,
        };
        found.unless_equal(&[property], verdict.as_str(), said, note);
    }
}

/// Whether a refutation is the one expected: of whatever length where none is said, of a shorter pair where random matches
/// found one that need not be shortest.
fn refutes(expected: &str, finding: &Value) -> bool {
    let Some(rounds) = expected.strip_prefix("refuted") else { return false };
    let (found, by_chance) = (finding["depth"].as_u64().unwrap_or(0), text(&finding["method"]) == "matches");
    match rounds.trim().parse::<u64>() {
        Ok(rounds) => rounds == found || by_chance && rounds <= found,
        Err(_) => rounds.is_empty(),
    }
}

fn solve(expected: &Solve, answer: &Value, found: &mut Differences) -> Result<(), String> {
    let value = |role: &str| -> Result<&Value, String> {
        let value = each(&answer["values"]).find(|it| it["role"] == role);
        let value = value.ok_or_else(|| format!("no value was found for `{role}`"))?;
        Ok(if value["in_units"].is_null() { value } else { &value["in_units"] })
    };
    for (role, exact) in &expected.exact {
        let value = value(role)?;
        let note = || format!("between {} and {}", value["low"], value["high"]);
        let those = value["exact"].as_str();
        found.unless_equal(&["exact", role], exact.as_str(), those.unwrap_or("none"), those.is_none().then(note));
    }
    for (key, bounds) in [("low", &expected.low), ("high", &expected.high)] {
        for (role, &bound) in bounds {
            let those = value(role)?[key].as_f64().unwrap_or(f64::NAN);
            if !(if key == "low" { those >= bound } else { those <= bound }) {
                found.add(&[key, role], bound, those, None);
            }
        }
    }
    Ok(())
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A term as it is written with single spaces.
fn squeezed(term: &str) -> String {
    term.replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("( ", "(")
        .replace(" )", ")")
}

fn list<'a>(these: impl IntoIterator<Item = &'a String>) -> Array {
    these.into_iter().map(String::as_str).collect()
}

fn joined(these: &[&String]) -> String {
    these.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::refutes;

    #[test]
    fn pairs_found_by_chance_may_be_longer() {
        let found = |method: &str, depth: u64| serde_json::json!({ "method": method, "depth": depth });
        let cases = [
            ("refuted", "bounded", 3, true),
            ("refuted", "matches", 30, true),
            ("refuted 3", "bounded", 3, true),
            ("refuted 3", "bounded", 4, false),
            ("refuted 3", "matches", 30, true),
            ("refuted 31", "matches", 30, false),
            ("refuted x", "bounded", 3, false),
            ("proved", "matches", 3, false),
            ("open", "bounded", 3, false),
        ];
        for (expected, method, depth, right) in cases {
            assert_eq!(refutes(expected, &found(method, depth)), right, "{expected}: {method} {depth}");
        }
    }
}
