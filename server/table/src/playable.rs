//! A game at which people can sit down, and where it comes from.

use std::sync::Arc;

use percept_game::RoleId;
use percept_players::Arena;
use percept_report::board::Layout;

/// The texts of a game: the name of each file, and its content.
pub type Texts = Vec<(String, String)>;

/// A game at which people can sit down.
pub struct Playable {
    /// The name of the game.
    pub title: String,
    /// The texts that it was made from.
    pub texts: Texts,
    /// The end of a POGDDL match, if the command defines it and not the domain.
    pub terminal: Option<String>,
    /// The game as players receive it.
    pub arena: Arena,
    /// The layout of its boards.
    pub layout: Arc<Layout>,
}

impl Playable {
    /// A number that changes with the game's texts.
    pub fn rules(&self) -> String {
        fingerprint(&self.texts, self.terminal.as_deref())
    }

    /// The roles that are played, in the order of the rules.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> {
        let game = self.arena.game();
        game.role_ids().filter(|role| !game.roles[usize::from(role.0)].is_chance)
    }

    /// The player of the role with this index among those that are played. Each player moves on by one
    /// role from match to match, the first of which is match 0.
    pub(crate) fn player_at(&self, at: usize, number: u64) -> usize {
        let count = self.roles().count();
        (at + count - (number % count as u64) as usize) % count
    }

    /// The names of these roles.
    pub fn role_names(&self) -> Vec<&str> {
        let game = self.arena.game();
        self.roles().map(|role| game.roles[usize::from(role.0)].name.as_str()).collect()
    }
}

/// A collection of games from which people choose in a lobby.
pub trait Shelf: Send + Sync {
    /// The names of the games.
    fn names(&self) -> &[String];

    /// The present texts of a game.
    ///
    /// # Errors
    /// The reason why they cannot be read, for the person who chose it.
    fn texts(&self, name: &str) -> Result<Texts, String>;

    /// The game of these texts.
    ///
    /// # Errors
    /// The reason why they are not a game, for the person who chose it.
    fn game(&self, name: &str, texts: Texts) -> Result<Playable, String>;
}

/// FNV-1a of texts: the same in every version of this program.
pub(crate) fn fingerprint(texts: &[(String, String)], terminal: Option<&str>) -> String {
    let texts = texts.iter().map(|(_, text)| text.as_str()).chain(terminal);
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}
