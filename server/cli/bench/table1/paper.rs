//! Table 1 of Richards & Amir 2012: members found in ten random positions, by the paper's CSP-InfosetSample and by
//! depth-first search. The limits are 30 seconds and 30 samples for each position; if few combinations are left, the
//! paper's program lists them all, so some sums exceed 300.

/// One of the three games: a row for each of the first sizes, a column for each of the second.
pub(crate) struct Block {
    pub game: Game,
    pub title: &'static str,
    pub rows: [usize; 5],
    pub columns: [usize; 4],
    csp: [[u32; 4]; 5],
    dfs: [[u32; 4]; 5],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Game {
    Racko,
    Battleship,
    Gops,
}

impl Game {
    /// The first letter of this game's cells.
    pub(crate) fn letter(self) -> char {
        match self {
            Game::Racko => 'r',
            Game::Battleship => 'b',
            Game::Gops => 'g',
        }
    }
}

impl Block {
    /// The name of a cell: `b-5-10` for five ships on ten by ten cells.
    pub(crate) fn cell(&self, row: usize, column: usize) -> String {
        format!("{}-{}-{}", self.game.letter(), self.rows[row], self.columns[column])
    }

    /// The counts of the paper's two programs, by the name of the cell.
    pub(crate) fn cells_of(&self, cell: &str) -> Option<(u32, u32)> {
        let places = (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
        let (row, column) = places.into_iter().find(|&(row, column)| self.cell(row, column) == cell)?;
        // Five ships have 17 cells: "NA" on 4x4.
        (self.csp[row][column] > 0).then_some((self.csp[row][column], self.dfs[row][column]))
    }
}

/// A block of the table from its rows: in each, the counts of the paper's two programs.
const fn block(
    game: Game,
    title: &'static str,
    (rows, columns): ([usize; 5], [usize; 4]),
    csp: [[u32; 4]; 5],
    dfs: [[u32; 4]; 5],
) -> Block {
    Block { game, title, rows, columns, csp, dfs }
}

pub(crate) const TABLE: [Block; 3] = [
    block(
        Game::Racko,
        "Racko (slots by cards)",
        ([6, 7, 8, 9, 10], [30, 40, 50, 60]),
        [[131, 106, 109, 149], [175, 158, 126, 158], [278, 146, 180, 228], [260, 158, 118, 87], [308, 273, 106, 179]],
        [[0, 30, 0, 0], [0; 4], [0; 4], [0; 4], [0; 4]],
    ),
    block(
        Game::Battleship,
        "Battleship (ships by cells a side)",
        ([1, 2, 3, 4, 5], [4, 6, 8, 10]),
        [[86, 287, 177, 555], [70, 121, 2161, 792], [39, 656, 318, 792], [1598, 90, 345, 865], [0, 173, 1087, 1074]],
        [[86, 232, 114, 166], [70, 117, 141, 36], [39, 65, 0, 0], [194, 1, 0, 0], [0; 4]],
    ),
    block(
        Game::Gops,
        "GOPS (bids by extra cards)",
        ([2, 4, 6, 8, 10], [10, 20, 30, 40]),
        [[300; 4]; 5],
        [[300, 300, 60, 30], [0, 30, 0, 30], [0; 4], [0; 4], [0; 4]],
    ),
];
