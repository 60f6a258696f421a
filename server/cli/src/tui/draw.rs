//! The stepper painted: state on the left, moves on the right, rounds below.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, List, ListItem, ListState, Paragraph, Wrap};

use super::app::{App, Over};
use super::keys::HELP;
use crate::show;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const MARKED: Style = Style::new().add_modifier(Modifier::REVERSED);

pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let [head, middle, rounds, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(3), Constraint::Fill(1), Constraint::Length(1)])
            .areas(frame.area());
    let [state, moves] = Layout::horizontal([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(middle);
    frame.render_widget(Paragraph::new(headline(app)), head);
    draw_state(frame, app, state);
    draw_moves(frame, app, moves);
    draw_rounds(frame, app, rounds);
    frame.render_widget(Paragraph::new(footline(app)), foot);
    match &app.over {
        Over::Help => draw_help(frame),
        Over::Why(lines) => draw_why(frame, lines),
        Over::Nothing | Over::Prompt(..) => {}
    }
}

fn draw_why(frame: &mut Frame<'_>, lines: &[String]) {
    let area = frame.area();
    let height = area.height.saturating_sub(2).min(lines.len() as u16 + 2);
    let at = Rect { x: 1, y: 1, width: area.width.saturating_sub(2), height };
    let text: Vec<Line<'_>> = lines.iter().map(|line| Line::from(line.as_str())).collect();
    frame.render_widget(Clear, at);
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" why ")), at);
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
        Over::Prompt(prompt, text) => Line::from(vec![
            Span::styled(format!(" {}: ", prompt.text()), BOLD),
            Span::raw(text.clone()),
            Span::styled(" ", MARKED),
        ]),
        _ => Line::styled(format!(" {}", app.message), DIM),
    }
}

fn draw_state(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let (title, lines) = match (&app.knowledge, app.eye) {
        (Some(knowledge), Some(eye)) => {
            let role = &app.stepper.game().roles[eye.0 as usize].name;
            let Some((histories, states)) = &knowledge.size else {
                let text = "too many histories to say what is certain".to_string();
                return state_block(frame, app, area, format!(" what {role} knows "), vec![text]);
            };
            let mut lines = show::state(&knowledge.certain);
            if !knowledge.possible.groups.is_empty() {
                lines.push(String::new());
                lines.push("perhaps:".to_string());
                for group in &knowledge.possible.groups {
                    lines.push(format!("{}: {}", group.functor, group.fluents.join(" ")));
                }
            }
            let plural = if histories == "1" { "history" } else { "histories" };
            (format!(" what {role} knows: {histories} {plural}, {states} states "), lines)
        }
        _ => (" state ".to_string(), show::state(&app.view.state)),
    };
    state_block(frame, app, area, title, lines);
}

fn state_block(frame: &mut Frame<'_>, app: &App, area: Rect, title: String, lines: Vec<String>) {
    let text: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
    let scroll = app.scroll.min(text.len().saturating_sub(1) as u16);
    let paragraph =
        Paragraph::new(text).block(Block::bordered().title(title)).wrap(Wrap { trim: false }).scroll((scroll, 0));
    frame.render_widget(paragraph, area);
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
        role.legal.iter().map(|name| ListItem::new(name.as_str())).collect()
    };
    let title = format!(" {} may ({}) ", role.name, role.legal.len());
    let list = List::new(names).block(Block::bordered().title(title)).highlight_style(MARKED);
    let mut selected = ListState::default().with_selected((!role.legal.is_empty()).then_some(app.line));
    frame.render_stateful_widget(list, moves, &mut selected);
}

fn draw_rounds(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let names: Vec<&str> = app.view.roles.iter().map(|role| role.name.as_str()).collect();
    let eye = app.eye.map(|eye| eye.0 as usize);
    let sequential = app.stepper.game().is_sequential;
    let lines: Vec<Line<'_>> = app
        .view
        .history
        .iter()
        .map(|round| {
            let mut parts = Vec::new();
            for (index, name) in names.iter().enumerate() {
                if eye.is_some_and(|eye| eye != index) {
                    continue;
                }
                let waits = sequential && round.moves[index] == "noop";
                let mv = if waits { String::new() } else { format!(" {}", round.moves[index]) };
                let percepts = &round.percepts[index];
                let seen = if percepts.is_empty() { String::new() } else { format!(" sees {}", percepts.join(" ")) };
                if !mv.is_empty() || !seen.is_empty() {
                    parts.push(format!("{name}{mv}{seen}"));
                }
            }
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

fn draw_help(frame: &mut Frame<'_>) {
    let area = frame.area();
    let (width, height) = (area.width.min(80), area.height.min(HELP.len() as u16 + 2));
    let at = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    let lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(keys, what)| Line::from(vec![Span::styled(format!(" {keys:<19}"), BOLD), Span::raw(*what)]))
        .collect();
    frame.render_widget(Clear, at);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), at);
}
