//! The answers of `percept prove` as they arrive.

use percept_infoset::prove::{Finding, many};

use super::first_look::FirstLook;
use super::report;
use crate::load::Loaded;
use crate::output;
use crate::work::Work;

/// The answers as they arrive.
pub(super) struct Answers<'a> {
    loaded: &'a Loaded,
    work: &'a Work,
    questions: &'a [many::Question],
    found: Vec<Option<Finding>>,
    /// For each question, true if its answer is printed, or known to say nothing.
    printed: Vec<bool>,
    /// True if each verdict is printed as soon as it is known.
    is_streamed: bool,
    /// The lines about questions without an answer.
    look: FirstLook,
    /// True if the properties were not named, so that answers that say nothing new are left out.
    only_worth_saying: bool,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        questions: &'a [many::Question],
        work: &'a Work,
        look: FirstLook,
        is_streamed: bool,
        only_worth_saying: bool,
    ) -> Answers<'a> {
        let found = questions.iter().map(|_| None).collect();
        Answers {
            loaded,
            work,
            questions,
            found,
            printed: vec![false; questions.len()],
            look,
            is_streamed,
            only_worth_saying,
        }
    }

    pub(super) fn add(&mut self, at: usize, finding: Finding) {
        self.look.answered(self.questions[at]);
        self.print(finding.clone());
        self.printed[at] = true;
        self.found[at] = Some(finding);
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
        self.look.end();
        for (finding, _) in findings.iter().zip(&self.printed).filter(|(_, is_printed)| !*is_printed) {
            self.print(finding.clone());
        }
        self.worth_saying(findings)
    }
}
