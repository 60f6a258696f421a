//! The results of expectations as JUnit XML, which test runners and CI services read. Names are cleaned: XML cannot
//! hold every character, not even escaped.

use std::time::Duration;

use percept_report::clean::clean;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Tested;
use super::human::command;
use super::run::Ran;
use crate::failure::Failure;

pub(super) fn text(tested: &[Tested]) -> Result<String, Failure> {
    let mut report = Report::new("percept test");
    for one in tested {
        let mut suite = TestSuite::new(clean(&one.suite.path.display().to_string()));
        suite.add_test_cases(one.ran.iter().map(case));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| Failure::new(format!("the report cannot be written: {error}")))
}

fn case(ran: &Ran) -> TestCase {
    let status = match &ran.outcome {
        Ok(differences) if differences.is_empty() => TestCaseStatus::success(),
        Ok(differences) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let lines = differences
                .iter()
                .map(|it| clean(&format!("{}: expected {}, found {}", it.keys.join("."), it.expected, it.found)));
            let lines: Vec<_> = lines.collect();
            status.set_message(lines.join("; "));
            status.set_description(format!("{}\npercept {}", lines.join("\n"), clean(&command(ran))));
            status
        }
        Err(why) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(clean(why));
            status.set_description(clean(&format!("{why}\npercept {}", command(ran))));
            status
        }
    };
    let mut case = TestCase::new(clean(&ran.case.name), status);
    case.set_classname(clean(&ran.case.game));
    case.set_time(Duration::from_secs_f64(ran.seconds));
    case
}
