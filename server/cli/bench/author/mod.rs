//! `percept bench author`: measures whether the tools for assistants lead from a broken game to a right one.
//!
//! Slips are put into games. A scripted author calls the tools and does only what the answers literally say: it makes
//! the fixes, makes the first fix of a finding, inserts a proposed repair, or deletes the statement that a finding
//! marks. It cannot think, so what it reaches is what the answers alone lead to.

mod script;

use std::path::Path;
use std::time::Duration;

use percept_game::Game;
use percept_syntax::{Language, Source};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use self::script::Author;
use super::mutants::{self, Mutant};
use crate::args::{BenchAuthor, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::load;
use crate::output;
use crate::work::Work;

/// The seconds of each call.
const TIME: f64 = 5.0;
/// The time to compare matches of two games.
const COMPARING: Duration = Duration::from_secs(2);
/// The most draws of slips until a game is broken.
const DRAWS: usize = 50;

/// The texts of a game: a description; or a domain and a problem.
#[derive(Clone, PartialEq)]
struct Texts {
    text: String,
    domain: Option<String>,
}

impl Texts {
    /// The arguments of a call.
    fn given(&self, more: Value) -> Value {
        let mut given = json!({ "text": self.text });
        if let Some(domain) = &self.domain {
            given["domain"] = json!(domain);
        }
        for (key, value) in more.as_object().into_iter().flatten() {
            given[key] = value.clone();
        }
        given
    }

    /// The words of the texts: these are the same, however many lines are empty.
    fn words(&self) -> Vec<String> {
        let texts = self.domain.iter().chain([&self.text]);
        texts.flat_map(|text| text.split_whitespace()).map(str::to_string).collect()
    }

    /// The text of a file in an answer.
    fn of(&mut self, file: &str) -> &mut String {
        match &mut self.domain {
            Some(domain) if file.starts_with("domain") => domain,
            _ => &mut self.text,
        }
    }

    fn sources(&self, language: Language) -> Vec<Source> {
        let texts = self.domain.iter().chain([&self.text]);
        texts.map(|text| Source::parse(text.clone(), language)).collect()
    }
}

/// The end of an author's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum End {
    /// `check` finds nothing, and every role knows what it knew in the game without slips.
    Right,
    /// `check` has findings that no answer says how to end.
    Findings,
    /// A role does not know, and there is no repair.
    Unknown,
    /// The calls were not enough.
    Calls,
}

#[derive(Serialize)]
struct Row {
    game: String,
    slips: Vec<String>,
    end: End,
    calls: usize,
    /// True if random matches show no difference from the game without slips.
    same: bool,
    /// The deeds of the author, a line each.
    log: Vec<String>,
}

#[derive(Serialize)]
struct Table {
    games: usize,
    right: usize,
    same: usize,
    calls: f64,
    rows: Vec<Row>,
}

pub(super) fn run(args: &BenchAuthor) -> Outcome {
    let files = match args.files.is_empty() {
        true => defaults()?,
        false => args.files.clone(),
    };
    let work = Work::begin(None);
    let mut originals = Vec::new();
    for file in &files {
        work.say(format!("reading {}", file.display()));
        originals.push(Original::load(file)?);
    }
    let one = |at: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed.wrapping_mul(1_000_003).wrapping_add(at));
        (0..DRAWS).find_map(|_| originals.choose(&mut random)?.broken(&mut random)).map(|broken| {
            work.say(broken.about());
            broken.mended()
        })
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build()?;
    let rows: Vec<Row> = pool.install(|| (0..args.games).into_par_iter().filter_map(one).collect());
    drop(work);
    let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let calls = rows.iter().map(|row| row.calls).sum::<usize>() as f64 / rows.len().max(1) as f64;
    let (right, same) = (count(&|row| row.end == End::Right), count(&|row| row.end == End::Right && row.same));
    let table = Table { games: rows.len(), right, same, calls, rows };
    match args.format {
        Format::Json => output::json("bench-author", &table),
        Format::Human => output::print(&text(&table)),
    }
    Ok(OK)
}

/// Shipped games of several kinds that are judged quickly.
fn defaults() -> Result<Vec<std::path::PathBuf>, Failure> {
    let games = super::library()?;
    let names = [
        "tic-tac-toe/tic-tac-toe.kif",
        "kuhn-poker/kuhn-poker.kif",
        "hidden-matching-pennies/hidden-matching-pennies.kif",
        "guess-dice/guess-dice.kif",
        "jack-queen-king/jack-queen-king.kif",
        "war/war.kif",
        "exploding-bomb/exploding-bomb.kif",
        "vacuum-cleaner/vacuum-cleaner.kif",
        "wumpus/wumpus.kif",
        "phantom-tic-tac-toe/phantom-tic-tac-toe.kif",
        "liars-dice/liars-dice.kif",
        "blind-tic-tac-toe/blind-tic-tac-toe.kif",
        "goofspiel/goofspiel-4.kif",
        "gops/gops-2-10.pog",
        "poker/king-and-jack.pog",
    ];
    Ok(names.iter().map(|name| games.join(name)).collect())
}

fn text(table: &Table) -> String {
    let mut text = String::new();
    for row in &table.rows {
        let end = match (row.end, row.same) {
            (End::Right, true) => "right, plays as before",
            (End::Right, false) => "right, plays differently",
            (End::Findings, _) => "findings are left",
            (End::Unknown, _) => "a role does not know",
            (End::Calls, _) => "calls used up",
        };
        text += &format!("{:32} {:24} {:>2} calls   {}\n", row.game, end, row.calls, row.slips.join("; "));
    }
    let share = |count: usize| 100.0 * count as f64 / table.games.max(1) as f64;
    text + &format!(
        "{} games: {} end clean and known ({:.0} %), {} of them play as before; {:.1} calls on average\n",
        table.games,
        table.right,
        share(table.right),
        table.same,
        table.calls
    )
}

/// A game without slips.
struct Original {
    name: String,
    texts: Texts,
    language: Language,
    game: Game,
    mutants: Vec<Mutant>,
    /// The findings and the verdicts that are not the author's task.
    findings: Vec<(String, String)>,
    refuted: Vec<(String, String)>,
}

impl Original {
    fn load(path: &Path) -> Result<Original, Failure> {
        let mut files = percept_report::load::sources(path, None)?;
        let language = files[0].1.language;
        let sources: Vec<Source> = files.iter().map(|(_, source)| source.clone()).collect();
        let name = load::title(path);
        let game = mutants::game(&sources, Duration::from_secs_f64(TIME));
        let game = game.ok_or_else(|| Failure::new(format!("{} cannot be set up in time", path.display())))?;
        let text = files.pop().map(|(_, source)| source.text.to_string()).unwrap_or_default();
        let texts = Texts { text, domain: files.pop().map(|(_, source)| source.text.to_string()) };
        let mutants = mutants::of(&sources);
        let mut original = Original { name, texts, language, game, mutants, findings: Vec::new(), refuted: Vec::new() };
        let mut author = Author::new(original.texts.clone(), &original);
        let (findings, refuted) = (author.findings(), author.refuted());
        (original.findings, original.refuted) = (findings.iter().map(about).collect(), refuted);
        Ok(original)
    }

    /// This game with one to three slips, if `check` or `prove` tells them.
    fn broken(&self, random: &mut Xoshiro256PlusPlus) -> Option<Author<'_>> {
        let count = random.random_range(1..=3);
        let mut slips: Vec<&Mutant> = self.mutants.choose_multiple(random, count).collect();
        slips.sort_by_key(|it| (it.file, it.range.start));
        let overlap = |it: &[&Mutant]| it[0].file == it[1].file && it[0].range.end > it[1].range.start;
        if slips.windows(2).any(overlap) {
            return None;
        }
        let mut texts = self.texts.clone();
        let mut written = Vec::new();
        // From the end: the places of the others stay.
        for slip in slips.iter().rev() {
            let text = if slip.file == 0 && texts.domain.is_some() { texts.of("domain") } else { texts.of("game") };
            let old = text.get(slip.range.as_usize())?.split_whitespace().collect::<Vec<_>>().join(" ");
            let old: String = old.chars().take(50).collect();
            written.push(format!("{}: {old}", slip.kind.name()));
            *text = slip.apply(text);
        }
        let mut author = Author::new(texts, self);
        let is_told = !author.findings().is_empty() || !author.lost().is_empty();
        is_told.then(|| author.begun(written))
    }
}

/// The rule and the message of a finding.
fn about(finding: &Value) -> (String, String) {
    let word = |key: &str| finding[key].as_str().unwrap_or_default().to_string();
    (word("rule"), word("message"))
}
