//! Slips in comments that say how something is shown: `; percept: board ...`, `; percept: draw ...`, `; percept: say
//! ...`.

mod say;

use percept_syntax::near::nearest;
use percept_syntax::{Language, Source, TextRange, TokenKind};

use crate::ide::boards::{BOARD, COLOURS, STYLES, order};
use crate::{Diagnostic, FileId, Rule, TextEdit};

/// The words after `percept:`.
const KINDS: [&str; 6] = ["board", "draw", "say", "allow", "allow-file", "terminal"];
/// The longest sign of a piece, in characters.
const SIGN: usize = 4;

/// The finding of `rule` for each comment of a text that has a slip.
pub(crate) fn slips(rule: &'static Rule, file: FileId, source: &Source) -> Vec<Diagnostic> {
    source
        .comment_texts()
        .filter_map(|comment| slip(source, comment))
        .map(|slip| slip.finding(rule, file, source))
        .collect()
}

/// A word that means nothing where it stands.
struct Slip<'a> {
    word: &'a str,
    message: String,
    /// The word that was probably meant.
    near: Option<String>,
}

impl Slip<'_> {
    fn finding(self, rule: &'static Rule, file: FileId, source: &Source) -> Diagnostic {
        let range: TextRange = source.range_of(self.word);
        match self.near {
            Some(near) => {
                let edits = vec![TextEdit { file, range, insert: near.clone() }];
                let message = format!("{}: did you mean `{near}`?", self.message);
                Diagnostic::new(rule, file, range, message).fix(format!("Change to `{near}`"), edits)
            }
            None => Diagnostic::new(rule, file, range, self.message),
        }
    }
}

fn slip<'a>(source: &Source, comment: &'a str) -> Option<Slip<'a>> {
    let mut words = order(comment)?.split_whitespace();
    let kind = words.next()?;
    let rest: Vec<&str> = words.collect();
    match kind {
        "board" => board(source, kind, &rest),
        "draw" => drawing(source, kind, &rest),
        "say" => say::slip(source, comment),
        _ if kind.starts_with("allow(") || kind.starts_with("allow-file(") => None,
        // Another rule speaks of `terminal`; other words may be for other programs.
        _ => {
            let word = kind.split(['(', ':']).next()?;
            let near = nearest(word, KINDS).filter(|near| *near != "terminal" && *near != word)?;
            Some(Slip { word, message: format!("`{word}` is not a word for Percept"), near: Some(near.to_owned()) })
        }
    }
}

fn board<'a>(source: &Source, kind: &'a str, words: &[&'a str]) -> Option<Slip<'a>> {
    let (name, parts) = match words {
        [] => return Some(missing(kind, "a board needs the name of a fluent and a word for each argument")),
        [name, parts @ ..] => (*name, parts),
    };
    if let Some(slip) = unnamed(source, name) {
        return Some(slip);
    }
    if let Some(word) = parts.iter().find(|word| !BOARD.contains(word)) {
        return Some(among(word, "a word of a board", &BOARD));
    }
    let has = |part: &str| parts.contains(&part);
    let is_placed = has("hidden") || has("cell") || has("rack") || column(parts) && row(parts);
    (!is_placed).then(|| missing(name, "a board needs `column` and `row`, `cell` or `rack` among its words"))
}

fn column(parts: &[&str]) -> bool {
    parts.iter().any(|it| matches!(*it, "column" | "col" | "x"))
}

fn row(parts: &[&str]) -> bool {
    parts.iter().any(|it| matches!(*it, "row" | "y"))
}

fn drawing<'a>(source: &Source, kind: &'a str, words: &[&'a str]) -> Option<Slip<'a>> {
    let (name, rest) = match words {
        [] => return Some(missing(kind, "a drawing needs a name, and `cards`, `dice`, `grid` or a sign")),
        [name] => return Some(missing(name, "`cards`, `dice`, `grid` or a sign is missing after this name")),
        [name, rest @ ..] => (*name, rest),
    };
    if let Some(slip) = unnamed(source, name) {
        return Some(slip);
    }
    let (sign, colour) = (rest[0], rest.get(1));
    let is_style = STYLES.contains(&sign);
    let slip_of_style = || nearest(sign, STYLES).is_some();
    if !is_style && (sign.chars().count() > SIGN || slip_of_style()) {
        return Some(among(sign, "`cards`, `dice`, `grid`, or a sign of at most four characters", &STYLES));
    }
    let colour = colour.filter(|word| is_style || !COLOURS.contains(&word.to_ascii_lowercase().as_str()))?;
    Some(among(colour, if is_style { "expected after a style" } else { "a colour" }, &COLOURS))
}

fn missing<'a>(word: &'a str, message: &str) -> Slip<'a> {
    Slip { word, message: message.to_owned(), near: None }
}

fn among<'a>(word: &'a str, what: &str, words: &[&'static str]) -> Slip<'a> {
    let near = nearest(word, words.iter().copied()).map(str::to_owned);
    let all = if near.is_some() { String::new() } else { format!(": these are `{}`", words.join("`, `")) };
    Slip { word, message: format!("`{word}` is not {what}{all}"), near }
}

/// A name that the text does not have. In POGDDL it may be in the other half.
fn unnamed<'a>(source: &Source, name: &'a str) -> Option<Slip<'a>> {
    let words = || {
        let tokens = source.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Number));
        tokens.filter_map(|token| source.text.get(token.range.as_usize()))
    };
    if source.language == Language::Pogddl || words().any(|word| word.eq_ignore_ascii_case(name)) {
        return None;
    }
    let near = nearest(name, words()).map(str::to_owned);
    Some(Slip { word: name, message: format!("nothing in this text is called `{name}`"), near })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_named_at_its_word() {
        let message = |comment: &str| {
            let text = format!("{comment}\n(init (holds ann jack))\n(init (cell 1 1 b))");
            let source = Source::parse(text.as_str(), Language::GdlPrefix);
            let found = slips(crate::rules::find("unknown-hint").expect("the rule"), FileId(0), &source).pop();
            found.map(|it| format!("{} | {}", source.text.get(it.range.as_usize()).unwrap_or_default(), it.message))
        };
        for right in [
            "; percept: board cell column row piece up",
            "; percept: board cell hidden",
            "; percept: draw holds cards",
            "; percept: draw jack J red",
            "; percept: allow(next-in-body)",
            "; a word for people",
        ] {
            assert_eq!(message(right), None, "{right}");
        }
        let wrong = [
            ("; percept: bord cell column row", "bord | `bord` is not a word for Percept: did you mean `board`?"),
            ("; percept: board cel column row", "cel | nothing in this text is called `cel`: did you mean `cell`?"),
            ("; percept: board cell colum row", "colum | `colum` is not a word of a board: did you mean `column`?"),
            (
                "; percept: board cell row piece",
                "cell | a board needs `column` and `row`, `cell` or `rack` among its words",
            ),
            (
                "; percept: draw holds crads",
                "crads | `crads` is not `cards`, `dice`, `grid`, or a sign of at most four characters: did you mean `cards`?",
            ),
            (
                "; percept: draw holds card",
                "card | `card` is not `cards`, `dice`, `grid`, or a sign of at most four characters: did you mean `cards`?",
            ),
            ("; percept: draw holds", "holds | `cards`, `dice`, `grid` or a sign is missing after this name"),
            ("; percept: draw jack J rde", "rde | `rde` is not a colour: did you mean `red`?"),
            ("; percept: sya jack \"J\"", "sya | `sya` is not a word for Percept: did you mean `say`?"),
        ];
        for (comment, expected) in wrong {
            assert_eq!(message(comment).as_deref(), Some(expected), "{comment}");
        }
    }

    #[test]
    fn words_are_for_moves_and_fluents() {
        let message = |text: &str, language| {
            let source = Source::parse(text, language);
            assert!(source.errors.is_empty(), "{:?}", source.errors);
            let found = slips(crate::rules::find("unknown-hint").expect("the rule"), FileId(0), &source).pop();
            found.map(|it| format!("{} | {}", source.text.get(it.range.as_usize()).unwrap_or_default(), it.message))
        };
        let rules = "(role ann) (init (cell 1 1 b)) (row 1) (<= (legal ann (mark ?m ?n)) (row ?m) (row ?n))";
        let gdl = |comment: &str| message(&format!("{comment}\n{rules}"), Language::GdlPrefix);
        for right in [
            "; percept: say (mark ?m ?n) \"mark row ?m, column ?n\"",
            "; percept: say (cell ?m 1 b) \"a blank in ?m\"",
            "; percept: say (mark ?m (at ?x)) \"mark ?m\"",
        ] {
            assert_eq!(gdl(right), None, "{right}");
        }
        for (comment, expected) in [
            (
                "say",
                "say | a name needs a move or a fluent, then its words: `say (mark ?m ?n) \"mark row ?m, column ?n\"`",
            ),
            ("say (row ?m) \"row\"", "row | `row` is neither a move nor a fluent"),
            ("say (marc ?m ?n) \"row\"", "marc | `marc` is neither a move nor a fluent: did you mean `mark`?"),
            ("say (mark ?m) \"row ?m\"", "mark | `mark` has 2 arguments, but the pattern has 1"),
            ("say (mark ?row ?n) \"row ?rwo\"", "rwo | `?rwo` is not a variable of the pattern: did you mean `row`?"),
            ("say (mark ?m ?n) \"row ?x\"", "x | `?x` is not a variable of the pattern"),
            ("say (mark ?m ?n) \"row ?m", "\"row ?m | the quote at the end of the words is missing"),
            ("say (mark ?m ?n) row", "row | words need quotes: `say (mark ?m ?n) \"mark row ?m, column ?n\"`"),
            ("say (mark ?m ?n \"row ?m\"", "(mark ?m ?n | a `)` is missing in this pattern"),
            ("say (mark ?m ?n) \"row\" more", "more | nothing follows the words in quotes"),
            ("say (mark ?m ?n) \" \"", "\" \" | there are no words between the quotes"),
        ] {
            assert_eq!(gdl(&format!("; percept: {comment}")).as_deref(), Some(expected), "{comment}");
        }
        let infix = "role(ann).\nlegal(ann, mark(M, 1)).\n% percept: say mark(?m, ?n) \"mark ?m\"\n";
        assert_eq!(message(infix, Language::GdlInfix), None);
        assert!(message(&infix.replace("mark(?m, ?n)", "mark(?m)"), Language::GdlInfix).is_some());
        let open = "; percept: say (mark ?m) \"mark ?m\"\n(able (mark 1)) (<= (legal ann ?x) (able ?x))";
        assert_eq!(message(open, Language::GdlPrefix), None);
        let domain = "(define (domain d) (:predicates (at ?r ?s)) (:action go :parameters (?r ?s) :effect (at ?r ?s)))";
        let pogddl = |comment: &str| message(&format!("; percept: {comment}\n{domain}"), Language::Pogddl);
        assert_eq!(pogddl("say (go ?r ?to) \"go to ?to\""), None);
        assert_eq!(pogddl("say (at ?r ?s) \"at ?s\""), None);
        assert_eq!(pogddl("say (go ?to) \"go\"").as_deref(), Some("go | `go` has 2 arguments, but the pattern has 1"));
        assert_eq!(pogddl("say (ga ?r ?s) \"go\"").map(|it| it.starts_with("ga |")), Some(true));
    }
}
