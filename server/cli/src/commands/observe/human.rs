//! Verdicts for people: knowledge that holds throughout a match in one line, and the first gap in a role's knowledge
//! with its witness.

use std::path::Path;

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::prove::Reading;
use percept_infoset::{Finding, Property, Size, Verdict, Witness};
use percept_report::blame::{Blame, Blamer, Rule};
use percept_report::names;
use percept_report::place::Position;
use percept_report::speech::Speech;
use percept_report::verdict::first_unknown;
use percept_report::{contrast, signs, words};
use percept_syntax::lines::LineIndex;

use super::Judged;
use crate::load::Loaded;
use crate::output;
use crate::pace::Newest;
use crate::work::Work;

/// The columns before a table of two histories.
const INDENT: usize = 9;

/// The most rounds of a match that are listed.
const LISTED: usize = 40;

/// `game`: the game as named on the command line, for the command to run next.
pub(super) fn text(loaded: &Loaded, judged: &[Judged], game: &Path) -> String {
    let blamer = loaded.blamer();
    let mut lines = match judged {
        [one] => {
            let roles = one.sizes.iter().flat_map(|(role, sizes)| role_lines(loaded, &blamer, one, *role, sizes));
            random_match(loaded, one).into_iter().chain(roles).collect()
        }
        _ => several(loaded, &blamer, judged),
    };
    lines.extend(end(judged, game));
    lines.join("\n")
}

/// The lines after the findings.
pub(super) fn end(judged: &[Judged], game: &Path) -> Vec<String> {
    let mut lines: Vec<String> = unchecked(judged).into_iter().collect();
    if judged.iter().any(|one| one.seed.is_some()) {
        lines.push(format!("for every match: `percept prove {}`", game.display()));
    }
    lines
}

/// Prints the report of one match while it is judged: each role's lines as soon as they are known.
pub(super) struct Stream<'a> {
    loaded: &'a Loaded,
    blamer: Blamer<'a>,
    work: &'a Work,
    newest: Newest,
}

impl<'a> Stream<'a> {
    pub(super) fn new(loaded: &'a Loaded, work: &'a Work) -> Stream<'a> {
        Stream { loaded, blamer: loaded.blamer(), work, newest: Newest::begin(work.notes()) }
    }

    /// Prints the match, if it is random.
    pub(super) fn begin(&self, one: &Judged) {
        self.print(&random_match(self.loaded, one));
    }

    /// Prints the lines of the role that was judged last.
    pub(super) fn last_role(&self, one: &Judged) {
        self.newest.clear();
        // If the rules cannot be followed, the findings are wrong, and the command fails.
        if let (Some((role, sizes)), Ok(())) = (one.sizes.last(), self.loaded.sound()) {
            self.print(&role_lines(self.loaded, &self.blamer, one, *role, sizes));
        }
    }

    /// Prints some findings about the role that is being judged, when a line is due.
    pub(super) fn so_far(&self, findings: &[Finding]) {
        let lines = so_far(&self.loaded.game, findings);
        if !lines.is_empty() {
            self.newest.say(lines.join("\n"));
        }
    }

    fn print(&self, lines: &[String]) {
        if !lines.is_empty() {
            self.work.suspend(|| output::println(&lines.join("\n")));
        }
    }
}

/// Some findings about a role: a line for each property with one.
fn so_far(game: &Game, findings: &[Finding]) -> Vec<String> {
    let line = |property: Property| {
        let of_property = || findings.iter().filter(|it| it.property == property);
        let rounds = |wanted: &str| {
            let rounds = of_property().filter(|it| it.verdict.name() == wanted).map(|it| it.round);
            words::runs(&rounds.collect::<Vec<_>>())
        };
        let (who, what) = (names::role(game, of_property().next()?.role), words::knowledge(property));
        match (rounds("unknown"), rounds("known")) {
            (unknown, known) if unknown.is_empty() && known.is_empty() => None,
            (unknown, known) if unknown.is_empty() => Some(format!("so far: {who} knows {what} after {known}")),
            (unknown, _) => Some(format!("so far: {who} does not know {what} after {unknown}")),
        }
    };
    Property::ALL.into_iter().chain([Property::Own]).filter_map(line).collect()
}

/// The number of answers "known" that the second reading of the rules did not check, and the reason; `None` if it
/// checked all.
fn unchecked(judged: &[Judged]) -> Option<String> {
    let positive = judged.iter().flat_map(|one| &one.findings).filter(|it| it.verdict == Verdict::Known);
    let (count, why) = positive.clone().fold((0, None), |(count, why), it| match &it.reading {
        Some(Reading::Unchecked(reason)) => (count + 1, Some(*reason)),
        _ => (count, why),
    });
    why.map(|why| {
        format!("unchecked: {why} to read the rules a second time for {count} of {} answers", positive.count())
    })
}

/// The seed and the moves of a random match; nothing for a given match.
fn random_match(loaded: &Loaded, one: &Judged) -> Vec<String> {
    let Some(seed) = one.seed else { return Vec::new() };
    let mut lines = vec![format!("a random match (seed {seed}), {}:", words::rounds(one.rounds.len()))];
    let shown = one.rounds.iter().take(LISTED).enumerate();
    lines.extend(
        shown.map(|(round, joint)| format!("  {}. {}", round + 1, names::line(&loaded.game, &loaded.speech, joint))),
    );
    if let more @ 1.. = one.rounds.len().saturating_sub(LISTED) {
        lines.push(format!("  ... {} more (--save-trace FILE writes all of them)", words::rounds(more)));
    }
    lines
}

/// The matches in words: `3 random matches (seeds 0 to 2)`.
fn random_matches(judged: &[Judged]) -> String {
    let seed = |one: Option<&Judged>| one.and_then(|one| one.seed).unwrap_or_default();
    let (first, last) = (seed(judged.first()), seed(judged.last()));
    format!("{} random matches (seeds {first} to {last})", judged.len())
}

/// Summarizes many matches: for each role and property the number of matches in which it is not known, and the first of
/// them in full.
fn several(loaded: &Loaded, blamer: &Blamer<'_>, judged: &[Judged]) -> Vec<String> {
    let game = &*loaded.game;
    let (shortest, longest) =
        (judged.iter().map(|it| it.rounds.len()).min(), judged.iter().map(|it| it.rounds.len()).max());
    let rounds = match (shortest.unwrap_or(0), longest.unwrap_or(0)) {
        (one, other) if one == other => format!("{} each", words::rounds(one)),
        (one, other) => format!("{one} to {other} rounds"),
    };
    let mut lines = vec![format!("{}, {rounds}", random_matches(judged))];
    let mut examples = Vec::new();
    for role in game.role_ids().filter(|role| judged.iter().any(|one| one.sizes.iter().any(|(it, _)| it == role))) {
        let who = names::role(game, role);
        for property in super::properties(judged, role) {
            let unknown: Vec<usize> =
                (0..judged.len()).filter(|&at| first(&judged[at], role, property).is_some()).collect();
            let undecided = judged.iter().filter(|one| is_undecided(one, role, property)).count();
            let open = match undecided {
                0 => String::new(),
                count => format!("; undecided in {count}"),
            };
            let what = words::knowledge(property);
            let Some(&shown) = unknown.first() else {
                lines.push(match undecided {
                    0 => format!("{who}: {}", words::known_throughout_all(property, judged.len())),
                    count => format!("{who}: {what} undecided in {count} of {} matches", judged.len()),
                });
                continue;
            };
            let count = unknown.len();
            lines.push(format!("{who}: does not know {what} in {count} of {} matches{open}", judged.len()));
            let Some((finding, witness)) = first(&judged[shown], role, property) else { continue };
            let seed = judged[shown].seed.map(|seed| format!(" (seed {seed})")).unwrap_or_default();
            examples.push(format!(
                "match {}{seed}: {who} does not know {what} after round {}",
                shown + 1,
                finding.round
            ));
            examples.extend(witness_lines(loaded, finding, witness));
            examples.extend(blame_lines(loaded, who, &blamer.blame(role, property, witness)));
        }
    }
    if !examples.is_empty() {
        lines.push(String::new());
        lines.push("The first of each (all of them: --format json or html):".to_string());
        lines.extend(examples);
    }
    lines
}

/// True if no gap in the knowledge is known, but not all of it is proved.
fn is_undecided(judged: &Judged, role: RoleId, property: Property) -> bool {
    let mut verdicts =
        judged.findings.iter().filter(|it| it.role == role && it.property == property).map(|it| &it.verdict);
    verdicts.clone().all(|it| !matches!(it, Verdict::Unknown(_)))
        && verdicts.any(|it| matches!(it, Verdict::Undecided { .. }))
}

/// The first round after which a role does not know something, with the histories it cannot tell apart.
fn first(judged: &Judged, role: RoleId, property: Property) -> Option<(&Finding, &Witness)> {
    let mut all = first_unknown(&judged.findings).map(|(_, it)| it);
    all.find(|(it, _)| it.role == role && it.property == property)
}

fn role_lines(loaded: &Loaded, blamer: &Blamer<'_>, judged: &Judged, role: RoleId, sizes: &[Size]) -> Vec<String> {
    let game = &*loaded.game;
    let who = names::role(game, role);
    let mut lines = Vec::new();
    for property in super::properties(std::slice::from_ref(judged), role) {
        let findings: Vec<&Finding> =
            judged.findings.iter().filter(|it| it.role == role && it.property == property).collect();
        lines.push(format!("{who}: {}", summary(property, &findings)));
        if let Some((finding, witness)) = first(judged, role, property) {
            lines.extend(witness_lines(loaded, finding, witness));
            lines.extend(blame_lines(loaded, who, &blamer.blame(role, property, witness)));
        }
    }
    let mut histories: Vec<String> = sizes.iter().take(LISTED).map(|size| short(size.histories.to_string())).collect();
    if !histories.is_empty() {
        let more = if sizes.len() <= judged.rounds.len() { ", then too many to count" } else { "" };
        if let Some(last) = sizes[histories.len()..].last() {
            histories.push(format!("... {}", short(last.histories.to_string())));
        }
        lines.push(format!("{who}: histories it cannot tell apart, by round: {}{more}", histories.join(" ")));
    }
    lines
}

/// A number that fits on a line: a long one by its first digits, `1.071e301`.
fn short(digits: String) -> String {
    /// The most digits that a reader can compare.
    const MOST: usize = 15;
    if digits.len() <= MOST {
        return digits;
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1)
}

/// The summary of a property: `does not know its goal after round 3; known after rounds 0-2`.
fn summary(property: Property, findings: &[&Finding]) -> String {
    let what = words::knowledge(property);
    let rounds = |wanted: &str| {
        let rounds = findings.iter().filter(|it| it.verdict.name() == wanted).map(|it| it.round);
        words::runs(&rounds.collect::<Vec<_>>())
    };
    let mut parts = Vec::new();
    let (positive, unknown, undecided) = (rounds("known"), rounds("unknown"), rounds("undecided"));
    if unknown.is_empty() && undecided.is_empty() {
        return words::known_throughout(property);
    }
    if !unknown.is_empty() {
        parts.push(format!("does not know {what} after {unknown}"));
    }
    if !undecided.is_empty() {
        let agreed: u64 = findings
            .iter()
            .map(|it| match it.verdict {
                Verdict::Undecided { agreed, .. } => agreed,
                _ => 0,
            })
            .min()
            .unwrap_or(0);
        parts.push(format!("undecided after {undecided} ({agreed} samples agreed)"));
    }
    if !positive.is_empty() {
        parts.push(format!("known after {positive}"));
    }
    parts.join("; ")
}

fn witness_lines(loaded: &Loaded, finding: &Finding, witness: &Witness) -> Vec<String> {
    let game = &*loaded.game;
    let who = names::role(game, finding.role);
    let mut lines =
        vec![format!("  {}:", signs::alike(who, acts_alike(finding.role, witness), witness.first_is_match))];
    lines.extend(pair_lines(game, &loaded.speech, finding.role, witness).into_iter().map(|line| format!("    {line}")));
    lines
}

/// True if a role makes the same moves in both histories.
pub(crate) fn acts_alike(role: RoleId, witness: &Witness) -> bool {
    let own = |joint: &JointMove| joint[role.0 as usize];
    witness.first.iter().map(own).eq(witness.second.iter().map(own))
}

/// Two histories as a table, and the value of the property after each.
pub(crate) fn pair_lines(game: &Game, speech: &Speech, role: RoleId, witness: &Witness) -> Vec<String> {
    let room = crate::wrap::terminal_width().unwrap_or(crate::wrap::WIDTH).saturating_sub(INDENT);
    let rows = contrast::rows(game, speech, role, &witness.first, &witness.second, room);
    let values = signs::PAIR.iter().zip([&witness.first_value, &witness.second_value]);
    let values = values.map(|(name, value)| format!("{name}: {}", words::value(game, speech, role, value)));
    rows.into_iter().map(|row| row.says).chain(values).collect()
}

/// The source lines of the rules for the role's percepts, and of those that cause the difference.
pub(crate) fn blame_lines(loaded: &Loaded, who: &str, blame: &Blame) -> Vec<String> {
    let mut lines = Vec::new();
    let mut list = |title: String, rules: &[Rule]| {
        if rules.is_empty() {
            return;
        }
        lines.push(title);
        for rule in rules {
            let (path, source) = &loaded.files[rule.file];
            let line = Position::new(&LineIndex::new(&source.text), rule.range.start).line;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let text = source.text.get(rule.range.start as usize..rule.range.end as usize).unwrap_or_default();
            lines.push(format!("      {file}:{line}: {}", text.split_whitespace().collect::<Vec<_>>().join(" ")));
            lines.push(format!("        {}", rule.says));
        }
    };
    list(format!("    rules for {who}'s percepts in round {}:", blame.round), &blame.silent);
    list("    cause of the difference:".to_string(), &blame.deciding);
    lines
}
