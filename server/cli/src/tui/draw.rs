//! The screen of the stepper: state on the left, moves on the right, rounds below.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, List, ListItem, ListState, Paragraph};

use percept_game::MoveId;
use percept_game::stepper::RoundView;
use percept_report::clean::acts_somewhere;
use percept_report::names;
use percept_report::page::Piece;
use percept_report::page::boards::Marks;
use percept_report::seat::{IsOver, Move, SeatRound};
use percept_report::speech::{Speech, joined};

use super::app::{App, Over, Spot};
use super::ask::Ask;
use super::keys::HELP;
use super::paint::{self, DIM};
use crate::followed::weighed;
use crate::wrap;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const MARKED: Style = Style::new().add_modifier(Modifier::REVERSED);
const WRONG: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);

/// The number of lines above which a quarter of them shows at least one round between its borders.
const LEAST_FOR_ROUNDS: u16 = 11;

pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    app.drawn.spots.borrow_mut().clear();
    let (width, height) = (usize::from(frame.area().width), frame.area().height);
    let (title, says) = (headline(app, width), footline(app, width));
    let (above, below) = (title.len() as u16, (says.len() as u16).min((height / 4).max(1)));
    // The moves take the place of the rounds if not one round fits.
    let rounds = if height < above + below + LEAST_FOR_ROUNDS { Constraint::Length(0) } else { Constraint::Fill(1) };
    let [head, middle, rounds, foot] =
        Layout::vertical([Constraint::Length(above), Constraint::Fill(3), rounds, Constraint::Length(below)])
            .areas(frame.area());
    let [state, moves] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(moves_width(app, middle.width))]).areas(middle);
    frame.render_widget(Paragraph::new(title), head);
    draw_state(frame, app, state);
    draw_moves(frame, app, moves);
    draw_rounds(frame, app, rounds);
    frame.render_widget(Paragraph::new(says), foot);
    match &app.over {
        Over::Help(first) => draw_over(frame, app, "keys", &help(frame.area().width), *first),
        Over::Why(lines, first) => draw_over(frame, app, "why", &why_lines(lines, frame.area().width), *first),
        Over::Ask(ask) => draw_ask(frame, ask),
        Over::Nothing | Over::Prompt(..) => {}
    }
    show_what_acts(frame);
}

/// Replaces marks that would reverse the order of the line with visible signs.
fn show_what_acts(frame: &mut Frame<'_>) {
    for cell in &mut frame.buffer_mut().content {
        if acts_somewhere(cell.symbol()) {
            cell.set_symbol("\u{fffd}");
        }
    }
}

/// Two fifths of the width, or more if the moves need it.
fn moves_width(app: &App, width: u16) -> u16 {
    let longest = app.labels(&app.moves()).iter().map(|name| wrap::columns(name)).max();
    let beside = if app.weights.get(app.focus).is_some_and(Option::is_some) { " 100.0 %".len() } else { 0 };
    let needed = u16::try_from(longest.unwrap_or(0) + beside + 2).unwrap_or(u16::MAX);
    (width * 2 / 5).max(needed.min(width * 3 / 5))
}

/// Draws lines over the match, as many as fit; the rest can be scrolled to.
fn draw_over(frame: &mut Frame<'_>, app: &App, title: &str, lines: &[Line<'_>], first: usize) {
    let area = frame.area();
    let height = area.height.saturating_sub(2).min(u16::try_from(lines.len() + 2).unwrap_or(u16::MAX));
    let at = Rect { x: 1.min(area.width), y: 1.min(area.height), width: area.width.saturating_sub(2), height };
    let page = height.saturating_sub(2) as usize;
    app.drawn.why_page.set(page);
    app.drawn.why_end.set(lines.len().saturating_sub(page));
    let first = first.min(app.drawn.why_end.get());
    let title = match lines.len() > page {
        true => format!(" {title} (lines {} to {} of {}) ", first + 1, (first + page).min(lines.len()), lines.len()),
        false => format!(" {title} "),
    };
    let text: Vec<Line<'_>> = lines.iter().skip(first).take(page).cloned().collect();
    frame.render_widget(Clear, at);
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(title)), at);
}

fn why_lines(lines: &[String], width: u16) -> Vec<Line<'static>> {
    let width = width.saturating_sub(4) as usize;
    lines.iter().flat_map(|line| wrap::folded(line, width)).map(Line::from).collect()
}

/// The keys, with explanations broken into lines that fit.
fn help(width: u16) -> Vec<Line<'static>> {
    let margin = HELP.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0) + 2;
    let rest = (width as usize).saturating_sub(margin + 5).max(12);
    let mut lines = Vec::new();
    for (keys, what) in HELP {
        for (index, part) in wrap::broken(what, rest).into_iter().enumerate() {
            let keys = if index == 0 { keys } else { "" };
            let part = part.trim_start().to_string();
            lines.push(Line::from(vec![Span::styled(format!(" {keys:<margin$}"), BOLD), Span::raw(part)]));
        }
    }
    lines
}

/// Draws the atoms that can be explained.
fn draw_ask(frame: &mut Frame<'_>, ask: &Ask) {
    let area = frame.area();
    let at = Rect {
        x: 1.min(area.width),
        y: 1.min(area.height),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    let found = ask.matching();
    let items: Vec<ListItem<'_>> = found.iter().map(|item| entry(&item.says, at)).collect();
    let title = match (found.is_empty(), ask.typed.is_empty()) {
        (true, _) => format!(" why: {}  (enter asks for it as typed) ", ask.typed),
        (false, true) => " why: type to narrow, enter asks ".to_string(),
        (false, false) => format!(" why: {}  ({} of {}) ", ask.typed, ask.line + 1, found.len()),
    };
    frame.render_widget(Clear, at);
    let list = List::new(items).block(Block::bordered().title(title)).highlight_style(MARKED);
    let mut selected = ListState::default().with_selected((!found.is_empty()).then_some(ask.line));
    frame.render_stateful_widget(list, at, &mut selected);
}

/// The game, the round, and the end of the match: on one line, with the game's name cut if needed, or on two.
fn headline(app: &App, width: usize) -> Vec<Line<'static>> {
    // A role does not know how much of a recorded match is left.
    let round = match app.eye {
        Some(_) => format!(" round {} ", app.view.round),
        None => format!(" round {} of {} ", app.view.round, app.view.rounds),
    };
    let over = over(app).unwrap_or_default();
    let room = |other: &str| width.saturating_sub(wrap::columns(&round) + wrap::columns(other) + 2);
    let name = |room: usize| Span::styled(format!(" {} ", wrap::end_of(&app.title, room)), BOLD);
    let needed = wrap::columns(&app.title).min(SHORT_NAME);
    if over.is_empty() || room(&over) >= needed {
        return vec![Line::from(vec![name(room(&over)), Span::raw(round), Span::styled(over, MARKED)])];
    }
    let mut lines = vec![Line::from(vec![name(room("")), Span::raw(round)])];
    lines.extend(wrap::folded(over.trim(), width).into_iter().map(|line| Line::styled(line, MARKED)));
    lines
}

/// The length of a name that identifies the game.
const SHORT_NAME: usize = 12;

/// The end of the match, as far as the viewer knows.
fn over(app: &App) -> Option<String> {
    let values = |goals: &[i64]| goals.iter().map(i64::to_string).collect::<Vec<_>>().join("/");
    match app.seat() {
        Some(Ok(seat)) if seat.over == IsOver::Yes => {
            let goals = seat.goals.as_deref().map_or("goal unknown".to_string(), values);
            Some(format!(" over: {} {goals} ", seat.role))
        }
        Some(Ok(seat)) if seat.over == IsOver::Unknown => Some(" perhaps over ".to_string()),
        Some(Ok(seat)) if seat.over == IsOver::Undecided => Some(" over? not known in time ".to_string()),
        Some(_) => None,
        None if app.view.terminal => {
            let players = app.view.roles.iter().filter(|role| !role.chance);
            let goals: Vec<String> = players.map(|role| format!("{} {}", role.name, values(&role.goals))).collect();
            Some(format!(" over: {} ", goals.join(", ")))
        }
        None => None,
    }
}

/// The question with the end of the typed text, or a message.
fn footline(app: &App, width: usize) -> Vec<Line<'static>> {
    let line = |text: &str, style: Style| {
        let lines = wrap::folded(text, width.saturating_sub(1)).into_iter();
        lines.map(|line| Line::styled(format!(" {line}"), style)).collect()
    };
    match &app.over {
        Over::Prompt(prompt, text, proposed) => {
            let question = format!(" {}: ", prompt.text());
            let room = width.saturating_sub(wrap::columns(&question) + 1);
            let typed = wrap::end_of(text, room.max(width / 3));
            vec![Line::from(vec![
                Span::styled(
                    wrap::clipped(&question, width.saturating_sub(wrap::columns(&typed) + 1)).to_string(),
                    BOLD,
                ),
                Span::styled(typed, if *proposed { DIM } else { Style::new() }),
                Span::styled(" ", MARKED),
            ])]
        }
        _ => match &app.fault {
            Some(fault) => line(fault, WRONG),
            None => line(&app.message, DIM),
        },
    }
}

fn draw_state(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let width = area.width.saturating_sub(2) as usize;
    let open = app.open_cells();
    let marks = Marks {
        cursor: app.cursor,
        chosen: &app.chosen,
        open: if app.cursor.is_some() || !app.chosen.is_empty() { &open } else { &[] },
        ..Marks::default()
    };
    let (title, painted) = match app.seat() {
        None => (" state ".to_string(), paint::state(&app.picture, &app.layout.speech, width, &marks)),
        Some(Ok(seat)) => {
            let plural = if seat.histories == "1" { "history" } else { "histories" };
            let title = format!(" what {} knows: {} {plural} ", seat.role, seat.histories);
            (title, paint::seat(seat, width, &marks))
        }
        Some(Err(why)) => (" what this role knows ".to_string(), paint::pieces(wrap::folded(why, width))),
    };
    state_block(frame, app, area, title, painted);
}

fn state_block(frame: &mut Frame<'_>, app: &App, area: Rect, title: String, lines: Vec<Vec<Piece>>) {
    let spots = paint::spots(&lines);
    let page = area.height.saturating_sub(2) as usize;
    app.drawn.state_page.set(page);
    app.drawn.state_end.set(lines.len().saturating_sub(page));
    // The cell under the cursor stays visible.
    let under = spots.iter().find(|it| Some(it.3.at) == app.cursor).map(|it| it.0);
    let wanted = under.map_or(app.scroll, |line| app.scroll.min(line).max((line + 1).saturating_sub(page)));
    let first = wanted.min(app.drawn.state_end.get());
    let mut block = Block::bordered().title(title);
    if lines.len() > page {
        let last = (first + page).min(lines.len());
        block = block.title_bottom(format!(" lines {} to {last} of {} ", first + 1, lines.len()));
    }
    let mut clicks = app.drawn.spots.borrow_mut();
    for (line, from, width, spot) in spots.into_iter().filter(|it| (first..first + page).contains(&it.0)) {
        let place = Rect { x: area.x + 1 + from, y: area.y + 1 + (line - first) as u16, width: width + 1, height: 1 };
        clicks.push((place.intersection(area), Spot::Cell(spot.place)));
    }
    let text: Vec<Line<'_>> = lines.iter().skip(first).take(page).map(|line| paint::line(line, app.colours)).collect();
    frame.render_widget(Paragraph::new(text).block(block), area);
}

fn draw_moves(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let picks = picks(app, area);
    let rows = picks.iter().map(|(_, lines)| lines.len() as u16).sum::<u16>();
    let rows = if rows == 0 { 0 } else { rows + 2 };
    let [roles, moves] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    let mut top = roles.y + 1;
    for (role, lines) in &picks {
        let at = Rect { x: roles.x, y: top, width: roles.width, height: lines.len() as u16 };
        app.drawn.spots.borrow_mut().push((at.intersection(roles), Spot::Role(*role)));
        top += at.height;
    }
    let style = |role: usize| if role == app.focus { BOLD } else { Style::new() };
    let text =
        picks.into_iter().flat_map(|(role, lines)| lines.into_iter().map(move |it| Line::styled(it, style(role))));
    let text: Vec<Line<'_>> = text.collect();
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" next round ")), roles);
    draw_legal(frame, app, moves);
}

/// The roles with their chosen moves for the next round: in full if that leaves half of the room, else one line each,
/// as many as leave two moves visible, including the role in focus.
fn picks(app: &App, area: Rect) -> Vec<(usize, Vec<String>)> {
    let width = usize::from(area.width.saturating_sub(2));
    let mut shown: Vec<usize> =
        (0..app.view.roles.len()).filter(|&role| app.eye.is_none_or(|eye| eye.0 as usize == role)).collect();
    let text = |role: usize| {
        let mark = if role == app.focus { ">" } else { " " };
        (format!("{mark}{}: ", app.view.roles[role].name), picked(app, role))
    };
    let whole = |&role: &usize| {
        let (name, picked) = text(role);
        (role, wrap::folded_after(&name, &picked, width))
    };
    let all: Vec<(usize, Vec<String>)> = shown.iter().map(whole).collect();
    let lines: usize = all.iter().map(|(_, lines)| lines.len()).sum();
    if lines + 2 <= usize::from(area.height / 2) {
        return all;
    }
    let room = usize::from(area.height.saturating_sub(6));
    let at = shown.iter().position(|&role| role == app.focus).unwrap_or(0);
    shown.drain(..(at + 1).saturating_sub(room).min(shown.len()));
    shown.truncate(room);
    let one = |role: usize| {
        let (name, picked) = text(role);
        let room = width.saturating_sub(wrap::columns(&name));
        (role, vec![format!("{name}{}", wrap::end_of(&picked, room))])
    };
    shown.into_iter().map(one).collect()
}

/// The chosen move of a role for the next round, as far as it may be shown.
fn picked(app: &App, index: usize) -> String {
    let (role, speech) = (&app.view.roles[index], &app.layout.speech);
    match app.picked.get(index).copied().flatten() {
        Some(mv) => names::made_by(app.stepper.game(), speech, percept_game::RoleId(index as u16), mv),
        None if app.eye.is_some() => String::new(),
        None if role.legal.len() == 1 => speech.phrase(&role.legal[0]),
        None if role.chance && !role.legal.is_empty() => "at random".to_string(),
        None => String::new(),
    }
}

/// An entry of a list between borders: whole, on as many lines as it needs.
fn entry(text: &str, area: Rect) -> ListItem<'static> {
    let (width, height) = (usize::from(area.width.saturating_sub(2)), usize::from(area.height.saturating_sub(2)));
    let lines = wrap::at_most(height, wrap::folded(text, width), width);
    ListItem::new(lines.into_iter().map(Line::from).collect::<Vec<_>>())
}

fn draw_legal(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let Some(role) = app.view.roles.get(app.focus) else { return };
    let (moves, perhaps) = (app.moves(), app.perhaps());
    let (count, all) = (moves.len(), moves.len() + perhaps.len());
    let weights = app.weights.get(app.focus).and_then(Option::as_ref);
    let legal = app.stepper.legal(app.role());
    let item = |(mv, name): (MoveId, String)| {
        let at = legal.iter().position(|&it| it == mv);
        match at.and_then(|at| weights?.get(at)) {
            Some(&weight) => entry(&weighed(&name, weight), area),
            None => entry(&name, area),
        }
    };
    let labels = app.labels(&moves);
    let mut names: Vec<ListItem<'_>> = moves.into_iter().zip(labels).map(item).collect();
    // Moves that may be legal are shown, but cannot be tried.
    let speech = &app.layout.speech;
    let chance =
        |mv: &Move| entry(&format!("{} ({:.0} %)", speech.phrase(&mv.name), mv.chance * 100.0), area).style(DIM);
    names.extend(perhaps.into_iter().map(chance));
    let heights: Vec<usize> = names.iter().map(ListItem::height).collect();
    let rows = usize::from(area.height.saturating_sub(2));
    let which = if app.chosen.is_empty() { String::new() } else { format!(" on {}", app.chosen.join(", ")) };
    let title = match app.seat() {
        Some(Err(_)) => format!(" the moves of {} are not known ", role.name),
        _ if heights.iter().sum::<usize>() > rows => {
            format!(" {} may{which} ({} of {all}) ", role.name, app.line + 1)
        }
        _ => format!(" {} may{which} ({count}) ", role.name),
    };
    let list = List::new(names).block(Block::bordered().title(title)).highlight_style(MARKED);
    let mut selected = ListState::default().with_selected((all > 0).then_some(app.line));
    frame.render_stateful_widget(list, area, &mut selected);
    let (mut top, mut page) = (0, 0);
    for (line, &height) in heights.iter().enumerate().skip(selected.offset()) {
        if top + height > rows {
            break;
        }
        let at = Rect { x: area.x, y: area.y + 1 + top as u16, width: area.width, height: height as u16 };
        app.drawn.spots.borrow_mut().push((at.intersection(area), Spot::Move(line)));
        top += height;
        page += 1;
    }
    app.drawn.moves_page.set(page);
}

fn draw_rounds(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let names: Vec<&str> = app.view.roles.iter().map(|role| role.name.as_str()).collect();
    let speech = &app.layout.speech;
    let eye = app.eye.map(|eye| eye.0 as usize);
    let chance: Vec<bool> = app.view.roles.iter().map(|role| role.chance).collect();
    let rounds: Vec<(String, Style)> = match app.seat() {
        Some(Ok(seat)) => seat.history.iter().map(|it| history_line(it, &seat.role, speech)).collect(),
        Some(Err(_)) => {
            let role = eye.map_or("", |eye| names[eye]);
            app.seat_history().iter().map(|it| history_line(it, role, speech)).collect()
        }
        None => app.view.history.iter().map(|round| round_line(app, round, &names, &chance, eye)).collect(),
    };
    let (width, height) = (usize::from(area.width.saturating_sub(2)), usize::from(area.height.saturating_sub(2)));
    let mut lines = Vec::new();
    let mut end = 0;
    for (index, (text, style)) in rounds.into_iter().enumerate() {
        let round = wrap::at_most(height, wrap::folded(&text, width), width);
        lines.extend(round.into_iter().map(|line| (index + 1, Line::styled(line, style))));
        if index < app.view.round {
            end = lines.len();
        }
    }
    // The current round stays visible.
    let first = end.saturating_sub(height).min(lines.len().saturating_sub(height));
    let mut clicks = app.drawn.spots.borrow_mut();
    let mut text = Vec::new();
    for (line, (round, shown)) in lines.into_iter().skip(first).take(height).enumerate() {
        let at = Rect { x: area.x, y: area.y + 1 + line as u16, width: area.width, height: 1 };
        clicks.push((at.intersection(area), Spot::Round(round)));
        text.push(shown);
    }
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" rounds ")), area);
}

/// A round in the view of a role.
fn history_line(round: &SeatRound, role: &str, speech: &Speech) -> (String, Style) {
    let made = round.own.iter().filter(|mv| *mv != "noop").map(|mv| speech.phrase(mv));
    let seen = (!round.percepts.is_empty()).then(|| format!("sees {}", in_row(&round.percepts, role, speech)));
    (format!("{:>3}. {}", round.round, made.chain(seen).collect::<Vec<_>>().join(" ")), Style::new())
}

fn round_line(app: &App, round: &RoundView, names: &[&str], chance: &[bool], eye: Option<usize>) -> (String, Style) {
    let parts = match app.stepper.game().is_sequential {
        true => one_acts(round, &app.layout.speech, names, chance),
        false => all_act(round, &app.layout.speech, names, eye),
    };
    let style = match round.round {
        number if number == app.view.round => BOLD,
        number if number > app.view.round => DIM,
        _ => Style::new(),
    };
    (format!("{:>3}. {}", round.round, parts.join(" | ")), style)
}

/// A role's percepts on a line. Commas separate words, which have blanks of their own.
fn in_row(percepts: &[String], role: &str, speech: &Speech) -> String {
    let words: Vec<String> = percepts.iter().map(|it| speech.percept(role, it)).collect();
    if words == percepts { words.join(" ") } else { joined(&words) }
}

/// The moves and percepts of every role in a round; in the view of a role, only its own.
fn all_act(round: &RoundView, speech: &Speech, names: &[&str], eye: Option<usize>) -> Vec<String> {
    let mut parts = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| eye.is_none_or(|eye| eye == *index)) {
        let mv = &round.moves[index];
        let mv = if mv == "noop" { String::new() } else { format!(" {}", speech.phrase(mv)) };
        let percepts = &round.percepts[index];
        let seen =
            if percepts.is_empty() { String::new() } else { format!(" sees {}", in_row(percepts, name, speech)) };
        if !mv.is_empty() || !seen.is_empty() {
            parts.push(format!("{name}{mv}{seen}"));
        }
    }
    parts
}

/// A round in which one role acts: its action, then the percepts of the players, once if all are the same.
fn one_acts(round: &RoundView, speech: &Speech, names: &[&str], chance: &[bool]) -> Vec<String> {
    let actor = round.moves.iter().position(|mv| mv != "noop");
    let mut parts: Vec<String> =
        actor.map(|actor| format!("{} {}", names[actor], speech.phrase(&round.moves[actor]))).into_iter().collect();
    let players: Vec<usize> = (0..names.len()).filter(|&role| !chance[role]).collect();
    let seen = |role: usize| in_row(&round.percepts[role], names[role], speech);
    match players.first().map(|&first| seen(first)) {
        Some(same) if players.len() > 1 && players.iter().all(|&role| seen(role) == same) => {
            parts.extend((!same.is_empty()).then(|| format!("all see {same}")));
        }
        _ => {
            let seeing = players.iter().filter(|&&role| !round.percepts[role].is_empty());
            parts.extend(seeing.map(|&role| format!("{} sees {}", names[role], seen(role))));
        }
    }
    parts
}

/// The screen while a game is set up.
pub(super) fn waiting(frame: &mut Frame<'_>, since: std::time::Duration) {
    let text = format!(" setting the game up ... {} s (q leaves)", since.as_secs());
    frame.render_widget(Paragraph::new(text), frame.area());
}
