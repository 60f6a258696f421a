//! The rules of GDL and GDL-II.

use crate::Findings;
use crate::gdl::Facts;

super::rule_modules! { Facts: }

/// Runs every rule, in order of precedence.
pub(crate) fn run(facts: &Facts, findings: &mut Findings) {
    for (_, check) in RULES {
        check(facts, findings);
    }
}
