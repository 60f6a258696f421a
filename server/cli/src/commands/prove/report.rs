//! The verdicts of `prove`, for readers and for programs.

use percept_infoset::prove::{Finding, Verdict};
use percept_report::blame::{Blame, Blamer};
use percept_report::place::InFile;
use percept_report::sarif::Log;
use percept_report::speech::Speech;
use percept_report::verdict::{GameVerdict, asks_vacuity, refutation};
use percept_report::{signs, words};
use schemars::JsonSchema;
use serde::Serialize;

use super::repair::Repaired;
use crate::commands::observe::{human, sarif};
use crate::load::Loaded;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<'a> {
    findings: Vec<GameVerdict<InFile>>,
    /// The repairs, with `--repair`.
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<&'a [Repaired]>,
}

pub(super) fn report<'a>(loaded: &Loaded, findings: &[Finding], repairs: Option<&'a [Repaired]>) -> Report<'a> {
    let (blamer, place) = (loaded.blamer(), loaded.place());
    let with_rules = |finding: &Finding| {
        let mut out = GameVerdict::new(&loaded.game, &Speech::default(), finding);
        if let Some(blame) = blame(loaded, &blamer, finding) {
            out.witness = out.witness.map(|pair| pair.blaming(&blame, &place));
        }
        out
    };
    Report { findings: findings.iter().map(with_rules).collect(), repairs }
}

/// The rules behind a refutation.
fn blame(loaded: &Loaded, blamer: &Blamer<'_>, finding: &Finding) -> Option<Blame> {
    let witness = refutation(&loaded.game, finding)?;
    Some(blamer.blame(finding.role, finding.property, &witness))
}

pub(super) fn sarif(loaded: &Loaded, findings: &[Finding]) -> String {
    let (writer, blamer, game) = (sarif::Writer::new(loaded), loaded.blamer(), &loaded.game);
    let mut log = Log::of_verdicts();
    for finding in findings {
        let Some(witness) = refutation(game, finding) else { continue };
        let (role, property) = (finding.role, finding.property);
        let message = words::refuted(game, &loaded.speech, role, property, &witness);
        log.verdict(property, writer.result(message, &blamer.blame(role, property, &witness)));
    }
    log.text()
}

pub(super) fn text(loaded: &Loaded, findings: &[Finding]) -> String {
    let blamer = loaded.blamer();
    let mut all = Vec::new();
    for finding in findings {
        all.extend(lines(loaded, finding));
        if let Some(blame) = blame(loaded, &blamer, finding) {
            let who = &loaded.game.roles[finding.role.0 as usize].name;
            all.extend(human::blame_lines(loaded, who, &blame).into_iter().map(|line| format!("     {line}")));
        }
    }
    all.join("\n")
}

fn lines(loaded: &Loaded, finding: &Finding) -> Vec<String> {
    let game = &*loaded.game;
    let role = &game.roles[finding.role.0 as usize].name;
    let (what, seconds) = (format!("knows {}", words::knowledge(finding.property)), finding.elapsed.as_secs_f64());
    match &finding.verdict {
        Verdict::Proved { method, checked, .. } => {
            let note = if asks_vacuity(finding) { words::vacuity(finding.vacuous, role) } else { String::new() };
            let checked = words::checked(*checked);
            vec![format!("proved, {checked}  {role} always {what}{note} ({method}, {seconds:.2} s)")]
        }
        Verdict::Open { depth } => {
            vec![format!(
                "open     {role} {what} in matches of up to {depth} rounds; longer matches are undecided ({seconds:.2} s)"
            )]
        }
        Verdict::Refuted { pair, method } => {
            let what = words::knowledge(finding.property);
            let mut lines = vec![format!("refuted  {role} does not always know {what} ({method}, {seconds:.2} s)")];
            if let Some(witness) = refutation(game, finding) {
                let (same, rounds) = (human::acts_alike(finding.role, &witness), words::rounds(pair.left.len()));
                lines.push(format!("         {} ({rounds}):", signs::alike(role, same, false)));
                let table = human::pair_lines(game, &loaded.speech, finding.role, &witness);
                lines.extend(table.into_iter().map(|line| format!("           {line}")));
            }
            lines
        }
    }
}
