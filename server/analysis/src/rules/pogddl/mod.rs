//! The rules of POGDDL.

use percept_syntax::Source;

use crate::Findings;

/// A domain and its problem, as far as they are there.
pub struct Pair<'a> {
    pub domain: Option<&'a Source>,
    pub problem: Option<&'a Source>,
}

super::rule_modules!(Pair:);

/// Runs every rule.
pub(crate) fn run(domain: Option<&Source>, problem: Option<&Source>, findings: &mut Findings) {
    let pair = Pair { domain, problem };
    for (_, check) in RULES {
        check(&pair, findings);
    }
}
