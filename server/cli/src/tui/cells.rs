//! Choosing a move by its cells: the cursor on the boards, and the chosen cells.

use percept_report::board;

use super::app::App;

impl App {
    /// The cells that may be chosen next.
    pub(super) fn open_cells(&self) -> Vec<String> {
        let at = self.chosen.len();
        self.moves().into_iter().filter_map(|mv| self.layout.places(&self.called(mv)).get(at).cloned()).collect()
    }

    /// The boards on the screen.
    pub(super) fn boards(&self) -> &[board::Board] {
        match self.seat() {
            Some(Ok(seat)) => &seat.boards,
            Some(Err(_)) => &[],
            None => &self.picture.boards,
        }
    }

    /// The cell under the cursor.
    pub(super) fn cursor_cell(&self) -> Option<&board::Cell> {
        let (board, row, column) = self.cursor?;
        self.boards().get(board)?.cells.get(row)?.get(column)
    }

    /// Moves the cursor onto the boards, or away from them.
    pub(super) fn toggle_board(&mut self) {
        self.cursor = match self.cursor {
            None if self.boards().iter().any(|it| !it.cells.is_empty()) => Some((0, 0, 0)),
            _ => None,
        };
        self.message = match (self.cursor, self.boards().is_empty()) {
            (Some(_), _) => {
                "arrows move on the board, enter chooses a cell, tab the next board, esc leaves".to_string()
            }
            (None, true) => "this game has no boards".to_string(),
            (None, false) => String::new(),
        };
    }

    /// Moves the cursor on its board.
    pub(super) fn steer(&mut self, down: isize, right: isize) {
        let Some((number, row, column)) = self.cursor else { return };
        let Some(board) = self.boards().get(number) else { return };
        let (rows, columns) = (board.rows.len(), board.columns.len());
        let row = row.saturating_add_signed(down).min(rows.saturating_sub(1));
        let column = column.saturating_add_signed(right).min(columns.saturating_sub(1));
        self.cursor = Some((number, row, column));
        self.say_cell();
    }

    /// Moves the cursor to the next board.
    pub(super) fn next_board(&mut self) {
        let count = self.boards().len().max(1);
        if let Some((number, _, _)) = self.cursor {
            self.cursor = Some(((number + 1) % count, 0, 0));
            self.say_cell();
        }
    }

    /// The content under the cursor, in words.
    fn say_cell(&mut self) {
        let Some(cell) = self.cursor_cell() else { return };
        let odds: Vec<String> =
            cell.odds.iter().take(4).map(|it| format!("{} {:.0} %", it.says, it.probability * 100.0)).collect();
        let what = match (odds.is_empty(), cell.fluents.is_empty()) {
            (false, _) => odds.join(", "),
            (true, false) => cell.fluents.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            (true, true) => "nothing".to_string(),
        };
        let board = match (self.boards(), self.cursor) {
            ([_, _, ..], Some((number, ..))) => format!("{}, ", self.boards()[number].title),
            _ => String::new(),
        };
        self.message = format!("{board}{}: {what}", cell.place);
    }

    /// Chooses a cell. Only moves that name it remain; if one remains, it is picked.
    pub(super) fn choose_cell(&mut self, place: &str) {
        self.chosen.push(place.to_string());
        self.line = 0;
        let left = self.moves();
        match left.len() {
            0 => {
                // A cell that does not continue a choice may begin a new one.
                let again = self.chosen.len() > 1;
                self.chosen.clear();
                self.message = format!("no move of this role names {place}{}", if again { " next" } else { "" });
                if again {
                    self.choose_cell(place);
                }
            }
            1 => self.pick(),
            count => self.message = format!("{count} moves name {}; choose on, or pick one", self.chosen.join(", ")),
        }
    }
}
