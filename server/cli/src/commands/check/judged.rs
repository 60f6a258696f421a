//! The judge's findings about a checked game, and its witnesses as files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_analysis::{Diagnostic, Settings};
use percept_game::PogddlTerminal;
use percept_game::gdl::Grounding;
use percept_infoset::{Budget, Stop};
use percept_judge::Options;
use percept_report::{Finding, only_text};
use percept_syntax::{Source, Syntax};

use super::Checked;
use crate::failure::Failure;
use crate::late;
use crate::limits;
use crate::load::title;
use crate::save;

/// The part of the time that the circuit may take.
const SETTING_UP: (usize, usize) = (2, 5);

/// Like [`judge`]; the findings are those of the text alone if the judge is late and was abandoned.
pub(super) fn in_time(
    files: &Arc<[(PathBuf, Source)]>,
    text: Vec<Diagnostic>,
    settings: &Settings,
    budget: &Budget,
    is_beside: bool,
) -> (Vec<Finding>, bool) {
    let time = budget.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
    let (files, copy, settings, budget) = (files.clone(), text.clone(), settings.clone(), budget.clone());
    let work = move |tell: &(dyn Fn(_) + Sync)| tell(judge(&files, copy, &settings, &budget, is_beside));
    let mut judged = None;
    // If no thread can be started, the text alone is checked.
    let _ = late::answers(time, work, |answer| judged = Some(answer));
    judged.unwrap_or_else(|| (only_text(text), true))
}

/// Adds the judge's findings about the game of these files, within the budget, to the findings of the text, none of
/// which is an error. A domain alone is not a game. `is_beside`: the domain is also checked separately, and the
/// findings of its text are reported there.
pub(crate) fn judge(
    files: &[(PathBuf, Source)],
    text: Vec<Diagnostic>,
    settings: &Settings,
    budget: &Budget,
    is_beside: bool,
) -> (Vec<Finding>, bool) {
    let Some(sources) = sources(files) else { return (only_text(text), false) };
    let (parts, of) = SETTING_UP;
    let grounding = Grounding {
        budget: budget.shares(parts, of),
        set_up: Budget { deadline: budget.deadline, cancel: Some(limits::cancel()), ..Budget::default() },
        ..Grounding::default()
    };
    match percept_report::game(&sources, PogddlTerminal::default(), &grounding) {
        None => {
            let is_late = [&grounding.budget, &grounding.set_up].iter().any(|it| it.stop() == Some(Stop::OutOfTime));
            let refusals = percept_report::refusals(&sources, &grounding.set_up);
            (percept_report::join(text, &refusals, &sources, settings), is_late)
        }
        Some(game) => {
            let (mut judged, extent) = percept_report::judge_with_extent(&game, &sources, &Options::default(), budget);
            if is_beside && !judged.is_empty() {
                judged = percept_report::untold(judged, &percept_analysis::check(sources[0], settings));
            }
            (percept_report::join(text, &judged, &sources, settings), extent.by_clock)
        }
    }
}

/// The texts that make a game.
fn sources(files: &[(PathBuf, Source)]) -> Option<Vec<&Source>> {
    match files {
        [(_, one)] => match &one.syntax {
            Syntax::Gdl(_) => Some(vec![one]),
            Syntax::Pddl(_) => one.domain().and(one.problem()).map(|_| vec![one, one]),
        },
        _ => Some(files.iter().map(|(_, source)| source).collect()),
    }
}

/// Writes every witness to a folder: `GAME.RULE.trace`, with a number if there are several.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn save(checked: &mut [Checked], folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make the folder", folder, &error))?;
    let mut taken = rustc_hash::FxHashSet::default();
    for one in checked {
        let game = one.files.last().map(|(path, _)| path.clone()).unwrap_or_default();
        let stem = title(&game);
        let absolute = std::path::absolute(&game).unwrap_or(game);
        for (index, finding) in one.findings.iter().enumerate() {
            let Some(witness) = finding.witness() else { continue };
            let names = (1..).map(|number| match number {
                1 => format!("{stem}.{}.trace", finding.rule.name),
                number => format!("{stem}.{}-{number}.trace", finding.rule.name),
            });
            let name = names.into_iter().find(|name| taken.insert(name.clone())).unwrap_or_default();
            let path = folder.join(name);
            let text = format!("; game: {}\n{}", absolute.display(), witness.trace);
            save::file(&path, text)?;
            one.traces.push((index, path));
        }
    }
    Ok(())
}
