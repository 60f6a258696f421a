//! The knowledge of a role, and two histories that it cannot tell apart, in a notebook.

use percept_game::{JointMove, RoleId};
use percept_report::belief::Effort;
use percept_report::contrast;
use percept_report::names::{line, role as role_name};
use percept_report::pair::{Side, frames};
use percept_report::seat::{IsOver, Seat};
use percept_report::signs;
use percept_report::speech::{phrase, phrase_of_percept, row};
use percept_report::words;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::{guard, plain, work};
use crate::html;
use crate::knowledge::{Member, Members};
use crate::objects::{Inner, View};
use crate::proofs::{Proof, Verdict};

/// The seconds for the beliefs of an output, the most members in a table, and the width of a contrast.
const SECONDS: f64 = 2.0;
const LISTED: usize = 20;
const WIDTH: usize = 110;

#[pymethods]
impl View {
    /// The knowledge of the role, and nothing else.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let (game, layout) = (&self.inner.game, self.inner.layout());
            let seat = work(py, Some(SECONDS), |budget| {
                Seat::of(game, layout, &self.view, &Effort::default(), budget).map_err(|why| why.to_string())
            })?;
            Ok(html::page(&of_seat(&seat)))
        })
    }

    /// The boards and bars of a belief: a dict from the names of facts to probabilities.
    fn _shades(&self, py: Python<'_>, belief: &Bound<'_, PyDict>) -> PyResult<String> {
        guard(py, || {
            let mut beliefs = Vec::new();
            for (name, probability) in belief {
                let name: String = name.extract()?;
                let fluent = percept_game::Term::typed(&name).ok_or_else(|| plain(py, "not a fact"))?;
                beliefs.push(percept_report::belief::Belief {
                    fluent,
                    probability: probability.extract()?,
                    error: 0.0,
                });
            }
            beliefs.sort_by(|one, other| other.probability.total_cmp(&one.probability));
            let layout = self.inner.layout();
            let boards = layout.shades(beliefs.iter().map(|it| (&it.fluent, it.probability)));
            let cells = boards.iter().flat_map(|board| board.cells.iter().flatten());
            let drawn: Vec<_> = cells.flat_map(|cell| &cell.fluents).collect();
            let rest: Vec<_> = beliefs.iter().filter(|it| !drawn.contains(&&it.fluent)).collect();
            let title = format!("How likely, to {} after round {}", self.role(), self.view.len());
            let certain: Vec<String> =
                rest.iter().filter(|it| it.probability >= 1.0).map(|it| html::escape(&it.fluent.to_string())).collect();
            let body = html::heading(&title)
                + &html::boards(&boards, &layout.legend(&boards), &[])
                + &html::bars(rest.into_iter(), true)
                + &format!("<div>{}</div>", certain.join(", "));
            Ok(html::page(&body))
        })
    }
}

fn of_seat(seat: &Seat) -> String {
    let over = match seat.over {
        IsOver::Yes => "the match is over",
        IsOver::No => "the match goes on",
        IsOver::Unknown => "it does not know whether the match is over",
        IsOver::Undecided => "its knowledge of the end was not determined in time",
    };
    let mut out = html::heading(&format!("Knowledge of {} after round {}: {over}", seat.role, seat.round));
    if let Some(goals) = &seat.goals {
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        out += &format!("<p>goal {}</p>", goals.join(", "));
    }
    out += &html::boards(&seat.boards, &seat.legend, &[]);
    let certain: Vec<String> = seat.certain.iter().map(|it| html::escape(it)).collect();
    out += &format!("<div>{}</div>", certain.join(", "));
    out += &html::bars(seat.possible.iter(), seat.exact);
    let exact = if seat.exact { "" } else { "; probabilities are estimates" };
    out += &html::quiet(&format!("{} fit what it did and saw{exact}", signs::histories(&seat.histories)));
    let rows: Vec<Vec<String>> = seat
        .history
        .iter()
        .map(|it| {
            let names: Vec<String> =
                it.percepts.iter().map(|it| phrase_of_percept(&seat.says, &seat.role, it).to_owned()).collect();
            let seen = if names.is_empty() { "nothing".to_string() } else { row(&names) };
            let own = it.own.as_deref().map_or("?", |own| phrase(&seat.says, own));
            vec![it.round.to_string(), html::escape(own), html::escape(&seen)]
        })
        .collect();
    if !rows.is_empty() {
        out += &html::table(&["round", "did", "perceived"], &rows);
    }
    let legal: Vec<Vec<String>> = seat
        .legal
        .iter()
        .take(LISTED)
        .map(|it| vec![html::escape(&it.name), format!("{:.0} %", it.chance * 100.0)])
        .collect();
    if !legal.is_empty() {
        out += &html::table(&["move", "legal"], &legal);
    }
    out
}

#[pymethods]
impl Members {
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let found = if self.complete { "" } else { " so far" };
            let states = words::counted(self.states, "state", "states");
            let count = signs::histories(&self.histories.to_string());
            let head = format!("{count} in {states}{found} ({})", self.method);
            let row = |member: &Py<Member>| {
                let member = member.borrow(py);
                let share = member.probability.or(member.weight);
                let share = share.map_or(String::new(), |it| format!("{:.1} %", it * 100.0));
                vec![share, of_rounds(&member)]
            };
            let rows: Vec<Vec<String>> = self.members.iter().take(LISTED).map(row).collect();
            let mut body = html::heading(&head) + &html::table(&["", "history"], &rows);
            if self.members.len() > LISTED {
                body += &html::quiet(&format!("and {} more", self.members.len() - LISTED));
            }
            Ok(html::page(&body))
        })
    }
}

#[pymethods]
impl Member {
    /// The moves of the history, and the state at its end.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let (game, layout) = (&self.inner.game, self.inner.layout());
            let picture = layout.picture(&percept_game::stepper::shown(game, &self.member.state));
            Ok(html::page(&format!("<p>{}</p>{}", of_rounds(self), html::picture(&picture))))
        })
    }
}

fn of_rounds(member: &Member) -> String {
    let rounds: Vec<String> = member
        .member
        .moves
        .iter()
        .map(|joint| html::escape(&line(&member.inner.game, &member.inner.layout().speech, joint)))
        .collect();
    rounds.join("<span class=\"quiet\">; </span>")
}

#[pymethods]
impl Verdict {
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let (sign, class) = signed(self.verdict);
            let (what, round) = (words::knowledge(self.about), self.round);
            let says = match self.verdict {
                "known" => format!("{sign} {} knows {what} after round {round}", self.role),
                "unknown" => format!("{sign} {} does not know {what} after round {round}", self.role),
                _ => format!("{sign} undecided whether {} knows {what} after round {round}", self.role),
            };
            let mut body = format!("<p class=\"{class}\"><b>{}</b></p>", html::escape(&says));
            if let Some(pair) = &self.found {
                body += &of_pair(&self.inner, self.who, &pair.first, &pair.second, pair.first_is_match);
            }
            Ok(html::page(&body))
        })
    }
}

#[pymethods]
impl Proof {
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let (sign, class) = signed(self.verdict);
            let what = words::knowledge(self.about);
            let checked = match (self.checked, &self.unchecked) {
                (Some(true), _) => ", checked".to_string(),
                (_, Some(why)) => format!(", unchecked: {why}"),
                _ => String::new(),
            };
            let says = match self.verdict {
                "proved" => format!("{sign} {} knows {what} in every match{checked}", self.role),
                "refuted" => format!("{sign} {} does not always know {what}", self.role),
                _ => format!("{sign} undecided whether {} knows {what} in every match", self.role),
            };
            let mut body = format!("<p class=\"{class}\"><b>{}</b></p>", html::escape(&says));
            if let Some((first, second)) = &self.histories {
                body += &of_pair(&self.inner, self.who, first, second, false);
            }
            Ok(html::page(&body))
        })
    }
}

fn signed(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "known" | "proved" => (signs::KNOWN, "good"),
        "unknown" | "refuted" => (signs::UNKNOWN, "bad"),
        _ => (signs::UNDECIDED, "quiet"),
    }
}

/// Two histories as a table, and the boards at the end of both with the differences marked.
fn of_pair(inner: &Inner, role: RoleId, first: &[JointMove], second: &[JointMove], first_is_match: bool) -> String {
    let (game, layout) = (&inner.game, inner.layout());
    let own = |moves: &[JointMove]| -> Vec<_> { moves.iter().map(|joint| joint[role.0 as usize]).collect() };
    let alike = signs::alike(role_name(game, role), own(first) == own(second), first_is_match);
    let mut out = format!("<p>{}:</p><pre>", html::escape(&alike));
    for row in contrast::rows(game, &layout.speech, role, first, second, WIDTH) {
        let says = html::escape(&row.says);
        out += &if row.differs { format!("<mark>{says}</mark>\n") } else { format!("{says}\n") };
    }
    out += "</pre>";
    let all = frames(game, layout, role, first, second);
    if let Some(last) = all.frames.last() {
        let side = |side: &Side, name: &str| {
            let boards = html::boards(&side.boards, &[], &last.differs);
            let only: String =
                side.only.iter().map(|fact| format!("<div><mark>{}</mark></div>", html::escape(fact))).collect();
            let end = if side.terminal { "<div>the match is over</div>" } else { "" };
            format!("<td><b>{name}</b>{boards}{only}{end}</td>")
        };
        let [one, other] = signs::PAIR;
        out += &format!(
            "<table><caption>After round {}, what differs marked</caption><tbody><tr>{}{}</tr></tbody></table>",
            last.round,
            side(&last.first, one),
            side(&last.second, other)
        );
        out += &html::boards(&[], &all.legend, &[]);
    }
    out
}
