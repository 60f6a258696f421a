//! Texts for assistants: the pages about the languages, the rule book, and example games.

use percept_report::book;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

/// A page or a game: its address, its title, and its text.
struct Item {
    uri: &'static str,
    title: &'static str,
    text: &'static str,
}

macro_rules! items {
    ($($uri:literal, $title:literal, $file:literal;)*) => {
        &[$(Item { uri: $uri, title: $title, text: include_str!(concat!("../../../../", $file)) }),*]
    };
}

const PAGES: &[Item] = items! {
    "percept://docs/gdl-ii", "GDL-II: the language, with examples", "docs/gdl-ii.md";
    "percept://docs/pogddl", "POGDDL: the language, with examples", "docs/pogddl.md";
    "percept://docs/tutorial", "A first game, step by step", "docs/tutorial.md";
    "percept://docs/testing", "Expectations about a game: expected.toml", "docs/testing.md";
    "percept://docs/proofs", "Proofs of what roles know, and repairs", "docs/proofs.md";
    "percept://docs/queries", "Questions of your own about what roles know", "docs/queries.md";
    "percept://docs/verdicts", "Verdicts, their methods, and what is trusted", "docs/verdicts.md";
    "percept://docs/boards", "Comments that draw boards, cards and dice", "docs/boards.md";
    "percept://docs/glossary", "The words", "docs/glossary.md";
};

const GAMES: &[Item] = items! {
    "percept://games/hidden-matching-pennies.kif", "Two players choose at the same time", "games/hidden-matching-pennies/hidden-matching-pennies.kif";
    "percept://games/kuhn-poker.kif", "Cards that only their holder sees, and betting", "games/kuhn-poker/kuhn-poker.kif";
    "percept://games/guess-dice.kif", "Guess what was rolled", "games/guess-dice/guess-dice.kif";
    "percept://games/blind-tic-tac-toe.kif", "Marks on a board at the same time, resolved by chance", "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
    "percept://games/exploding-bomb.kif", "One player against a bomb", "games/exploding-bomb/exploding-bomb.kif";
    "percept://games/wumpus.kif", "One player explores what it perceives only nearby", "games/wumpus/wumpus.kif";
    "percept://games/battleship.pog", "POGDDL: the domain of Battleship", "games/battleship/battleship.pog";
    "percept://games/battleship-2-4.pog", "POGDDL: a problem of Battleship, two ships on a 4x4 board", "games/battleship/battleship-2-4.pog";
};

/// The address of the list of rules; below it is a page for each.
const RULES: &str = "percept://rules";

/// All pages and games.
pub(super) fn all() -> Vec<Resource> {
    let resource = |it: &Item, kind: &str| {
        let name = it.uri.rsplit('/').next().unwrap_or(it.uri);
        Resource::new(it.uri, name).with_title(it.title).with_mime_type(kind).with_size(it.text.len() as u64)
    };
    let pages = PAGES.iter().map(|it| resource(it, "text/markdown"));
    let rules = Resource::new(RULES, "rules").with_title("The rule book: all rules").with_mime_type("text/markdown");
    let games = GAMES.iter().map(|it| resource(it, "text/plain"));
    pages.chain([rules]).chain(games).collect()
}

/// The page of one rule.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let page = ResourceTemplate::new(format!("{RULES}/{{rule}}"), "rule");
    vec![page.with_title("A page of the rule book").with_mime_type("text/markdown")]
}

/// The text at an address.
pub(super) fn read(uri: &str) -> Option<ReadResourceResult> {
    let text = match uri.strip_prefix(RULES) {
        Some("") => book::all().iter().map(|it| format!("- {} ({})\n", it.name, it.severity.name())).collect(),
        Some(rule) => book::find(rule.strip_prefix('/')?)?.page.to_string(),
        None => PAGES.iter().chain(GAMES).find(|it| it.uri == uri)?.text.to_string(),
    };
    Some(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]))
}
