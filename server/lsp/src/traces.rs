//! Traces as a language: moves are checked against the rules and completed with the legal ones, and the percepts of
//! every role appear beside each round.

use std::sync::Arc;
use std::time::Duration;

use percept_analysis::ide::markdown;
use percept_game::stepper::Stepper;
use percept_game::trace::{self, Trace, View};
use percept_game::{Game, JointMove, MoveId, RoleId};
use percept_infoset::Budget;
use percept_report::{belief, information};
use percept_syntax::{Language, Source, TextRange, Token, TokenKind};
use tower_lsp::lsp_types::*;

use crate::games;
use crate::place::Place;
use crate::snapshot::{File, Kind};

/// The memory for counting histories, for each role.
const COUNTING: Duration = Duration::from_millis(400);

/// The most legal moves that are proposed.
const MOST: usize = 500;

/// A trace that is open or on disk, and its game.
fn open(place: &Place, uri: &Url) -> Option<(Arc<File>, Arc<Game>)> {
    let file = games::file(&place.snapshot, uri).filter(|file| file.kind() == Kind::Trace)?;
    let loaded = place.shared.load(&place.snapshot, uri).ok()?;
    Some((file, loaded.game))
}

/// The tokens of a trace that have a meaning.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let source = Source::parse(text, Language::GdlPrefix);
    source.tokens.iter().filter(|token| token.kind != TokenKind::Comment).copied().collect()
}

/// Top-level forms and words.
fn forms(tokens: &[Token]) -> Vec<TextRange> {
    let mut forms = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Open => {
                if depth == 0 {
                    start = token.range.start;
                }
                depth += 1;
            }
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    forms.push(TextRange::new(start.min(token.range.start), token.range.end));
                }
            }
            _ if depth == 0 => forms.push(token.range),
            _ => {}
        }
    }
    forms
}

/// The ranges of a trace's rounds, if they can be determined: one form each, one line each, or the parts of one list.
fn places(text: &str, rounds: usize) -> Option<Vec<TextRange>> {
    let tokens = tokens(text);
    let top = forms(&tokens);
    if top.len() == rounds {
        return Some(top);
    }
    let by_line: Vec<TextRange> = top
        .chunk_by(|a, b| !text[a.end as usize..b.start as usize].contains('\n'))
        .map(|line| line[0].cover(line[line.len() - 1]))
        .collect();
    if by_line.len() == rounds {
        return Some(by_line);
    }
    let [only] = top[..] else { return None };
    let inner: Vec<Token> =
        tokens.into_iter().filter(|token| only.start < token.range.start && token.range.end < only.end).collect();
    let inner = forms(&inner);
    (inner.len() == rounds).then_some(inner)
}

/// The percepts of each round that ends in the range.
pub(crate) fn hints(place: &Place, uri: &Url, range: Range) -> Option<Vec<InlayHint>> {
    let (file, game) = open(place, uri)?;
    let rounds = games::read_trace(&game, &file).ok()?;
    let places = places(file.text(), rounds.len())?;
    let encoding = place.snapshot.encoding();
    let mut stepper = Stepper::new(game.clone());
    let mut hints = Vec::new();
    for (joint, at) in rounds.into_iter().zip(places) {
        stepper.play(joint).ok()?;
        let position = file.position(at.end, encoding);
        if position.line < range.start.line || position.line > range.end.line {
            continue;
        }
        let label = percepts(&stepper);
        if label.is_empty() {
            continue;
        }
        hints.push(InlayHint {
            position,
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(format!("what the roles perceive in round {}", stepper.at()))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    Some(hints)
}

/// The percepts of every role in the round at a position, and the number of histories that they rule out; for a view,
/// the percepts of its role.
pub(crate) fn hover(place: &Place, uri: &Url, position: Position) -> Option<Hover> {
    let (file, game) = open(place, uri)?;
    let encoding = place.snapshot.encoding();
    let offset = file.offset(position, encoding);
    let at = |places: &[TextRange]| places.iter().position(|at| at.start <= offset && offset <= at.end);
    let traces = games::read_any(&game, file.text()).ok()?;
    let (round, range) = match traces.first()? {
        Trace::Match(rounds) => {
            let places = places(file.text(), rounds.len())?;
            at(&places).map(|round| (round, places[round]))?
        }
        // Messages before the first round come first.
        Trace::View(view) => {
            let messages = forms(&tokens(file.text()));
            let rounds = &messages[messages.len().checked_sub(view.rounds.len())?..];
            at(rounds).map(|round| (round, rounds[round]))?
        }
    };
    let mut lines = vec![format!("**Round {}**", round + 1)];
    for trace in &traces {
        match trace {
            Trace::Match(rounds) => lines.extend(of_match(place, &game, &rounds[..=round])?),
            Trace::View(view) => lines.push(of_view(place, &game, &view.prefix(round + 1))),
        }
    }
    let value = lines.join("\n\n");
    let contents = match place.snapshot.session.client.markdown_hover {
        true => MarkupContent { kind: MarkupKind::Markdown, value },
        false => MarkupContent { kind: MarkupKind::PlainText, value: markdown::plain(&value) },
    };
    Some(Hover { contents: HoverContents::Markup(contents), range: Some(file.range(range, encoding)) })
}

/// The last of these rounds, in the view of every role.
fn of_match(place: &Place, game: &Arc<Game>, rounds: &[JointMove]) -> Option<Vec<String>> {
    let mut stepper = Stepper::new(game.clone());
    for joint in rounds {
        stepper.play(joint.clone()).ok()?;
    }
    let mut lines = Vec::new();
    let view = stepper.view();
    for (id, role) in game.role_ids().zip(&view.roles).filter(|(_, role)| !role.chance) {
        let counted = information::in_match(game, rounds, id, &counting(place));
        lines.push(format!("{} sees {}", markdown::as_written(&role.name), percept_line(&role.percepts, counted)));
    }
    Some(lines)
}

/// The last round of a view.
fn of_view(place: &Place, game: &Game, view: &View) -> String {
    let percepts = view.rounds.last().map_or(&[][..], |round| &round.percepts);
    let names: Vec<String> = percepts.iter().map(|&it| game.rules.percept_name(view.role, it)).collect();
    let counted = information::in_view(game, view, &counting(place));
    format!("{} sees {}", markdown::as_written(&game.roles[view.role.0 as usize].name), percept_line(&names, counted))
}

fn counting(place: &Place) -> Budget {
    Budget { cancel: Some(place.token.flag()), ..belief::within(COUNTING) }
}

/// Percepts, and the number of histories that they rule out if it could be counted.
fn percept_line(percepts: &[String], counted: Option<information::Information>) -> String {
    let percepts: Vec<String> = percepts.iter().map(|it| markdown::code(it)).collect();
    let count = counted.map_or_else(|| "too many histories to count".to_string(), |count| count.to_string());
    format!("{}: {count}", if percepts.is_empty() { "nothing".to_string() } else { percepts.join(" ") })
}

/// `white: (yes) · black: nothing` for the last round; empty if no role perceives anything.
fn percepts(stepper: &Stepper) -> String {
    let view = stepper.view();
    let players = view.roles.iter().filter(|role| !role.chance);
    if players.clone().all(|role| role.percepts.is_empty()) {
        return String::new();
    }
    let part = |role: &percept_game::stepper::RoleView| match role.percepts.is_empty() {
        true => format!("{}: nothing", role.name),
        false => format!("{}: {}", role.name, role.percepts.join(" ")),
    };
    players.map(part).collect::<Vec<_>>().join(" · ")
}

/// The legal moves at the cursor. `None` if the document is not a trace.
pub(crate) fn completion(place: &Place, uri: &Url, position: Position) -> Option<Vec<CompletionItem>> {
    let file = games::file(&place.snapshot, uri).filter(|file| file.kind() == Kind::Trace)?;
    let encoding = place.snapshot.encoding();
    let offset = file.offset(position, encoding);
    let Some((file, game)) = open(place, uri) else { return Some(Vec::new()) };
    let Some((round, slot, replaced)) = slot(file.text(), offset, game.is_sequential) else { return Some(Vec::new()) };
    let before = &file.text()[..round as usize];
    let Ok(Trace::Match(rounds)) = trace::read(&game, before.as_bytes()) else {
        return Some(Vec::new());
    };
    let range = file.range(replaced, encoding);
    let mut items = Vec::new();
    for (role, mv) in legal(&game, rounds, slot) {
        let name = game.rules.move_name(role, mv);
        items.push(CompletionItem {
            label: name.clone(),
            detail: Some(game.roles[role.0 as usize].name.clone()),
            kind: Some(CompletionItemKind::METHOD),
            filter_text: Some(name.clone()),
            sort_text: Some(format!("{:06}", items.len())),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, name))),
            ..Default::default()
        });
        if items.len() >= MOST {
            break;
        }
    }
    Some(items)
}

/// The legal moves of a role after `rounds`; without a role, those of every role that has a choice.
fn legal(game: &Arc<Game>, rounds: Vec<JointMove>, role: Option<usize>) -> Vec<(RoleId, MoveId)> {
    let mut stepper = Stepper::new(game.clone());
    for joint in rounds {
        let _ = stepper.play(joint);
    }
    let roles = game.role_ids().filter(|it| role.is_none_or(|wanted| it.0 as usize == wanted));
    let moves = roles.flat_map(|role| stepper.legal(role).into_iter().map(move |mv| (role, mv)));
    moves.filter(|(_, mv)| role.is_some() || *mv != MoveId::NOOP).collect()
}

/// The start of the cursor's round, the role whose move it is at (`None` in a game of turns), and the range that a move
/// would replace.
fn slot(text: &str, offset: u32, sequential: bool) -> Option<(u32, Option<usize>, TextRange)> {
    let before: Vec<Token> = tokens(text).into_iter().filter(|token| token.range.start < offset).collect();
    // Brackets that are open at the cursor, and the parts begun in each.
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut line_parts = 0;
    let mut line_start = None;
    for (index, token) in before.iter().enumerate() {
        let fresh = index == 0 || text[before[index - 1].range.end as usize..token.range.start as usize].contains('\n');
        if open.is_empty() && (fresh || line_start.is_none()) {
            line_parts = 0;
            line_start = Some(token.range.start);
        }
        match token.kind {
            TokenKind::Open => {
                match open.last_mut() {
                    Some((_, parts)) => *parts += 1,
                    None => line_parts += 1,
                }
                open.push((token.range.start, 0));
            }
            TokenKind::Close => {
                open.pop();
            }
            _ => match open.last_mut() {
                Some((_, parts)) => *parts += 1,
                None => line_parts += 1,
            },
        }
    }
    let last = before
        .last()
        .filter(|token| token.range.end >= offset && matches!(token.kind, TokenKind::Word | TokenKind::Number));
    let typed = last.map(|token| TextRange::new(token.range.start, token.range.end));
    if sequential {
        let start = open.first().map(|(start, _)| *start).or(typed.map(|it| it.start)).unwrap_or(offset);
        return Some((start, None, close(text, start, offset)));
    }
    match open[..] {
        // On the line itself, without the round's brackets: `(mark 1 1) noop`.
        [] => {
            let on_line =
                before.last().is_some_and(|token| !text[token.range.end as usize..offset as usize].contains('\n'));
            let position = if on_line { line_parts - usize::from(typed.is_some()) } else { 0 };
            let start = if on_line { line_start.unwrap_or(offset) } else { offset };
            Some((start, Some(position), typed.unwrap_or(TextRange::at(offset))))
        }
        [(start, parts)] => {
            Some((start, Some(parts - usize::from(typed.is_some())), typed.unwrap_or(TextRange::at(offset))))
        }
        [(start, parts), (inner, _), ..] => Some((start, Some(parts - 1), close(text, inner, offset))),
    }
}

/// From `start` to the bracket that closes it, or to the cursor.
fn close(text: &str, start: u32, offset: u32) -> TextRange {
    let mut depth = 0usize;
    for token in tokens(&text[start as usize..]) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let end = start + token.range.end;
                    let same_line = !text[offset.min(end) as usize..end as usize].contains('\n');
                    return TextRange::new(start, if same_line { end } else { offset }.max(offset));
                }
            }
            _ => {}
        }
    }
    TextRange::new(start, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot_at(text: &str, sequential: bool) -> Option<(String, Option<usize>, String)> {
        let offset = text.find('|').expect("a cursor") as u32;
        let text = text.replacen('|', "", 1);
        let (round, role, replaced) = slot(&text, offset, sequential)?;
        Some((text[..round as usize].to_string(), role, text[replaced.as_usize()].to_string()))
    }

    #[test]
    fn the_cursor_is_at_a_roles_move() {
        let at = |text| slot_at(text, false).unwrap();
        assert_eq!(at("(a b)\n(|"), ("(a b)\n".into(), Some(0), "".into()));
        assert_eq!(at("(a b)\n(a |)"), ("(a b)\n".into(), Some(1), "".into()));
        assert_eq!(at("((mark 1 1) no|)"), ("".into(), Some(1), "no".into()));
        assert_eq!(at("((mark 1 |) noop)"), ("".into(), Some(0), "(mark 1 )".into()));
        assert_eq!(at("a b\na |"), ("a b\n".into(), Some(1), "".into()));
        assert_eq!(at("a b\n|"), ("a b\n".into(), Some(0), "".into()));
        assert_eq!(slot_at("(bet p1)\n(pa|", true).unwrap(), ("(bet p1)\n".into(), None, "(pa".into()));
    }

    #[test]
    fn rounds_are_forms_lines_or_parts_of_a_list() {
        let shown = |text: &str, rounds| {
            let found = places(text, rounds)?;
            Some(found.iter().map(|range| text[range.as_usize()].to_string()).collect::<Vec<_>>())
        };
        assert_eq!(shown("(a b) ; x\n(c d)", 2).unwrap(), ["(a b)", "(c d)"]);
        assert_eq!(shown("a (b 1)\nc d\n", 2).unwrap(), ["a (b 1)", "c d"]);
        assert_eq!(shown("((a b)\n (c d))", 2).unwrap(), ["(a b)", "(c d)"]);
        assert_eq!(shown("(a b)", 3), None);
    }
}
