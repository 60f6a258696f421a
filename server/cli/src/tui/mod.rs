//! The interactive stepper: a terminal interface over [`percept_game::stepper`].
//!
//! [`App`] is what it shows and what keys do, without a terminal; `draw` paints it; this file runs the loop.

mod app;
mod draw;
mod eye;
mod keys;
mod why;

#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::time::{Duration, SystemTime};

use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::failure::{Failure, OK, Outcome};
pub use app::App;

/// How often the files are looked at for changes.
const TICK: Duration = Duration::from_millis(300);

/// Runs the stepper until the user leaves it.
///
/// # Errors
/// When there is no terminal, or it fails.
pub fn run(mut app: App) -> Outcome {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::new("the interactive stepper needs a terminal").note("use --print for plain output"));
    }
    let mut terminal = ratatui::try_init().map_err(|error| Failure::new(format!("the terminal failed: {error}")))?;
    let outcome = turn(&mut terminal, &mut app);
    ratatui::restore();
    outcome.map(|()| OK).map_err(|error| Failure::new(format!("the terminal failed: {error}")))
}

fn turn(terminal: &mut ratatui::DefaultTerminal, app: &mut App) -> std::io::Result<()> {
    let mut stamp = newest(app);
    while !app.is_done() {
        terminal.draw(|frame| draw::draw(frame, app))?;
        if event::poll(TICK)? {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                app.key(key);
            }
        } else if newest(app) != stamp {
            stamp = newest(app);
            app.reload();
        }
    }
    Ok(())
}

/// When any of the game's files was last changed.
fn newest(app: &App) -> Option<SystemTime> {
    let changed = |path: &std::path::PathBuf| std::fs::metadata(path).and_then(|it| it.modified()).ok();
    app.paths().iter().filter_map(changed).max()
}
