//! Time to diagnostics: parse alone, and check alone, for the largest published games (`PERCEPT_CORPUS`), or a
//! generated game where the corpus is not there.

use std::time::{Duration, Instant};

use percept_analysis::{Settings, check};
use percept_syntax::{Language, Source};

fn generated() -> String {
    let mut text = String::from(
        "(role a)(role b)(<= (legal ?r noop) (role ?r))(<= terminal (true (s 500)))(goal a 1)(goal b 1)\n",
    );
    for n in 0..500 {
        text.push_str(&format!(
            "(succ {n} {})\n(<= (next (s {n})) (true (s ?x)) (succ ?x {n}) (not (true (c{n} ?x))))\n",
            n + 1
        ));
        text.push_str(&format!("(<= (next (c{n} ?x)) (true (c{n} ?x)) (role ?r) (does ?r noop))\n(init (c{n} {n}))\n"));
    }
    text
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[10]
}

fn main() {
    let mut games = vec![("generated".to_string(), generated())];
    if let Some(folder) = std::env::var_os("PERCEPT_CORPUS") {
        for entry in std::fs::read_dir(std::path::Path::new(&folder).join("gdl")).expect("a corpus").flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            games.push((entry.file_name().to_string_lossy().into_owned(), text));
        }
        games.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        games.truncate(12);
    }
    println!("{:34} {:>7} {:>10} {:>10} {:>10}", "game", "kB", "cold ms", "parse ms", "check ms");
    for (name, text) in games {
        let start = Instant::now();
        let source = Source::parse(text.as_str(), Language::GdlPrefix);
        let found = check(&source, &Settings::default()).len();
        let cold = start.elapsed();
        let parse = median(|| drop(Source::parse(text.as_str(), Language::GdlPrefix)));
        let checked = median(|| assert_eq!(check(&source, &Settings::default()).len(), found));
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{name:34} {:7} {:10.2} {:10.2} {:10.2}", text.len() / 1000, ms(cold), ms(parse), ms(checked));
    }
}
