//! `percept.toml`: the settings of a folder, shared with the command line.

use std::io::ErrorKind;
use std::path::Path;

use percept_analysis as analysis;
use percept_report::book::NoSuchRule;
use percept_report::settings;
use percept_syntax::TextRange;
use percept_syntax::lines::LineIndex;
use tower_lsp::lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Url};

use crate::positions::{self, Encoding};

/// The contents of one such file.
#[derive(Debug)]
pub(crate) struct Project {
    pub uri: Url,
    /// The settings; the defaults if the text cannot be read.
    pub settings: analysis::Settings,
    lines: LineIndex,
    problems: Vec<(String, TextRange)>,
}

impl Project {
    /// Reads a project file; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Option<Project> {
        let uri = Url::from_file_path(path).ok()?;
        let text = match percept_syntax::read_text(path, settings::MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => return Some(Project::unread(uri, &error)),
        };
        let (settings, problems) = match settings::of_text(&text) {
            Ok(settings) => {
                let problems = unknown_rules(&settings, &text);
                (settings, problems)
            }
            Err(error) => {
                let range = error.range.unwrap_or(0..0);
                let range = TextRange::new(range.start as u32, range.end as u32);
                (analysis::Settings::default(), vec![(error.message, range)])
            }
        };
        Some(Project { uri, settings, lines: LineIndex::new(&text), problems })
    }

    /// The problem of a file that cannot be read as settings.
    fn unread(uri: Url, error: &std::io::Error) -> Project {
        let problems = vec![(format!("the settings cannot be read: {error}"), TextRange::at(0))];
        Project { uri, settings: analysis::Settings::default(), lines: LineIndex::new(""), problems }
    }

    /// The findings in the file itself.
    pub(crate) fn findings(&self, encoding: Encoding) -> Vec<Diagnostic> {
        let finding = |(message, range): &(String, TextRange)| Diagnostic {
            range: positions::to_range(&self.lines, *range, encoding),
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String("settings".into())),
            source: Some("percept".into()),
            message: message.clone(),
            ..Default::default()
        };
        self.problems.iter().map(finding).collect()
    }
}

/// The unknown rule names, each at its first place in the text.
fn unknown_rules(settings: &analysis::Settings, text: &str) -> Vec<(String, TextRange)> {
    let place = |name: &str| {
        let start = text.find(name).unwrap_or(0);
        TextRange::new(start as u32, (start + name.len()).min(text.len()) as u32)
    };
    let unknown = settings.unknown_rules().into_iter();
    unknown.map(|name| (NoSuchRule(name.to_owned()).to_string(), place(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(settings::NAME);
        std::fs::write(&path, text).unwrap();
        Project::read(&path).unwrap()
    }

    #[test]
    fn problems_stand_at_their_place() {
        let good = of("allow = [\"single-use-variable\"]\n");
        assert!(good.findings(Encoding::Utf16).is_empty());
        assert_eq!(good.settings.allow, ["single-use-variable"]);
        let slip = of("# é\nallow = [\"single-use-variabel\"]\n").findings(Encoding::Utf16);
        assert_eq!((slip[0].range.start.line, slip[0].range.start.character), (1, 10));
        let broken = of("allow = 3\n").findings(Encoding::Utf8);
        assert_eq!((broken[0].range.start.line, broken[0].range.start.character), (0, 8));
        let long = of(&"# \n".repeat(settings::MAX_BYTES)).findings(Encoding::Utf8);
        assert!(long[0].message.contains("longer than"), "{}", long[0].message);
    }
}
