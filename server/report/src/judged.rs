//! Findings of the text and of the game in one list.

use std::ops::Deref;

use percept_analysis::{Diagnostic, Place, Settings, Severity, heed};
use percept_game::gdl::Grounding;
use percept_game::{Game, JointMove, MoveId, PogddlTerminal, RoleId, trace};
use percept_infoset::Budget;
use percept_judge::{Case, Evidence, Extent, Options};
use percept_syntax::Source;
use percept_syntax::pddl::Dialect;

use crate::changes::{Change, Changes};
use crate::speech::Speech;
use crate::{load, names};

/// The rule of the text for fluents that never begin to hold; findings about matches may follow from it.
const NEVER_BEGINS: &str = "fluent-without-init";
const FOLLOWS: [&str; 6] =
    ["dead-rule", "role-without-move", "no-goal", "endless-match", "constant-percept", "fluent-not-kept"];
/// A finding, with its proof if it is about the game.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The finding itself, as one of the analysis.
    pub diagnostic: Diagnostic,
    /// The evidence, if the finding is about the game.
    pub proof: Option<Proof>,
    /// A statement that was removed or changed since a text without the finding.
    pub change: Option<Change<Place>>,
}

/// The evidence that a finding about the game is true.
#[derive(Clone, Debug)]
pub enum Proof {
    /// A match that shows the finding.
    Witness(Witness),
    /// A reason in one sentence.
    Reason(String),
}

/// A match that shows it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The joint moves.
    pub rounds: Vec<JointMove>,
    /// The rounds: a move per role, by name.
    pub moves: Vec<Vec<String>>,
    /// The rounds as lines of a trace.
    pub lines: Vec<String>,
    /// The rounds of one match or two, as lines for people: in the words of the rules' comments, else as in a trace.
    pub wording: Vec<Vec<String>>,
    /// The whole trace, as `percept step` reads it.
    pub trace: String,
    /// The rounds of a second match as lines of a trace, if the finding needs two matches that look alike.
    pub other: Vec<String>,
    /// The connection between the match and the finding.
    pub because: String,
    /// True if no shorter match shows it.
    pub is_shortest: bool,
    /// The round to which a circular match returns: the state after it equals the state at the end.
    pub back_to: Option<usize>,
}

impl Deref for Finding {
    type Target = Diagnostic;

    fn deref(&self) -> &Diagnostic {
        &self.diagnostic
    }
}

impl Finding {
    /// The match that shows it.
    pub fn witness(&self) -> Option<&Witness> {
        match &self.proof {
            Some(Proof::Witness(witness)) => Some(witness),
            _ => None,
        }
    }
}

/// Findings of the text alone.
pub fn only_text(mut findings: Vec<Diagnostic>) -> Vec<Finding> {
    findings.sort_by_key(|finding| finding.severity != Severity::Error);
    findings.into_iter().map(|diagnostic| Finding { diagnostic, proof: None, change: None }).collect()
}

/// The game of a description, or of a domain and a problem (which may be the same text). `None` if the texts are not a
/// game; the analysis reports why. `terminal` applies if the domain does not define the end of a match.
pub fn game(sources: &[&Source], terminal: PogddlTerminal, grounding: &Grounding) -> Option<Game> {
    let is_read = |source: &&Source| source.errors.is_empty() && Dialect::of(source).is_none();
    let is_right = !sources.is_empty() && sources.iter().all(is_read);
    is_right.then(|| load::of_sources(sources, Some(terminal), grounding).ok()).flatten()
}

/// A finding about the game, before settings are applied.
#[derive(Clone, Debug)]
pub struct Judged {
    finding: Finding,
    /// A place, and the rules of the text that report the same cause if they have a finding inside it.
    told_by: Option<(Place, &'static [&'static str])>,
}

/// Judges the game of some texts: the description, or the domain and the problem (twice the same text if one file has
/// both).
pub fn judge(game: &Game, sources: &[&Source], options: &Options, budget: &Budget) -> Vec<Judged> {
    judge_with_extent(game, sources, options, budget).0
}

/// Like [`judge`], with the extent of the search.
pub fn judge_with_extent(
    game: &Game,
    sources: &[&Source],
    options: &Options,
    budget: &Budget,
) -> (Vec<Judged>, Extent) {
    let case = Case::new(game, sources.to_vec());
    let judgement = percept_judge::judge(&case, options, budget);
    let speech = Speech::of(sources);
    let found = judgement.findings.into_iter().map(|judged| Judged {
        told_by: judged.told_by,
        finding: Finding { proof: Some(proof(game, &speech, &judged)), diagnostic: judged.diagnostic, change: None },
    });
    (found.collect(), judgement.extent)
}

/// The findings of the text and, if it has no error, of its game.
pub fn with_game(
    game: &Game,
    text: Vec<Diagnostic>,
    sources: &[&Source],
    settings: &Settings,
    budget: &Budget,
) -> Vec<Finding> {
    if text.iter().any(|finding| finding.severity == Severity::Error) {
        return only_text(text);
    }
    join(text, &judge(game, sources, &Options::default(), budget), sources, settings)
}

/// The reasons why [`game`] found no game although the text has no error: for example a POGDDL game without players.
pub fn refusals(sources: &[&Source], set_up: &Budget) -> Vec<Judged> {
    let finding = |judged: percept_judge::Finding| Judged {
        finding: Finding { proof: Some(Proof::Reason(judged.because())), diagnostic: judged.diagnostic, change: None },
        told_by: None,
    };
    percept_judge::rules::refusals(sources, set_up).into_iter().map(finding).collect()
}

impl Judged {
    /// True if findings of the text report the same cause.
    fn is_told(&self, text: &[Diagnostic]) -> bool {
        let never_begins = text.iter().any(|other| other.rule.name == NEVER_BEGINS);
        if never_begins && FOLLOWS.contains(&self.finding.rule.name) {
            return true;
        }
        let tells = |diagnostic: &Diagnostic| {
            self.told_by.is_some_and(|(place, rules)| {
                place.contains(diagnostic.place()) && rules.contains(&diagnostic.rule.name)
            })
        };
        text.iter().any(tells)
    }
}

/// Removes the findings that the check of the domain alone has reported in `text`.
pub fn untold(mut judged: Vec<Judged>, text: &[Diagnostic]) -> Vec<Judged> {
    judged.retain(|one| !one.is_told(text));
    judged
}

/// The findings of the text and of the game in one list: causes first, then in the order of the text. Settings and
/// silencing comments are applied, and each cause is reported once. If the text has errors, the game is not judged.
pub fn join(text: Vec<Diagnostic>, judged: &[Judged], sources: &[&Source], settings: &Settings) -> Vec<Finding> {
    if text.iter().any(|finding| finding.severity == Severity::Error) {
        return only_text(text);
    }
    let sources: Vec<Option<&Source>> = sources.iter().copied().map(Some).collect();
    let mut found: Vec<Finding> = Vec::new();
    for one in judged {
        let diagnostic = &one.finding.diagnostic;
        if !one.is_told(&text)
            && let Some(diagnostic) = heed(vec![diagnostic.clone()], &sources, settings).pop()
        {
            found.push(Finding { diagnostic, proof: one.finding.proof.clone(), change: None });
        }
    }
    let mut all = only_text(text);
    all.extend(found);
    all.sort_by_key(|finding| (rank(finding), finding.file, finding.range.start, finding.range.end));
    all
}

/// Names a change beside each finding that the old texts do not have. `old_findings` is called if there is a change to
/// name; it returns `None` if the search was not finished, and then no change is named.
pub fn name_changes(
    changes: &Changes<'_>,
    findings: &mut [Finding],
    old_findings: impl FnOnce() -> Option<Vec<Finding>>,
) {
    let found = findings.iter().map(|finding| match finding.severity {
        Severity::Hint => None,
        _ => changes.of(finding),
    });
    let found: Vec<Option<Change<Place>>> = found.collect();
    if found.iter().all(Option::is_none) {
        return;
    }
    let Some(old) = old_findings() else { return };
    for (finding, change) in findings.iter_mut().zip(found) {
        let is_old = old.iter().any(|it| it.rule.name == finding.rule.name && it.message == finding.message);
        finding.change = change.filter(|_| !is_old);
    }
}

/// The rank of a finding: likely causes (slips in the text, missing declarations, lost fluents) come before their
/// consequences.
fn rank(finding: &Finding) -> u8 {
    match finding.rule.name {
        "undeclared-fluent" | "undeclared-move" | "cell-without-content" => 1,
        "fluent-not-kept" | "two-turns" | "action-without-turn" => 2,
        "impossible-literal" | "unread-fluent" => 1,
        "unused-relation" if finding.message.contains(": did you mean ") => 0,
        "unused-relation" | "role-sees-nothing" => 3,
        _ if finding.proof.is_some() || finding.severity < Severity::Warning => 3,
        _ => 0,
    }
}

fn proof(game: &Game, speech: &Speech, judged: &percept_judge::Finding) -> Proof {
    let because = judged.because();
    let nothing = Vec::new();
    let (rounds, other, is_shortest, back_to) = match &judged.evidence {
        Evidence::Match { rounds, is_shortest } => (rounds, &nothing, *is_shortest, None),
        Evidence::Lasso { rounds, back_to } => (rounds, &nothing, false, Some(*back_to)),
        Evidence::Alike { rounds, other, is_shortest, .. } => (rounds, other, *is_shortest, None),
        Evidence::EveryState(_) | Evidence::Proof(_) => return Proof::Reason(because),
    };
    let name = |joint: &JointMove| {
        let moves = game.role_ids().zip(joint);
        moves.map(|(role, &mv)| name(game, role, mv)).collect()
    };
    let moves = rounds.iter().map(name).collect();
    let written = trace::write_trace(game, rounds);
    let lines = |written: &str| written.lines().filter(|line| !line.starts_with(';')).map(String::from).collect();
    let both = [rounds, other].into_iter().filter(|it| !it.is_empty());
    let wording = both.map(|rounds| names::rounds(game, speech, rounds)).collect();
    let other = if other.is_empty() { Vec::new() } else { lines(&trace::write_trace(game, other)) };
    let lines = lines(&written);
    let message = judged.message.split_whitespace().collect::<Vec<_>>().join(" ");
    let trace = format!("; {}: {message}\n; {because}\n{written}", judged.rule.name);
    Proof::Witness(Witness {
        rounds: rounds.clone(),
        moves,
        lines,
        wording,
        other,
        trace,
        because,
        is_shortest,
        back_to,
    })
}

fn name(game: &Game, role: RoleId, mv: MoveId) -> String {
    if mv == MoveId::NOOP { "noop".to_string() } else { game.rules.move_name(role, mv) }
}
