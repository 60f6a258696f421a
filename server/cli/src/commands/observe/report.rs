//! Verdicts as data: the JSON of `observe --format json`.

use percept_game::RoleId;
use percept_infoset::Size;
use percept_report::blame::{Blamer, Rule};
use percept_report::names;
use percept_report::place::InFile;
use percept_report::speech::Speech;
use percept_report::verdict::{MatchVerdict, first_unknown};
use schemars::JsonSchema;
use serde::Serialize;

use super::Judged;
use crate::load::Loaded;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    pub roles: Vec<String>,
    /// The findings of the first match (with a trace, the only one).
    pub findings: Vec<MatchVerdict<InFile>>,
    pub matches: Vec<Match>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Match {
    /// The seed with which `percept observe GAME --seed SEED` repeats a random match; absent for a given trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A move of each role, for every round.
    pub moves: Vec<Vec<String>>,
    pub findings: Vec<MatchVerdict<InFile>>,
    pub sizes: Vec<Sizes>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Sizes {
    pub role: String,
    pub rounds: Vec<SizeAt>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SizeAt {
    pub round: usize,
    pub histories: String,
    pub states: usize,
}

pub(super) fn report(loaded: &Loaded, judged: &[Judged]) -> Report {
    let (blamer, place) = (loaded.blamer(), loaded.place());
    let matches: Vec<Match> = judged.iter().map(|one| one_match(loaded, &blamer, &place, one)).collect();
    Report {
        roles: loaded.game.roles.iter().map(|role| role.name.clone()).collect(),
        findings: matches.first().map(|first| first.findings.clone()).unwrap_or_default(),
        matches,
    }
}

fn one_match(loaded: &Loaded, blamer: &Blamer<'_>, place: &impl Fn(&Rule) -> InFile, judged: &Judged) -> Match {
    let game = &*loaded.game;
    let mut findings: Vec<MatchVerdict<InFile>> =
        judged.findings.iter().map(|finding| MatchVerdict::new(game, &Speech::default(), finding)).collect();
    for (at, (finding, witness)) in first_unknown(&judged.findings) {
        let blame = blamer.blame(finding.role, finding.property, witness);
        let pair = &mut findings[at].witness;
        *pair = pair.take().map(|pair| pair.blaming(&blame, place));
    }
    let at = |size: &Size| SizeAt { round: size.round, histories: size.histories.to_string(), states: size.states };
    let sizes = |(role, sizes): &(RoleId, Vec<Size>)| Sizes {
        role: names::role(game, *role).to_string(),
        rounds: sizes.iter().map(at).collect(),
    };
    let moves = names::history(game, &judged.rounds);
    Match { seed: judged.seed, moves, findings, sizes: judged.sizes.iter().map(sizes).collect() }
}
