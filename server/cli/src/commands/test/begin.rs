//! `percept test --begin GAME`: an `expected.toml` beside a game that has none, from what holds now.

use percept_report::words::counted;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{NAME, TIME, Tested, folder_of, place_of, tested, update};
use crate::args::{GameArgs, Test, TestFormat};
use crate::failure::{Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::save;
use crate::work::Work;

const HEAD: &str =
    "# Expectations for `percept test`; docs/testing.md describes the format. They were begun from what held:
# change those that are not as you mean the game to be.
";

/// A file that was begun.
struct Begun {
    path: PathBuf,
    text: String,
    tested: Tested,
}

pub(super) fn run(args: &Test, game: &Path) -> Outcome {
    let begun = begin(game, args.time.unwrap_or(TIME), Work::begin(None))?;
    match args.format {
        TestFormat::Human => output::println(&summary(&begun)),
        TestFormat::Json => {
            let answer = serde_json::json!({ "begun": begun.path.display().to_string(), "text": begun.text });
            output::json("test", &answer);
        }
        TestFormat::Junit => return Err(Failure::new("`--begin` has no results in JUnit's format")),
    }
    Ok(OK)
}

/// Writes the file.
///
/// # Errors
/// If there is such a file, or the game cannot be read.
fn begin(game: &Path, time: Duration, work: Work) -> Result<Begun, Failure> {
    let folder = folder_of(game);
    let path = if folder == Path::new(".") { PathBuf::from(NAME) } else { folder.join(NAME) };
    if game.is_dir() {
        return Err(Failure::new(format!("{} is a folder: name the file of the game", game.display())));
    }
    if path.exists() {
        let failure = Failure::new(format!("{} already exists", path.display()));
        let update = format!("`percept test --update {}` writes what it leaves out", path.display());
        return Err(failure.note(format!("{update}; to begin again, delete it first")));
    }
    let given = GameArgs { game: game.to_path_buf(), domain: None, pogddl_terminal: None };
    // A game that cannot be read is refused before anything is tested.
    Loader::new(&given, &work).load()?;
    let name = game.file_name().unwrap_or_default().to_string_lossy();
    let text = format!("{HEAD}game = {}\n", toml_edit::Value::from(name.as_ref()));
    let suite = super::parsed(path.clone(), folder.to_path_buf(), text)?;
    let tested = tested(super::filled(suite)?, None, time, &work)?;
    drop(work);
    if let Some(why) = tested.ran.iter().find_map(|ran| ran.outcome.as_ref().err()) {
        return Err(Failure::new(why.clone()));
    }
    let text = update::changed(&tested)?.text;
    // Another program may have written one meanwhile.
    if path.exists() {
        return Err(Failure::new(format!("{} already exists", path.display())));
    }
    save::file(&path, &text)?;
    Ok(Begun { path, text, tested })
}

fn summary(begun: &Begun) -> String {
    let mut lines = vec![format!("{}:", begun.path.display())];
    lines.extend(
        begun
            .text
            .lines()
            .filter(|line| !line.starts_with("# "))
            .map(|line| format!("  {line}").trim_end().to_string()),
    );
    for ran in &begun.tested.ran {
        for it in ran.outcome.iter().flatten().filter(|it| it.keys == ["faults"]) {
            let note = it.note.as_deref().unwrap_or_default();
            lines.push(format!("the game has faults: {note}; remove them from `faults` when they are repaired"));
        }
    }
    // `goal = "refuted 4"`: a property that a pair of matches of 4 rounds refutes.
    let refuted = begun.text.lines().filter(|line| line.contains("= \"refuted")).count();
    if refuted > 0 {
        let what = counted(refuted, "expectation says", "expectations say");
        lines.push(format!(
            "{what} `refuted`, with the number of rounds: is that meant? `percept prove` shows the matches"
        ));
    }
    lines.push("next:".to_string());
    lines.push(format!("  percept test {}", place_of(&begun.path)));
    lines.join("\n")
}
