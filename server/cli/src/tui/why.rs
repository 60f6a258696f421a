//! Explanations with the lines of the rules: why an atom holds or does not hold.

use std::path::{Path, PathBuf};

use percept_game::gdl::{Explainer, Explanation};
use percept_game::pogddl;
use percept_game::stepper::Stepper;
use percept_syntax::gdl::Description;
use percept_syntax::{Source, Syntax};

use percept_report::names;
use percept_report::place::Position;
use percept_syntax::lines::LineIndex;

/// The depth to which supports are explained.
const DEPTH: usize = 4;
/// The most rules shown for each atom.
const RULES: usize = 6;

/// The explanation of an atom at the stepper's place. In GDL `(legal ...)`, `(goal ...)`, `terminal` and the game's own
/// relations are asked of the current state; `(next ...)`, `(sees ...)` and a bare fluent of the round that led there.
/// In POGDDL an action, a fact, a number, `(sees role message)`, `(goal role)` or `terminal`.
///
/// # Errors
/// The reason why there is nothing to explain.
pub(super) fn why(stepper: &Stepper, files: &[(PathBuf, Source)], atom: &str) -> Result<Vec<String>, String> {
    let (path, source) = &files[0];
    match &source.syntax {
        Syntax::Gdl(description) => gdl(stepper, (path, source, description), atom),
        Syntax::Pddl(_) => pogddl(stepper, files, atom),
    }
}

/// The explanation in POGDDL: each reason on a line, with its place.
fn pogddl(stepper: &Stepper, files: &[(PathBuf, Source)], question: &str) -> Result<Vec<String>, String> {
    let source = |index: usize| &files[index.min(files.len() - 1)].1;
    let (Some(domain), Some(problem)) = (source(0).domain(), source(1).problem()) else {
        return Err("the domain or the problem is gone".to_string());
    };
    let explainer = pogddl::Explainer::new(stepper.game(), domain, problem).map_err(|error| error.to_string())?;
    let why = explainer.explain(stepper, question).map_err(|error| error.to_string())?;
    let lines: Vec<(String, LineIndex)> =
        files.iter().map(|(path, source)| (file_name(path), LineIndex::new(&source.text))).collect();
    let place = |place: pogddl::Place| {
        let (file, lines) = &lines[usize::from(place.in_problem).min(lines.len() - 1)];
        format!("{file}:{}", Position::new(lines, place.range.start).line)
    };
    let mut lines = Vec::new();
    reasons(&why, &place, 0, &mut lines);
    Ok(lines)
}

fn reasons(why: &pogddl::Reason, place: &dyn Fn(pogddl::Place) -> String, indent: usize, lines: &mut Vec<String>) {
    let mark = match (indent, why.holds) {
        (0, _) => "",
        (_, true) => "+ ",
        (_, false) => "- ",
    };
    let at = why.place.map(|it| format!("  {}", place(it))).unwrap_or_default();
    lines.push(format!("{}{mark}{}{at}", "  ".repeat(indent), why.says));
    why.parts.iter().for_each(|part| reasons(part, place, indent + 1, lines));
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn gdl(
    stepper: &Stepper,
    (path, source, description): (&Path, &Source, &Description),
    atom: &str,
) -> Result<Vec<String>, String> {
    let explainer = Explainer::new(description).map_err(|_| "the rules have mistakes".to_string())?;
    let game = stepper.game();
    // Rules that are not grounded accept any term as a fluent; then only a fluent that has held in some state counts.
    let is_fluent = game.rules.find_fluent(atom).is_some_and(|fluent| {
        game.rules.playouts().is_some() || stepper.states().iter().any(|state| state.has(fluent))
    });
    let keyword = ["(legal", "(goal", "(true", "(does", "(next", "(sees", "(init", "terminal"];
    let bare = is_fluent && !keyword.iter().any(|word| atom.starts_with(word));
    let of_last_round = bare || atom.starts_with("(next") || atom.starts_with("(sees");
    let at = match (of_last_round, stepper.at()) {
        (true, 0) => return Err("at the start no round has been played yet".to_string()),
        (true, at) => at - 1,
        (false, at) => at,
    };
    let query = if bare { format!("(next {atom})") } else { atom.to_string() };
    let fluents = names::fluents(game, &stepper.states()[at]);
    let moves = stepper.rounds().get(at).map(|played| names::made(game, &played.joint)).unwrap_or_default();
    let explanation = query
        .parse()
        .ok()
        .and_then(|term| explainer.explain(&fluents, &moves, &term, DEPTH))
        .ok_or_else(|| format!("`{atom}` has names that the rules do not define"))?;
    let (file, index) = (file_name(path), LineIndex::new(&source.text));
    let mut lines = Vec::new();
    tell(&explanation, &|byte| format!("{file}:{}", Position::new(&index, byte).line), 0, &mut lines);
    Ok(lines)
}

fn tell(explanation: &Explanation, place: &dyn Fn(u32) -> String, indent: usize, lines: &mut Vec<String>) {
    let pad = "  ".repeat(indent);
    let holds = if explanation.holds { "holds" } else { "does not hold" };
    lines.push(format!("{pad}{} {holds}", explanation.atom));
    for reason in explanation.reasons.iter().take(RULES) {
        lines.push(format!("{pad}  by the rule at {}", place(reason.rule.start)));
        for support in &reason.support {
            match &support.because {
                Some(because) => tell(because, place, indent + 2, lines),
                None => lines.push(format!("{pad}    {}", support.literal)),
            }
        }
    }
    for failure in explanation.failures.iter().take(RULES) {
        let failed: Vec<&str> = failure.failed.iter().map(|(literal, _)| literal.as_str()).collect();
        lines.push(format!("{pad}  not by the rule at {}: {}", place(failure.rule.start), failed.join(", ")));
    }
}
