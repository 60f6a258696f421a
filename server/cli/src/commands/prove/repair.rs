//! `percept prove --repair`: percepts that a role lacks, each proposal proved.

use std::time::{Duration, Instant};

use percept_game::Game;
use percept_infoset::Budget;
use percept_infoset::prove::{Finding, Verdict};
use percept_report::repair::{Insertion, Repair, RepairQuery, repairs};
use percept_report::verdict::refutation;
use percept_report::{names, words};
use percept_solve::worth::bounds;
use percept_solve::{Options, Space};
use percept_syntax::Source;
use serde::Serialize;

use crate::args::Prove;
use crate::load::Loaded;
use crate::work::Work;

/// The default time for all repairs of one refutation.
const TIME: Duration = Duration::from_secs(60);
/// The memory, in bytes, for the tree of a game to compute its value.
const MEMORY: usize = 64 << 20;

/// The repairs of one refutation.
#[derive(Serialize)]
pub(super) struct Repaired {
    role: String,
    property: &'static str,
    /// The repairs, the least informative first.
    repairs: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    repair: Repair,
    /// The places of its edits.
    places: Vec<Where>,
}

/// A place in the unchanged text.
#[derive(Serialize)]
struct Where {
    /// The name of the file.
    name: String,
    /// The line before which lines are inserted, from 1.
    line: usize,
}

/// The repairs of all refuted properties.
pub(super) fn all(loaded: &Loaded, findings: &[Finding], args: &Prove) -> Vec<Repaired> {
    let game = &*loaded.game;
    let work = Work::begin(None);
    let mut all = Vec::new();
    for finding in findings.iter().filter(|it| matches!(it.verdict, Verdict::Refuted { .. })) {
        let Some(witness) = refutation(game, finding) else { continue };
        let what = format!("repairs of {} of {}", finding.property.name(), names::role(game, finding.role));
        let deadline = Instant::now().checked_add(args.work.time.unwrap_or(TIME));
        let budget = Budget { deadline, ..work.control_saying(&what) };
        let sources: Vec<&Source> = loaded.files.iter().map(|(_, source)| source).collect();
        let terminal = args.game.pogddl_terminal.map(Into::into);
        let (role, property) = (finding.role, finding.property);
        let options = Options { space: Space { bytes: MEMORY }, ..Options::default() };
        let value = |game: &Game, role, budget: &Budget| bounds(game, role, &options, budget);
        let query = RepairQuery { game, sources, terminal, role, property, witness: &witness, value: Some(&value) };
        let place = |edit: &Insertion| {
            let (path, source) = &loaded.files[edit.file];
            let line = source.text[..edit.at as usize].matches('\n').count() + 1;
            Where { name: path.display().to_string(), line }
        };
        let line = |repair: Repair| Line { places: repair.edits.iter().map(place).collect(), repair };
        let found = repairs(&query, &budget).into_iter().map(line).collect();
        all.push(Repaired { role: names::role(game, role).to_string(), property: property.name(), repairs: found });
    }
    all
}

pub(super) fn text(all: &[Repaired]) -> String {
    let mut lines = Vec::new();
    for one in all {
        let knowledge = percept_infoset::Property::named(one.property).map_or(one.property, words::knowledge);
        lines.push(String::new());
        if one.repairs.is_empty() {
            lines.push(format!("no repair was found that lets {} always know {knowledge}", one.role));
            continue;
        }
        lines.push(format!(
            "so that {} always knows {knowledge} (each is proved; the one that reveals least first):",
            one.role
        ));
        for (number, line) in one.repairs.iter().enumerate() {
            let bits = match line.repair.bits {
                Some(bits) => format!("{bits:.2} bits"),
                None => "the amount it reveals was not computed".to_string(),
            };
            let worth = line.repair.worth.map(|worth| words::worth(worth, &one.role));
            let measured = std::iter::once(bits).chain(worth).collect::<Vec<_>>().join(", ");
            lines.push(format!("{:>3}. {} ({measured})", number + 1, line.repair.title()));
            for (place, edit) in line.places.iter().zip(&line.repair.edits) {
                lines.push(format!("     {}, before line {}:", place.name, place.line));
                lines.extend(edit.text.trim_matches('\n').lines().map(|line| format!("       {line}")));
            }
        }
    }
    lines.join("\n")
}
