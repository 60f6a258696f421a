//! No check is quadratic: the total allocation for each shape of text of `percept bench hostile` grows linearly with
//! the text, and the peak stays in proportion. Allocations are counted, so the result is the same on every machine.
//!
//! A program of its own, because counting allocations replaces the allocator of the whole program.

#[path = "../../cli/bench/hostile/shapes.rs"]
mod shapes;

use allocation_counter::AllocationInfo;
use percept_analysis::{Settings, check};
use percept_syntax::{Language, Source};

/// The highest growth of the cost from half the parts to all of them, relative to the growth of the text.
const GROWTH: f64 = 2.6;
/// The most bytes held at once for a byte of text.
const HELD: f64 = 270.0;
/// The allocation for even the shortest text.
const CONSTANT: u64 = 1 << 20;

fn cost(extension: &str, text: &str) -> AllocationInfo {
    let language = match extension {
        "kif" => Language::GdlPrefix,
        "hrf" => Language::GdlInfix,
        _ => Language::Pogddl,
    };
    allocation_counter::measure(|| {
        let source = Source::parse(text.to_owned(), language);
        std::hint::black_box(check(&source, &Settings::default()));
    })
}

#[test]
fn what_is_allocated_grows_as_the_text_does() {
    let mut faults = Vec::new();
    for shape in shapes::SHAPES {
        let parts = (shape.size / 20).max(1_000);
        let texts = [parts, 2 * parts].map(shape.text);
        let [half, whole] = [0, 1].map(|at: usize| cost(shape.extension, &texts[at]));
        // In some shapes the parts get longer with their numbers.
        let text = texts[1].len() as f64 / texts[0].len() as f64 / 2.0;
        let growth = whole.bytes_total.saturating_sub(CONSTANT) as f64 / half.bytes_total.max(1) as f64 / text;
        let held = whole.bytes_max as f64 / texts[1].len() as f64;
        if std::env::var_os("PERCEPT_PRINT").is_some() {
            println!("{} {}: {} bytes, {growth:.2} times, {held:.0} held", shape.extension, shape.name, texts[1].len());
        }
        if whole.bytes_max.saturating_sub(CONSTANT) as f64 > HELD * texts[1].len() as f64 {
            faults.push(format!("{} {}: {held:.0} bytes held for each of the text", shape.extension, shape.name));
        }
        if growth > GROWTH {
            faults.push(format!("{} {}: {growth:.2} times as much for twice the text", shape.extension, shape.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// An unreadable text has one finding, whatever parts it lacks.
#[test]
fn a_flood_is_one_finding() {
    for (language, name) in [(Language::GdlPrefix, "kif"), (Language::GdlInfix, "hrf"), (Language::Pogddl, "pog")] {
        for text in ["(".repeat(20_000), ")".repeat(20_000), "(p ".repeat(20_000)] {
            let findings = check(&Source::parse(text, language), &Settings::default());
            assert_eq!(findings.iter().map(|it| it.rule.name).collect::<Vec<_>>(), ["syntax-error"], "{name}");
        }
    }
}

/// Facts in one order, of which each could be compared with all others.
#[test]
fn an_order_of_many_facts_takes_time_in_proportion() {
    let text: String = (0..150_000).map(|n| format!("(later {n} {})\n", n + 1)).collect();
    let start = std::time::Instant::now();
    cost("kif", &text);
    // A generous limit for busy machines: a quadratic check takes minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// A long file of facts, with a small game that reads them, takes less than ten times its bytes.
#[test]
fn facts_take_less_than_ten_times_their_bytes() {
    const FACTS: usize = 50_000;
    let mut text = String::from(
        "(role ann) (init (at n0)) (<= (base (at ?x)) (edge ?x ?y)) (<= (base (at ?y)) (edge ?x ?y))
        (<= (input ann (go ?y)) (edge ?x ?y)) (<= (legal ann (go ?y)) (true (at ?x)) (edge ?x ?y))
        (<= (next (at ?y)) (does ann (go ?y))) (<= terminal (true (at n9))) (goal ann 100)\n",
    );
    for n in 0..FACTS {
        text.push_str(&format!("(edge square-{} square-{})\n", n / 10, n * 7 % 10_007));
    }
    let held = cost("kif", &text).bytes_max as f64 / text.len() as f64;
    assert!(held < 10.0, "{held:.1} bytes held for each of the text");
}
