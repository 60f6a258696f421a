//! Parts of the language that are used but not required: one finding for each flag, at the list of requirements.

use percept_syntax::{Name, TextRange};

use crate::pddl::{FLAGS, Facts, Feature, features_in, features_of, nearest};
use crate::{FileId, Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "missing-requirement", severity: Severity::Warning, page: include_str!("missing-requirement.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(domain) = model.domain else { return };
    let section = domain.sections.iter().find(|section| section.keyword.is(":requirements"));
    let name = domain.name.as_ref();
    let Some(place) = section.map(|section| section.keyword.range).or(name.map(|name| name.range)) else { return };
    let broken = facts.broken().into_iter().filter(|(file, _)| *file == model.domain_file);
    let broken: Vec<TextRange> = broken.map(|(_, range)| range).collect();
    let used = match broken.is_empty() {
        true => facts.features().to_vec(),
        false => features_in(domain, facts.actions(), None, &broken),
    };
    let counts = used.iter().any(|(feature, ..)| *feature == Feature::Fluents);
    for (feature, range, _) in used.into_iter().filter(|(.., in_problem)| !in_problem) {
        if requirements(facts).any(|(_, flag)| grants(flag, feature)) {
            continue;
        }
        // The flag of numbers allows costs, too.
        if feature == Feature::Costs && counts {
            continue;
        }
        let flag = feature.flag();
        let is_not = model.text(model.domain_file, range).eq_ignore_ascii_case("not");
        let what = match feature {
            Feature::DisjunctivePreconditions if is_not => "`not` around more than one atom",
            _ => feature.what(),
        };
        let message = match section {
            Some(_) => format!("the requirements lack `{flag}`, needed for {what}"),
            None => format!("add `(:requirements {flag})`, needed for {what}"),
        };
        let mut finding =
            facts.at(&RULE, model.domain_file, place, message).related(model.domain_file, range, "needed here");
        if let Some(edit) = facts.declare(":requirements", flag) {
            finding.fixes.push(Fix::new(format!("Add `{flag}` to the requirements"), vec![edit]).safe());
        }
        findings.push(finding);
    }
}

/// The flags of domain and problem with their files.
pub(super) fn requirements<'f>(facts: &'f Facts) -> impl Iterator<Item = (FileId, &'f Name)> {
    let model = &facts.model;
    let domain = model.domain.into_iter().flat_map(|domain| &domain.requirements).map(|flag| (model.domain_file, flag));
    let problem = model.problem.into_iter().flat_map(|problem| &problem.requirements);
    domain.chain(problem.map(|flag| (model.problem_file, flag)))
}

/// The flag with its colon, in lower case.
pub(super) fn normal(flag: &Name) -> String {
    format!(":{}", flag.text.trim_start_matches(':').to_ascii_lowercase())
}

/// True if the flag allows the feature. A misspelt flag has a finding of its own and counts as the nearest flag.
pub(super) fn grants(flag: &Name, feature: Feature) -> bool {
    let flag = normal(flag);
    let implied = features_of(&flag).or_else(|| features_of(nearest(&flag, FLAGS)?));
    let numbers = [":action-costs", ":durative-actions", ":object-fluents", ":preferences", ":rewards", ":mdp"];
    implied.is_some_and(|features| features.contains(&feature))
        || matches!(feature, Feature::Fluents | Feature::Costs) && numbers.contains(&flag.as_str())
        || feature == Feature::DerivedPredicates && flag == ":domain-axioms"
}
