//! `percept new`: creates a folder with a small game that always ends and whose players always know what they must. It
//! has rules, a match, expectations for `percept test`, settings, and a README.

mod template;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Format, New};
use crate::failure::{Failure, OK, Outcome};
use crate::output;
use crate::save;
use template::{Template, template};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    folder: String,
    /// The file to open first.
    game: String,
    files: Vec<String>,
}

pub(crate) fn run(args: &New) -> Outcome {
    let name = name(&args.name)?;
    let folder = if args.parent == Path::new(".") { PathBuf::from(name) } else { args.parent.join(name) };
    if folder.exists() {
        let failure = Failure::new(format!("{} already exists", folder.display()));
        return Err(failure.note("choose another name, or another place with --in"));
    }
    let template = template(name, args.language, args.like)?;
    let files = write(&folder, &template)?;
    let answer = Answer {
        folder: folder.display().to_string(),
        game: folder.join(&template.game).display().to_string(),
        files: files.iter().map(|file| file.display().to_string()).collect(),
    };
    match args.format {
        Format::Json => output::json("new", &answer),
        Format::Human => output::println(&answer_text(&answer)),
    }
    Ok(OK)
}

/// Checks that a name can be a folder, a file, and a symbol of both languages.
fn name(name: &str) -> Result<&str, Failure> {
    let begins = name.bytes().next().is_some_and(|first| first.is_ascii_lowercase());
    let fits = name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-');
    if begins && fits && !name.ends_with('-') && name.len() <= 60 {
        return Ok(name);
    }
    Err(Failure::new(format!("`{name}` cannot name a game"))
        .note("write small letters, digits and hyphens, such as `night-ships`; it begins with a letter"))
}

fn write(folder: &Path, template: &Template) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    for (name, text) in &template.files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| Failure::io("make", parent, &error))?;
        save::file(&path, text)?;
        written.push(path);
    }
    Ok(written)
}

fn answer_text(answer: &Answer) -> String {
    let mut lines = vec![format!("{}:", answer.folder)];
    lines.extend(answer.files.iter().map(|file| format!("  {file}")));
    lines.push("next:".to_string());
    lines.push(format!("  percept step {}", answer.game));
    lines.push(format!("  percept test {}", answer.folder));
    lines.join("\n")
}
