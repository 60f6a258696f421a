//! Verdicts in SARIF: a result for each property that a role does not know, at the first round, placed on the rule for
//! the role's percepts that did not distinguish the two histories.

use std::collections::BTreeMap;

use percept_report::blame::{Blame, Rule};
use percept_report::place::Range;
use percept_report::sarif::{self, Log, LogResult};
use percept_report::{verdict, words};
use percept_syntax::TextRange;
use percept_syntax::lines::LineIndex;

use super::Judged;
use crate::load::Loaded;

pub(crate) fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let (writer, blamer) = (Writer::new(loaded), loaded.blamer());
    let mut log = Log::of_verdicts();
    for (number, one) in judged.iter().enumerate() {
        for (_, (finding, witness)) in verdict::first_unknown(&one.findings) {
            let message = words::unknown(&loaded.game, &loaded.speech, finding.role, finding.property, witness);
            let which = match one.seed {
                Some(seed) if judged.len() > 1 => format!("random match {} (seed {seed}): ", number + 1),
                Some(seed) => format!("random match (seed {seed}): "),
                None => String::new(),
            };
            let blame = blamer.blame(finding.role, finding.property, witness);
            log.verdict(finding.property, writer.result(format!("{which}{message}"), &blame));
        }
    }
    log.text()
}

/// Writes results about one game.
pub(crate) struct Writer<'l> {
    loaded: &'l Loaded,
    lines: Vec<LineIndex>,
}

impl<'l> Writer<'l> {
    pub(crate) fn new(loaded: &'l Loaded) -> Writer<'l> {
        Writer { loaded, lines: loaded.files.iter().map(|(_, source)| LineIndex::new(&source.text)).collect() }
    }

    fn place(&self, rule: &Rule) -> sarif::Location {
        let (path, range) = (&self.loaded.files[rule.file].0, Range::new(&self.lines[rule.file], rule.range));
        sarif::location(path, &range, Some(&rule.says))
    }

    /// The missing knowledge, placed at the most likely rule, with the others as related places.
    pub(crate) fn result(&self, message: String, blame: &Blame) -> LogResult {
        let nowhere = || {
            let start = Range::new(&self.lines[0], TextRange::at(0));
            sarif::location(&self.loaded.files[0].0, &start, None)
        };
        LogResult {
            severity: percept_analysis::Severity::Warning,
            message,
            at: blame.place().map_or_else(nowhere, |rule| self.place(rule)),
            related: blame.beside().map(|rule| self.place(rule)).collect(),
            properties: BTreeMap::new(),
        }
    }
}
