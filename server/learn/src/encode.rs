//! The encoding of a role's observations, and of the possible actions of its opponent and chance (the paper's section
//! *Encoding Action-Observation Sequences*).
//!
//! A round of the role's own action-observation history is a row with a one at its move and a one at each of its
//! percepts: one-hot if a round has one percept, as in the paper, and equally exact if it has several. A round of the
//! opponent's private information is a row with a block for each other role: the probability of each of its moves. An
//! opponent with private percepts has a column for each *pair* of a move and the resulting private percepts (the
//! paper's cartesian product, restricted to the pairs that were seen).

use percept_game::{Cursor, Game, MoveId, PerceptId, RoleId};
use percept_infoset::{Round, View};
use rustc_hash::FxHashMap;

use crate::vocabulary::Vocabulary;
use crate::{Unfit, opponent};

/// A row of zeros and ones, represented by the columns with ones, in ascending order.
pub type Ones = Vec<u32>;

/// The action of another role in a round with its private percepts by name (empty for chance).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Deed {
    /// The move of the role.
    pub mv: String,
    /// The private percepts after the move.
    pub percepts: Vec<String>,
}

/// The names of the columns of the rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The role whose history is the input.
    pub role: String,
    /// The role's moves; its percepts follow them in a row.
    pub moves: Vec<String>,
    /// The role's percepts, public ones first.
    pub percepts: Vec<String>,
    /// For each other role, its name and its possible deeds.
    pub others: Vec<(String, Vec<Deed>)>,
}

impl Columns {
    /// The width of a row of the role's own history.
    pub fn inputs(&self) -> usize {
        self.moves.len() + self.percepts.len()
    }

    /// The width of a row of the others' information.
    pub fn outputs(&self) -> usize {
        self.others.iter().map(|(_, deeds)| deeds.len()).sum()
    }

    /// The widths of the blocks of such a row, one for each other role.
    pub fn blocks(&self) -> Vec<usize> {
        self.others.iter().map(|(_, deeds)| deeds.len()).collect()
    }
}

/// The positions of the roles of a game in the encoding, and the positions of all columns.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The role for which the network guesses.
    pub role: RoleId,
    /// The other role that chooses.
    pub opponent: RoleId,
    /// All roles except `role`, in the order of the game: the blocks of a row.
    pub others: Vec<RoleId>,
    /// The meaning of the inputs and outputs.
    pub columns: Columns,
    moves: FxHashMap<MoveId, u32>,
    percepts: FxHashMap<PerceptId, u32>,
    /// For each other role, the column of each deed within the whole row.
    deeds: Vec<FxHashMap<(MoveId, Vec<String>), u32>>,
    /// For each other role, all columns of a move.
    of_move: Vec<FxHashMap<MoveId, Vec<u32>>>,
    /// For each percept of the opponent, its name if it is private.
    private: FxHashMap<PerceptId, String>,
}

/// The reasons why columns do not match a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Foreign {
    /// The game does not support such a network.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The game has no role of this name.
    #[error("the network is of another game: `{0}` is not a role of this one")]
    Role(String),
    /// The game has another number of roles.
    #[error("the network is of another game: it has {knows} roles, this one {has}")]
    Count {
        /// The number of roles for which the network was made.
        knows: usize,
        /// The number of roles of the game.
        has: usize,
    },
    /// The game lacks a move of the network.
    #[error("the network is of another game: {role} has no move `{mv}` in this one")]
    Move {
        /// The role of the move.
        role: String,
        /// The name of the move in the network.
        mv: String,
    },
    /// The game lacks a percept of the network.
    #[error("the network is of another game: {role} has no percept `{percept}` in this one")]
    Percept {
        /// The role of the percept.
        role: String,
        /// The name of the percept in the network.
        percept: String,
    },
    /// The network lacks a move of the game.
    #[error("the network is of another game: it lacks the move `{mv}` of {role}")]
    Unknown {
        /// The role of the move.
        role: String,
        /// The name of the move in the game.
        mv: String,
    },
}

/// The observed deeds of the other roles: pairs of a move and private percepts, with the number of the role.
pub type Pairs = std::collections::BTreeSet<(usize, Deed)>;

impl Encoding {
    /// Creates the encoding of a role's views. `pairs`: the observed deeds of an opponent with private percepts; unused
    /// if it has none, in which case every move is a column.
    ///
    /// # Errors
    /// [`Unfit`] if the game does not have exactly two roles that choose.
    pub fn new(game: &Game, role: RoleId, vocabulary: &Vocabulary, pairs: &Pairs) -> Result<Encoding, Unfit> {
        let opponent = opponent(game, role)?;
        let others: Vec<RoleId> = game.role_ids().filter(|&it| it != role).collect();
        let name = |role: RoleId| game.roles[role.0 as usize].name.clone();
        let mut percepts: Vec<String> =
            vocabulary.percepts[role.0 as usize].iter().map(|&it| game.rules.percept_name(role, it)).collect();
        percepts.sort_by_key(|it| !vocabulary.factored.is_public(it));
        let mut percepts_so_far = rustc_hash::FxHashSet::default();
        percepts.retain(|it| percepts_so_far.insert(it.clone()));
        let deeds = |(index, &other): (usize, &RoleId)| {
            let moves = vocabulary.moves[other.0 as usize].iter();
            let deeds: Vec<Deed> = if other == opponent && vocabulary.has_private(game, other) {
                pairs.iter().filter(|it| it.0 == index).map(|it| it.1.clone()).collect()
            } else {
                moves.map(|&mv| Deed { mv: game.rules.move_name(other, mv), percepts: vec![] }).collect()
            };
            (name(other), deeds)
        };
        let columns = Columns {
            role: name(role),
            moves: vocabulary.moves[role.0 as usize].iter().map(|&mv| game.rules.move_name(role, mv)).collect(),
            percepts,
            others: others.iter().enumerate().map(deeds).collect(),
        };
        let found = Encoding::of_columns(game, vocabulary, columns);
        Ok(found.expect("columns made of the game's own names"))
    }

    /// Creates the encoding whose columns have these names, such as those of a network read from a file.
    ///
    /// # Errors
    /// The names do not match this game.
    pub fn of_columns(game: &Game, vocabulary: &Vocabulary, columns: Columns) -> Result<Encoding, Foreign> {
        let foreign = |role: &str| Foreign::Role(role.to_string());
        let role = game.role(&columns.role).ok_or_else(|| foreign(&columns.role))?;
        let opponent = opponent(game, role)?;
        let others: Vec<RoleId> = game.role_ids().filter(|&it| it != role).collect();
        if others.len() != columns.others.len() {
            return Err(Foreign::Count { knows: columns.others.len() + 1, has: game.roles.len() });
        }
        let find = |role: RoleId, mv: &str| {
            let no_such = || Foreign::Move { role: game.roles[role.0 as usize].name.clone(), mv: mv.to_string() };
            game.rules.find_move(role, mv).ok_or_else(no_such)
        };
        let mut moves = FxHashMap::default();
        for (column, mv) in columns.moves.iter().enumerate() {
            moves.insert(find(role, mv)?, column as u32);
        }
        let by_name: FxHashMap<&str, u32> = (columns.moves.len() as u32..)
            .zip(&columns.percepts)
            .map(|(column, percept)| (percept.as_str(), column))
            .collect();
        let mut percepts = FxHashMap::default();
        let mut met = rustc_hash::FxHashSet::default();
        for &percept in &vocabulary.percepts[role.0 as usize] {
            let name = game.rules.percept_name(role, percept);
            if let Some(&column) = by_name.get(name.as_str()) {
                percepts.insert(percept, column);
                met.insert(column);
            }
        }
        if let Some((_, percept)) =
            (columns.moves.len() as u32..).zip(&columns.percepts).find(|it| !met.contains(&it.0))
        {
            return Err(Foreign::Percept { role: columns.role.clone(), percept: percept.clone() });
        }
        let private = vocabulary.percepts[opponent.0 as usize].iter().filter_map(|&percept| {
            let name = game.rules.percept_name(opponent, percept);
            (!vocabulary.factored.is_public(&name)).then_some((percept, name))
        });
        let mut encoding = Encoding {
            role,
            opponent,
            others,
            moves,
            percepts,
            deeds: vec![],
            of_move: vec![],
            private: private.collect(),
            columns,
        };
        encoding.place_deeds(game, find)?;
        encoding.knows_all_moves(game, vocabulary)?;
        Ok(encoding)
    }

    fn place_deeds(
        &mut self,
        game: &Game,
        find: impl Fn(RoleId, &str) -> Result<MoveId, Foreign>,
    ) -> Result<(), Foreign> {
        let mut column = 0;
        for (&other, (name, deeds)) in self.others.iter().zip(&self.columns.others) {
            if game.roles[other.0 as usize].name != *name {
                return Err(Foreign::Role(name.clone()));
            }
            let mut columns = FxHashMap::default();
            let mut of_move: FxHashMap<MoveId, Vec<u32>> = FxHashMap::default();
            for deed in deeds {
                let mv = find(other, &deed.mv)?;
                columns.insert((mv, deed.percepts.clone()), column);
                of_move.entry(mv).or_default().push(column);
                column += 1;
            }
            self.deeds.push(columns);
            self.of_move.push(of_move);
        }
        Ok(())
    }

    /// Rejects a network of a smaller game, whose guesses would be about another game.
    fn knows_all_moves(&self, game: &Game, vocabulary: &Vocabulary) -> Result<(), Foreign> {
        if !vocabulary.is_whole {
            return Ok(());
        }
        let unknown = |role: RoleId, mv: MoveId| Foreign::Unknown {
            role: game.roles[role.0 as usize].name.clone(),
            mv: game.rules.move_name(role, mv),
        };
        let of = |role: RoleId| vocabulary.moves[role.0 as usize].iter().copied();
        of(self.role).find(|mv| !self.moves.contains_key(mv)).map_or(Ok(()), |mv| Err(unknown(self.role, mv)))?;
        for (index, &other) in self.others.iter().enumerate() {
            // Only pairs that were seen are listed, so a move may be missing.
            if other == self.opponent && !self.private.is_empty() {
                continue;
            }
            let missing = of(other).find(|mv| !self.of_move[index].contains_key(mv));
            missing.map_or(Ok(()), |mv| Err(unknown(other, mv)))?;
        }
        Ok(())
    }

    /// Encodes a round of the role's own history.
    pub fn round(&self, round: &Round) -> Ones {
        let own = round.own.and_then(|mv| self.moves.get(&mv)).copied();
        let percepts = round.percepts.iter().filter_map(|it| self.percepts.get(it)).copied();
        let mut ones: Ones = own.into_iter().chain(percepts).collect();
        ones.sort_unstable();
        ones.dedup();
        ones
    }

    /// Encodes the role's own history.
    pub fn view(&self, view: &View) -> Vec<Ones> {
        view.rounds.iter().map(|round| self.round(round)).collect()
    }

    /// The deed of another role (by its index among the others) in this joint move at the cursor's state.
    pub fn deed(&self, at: &mut dyn Cursor, joint: &[MoveId], index: usize) -> (MoveId, Vec<String>) {
        let other = self.others[index];
        let percepts = if other == self.opponent && !self.private.is_empty() {
            at.percepts(joint, other).iter().filter_map(|it| self.private.get(it)).cloned().collect()
        } else {
            vec![]
        };
        (joint[other.0 as usize], percepts)
    }

    /// The deed as in [`Encoding::deed`], by name.
    pub fn named(&self, game: &Game, at: &mut dyn Cursor, joint: &[MoveId], index: usize) -> Deed {
        let (mv, percepts) = self.deed(at, joint, index);
        Deed { mv: game.rules.move_name(self.others[index], mv), percepts }
    }

    /// The column of a deed; `None` for the missing move of a role that is not in turn, and for unseen pairs.
    pub fn column(&self, index: usize, deed: &(MoveId, Vec<String>)) -> Option<u32> {
        self.deeds[index].get(deed).copied()
    }

    /// All columns of a move of another role.
    pub fn columns_of(&self, index: usize, mv: MoveId) -> &[u32] {
        self.of_move[index].get(&mv).map_or(&[], Vec::as_slice)
    }

    /// The range of the block of another role in a row.
    pub fn block(&self, index: usize) -> std::ops::Range<usize> {
        let start: usize = self.columns.others[..index].iter().map(|(_, deeds)| deeds.len()).sum();
        start..start + self.columns.others[index].1.len()
    }

    /// The opponents' information in histories of one length: a row per round with the weighted share of each deed
    /// (Figure 4). Without histories the rows are empty.
    pub fn information<'m>(
        &self,
        game: &Game,
        histories: impl Iterator<Item = (&'m [percept_game::JointMove], f64)>,
    ) -> Vec<Vec<f64>> {
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut sum = 0.0;
        for (moves, weight) in histories {
            sum += weight;
            rows.resize(moves.len(), vec![0.0; self.columns.outputs()]);
            let mut at = game.start();
            for (row, joint) in rows.iter_mut().zip(moves) {
                for index in 0..self.others.len() {
                    let deed = self.deed(&mut *at, joint, index);
                    if let Some(column) = self.column(index, &deed) {
                        row[column as usize] += weight;
                    }
                }
                at.step(joint);
            }
        }
        rows.iter_mut().flatten().for_each(|it| *it /= sum);
        rows
    }

    /// The deeds that occur in any of the histories (Figure 3).
    pub fn possible<'m>(
        &self,
        game: &Game,
        histories: impl Iterator<Item = &'m [percept_game::JointMove]>,
    ) -> Vec<Vec<bool>> {
        let rows = self.information(game, histories.map(|moves| (moves, 1.0)));
        rows.into_iter().map(|row| row.into_iter().map(|share| share > 0.0).collect()).collect()
    }
}
