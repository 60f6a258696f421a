//! `percept prove --repair`: percepts that roles lack, each proposal proved. Roles that lack the same property are
//! repaired together if possible.

use std::time::{Duration, Instant};

use percept_game::Game;
use percept_infoset::prove::{Finding, Verdict};
use percept_infoset::{Budget, Property};
use percept_report::repair::{Insertion, Pair, Proposals, Repair, RepairQuery, together};
use percept_report::verdict::refutation;
use percept_report::{names, words};
use percept_solve::worth::bounds;
use percept_solve::{Options, Space};
use percept_syntax::Source;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::Prove;
use crate::load::Loaded;
use crate::work::Work;

/// The default time for all repairs of one property.
const TIME: Duration = Duration::from_secs(60);
/// The memory, in bytes, for the tree of a game to compute its value.
const MEMORY: usize = 64 << 20;

/// The repairs of one property.
#[derive(Serialize, JsonSchema)]
pub(super) struct Repaired {
    /// The roles that lack it.
    roles: Vec<String>,
    /// The first of them.
    role: String,
    property: &'static str,
    /// The repairs, the least informative first.
    repairs: Vec<Line>,
}

#[derive(Serialize, JsonSchema)]
struct Line {
    #[serde(flatten)]
    repair: Repair,
    /// The places of its edits.
    places: Vec<Where>,
}

/// A place in the unchanged text.
#[derive(Serialize, JsonSchema)]
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
    let mut lacks: Vec<(Property, Vec<Pair>)> = Vec::new();
    for finding in findings.iter().filter(|it| matches!(it.verdict, Verdict::Refuted { .. })) {
        let Some(witness) = refutation(game, finding) else { continue };
        let pair = Pair { role: finding.role, witness };
        match lacks.iter_mut().find(|(property, _)| *property == finding.property) {
            Some((_, needs)) => needs.push(pair),
            None => lacks.push((finding.property, vec![pair])),
        }
    }
    let options = Options { space: Space { bytes: MEMORY }, ..Options::default() };
    let value = |game: &Game, role, budget: &Budget| bounds(game, role, &options, budget);
    let mut all = Vec::new();
    for (property, needs) in lacks {
        let sources: Vec<&Source> = loaded.files.iter().map(|(_, source)| source).collect();
        let terminal = args.game.pogddl_terminal.map(Into::into);
        let query = RepairQuery { game, sources, terminal, property, needs, value: Some(&value) };
        let found = together(&query, &|needs| {
            let roles: Vec<&str> = needs.iter().map(|it| names::role(game, it.role)).collect();
            let what = format!("repairs of {} of {}", property.name(), words::list(&roles));
            let deadline = Instant::now().checked_add(args.work.time.unwrap_or(TIME));
            Budget { deadline, ..work.control_saying(&what) }
        });
        all.extend(found.into_iter().map(|found| repaired(loaded, property, found)));
    }
    all
}

fn repaired(loaded: &Loaded, property: Property, found: Proposals) -> Repaired {
    let place = |edit: &Insertion| {
        let (path, source) = &loaded.files[edit.file];
        let line = source.text[..edit.at as usize].matches('\n').count() + 1;
        Where { name: path.display().to_string(), line }
    };
    let line = |repair: Repair| Line { places: repair.edits.iter().map(place).collect(), repair };
    let roles: Vec<String> = found.needs.iter().map(|it| names::role(&loaded.game, it.role).to_string()).collect();
    Repaired {
        role: roles[0].clone(),
        roles,
        property: property.name(),
        repairs: found.repairs.into_iter().map(line).collect(),
    }
}

pub(super) fn text(all: &[Repaired]) -> String {
    let mut lines = Vec::new();
    for one in all {
        let property = Property::named(one.property);
        let knowledge = property.map_or_else(String::new, |it| words::knowledge_of(one.roles.len(), it));
        let (roles, know) = (words::list(&one.roles), if one.roles.len() == 1 { "knows" } else { "know" });
        lines.push(String::new());
        if one.repairs.is_empty() {
            lines.push(format!("no repair was found that lets {roles} always know {knowledge}"));
            continue;
        }
        lines.push(format!(
            "so that {roles} always {know} {knowledge} (each is proved; the one that reveals least first):"
        ));
        for (number, line) in one.repairs.iter().enumerate() {
            let measures = line.repair.measures();
            lines.push(format!("{:>3}. {} ({measures})", number + 1, line.repair.title()));
            for (place, edit) in line.places.iter().zip(&line.repair.edits) {
                lines.push(format!("     {}, before line {}:", place.name, place.line));
                lines.extend(edit.text.trim_matches('\n').lines().map(|line| format!("       {line}")));
            }
        }
    }
    lines.join("\n")
}
