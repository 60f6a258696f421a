//! Two histories as one table in text: a line for each round, a column for each role. A move that is the same in both
//! stands once; one that differs stands twice, with the names of the histories.

use percept_game::{Game, JointMove, MoveId, RoleId};

use crate::signs::PAIR;
use crate::speech::{Speech, row};
use crate::{names, words, wrap};

/// The number of rounds shown around each difference in a long history.
const AROUND: usize = 2;
/// The longest history of which every round is shown.
const LONG: usize = 12;

/// Two histories of the same length.
#[derive(Clone, Copy, Debug)]
pub struct Contrast<'a> {
    /// The names of the roles.
    pub roles: &'a [String],
    /// The moves of the first history: for each round, a move of each role.
    pub first: &'a [Vec<String>],
    /// The moves of the second history.
    pub second: &'a [Vec<String>],
    /// The role that cannot tell them apart with its percepts of each round, which are the same in both.
    pub seen: Option<(&'a str, &'a [Vec<String>])>,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The text.
    pub says: String,
    /// True if the histories differ in this round.
    pub differs: bool,
}

impl Contrast<'_> {
    /// The table, at most `room` columns wide; if that is too narrow, each move on a line of its own.
    pub fn rows(&self, room: usize) -> Vec<Row> {
        let differs: Vec<bool> = self.first.iter().zip(self.second).map(|(one, other)| one != other).collect();
        let near = |round: usize| (0..differs.len()).any(|at| differs[at] && at.abs_diff(round) <= AROUND);
        let mut heads = vec!["round".to_owned()];
        heads.extend(self.roles.iter().cloned());
        heads.extend(self.seen.map(|(role, _)| format!("{role} sees")));
        let shown: Vec<usize> = (0..differs.len()).filter(|&round| differs.len() <= LONG || near(round)).collect();
        let cells: Vec<Vec<String>> = shown.iter().map(|&round| self.cells(round)).collect();
        let widths: Vec<usize> = (0..heads.len())
            .map(|at| {
                cells.iter().map(|row| &row[at]).chain([&heads[at]]).map(|it| wrap::columns(it)).max().unwrap_or(0)
            })
            .collect();
        let is_wide = widths.iter().map(|width| width + 2).sum::<usize>() > room + 2;
        let line = |row: &[String]| {
            let padded = row.iter().zip(&widths).map(|(it, &width)| wrap::padded(it, width));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut rows = Vec::new();
        if !is_wide && !shown.is_empty() {
            rows.push(Row { says: line(&heads), differs: false });
        }
        let mut next = 0;
        for (&round, row) in shown.iter().zip(&cells) {
            same(&mut rows, round - next);
            next = round + 1;
            if is_wide {
                self.listed(&mut rows, row, differs[round]);
            } else {
                rows.push(Row { says: line(row), differs: differs[round] });
            }
        }
        same(&mut rows, differs.len() - next);
        rows
    }

    /// The number of a round, the moves of all roles, and the percepts.
    fn cells(&self, round: usize) -> Vec<String> {
        let both = |(one, other): (&String, &String)| {
            if one == other { one.clone() } else { format!("{} {one} | {} {other}", PAIR[0], PAIR[1]) }
        };
        let mut cells = vec![format!("{:>5}", round + 1)];
        cells.extend(self.first[round].iter().zip(&self.second[round]).map(both));
        let listed = |names: &Vec<String>| if names.is_empty() { "nothing".to_owned() } else { row(names) };
        cells.extend(self.seen.map(|(_, percepts)| percepts.get(round).map(listed).unwrap_or_default()));
        cells
    }

    /// A round that is too wide for a table: its number, then a line for each move that is made.
    fn listed(&self, rows: &mut Vec<Row>, cells: &[String], differs: bool) {
        rows.push(Row { says: format!("round {}", cells[0].trim()), differs: false });
        let moves = self.roles.iter().zip(&cells[1..]).filter(|(_, mv)| *mv != "noop");
        rows.extend(
            moves.map(|(role, mv)| Row { says: format!("  {role}: {mv}"), differs: differs && mv.contains(" | ") }),
        );
        if let Some((role, _)) = self.seen {
            rows.push(Row { says: format!("  {role} sees: {}", cells[cells.len() - 1]), differs: false });
        }
    }
}

/// A line for rounds that are left out.
fn same(rows: &mut Vec<Row>, rounds: usize) {
    if rounds > 0 {
        rows.push(Row { says: format!("  ... {} the same in both", words::rounds(rounds)), differs: false });
    }
}

/// The table of two histories of a game, with what `role` sees in both.
pub fn rows(
    game: &Game,
    speech: &Speech,
    role: RoleId,
    first: &[JointMove],
    second: &[JointMove],
    room: usize,
) -> Vec<Row> {
    let roles: Vec<String> = game.roles.iter().map(|it| it.name.clone()).collect();
    let history = |moves: &[JointMove]| -> Vec<Vec<String>> {
        let joint = |joint: &JointMove| {
            let named = |(role, &mv): (RoleId, &MoveId)| {
                let name = game.rules.move_name(role, mv);
                // A role that waits has no line, whatever the rules call it.
                if name == "noop" { name } else { speech.phrase(&name) }
            };
            game.role_ids().zip(joint).map(named).collect()
        };
        moves.iter().map(joint).collect()
    };
    let mut state = game.rules.initial();
    let mut percepts = Vec::new();
    for joint in first {
        let all = game.rules.percepts(&state, joint, role);
        percepts.push(
            all.iter().map(|&it| speech.percept(names::role(game, role), &game.rules.percept_name(role, it))).collect(),
        );
        state = game.rules.next(&state, joint);
    }
    let seen = Some((names::role(game, role), percepts.as_slice()));
    Contrast { roles: &roles, first: &history(first), second: &history(second), seen }.rows(room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(moves: &[[&str; 2]], others: &[[&str; 2]], room: usize) -> Vec<String> {
        let owned = |all: &[[&str; 2]]| -> Vec<Vec<String>> {
            all.iter().map(|joint| joint.map(str::to_owned).to_vec()).collect()
        };
        let percepts = vec![Vec::new(); moves.len()];
        let roles = ["random".to_owned(), "guesser".to_owned()];
        let (first, second) = (owned(moves), owned(others));
        let seen = Some(("guesser", percepts.as_slice()));
        let rows = Contrast { roles: &roles, first: &first, second: &second, seen }.rows(room);
        rows.into_iter().map(|it| format!("{}{}", if it.differs { "*" } else { " " }, it.says)).collect()
    }

    const ONE: [[&str; 2]; 2] = [["(toss tails)", "noop"], ["noop", "(say heads)"]];
    const OTHER: [[&str; 2]; 2] = [["(toss heads)", "noop"], ["noop", "(say heads)"]];

    #[test]
    fn what_differs_stands_twice() {
        let wide = [
            " round  random                           guesser      guesser sees",
            "*    1  A (toss tails) | B (toss heads)  noop         nothing",
            "     2  noop                             (say heads)  nothing",
        ];
        assert_eq!(table(&ONE, &OTHER, 80), wide);
        let narrow = [
            " round 1",
            "*  random: A (toss tails) | B (toss heads)",
            "   guesser sees: nothing",
            " round 2",
            "   guesser: (say heads)",
            "   guesser sees: nothing",
        ];
        assert_eq!(table(&ONE, &OTHER, 40), narrow);
    }

    #[test]
    fn a_long_history_is_shown_around_its_differences() {
        let mut one = vec![["noop", "(go on)"]; 20];
        let other = one.clone();
        one[7] = ["noop", "(stop)"];
        let shown = table(&one, &other, 80);
        assert_eq!(shown.len(), 1 + 1 + 5 + 1, "{shown:#?}");
        assert_eq!(shown[1], "   ... 5 rounds the same in both");
        assert!(shown[4].starts_with("*    8  noop    A (stop) | B (go on)"), "{}", shown[4]);
        assert_eq!(shown[7], "   ... 10 rounds the same in both");
    }
}
