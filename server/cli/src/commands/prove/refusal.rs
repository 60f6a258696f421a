//! A proof that the checker refused. This is a bug in Percept; it is written to a file for a bug report.

use std::path::PathBuf;

use percept_infoset::prove::Finding;
use percept_report::names;
use serde::Serialize;

use crate::failure::Failure;
use crate::load::Loaded;

/// The content needed to reproduce the bug.
#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    role: &'a str,
    property: &'static str,
    announce_end: bool,
    /// The checker's objection, by method.
    refused: Vec<(&'static str, &'a str)>,
    /// The texts of the game by their names.
    texts: Vec<(String, &'a str)>,
}

/// Reports for each refused proof that Percept is at fault, and the file to send.
pub(super) fn tell(loaded: &Loaded, findings: &[Finding], announce_end: bool) {
    for finding in findings.iter().filter(|it| !it.refused.is_empty()) {
        let role = names::role(&loaded.game, finding.role);
        let methods: Vec<&str> = finding.refused.iter().map(|it| it.method).collect();
        let message = format!(
            "a proof of {} of {role} by {} was refused by the second reader of the rules and is not counted",
            finding.property.name(),
            methods.join(", "),
        );
        let failure = Failure::new(message).note("this is a fault of Percept, not of the game");
        let failure = match write(loaded, finding, announce_end) {
            Ok(path) => failure.note(format!("please report it, with the file {}", path.display())),
            Err(_) => failure.note("please report it, with the game's files"),
        };
        failure.print();
    }
}

fn write(loaded: &Loaded, finding: &Finding, announce_end: bool) -> std::io::Result<PathBuf> {
    let role = names::role(&loaded.game, finding.role);
    let property = finding.property.name();
    let name = |path: &std::path::Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        role,
        property,
        announce_end,
        refused: finding.refused.iter().map(|it| (it.method, it.why.as_str())).collect(),
        texts: loaded.files.iter().map(|(path, source)| (name(path), source.text.as_ref())).collect(),
    };
    let text = serde_json::to_string_pretty(&report).map_err(std::io::Error::other)?;
    let mut file = tempfile::Builder::new().prefix("percept-refused-").suffix(".json").tempfile()?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    Ok(file.keep()?.1)
}
