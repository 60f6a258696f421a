//! The stepper painted: state on the left, moves on the right, rounds below.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, List, ListItem, ListState, Paragraph};

use percept_game::stepper::RoundView;

use super::app::{App, Over};
use super::ask::Ask;
use super::keys::HELP;
use crate::commands::step::weighed;
use crate::show;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const MARKED: Style = Style::new().add_modifier(Modifier::REVERSED);
const WRONG: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);

pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let [head, middle, rounds, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(3), Constraint::Fill(1), Constraint::Length(1)])
            .areas(frame.area());
    let [state, moves] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(moves_width(app, middle.width))]).areas(middle);
    frame.render_widget(Paragraph::new(headline(app)), head);
    draw_state(frame, app, state);
    draw_moves(frame, app, moves);
    draw_rounds(frame, app, rounds);
    frame.render_widget(Paragraph::new(footline(app)), foot);
    match &app.over {
        Over::Help(first) => draw_over(frame, app, "keys", &help(frame.area().width), *first),
        Over::Why(lines, first) => draw_over(frame, app, "why", &why_lines(lines, frame.area().width), *first),
        Over::Ask(ask) => draw_ask(frame, ask),
        Over::Nothing | Over::Prompt(..) => {}
    }
}

/// Two fifths of the width, or more where the moves need it.
fn moves_width(app: &App, width: u16) -> u16 {
    let longest =
        app.view.roles.get(app.focus).and_then(|role| role.legal.iter().map(|name| name.chars().count()).max());
    let beside = if app.weights.get(app.focus).is_some_and(Option::is_some) { " 100.0 %".len() } else { 0 };
    let needed = u16::try_from(longest.unwrap_or(0) + beside + 2).unwrap_or(u16::MAX);
    (width * 2 / 5).max(needed.min(width * 3 / 5))
}

/// Lines over the match, as many as fit, the rest to be scrolled to.
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
    lines.iter().flat_map(|line| show::broken(line, width)).map(Line::from).collect()
}

/// The keys, what each does broken into lines that fit.
fn help(width: u16) -> Vec<Line<'static>> {
    let margin = HELP.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0) + 2;
    let rest = (width as usize).saturating_sub(margin + 5).max(12);
    let mut lines = Vec::new();
    for (keys, what) in HELP {
        for (index, part) in show::broken(what, rest).into_iter().enumerate() {
            let keys = if index == 0 { keys } else { "" };
            let part = part.trim_start().to_string();
            lines.push(Line::from(vec![Span::styled(format!(" {keys:<margin$}"), BOLD), Span::raw(part)]));
        }
    }
    lines
}

/// What can be asked for its reasons.
fn draw_ask(frame: &mut Frame<'_>, ask: &Ask) {
    let area = frame.area();
    let at = Rect {
        x: 1.min(area.width),
        y: 1.min(area.height),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    let found = ask.found();
    let items: Vec<ListItem<'_>> = found.iter().map(|item| ListItem::new(item.text.as_str())).collect();
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

fn headline(app: &App) -> Line<'static> {
    let mut spans = vec![
        Span::styled(format!(" {} ", app.title), BOLD),
        Span::raw(format!(" round {} of {} ", app.view.round, app.view.rounds)),
    ];
    if app.view.terminal {
        let goals: Vec<String> = app
            .view
            .roles
            .iter()
            .filter(|role| !role.chance)
            .map(|role| {
                format!("{} {}", role.name, role.goals.iter().map(i64::to_string).collect::<Vec<_>>().join("/"))
            })
            .collect();
        spans.push(Span::styled(format!(" over: {} ", goals.join(", ")), MARKED));
    }
    Line::from(spans)
}

fn footline(app: &App) -> Line<'static> {
    match &app.over {
        Over::Prompt(prompt, text, proposed) => Line::from(vec![
            Span::styled(format!(" {}: ", prompt.text()), BOLD),
            Span::styled(text.clone(), if *proposed { DIM } else { Style::new() }),
            Span::styled(" ", MARKED),
        ]),
        _ => match &app.fault {
            Some(fault) => Line::styled(format!(" {fault}"), WRONG),
            None => Line::styled(format!(" {}", app.message), DIM),
        },
    }
}

fn draw_state(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let width = area.width.saturating_sub(2) as usize;
    let (title, lines) = match (&app.knowledge, app.eye) {
        (Some(knowledge), Some(eye)) => {
            let role = &app.stepper.game().roles[eye.0 as usize].name;
            let Some((histories, states)) = &knowledge.size else {
                let text = "too many histories to say what is certain".to_string();
                return state_block(frame, app, area, format!(" what {role} knows "), vec![text]);
            };
            let mut lines = show::state(&knowledge.certain, width);
            if !knowledge.possible.groups.is_empty() {
                lines.push(String::new());
                lines.push("perhaps:".to_string());
                for group in &knowledge.possible.groups {
                    lines.extend(show::wrapped(&group.functor, &group.fluents, width));
                }
            }
            let plural = if histories == "1" { "history" } else { "histories" };
            (format!(" what {role} knows: {histories} {plural}, {states} states "), lines)
        }
        _ => (" state ".to_string(), show::state(&app.view.state, width)),
    };
    state_block(frame, app, area, title, lines);
}

fn state_block(frame: &mut Frame<'_>, app: &App, area: Rect, title: String, lines: Vec<String>) {
    let page = area.height.saturating_sub(2) as usize;
    app.drawn.state_page.set(page);
    app.drawn.state_end.set(lines.len().saturating_sub(page));
    let first = app.scroll.min(app.drawn.state_end.get());
    let mut block = Block::bordered().title(title);
    if lines.len() > page {
        let last = (first + page).min(lines.len());
        block = block.title_bottom(format!(" lines {} to {last} of {} ", first + 1, lines.len()));
    }
    let text: Vec<Line<'_>> = lines.into_iter().skip(first).take(page).map(Line::from).collect();
    frame.render_widget(Paragraph::new(text).block(block), area);
}

fn draw_moves(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let hidden = |role: usize| app.eye.is_some_and(|eye| eye.0 as usize != role);
    let rows = app.view.roles.len() as u16 + 2;
    let [roles, moves] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    let lines: Vec<Line<'_>> = app
        .view
        .roles
        .iter()
        .enumerate()
        .map(|(index, role)| {
            let picked = match app.picked.get(index).copied().flatten() {
                Some(mv) => app.stepper.game().rules.move_name(percept_game::RoleId(index as u16), mv),
                None if role.legal.len() == 1 => role.legal[0].clone(),
                None if role.chance && !role.legal.is_empty() => "at random".to_string(),
                None => String::new(),
            };
            let picked = if hidden(index) { String::new() } else { picked };
            let style = if index == app.focus { BOLD } else { Style::new() };
            let mark = if index == app.focus { ">" } else { " " };
            Line::styled(format!("{mark}{}: {picked}", role.name), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" next round ")), roles);
    let Some(role) = app.view.roles.get(app.focus) else { return };
    let names: Vec<ListItem<'_>> = if hidden(app.focus) {
        vec![ListItem::new("(hidden)")]
    } else {
        let weights = app.weights.get(app.focus).and_then(Option::as_ref);
        let item = |(at, name): (usize, &String)| match weights.and_then(|weights| weights.get(at)) {
            Some(&weight) => ListItem::new(weighed(name, weight)),
            None => ListItem::new(name.clone()),
        };
        role.legal.iter().enumerate().map(item).collect()
    };
    app.drawn.moves_page.set(moves.height.saturating_sub(2) as usize);
    let title = match role.legal.len() > moves.height.saturating_sub(2) as usize && !hidden(app.focus) {
        true => format!(" {} may ({} of {}) ", role.name, app.line + 1, role.legal.len()),
        false => format!(" {} may ({}) ", role.name, role.legal.len()),
    };
    let list = List::new(names).block(Block::bordered().title(title)).highlight_style(MARKED);
    let mut selected = ListState::default().with_selected((!role.legal.is_empty()).then_some(app.line));
    frame.render_stateful_widget(list, moves, &mut selected);
}

fn draw_rounds(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let names: Vec<&str> = app.view.roles.iter().map(|role| role.name.as_str()).collect();
    let eye = app.eye.map(|eye| eye.0 as usize);
    let chance: Vec<bool> = app.view.roles.iter().map(|role| role.chance).collect();
    let lines: Vec<Line<'_>> = app
        .view
        .history
        .iter()
        .map(|round| {
            let parts = match app.stepper.game().is_sequential && eye.is_none() {
                true => one_acts(round, &names, &chance),
                false => all_act(round, &names, eye),
            };
            let style = match round.round {
                number if number == app.view.round => BOLD,
                number if number > app.view.round => DIM,
                _ => Style::new(),
            };
            Line::styled(format!("{:>3}. {}", round.round, parts.join(" | ")), style)
        })
        .collect();
    let height = area.height.saturating_sub(2) as usize;
    // The current round stays in sight.
    let first = app.view.round.saturating_sub(height.max(1)).min(lines.len().saturating_sub(height));
    let paragraph = Paragraph::new(lines)
        .block(Block::bordered().title(" rounds "))
        .scroll((first.min(usize::from(u16::MAX)) as u16, 0));
    frame.render_widget(paragraph, area);
}

/// What every role did and saw in a round; with an eye only what that role did and saw.
fn all_act(round: &RoundView, names: &[&str], eye: Option<usize>) -> Vec<String> {
    let mut parts = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| eye.is_none_or(|eye| eye == *index)) {
        let mv = if round.moves[index] == "noop" { String::new() } else { format!(" {}", round.moves[index]) };
        let percepts = &round.percepts[index];
        let seen = if percepts.is_empty() { String::new() } else { format!(" sees {}", percepts.join(" ")) };
        if !mv.is_empty() || !seen.is_empty() {
            parts.push(format!("{name}{mv}{seen}"));
        }
    }
    parts
}

/// A round in which one role acts: its action, then what the players saw, said once where all saw the same.
fn one_acts(round: &RoundView, names: &[&str], chance: &[bool]) -> Vec<String> {
    let actor = round.moves.iter().position(|mv| mv != "noop");
    let mut parts: Vec<String> =
        actor.map(|actor| format!("{} {}", names[actor], round.moves[actor])).into_iter().collect();
    let players: Vec<usize> = (0..names.len()).filter(|&role| !chance[role]).collect();
    let seen = |role: usize| round.percepts[role].join(" ");
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

/// While a game is set up.
pub fn waiting(frame: &mut Frame<'_>, since: std::time::Duration) {
    let text = format!(" setting the game up ... {} s (q leaves)", since.as_secs());
    frame.render_widget(Paragraph::new(text), frame.area());
}
