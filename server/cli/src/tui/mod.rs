//! The interactive stepper: a terminal interface over [`percept_game::stepper`].
//!
//! [`App`] is the content and the action of the keys, without a terminal; `draw` paints it; this file runs the loop.

mod app;
mod ask;
mod cells;
mod draw;
mod eye;
mod files;
mod keys;
mod paint;
mod why;

#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::time::{Duration, Instant, SystemTime};

use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::execute;

use crate::failure::{Failure, OK, Outcome};
pub(crate) use app::App;
pub(crate) use eye::seat;

/// The time between two checks of the files for changes.
const TICK: Duration = Duration::from_millis(300);
/// While a game is set up: the time between two checks for keys, and the time without a message.
const WAIT: Duration = Duration::from_millis(50);
const QUICK: Duration = Duration::from_millis(200);

/// Sets a match up and runs the stepper until the user leaves it. `begin` may take long (grounding a large game); the
/// screen says so meanwhile, and `q` or Ctrl-C leaves.
///
/// # Errors
/// If standard input or output is not a terminal, the terminal fails, or `begin` fails.
pub(crate) fn run(begin: impl FnOnce() -> Result<App, Failure> + Send) -> Outcome {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::new("the interactive stepper needs a terminal").note("use --print for plain output"));
    }
    let failed = |error| Failure::new(format!("the terminal failed: {error}"));
    // A panic also restores the terminal: ratatui does this.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = execute!(std::io::stdout(), event::DisableMouseCapture, event::DisableBracketedPaste);
        hook(panic);
    }));
    let mut terminal = ratatui::try_init().map_err(failed)?;
    #[cfg(unix)]
    heed_ends().map_err(failed)?;
    // The stepper also works without a mouse.
    let _ = execute!(std::io::stdout(), event::EnableMouseCapture, event::EnableBracketedPaste);
    let outcome = match waiting(&mut terminal, begin) {
        Ok(Ok(mut app)) => turn(&mut terminal, &mut app).map_err(failed),
        Ok(Err(failure)) => Err(failure),
        Err(error) => Err(failed(error)),
    };
    restore();
    outcome.map(|()| OK)
}

/// Restores the terminal.
fn restore() {
    let _ = execute!(std::io::stdout(), event::DisableMouseCapture, event::DisableBracketedPaste);
    ratatui::restore();
}

/// Restores the terminal even if the process is ended from outside. It runs in its own thread, because a lost terminal
/// blocks the wait for a key.
#[cfg(unix)]
fn heed_ends() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGTERM])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            restore();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// Shows that the game is being set up, until it is ready. Leaving ends the process, because the set-up cannot be
/// stopped.
fn waiting(
    terminal: &mut ratatui::DefaultTerminal,
    begin: impl FnOnce() -> Result<App, Failure> + Send,
) -> std::io::Result<Result<App, Failure>> {
    let start = Instant::now();
    std::thread::scope(|scope| {
        let work = scope.spawn(begin);
        while !work.is_finished() {
            if start.elapsed() > QUICK {
                terminal.draw(|frame| draw::waiting(frame, start.elapsed()))?;
            }
            if event::poll(WAIT)?
                && let Event::Key(key) = event::read()?
                && keys::leaves(key)
            {
                restore();
                std::process::exit(i32::from(crate::failure::INTERRUPTED));
            }
        }
        Ok(work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn turn(terminal: &mut ratatui::DefaultTerminal, app: &mut App) -> std::io::Result<()> {
    let mut stamp = newest(app);
    while !app.is_done() {
        terminal.draw(|frame| draw::draw(frame, app))?;
        if event::poll(TICK)? {
            take(app, event::read()?);
            // Pending events are taken together, because drawing can take longer than typing.
            while !app.is_done() && event::poll(Duration::ZERO)? {
                take(app, event::read()?);
            }
        } else if newest(app) != stamp {
            stamp = newest(app);
            app.reload();
        }
    }
    Ok(())
}

fn take(app: &mut App, event: Event) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => app.key(key),
        Event::Mouse(mouse) => app.mouse(mouse),
        Event::Paste(text) => app.paste(&text),
        _ => {}
    }
}

/// The time of the last change to the game's files.
fn newest(app: &App) -> Option<SystemTime> {
    let changed = |path: &std::path::PathBuf| std::fs::metadata(path).and_then(|it| it.modified()).ok();
    app.paths().iter().filter_map(changed).max()
}
