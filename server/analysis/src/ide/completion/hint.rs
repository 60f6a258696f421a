//! Completion in comments that say how something is shown: `; percept: board ...`, `; percept: draw ...`, `; percept:
//! say ...`.

use std::collections::BTreeMap;

use percept_syntax::{Source, TextRange};

use super::{Item, plain};
use crate::ide::boards::COLOURS;
use crate::ide::{Class, Files, nameable, sayings};

/// The words after `percept:`, each with what it does.
const HINTS: [(&str, &str); 4] = [
    ("board", "the arguments of a fluent on a board: `board cell column row piece`"),
    ("draw", "cards, dice, or the sign of a piece: `draw holds cards`, `draw general ★ red`"),
    ("say", "the words of a move, a fluent or a percept: `say (mark ?m ?n) \"mark row ?m, column ?n\"`"),
    ("allow", "findings to be left out: `allow(rule)`"),
];
/// The words for arguments on a board.
const PARTS: [(&str, &str); 11] = [
    ("column", "the argument is the column"),
    ("row", "the argument is the row"),
    ("cell", "both in one word, the column first: `c01r01`"),
    ("rack", "both in one word, the row first: `a01`"),
    ("piece", "the content of the cell"),
    ("board", "selects one of several boards"),
    ("against", "selects the other one of two boards"),
    ("_", "none of these"),
    ("up", "the first row is at the bottom"),
    ("down", "the first row is at the top"),
    ("hidden", "no board is drawn"),
];
const STYLES: [(&str, &str); 3] =
    [("cards", "the facts are hands of cards"), ("dice", "the facts are dice"), ("grid", "neither cards nor dice")];

/// The proposals in a comment, and the word that they replace; `None` in a comment for people.
pub(super) fn hint(
    files: &Files<'_>,
    source: &Source,
    comment: TextRange,
    offset: u32,
) -> Option<(TextRange, Vec<Item>)> {
    let before = source.text.get(comment.start as usize..offset as usize)?;
    let words = before.trim_start_matches([';', '%']).trim_start().strip_prefix("percept:")?;
    let typed = words.rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = |typed: &str| TextRange { start: offset - typed.len() as u32, end: offset };
    if let Some((pattern, text)) = words.trim_start().strip_prefix("say").and_then(|it| it.split_once('"')) {
        let typed = text.rfind('?').map_or("", |at| &text[at..]);
        let variables = sayings::variables(pattern).into_iter();
        let items = variables.map(|name| keyword(&format!("?{name}"), "the words of this argument")).collect();
        return Some((after(typed), items));
    }
    let replaced = after(typed);
    let mut done: Vec<&str> = words.split_whitespace().collect();
    if !typed.is_empty() {
        done.pop();
    }
    let fixed = |all: &[(&str, &str)]| all.iter().map(|(word, says)| keyword(word, says)).collect::<Vec<_>>();
    let items = match done[..] {
        [] => fixed(&HINTS),
        ["board"] => names(files, &[Class::Fluent, Class::Predicate]),
        ["board", ..] => fixed(&PARTS),
        ["draw"] => names(files, &[Class::Fluent, Class::Predicate, Class::Object]),
        ["draw", _] => fixed(&STYLES),
        ["draw", _, sign] if STYLES.iter().all(|(style, _)| *style != sign) => {
            COLOURS.iter().map(|word| keyword(word, "the colour of the sign")).collect()
        }
        ["say"] => patterns(files),
        _ => Vec::new(),
    };
    Some((replaced, items))
}

fn keyword(word: &str, says: &str) -> Item {
    Item { detail: says.to_owned(), ..plain(word, Class::Keyword, 0) }
}

/// The moves, fluents and percepts of the game's texts, with places for their words.
fn patterns(files: &Files<'_>) -> Vec<Item> {
    let term = |name: &str, variables: &[String]| {
        let all: Vec<String> = variables.iter().map(|it| format!("?{it}")).collect();
        let words = format!("{name} {}", all.join(" ")).trim_end().to_owned();
        (if all.is_empty() { name.to_owned() } else { format!("({words})") }, words)
    };
    let item = |label: String, words: String, class| Item {
        insert: format!("{label} \"${{1:{words}}}\""),
        is_snippet: true,
        ..plain(label, class, 1)
    };
    let all = |of: fn(&Source) -> BTreeMap<String, Vec<String>>| -> BTreeMap<String, Vec<String>> {
        files.files.iter().flat_map(|indexed| of(indexed.source)).collect()
    };
    let moves = all(nameable::patterns).into_iter().map(|(name, variables)| {
        let (label, words) = term(&name, &variables);
        item(label, words, Class::Move)
    });
    let percepts = all(nameable::percepts).into_iter().map(|(name, variables)| {
        let (percept, words) = term(&name, &variables);
        let role = if variables.iter().any(|it| it == "r") { "?role" } else { "?r" };
        item(format!("(sees {role} {percept})"), words, Class::Percept)
    });
    moves.chain(percepts).collect()
}

/// The names of these classes in the game's texts.
fn names(files: &Files<'_>, classes: &[Class]) -> Vec<Item> {
    let mut found = std::collections::BTreeMap::new();
    for indexed in &files.files {
        for it in indexed.index.all().iter().filter(|it| classes.contains(&it.class)) {
            found.insert(indexed.index.symbol(it).name.to_string(), it.class);
        }
    }
    found.into_iter().map(|(name, class)| plain(name, class, 1)).collect()
}

#[cfg(test)]
mod tests {
    use crate::ide::fixture::Fixture;

    fn labels(text: &str) -> Vec<String> {
        let fixture = Fixture::gdl(text);
        let found = super::super::complete(&fixture.files(), fixture.file, fixture.offset);
        found.map(|(_, items)| items.into_iter().map(|it| it.label).collect()).unwrap_or_default()
    }

    #[test]
    fn a_hint_completes_its_words() {
        assert_eq!(labels("; percept: $0\n(init (holds p1 jack))"), ["board", "draw", "say", "allow"]);
        assert!(labels("; percept: draw ho$0\n(init (holds p1 jack))").contains(&"holds".to_owned()));
        assert!(labels("; percept: draw ja$0\n(init (holds p1 jack))").contains(&"jack".to_owned()));
        assert_eq!(labels("; percept: draw holds $0\n(init (holds p1 jack))"), ["cards", "dice", "grid"]);
        assert!(labels("; percept: board cell $0\n(init (cell 1 1 b))").contains(&"column".to_owned()));
        let game = "(init (holds p1 jack))\n(<= (legal ?r (bid ?n)) (free ?r ?n))";
        let words = |comment: &str| labels(&format!("{comment}\n{game}"));
        assert_eq!(words("; percept: say $0"), ["(bid ?n)", "holds"]);
        assert_eq!(words("; percept: say (bi$0"), ["(bid ?n)", "holds"]);
        assert_eq!(words("; percept: say (bid ?n) \"bid ?$0"), ["?n"]);
        let seen = "; percept: say $0\n(<= (sees ?r (taken ?m)) (does ?r (mark ?m)))";
        assert_eq!(labels(seen), ["(mark ?m)", "(sees ?r (taken ?m))"]);
        let message = "(define (domain d) ; percept: say $0\n(:action a :parameters (?r - role) :effect (observe (?r (hit ?r u)))))";
        let fixture = Fixture::pogddl(message);
        let found = super::super::complete(&fixture.files(), fixture.file, fixture.offset).expect("proposals").1;
        let item = found.last().expect("the message");
        assert_eq!(
            (item.label.as_str(), item.insert.as_str()),
            ("(sees ?r (hit ?x1 ?x2))", "(sees ?r (hit ?x1 ?x2)) \"${1:hit ?x1 ?x2}\"")
        );
        assert_eq!(words("; percept: say (sees ?r (bid ?n)) \"bid ?$0"), ["?r", "?n"]);
        assert!(labels("; a word for people $0\n(init (cell 1 1 b))").is_empty());
    }
}
