//! The answers of `percept prove` as they arrive.

use percept_infoset::prove::{Finding, many};

use super::report;
use crate::load::Loaded;
use crate::output;
use crate::work::Work;

/// The answers as they arrive. They are printed in the order of the questions.
pub(super) struct Answers<'a> {
    loaded: &'a Loaded,
    work: &'a Work,
    questions: &'a [many::Question],
    found: Vec<Option<Finding>>,
    /// The number of answers that are printed, or known to say nothing.
    printed: usize,
    /// True if each verdict is printed as soon as it is known.
    is_streamed: bool,
    /// True if the properties were not named, so that answers that say nothing new are left out.
    only_worth_saying: bool,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        questions: &'a [many::Question],
        work: &'a Work,
        is_streamed: bool,
        only_worth_saying: bool,
    ) -> Answers<'a> {
        let found = questions.iter().map(|_| None).collect();
        Answers { loaded, work, questions, found, printed: 0, is_streamed, only_worth_saying }
    }

    pub(super) fn add(&mut self, at: usize, finding: Finding) {
        self.found[at] = Some(finding);
        while let Some(Some(finding)) = self.found.get(self.printed) {
            self.print(finding.clone());
            self.printed += 1;
        }
    }

    fn print(&self, finding: Finding) {
        let findings = self.worth_saying(vec![finding]);
        if self.is_streamed && !findings.is_empty() {
            let text = report::text(self.loaded, &findings);
            self.work.suspend(|| output::println(&text));
        }
    }

    fn worth_saying(&self, findings: Vec<Finding>) -> Vec<Finding> {
        if self.only_worth_saying { many::worth_saying(findings) } else { findings }
    }

    /// All findings: a question without an answer is open.
    pub(super) fn end(self) -> Vec<Finding> {
        let open = |(found, &(role, property)): (&Option<Finding>, &many::Question)| {
            found.clone().unwrap_or_else(|| Finding::open(role, property))
        };
        let findings: Vec<Finding> = self.found.iter().zip(self.questions).map(open).collect();
        for finding in &findings[self.printed..] {
            self.print(finding.clone());
        }
        self.worth_saying(findings)
    }
}
