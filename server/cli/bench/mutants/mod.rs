//! `percept bench mutants`: measures whether `check` leads to a mistake that was put into a game.
//!
//! A mutant counts if a match shows a difference, or `check` has a new finding. It is *named* if the first new finding
//! has the changed name in its words or under its mark and, unless it was removed, marks its rule.

mod forms;
mod gdl;
mod lockstep;
mod make;
mod pogddl;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use percept_analysis::{Settings, Severity};
use percept_game::gdl::Grounding;
use percept_game::{Game, PogddlTerminal};
use percept_report::{Finding, load, workspace};
use percept_syntax::{Language, Source};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{BenchMutants, Format};
use crate::commands::check::judged;
use crate::failure::{Failure, OK, Outcome};
use crate::output;
use crate::work::Work;
use make::Kind;

pub(super) use lockstep::differ;
pub(super) use make::Mutant;

/// The outcome for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Fate {
    /// The first finding leads to the change.
    Named,
    /// The first finding is about something else.
    Symptom,
    /// The mutant has no finding, though a match shows the change.
    Silent,
    /// No match shows the change.
    Same,
}

#[derive(Serialize)]
struct Row {
    file: String,
    kind: Kind,
    /// The changed names, and the line of the change.
    names: Vec<String>,
    text: String,
    insert: String,
    fate: Fate,
    /// The first new finding, and how many there are.
    rule: Option<&'static str>,
    message: Option<String>,
    findings: usize,
    /// The number of the finding that leads to the change, from 1.
    leading: Option<usize>,
}

#[derive(Serialize)]
struct Table {
    kinds: Vec<Count>,
    rows: Vec<Row>,
}

#[derive(Default, Serialize)]
struct Count {
    kind: String,
    mutants: usize,
    same: usize,
    named: usize,
    symptom: usize,
    silent: usize,
}

impl Count {
    fn add(&mut self, fate: Fate) {
        self.mutants += 1;
        *match fate {
            Fate::Same => &mut self.same,
            Fate::Named => &mut self.named,
            Fate::Symptom => &mut self.symptom,
            Fate::Silent => &mut self.silent,
        } += 1;
    }

    /// The share of named mutants among those that change something, in percent.
    fn share(&self) -> f64 {
        100.0 * self.named as f64 / (self.mutants - self.same).max(1) as f64
    }
}

pub(super) fn run(args: &BenchMutants) -> Outcome {
    let work = Work::begin(None);
    let mut rows = Vec::new();
    for file in &args.files {
        work.say(file.display().to_string());
        let of_file = Original::load(file, args)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build();
        let pool = pool.map_err(|error| Failure::new(error.to_string()))?;
        let tried = |mutant: &Mutant| (!work.is_cancelled()).then(|| of_file.tried(mutant));
        let chosen = of_file.mutants(args);
        rows.extend(pool.install(|| chosen.par_iter().filter_map(tried).collect::<Vec<_>>()));
    }
    drop(work);
    let mut counts: BTreeMap<Kind, Count> = BTreeMap::new();
    let mut all = Count { kind: "all".to_string(), ..Count::default() };
    for row in &rows {
        let count = counts.entry(row.kind).or_default();
        count.kind = row.kind.name().to_string();
        count.add(row.fate);
        all.add(row.fate);
    }
    let table = Table { kinds: counts.into_values().chain([all]).collect(), rows };
    match args.format {
        Format::Json => output::json("bench-mutants", &table),
        Format::Human => output::print(&text(&table)),
    }
    Ok(OK)
}

fn text(table: &Table) -> String {
    let head = format!(
        "{:20} {:>8} {:>7} {:>7} {:>8} {:>7} {:>6}\n",
        "", "mutants", "no play", "named", "other", "silent", ""
    );
    let row = |it: &Count| {
        let share = it.share();
        format!(
            "{:20} {:>8} {:>7} {:>7} {:>8} {:>7} {share:>5.1}%\n",
            it.kind, it.mutants, it.same, it.named, it.symptom, it.silent
        )
    };
    let lines: String = table.kinds.iter().map(row).collect();
    head + &lines + "no play: no match shows a change, and nothing is found; the share is of the others\n"
}

/// A game as written, with its findings.
struct Original {
    name: String,
    sources: Vec<Source>,
    game: Game,
    findings: Vec<(&'static str, String)>,
    time: Duration,
}

impl Original {
    fn load(path: &Path, args: &BenchMutants) -> Result<Original, Failure> {
        let files = load::sources(path, None).map_err(|error| Failure::new(error.to_string()))?;
        let sources: Vec<Source> = files.into_iter().map(|(_, source)| source).collect();
        let game = game(&sources, args.time)
            .ok_or_else(|| Failure::new(format!("{} cannot be set up in time", path.display())))?;
        let mut original =
            Original { name: crate::load::title(path), sources, game, findings: Vec::new(), time: args.time };
        let found = original.findings(&original.sources);
        original.findings = found.iter().map(|it| (it.rule.name, it.message.clone())).collect();
        Ok(original)
    }

    /// Some mutants of each kind, the same in every run.
    fn mutants(&self, args: &BenchMutants) -> Vec<Mutant> {
        let mut all = of(&self.sources);
        all.retain(|mutant| args.kinds.is_empty() || args.kinds.contains(&mutant.kind));
        all.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(args.seed));
        let mut taken: BTreeMap<Kind, usize> = BTreeMap::new();
        all.retain(|mutant| {
            let count = taken.entry(mutant.kind).or_default();
            *count += 1;
            *count <= args.most
        });
        all
    }

    fn is_one_text(&self) -> bool {
        is_one_text(&self.sources)
    }

    /// The findings of `percept check` for the text, or for the domain and the problem.
    fn findings(&self, sources: &[Source]) -> Vec<Finding> {
        let settings = Settings::default();
        let files: Vec<_> = sources.iter().map(|source| (Path::new("game").to_path_buf(), source.clone())).collect();
        let each: Vec<&Source> = sources.iter().collect();
        let text = workspace::findings(&each, &settings);
        let found = match text.iter().any(|it| it.severity == Severity::Error) {
            true => percept_report::only_text(text),
            false => judged::judge(&files, text, &settings, &percept_judge::budget(self.time), false).0,
        };
        let is_known =
            |it: &Finding| self.findings.iter().any(|(rule, message)| *rule == it.rule.name && *message == it.message);
        found.into_iter().filter(|it| it.severity != Severity::Hint && !is_known(it)).collect()
    }

    fn tried(&self, mutant: &Mutant) -> Row {
        let sources: Vec<Source> = (self.sources.iter().enumerate())
            .map(|(at, source)| match at == mutant.file || self.is_one_text() {
                true => Source::parse(mutant.apply(&source.text), source.language),
                false => source.clone(),
            })
            .collect();
        let found = self.findings(&sources);
        let fate = match found.first() {
            Some(first) if leads_to(first, mutant, &sources) => Fate::Named,
            Some(_) => Fate::Symptom,
            None => match game(&sources, self.time) {
                Some(game) if !differ(&self.game, &game, self.time) => Fate::Same,
                _ => Fate::Silent,
            },
        };
        let text = &self.sources[mutant.file].text;
        let line = text[..mutant.range.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = text[mutant.range.end as usize..].find('\n').map_or(text.len(), |at| at + mutant.range.end as usize);
        Row {
            file: self.name.clone(),
            kind: mutant.kind,
            names: mutant.names.clone(),
            text: format!("{} IN {}", &text[mutant.range.as_usize()], &text[line..end]),
            insert: mutant.insert.clone(),
            fate,
            rule: found.first().map(|it| it.rule.name),
            message: found.first().map(|it| it.message.clone()),
            findings: found.len(),
            leading: found.iter().position(|it| leads_to(it, mutant, &sources)).map(|at| at + 1),
        }
    }
}

/// All mutants of the texts of a game.
pub(super) fn of(sources: &[Source]) -> Vec<Mutant> {
    match sources[0].language {
        Language::Pogddl => {
            let texts = if is_one_text(sources) { &sources[..1] } else { sources };
            texts.iter().enumerate().flat_map(|(file, source)| pogddl::mutants(&source.text, file)).collect()
        }
        _ => gdl::mutants(&sources[0].text),
    }
}

/// True if domain and problem are in one file.
fn is_one_text(sources: &[Source]) -> bool {
    matches!(sources, [domain, problem] if domain.text == problem.text)
}

/// The game of some texts, if it is set up in time.
pub(super) fn game(sources: &[Source], time: Duration) -> Option<Game> {
    let deadline = Instant::now().checked_add(time);
    let budget = percept_infoset::Budget { deadline, ..Default::default() };
    let grounding = Grounding { budget, ..Grounding::default() };
    let each: Vec<&Source> = sources.iter().collect();
    percept_report::game(&each, PogddlTerminal::default(), &grounding)
}

/// True if a finding has a name of the mutant in its words or under its marks, and marks the rule.
fn leads_to(finding: &Finding, mutant: &Mutant, sources: &[Source]) -> bool {
    let mut places = vec![(finding.file, finding.range)];
    places.extend(finding.related.iter().map(|it| (it.file, it.range)));
    let mut words = vec![finding.message.clone()];
    words.extend(finding.related.iter().map(|it| it.message.clone()));
    let shown = |(file, range): &(percept_analysis::FileId, percept_syntax::TextRange)| {
        sources.get(file.0 as usize).and_then(|source| source.text.get(range.as_usize())).map(str::to_string)
    };
    words.extend(places.iter().filter_map(shown));
    let is_named = words.iter().any(|text| mutant.names.iter().any(|name| has_word(text, name)));
    let is_marked = |rule: percept_syntax::TextRange| {
        let mut own = places.iter().filter(|(file, _)| file.0 as usize == mutant.file);
        own.any(|(_, range)| range.start < rule.end && rule.start < range.end)
    };
    is_named && mutant.rule.is_none_or(is_marked)
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || "-_+".contains(it));
    let (text, word) = (text.to_ascii_lowercase(), word.to_ascii_lowercase());
    text.match_indices(&word)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next()))
}
