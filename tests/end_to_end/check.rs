//! `percept check`: ten mistakes are ten findings; no text from a paper makes the program crash.

use crate::support::{folder, percept, percept_in, root, write};

/// A description in which every line that ends in `^ rule` has that mistake on the token above the mark.
const TEN_MISTAKES: &str = include_str!("ten-mistakes.kif");

#[test]
fn ten_mistakes_are_ten_findings() {
    let place = folder();
    let mut text = String::new();
    let mut expected = Vec::new();
    let mut line = 0;
    for written in TEN_MISTAKES.lines() {
        match written.find('^') {
            Some(column) if written.trim_start().starts_with(";~") => {
                let marks = written[column..].chars().take_while(|c| *c == '^').count();
                let rule = written[column + marks..].trim().to_string();
                expected.push((line, column + 1, column + 1 + marks, rule));
                // The lines with marks are not in the file, so that the other lines keep their numbers.
            }
            _ => {
                text += written;
                text.push('\n');
                line += 1;
            }
        }
    }
    let path = write(place.path(), "ten.kif", text);
    let run = percept(&["check", &path, "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answer = run.json();
    let mut found: Vec<(usize, usize, usize, String)> = answer["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| {
            let at = |side: &str, key: &str| finding["range"][side][key].as_u64().expect("a number") as usize;
            let rule = finding["rule"].as_str().expect("a name").to_string();
            (at("start", "line"), at("start", "column"), at("end", "column"), rule)
        })
        .collect();
    found.sort();
    assert_eq!(expected.len(), 10);
    assert_eq!(found, expected);
}

#[test]
fn sarif_and_human_tell_the_same() {
    let place = folder();
    let path = write(place.path(), "one.kif", "(role white)\n(<= (legal white a) (true (f ?x))\n");
    let json = percept(&["check", &path, "--format", "json"]).json();
    let sarif = percept(&["check", &path, "--format", "sarif"]).json();
    let human = percept(&["check", &path, "--all"]);
    let findings = json["findings"].as_array().expect("a list");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    assert!(!findings.is_empty());
    assert_eq!(findings.len(), results.len());
    for (finding, result) in findings.iter().zip(results) {
        assert_eq!(finding["rule"], result["ruleId"]);
        assert_eq!(finding["message"], result["message"]["text"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(finding["range"]["start"]["line"], region["startLine"]);
        assert_eq!(finding["range"]["end"]["column"], region["endColumn"]);
        let rule = finding["rule"].as_str().expect("a name");
        assert!(human.out.contains(&format!("[{rule}]")), "{}", human.out);
        let page = percept(&["explain", rule]);
        assert_eq!(page.code, 0, "{rule}: {}", page.err);
        assert!(page.out.len() > 100, "the page of {rule} is short");
    }
}

#[test]
fn settings_silence_and_raise() {
    let place = folder();
    let text = "(role white)\n(legal white a)\n(goal white 100)\nterminal\n(unused 1)\n";
    write(place.path(), "game.kif", text);
    let severities = |place: &tempfile::TempDir| -> Vec<(String, String)> {
        let run = percept_in(place.path(), &["check", "game.kif", "--format", "json"]);
        let answer = run.json();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
        findings.iter().map(|it| (text(&it["rule"]), text(&it["severity"]))).collect()
    };
    let before = severities(&place);
    let (rule, severity) = before.iter().find(|(rule, _)| rule.contains("unused")).expect("an unused relation").clone();
    assert_eq!(severity, "warning");
    write(place.path(), "percept.toml", format!("[rules]\n{rule} = \"error\"\n"));
    assert!(severities(&place).contains(&(rule.clone(), "error".to_string())));
    write(place.path(), "percept.toml", format!("allow = [\"{rule}\"]\n"));
    assert_eq!(severities(&place).len(), before.len() - 1);
    write(place.path(), "percept.toml", "allow = [\"no-such-rule\"]\n");
    let run = percept_in(place.path(), &["check", "game.kif"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no-such-rule"), "{}", run.err);
}

/// The parts of a paper that look like a game description, each as one text.
fn listings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut block = Vec::new();
    let looks = |line: &str| {
        let starts = ["(define", "(:", "role(", "role (", "init(", "legal(", "next(", "goal(", "terminal", "(role"];
        starts.iter().any(|start| line.trim_start().starts_with(start))
    };
    for line in text.lines() {
        if line.trim().is_empty() {
            if block.iter().any(|line: &&str| looks(line)) {
                found.push(block.join("\n"));
            }
            block.clear();
        } else {
            block.push(line);
        }
    }
    if block.iter().any(|line: &&str| looks(line)) {
        found.push(block.join("\n"));
    }
    found
}

mod seeds {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_SEEDS"]
    fn listings_of_the_papers_are_checked_without_a_fall() {
        let place = folder();
        let mut seen = 0;
        for entry in std::fs::read_dir(percept_test::folder("PERCEPT_SEEDS")).expect("a folder").flatten() {
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            let mut texts = listings(&text);
            texts.push(text);
            for listing in texts {
                for name in ["listing.kif", "listing.hrf", "listing.pog"] {
                    let path = write(place.path(), name, &listing);
                    let run = percept(&["check", &path, "--format", "json"]);
                    assert!(run.code < 2, "{}", run.err);
                    run.json();
                    seen += 1;
                }
            }
        }
        assert!(seen > 20, "only {seen} listings were found");
    }
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_files_are_checked_without_a_fall() {
        let corpus = percept_test::folder("PERCEPT_CORPUS");
        let run = percept(&["check", corpus.to_str().expect("a path"), "--time", "500ms", "--format", "json"]);
        assert!(run.code < 2, "{}", run.err);
        let answer = run.json();
        assert!(answer["files"].as_u64() > Some(200), "{}", answer["files"]);
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let run = percept_in(&root(), &["explain", "--format", "json"]);
    let answer = run.json();
    assert!(answer["rules"].as_array().map(Vec::len) > Some(30));
    let run = percept(&["explain", "no-such-rule"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no rule is called `no-such-rule`"), "{}", run.err);
}

const TOSS: &str = "(define (domain toss)
  (:requirements :strips :typing :fluents :pogddl)
  (:types role face other)
  (:constants chance p1 - role heads tails - face all others u - other)
  (:predicates (whoseturn ?r - role) (shown ?f - face))
  (:functions (worth ?f - face))
  (:action toss
    :parameters (?f - face)
    :precondition (whoseturn chance)
    :effect (and (not (whoseturn chance)) (shown ?f) (observe (all (shown ?f)))))
  (:gain ?p - role (worth heads) (shown heads))
  (:gain ?p - role (worth tails) (shown tails)))
";

#[test]
fn what_only_domain_and_problem_together_show_is_told_once() {
    let place = folder();
    let problem = |name: &str, values: &str| {
        format!("(define (problem {name}) (:domain toss) (:init (whoseturn chance) {values}))\n")
    };
    write(place.path(), "domain.pog", TOSS);
    write(place.path(), "one.pog", problem("one", "(= (worth heads) 1)"));
    write(place.path(), "two.pog", problem("two", "(= (worth heads) 2)"));
    write(place.path(), "whole.pog", problem("whole", "(= (worth heads) 2) (= (worth tails) 1)"));
    let findings = |args: &[&str]| -> Vec<(String, String, u64)> {
        let answer = percept_in(place.path(), args).json();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let one = |it: &serde_json::Value| {
            let text = |key: &str| it[key].as_str().unwrap_or_default().to_string();
            (text("file"), text("rule"), it["range"]["start"]["line"].as_u64().unwrap_or_default())
        };
        findings.iter().map(one).collect()
    };
    assert_eq!(findings(&["check", "whole.pog", "--format", "json"]), []);
    let both = findings(&["check", "one.pog", "two.pog", "--format", "json"]);
    assert_eq!(both.iter().map(|it| (it.1.as_str(), it.2)).collect::<Vec<_>>(), [("fluent-without-value", 12)]);
    assert!(both[0].0.ends_with("domain.pog"), "{both:?}");
    // A domain with nearly the requested name is used, and the difference is reported.
    write(place.path(), "slip.pog", problem("slip", "(= (worth heads) 2) (= (worth tails) 1)").replace("toss", "tos"));
    let slip = findings(&["check", "slip.pog", "--format", "json"]);
    assert_eq!(slip.iter().map(|it| it.1.as_str()).collect::<Vec<_>>(), ["domain-mismatch"]);
}

#[test]
fn every_definition_of_a_file_is_checked() {
    let place = folder();
    let wrong = TOSS.replace("(shown heads))", "(shwon heads))");
    let problem =
        "(define (problem one) (:domain toss) (:init (whoseturn chance) (= (worth heads) 1) (= (worth tails) 1)))\n";
    let second = problem.replace("chance", "chanec").replace("one", "two");
    write(place.path(), "all.pog", format!("{TOSS}{problem}{second}{}", wrong.replace("domain toss", "domain tossed")));
    let answer = percept_in(place.path(), &["check", "all.pog", "--format", "json"]).json();
    let findings = answer["findings"].as_array().expect("a list");
    let count =
        |word: &str| findings.iter().filter(|it| it["message"].as_str().is_some_and(|m| m.contains(word))).count();
    assert_eq!((count("chanec"), count("shwon")), (1, 1), "{findings:#?}");
}

#[test]
fn our_own_games_are_formatted_and_have_no_findings() {
    let run = percept_in(&root(), &["fmt", "--check", "games"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}{}", run.out, run.err);
    let answer = percept_in(&root(), &["check", "games", "--format", "json"]).json();
    let grave = |it: &&serde_json::Value| it["severity"] == "error" || it["severity"] == "warning";
    let findings = answer["findings"].as_array().expect("a list");
    assert!(!findings.iter().any(|it| grave(&it)), "{findings:#?}");
}

#[test]
fn an_unknown_rule_in_a_comment_is_told() {
    let place = folder();
    let text = "(role white)\n(legal white a)\n(goal white 100)\nterminal\n; percept: allow(unused-realtion, no-such)\n(unused 1)\n";
    write(place.path(), "game.kif", text);
    let answer = percept_in(place.path(), &["check", "game.kif", "--format", "json"]).json();
    let findings = answer["findings"].as_array().expect("a list");
    let at = |word: &str| {
        let found: Vec<_> =
            findings.iter().filter(|it| it["message"].as_str().is_some_and(|m| m.contains(word))).collect();
        assert_eq!(found.len(), 1, "{word}: {findings:#?}");
        (
            found[0]["rule"].clone(),
            found[0]["range"]["start"]["line"].clone(),
            found[0]["range"]["start"]["column"].clone(),
        )
    };
    assert_eq!(at("`unused-relation`?"), ("unknown-rule".into(), 5.into(), 18.into()));
    assert_eq!(at("`no-such`"), ("unknown-rule".into(), 5.into(), 35.into()));
    // The misspelt name silences nothing.
    assert!(findings.iter().any(|it| it["rule"] == "unused-relation"));
}

/// No role has a result when the match ends after the first round.
const NO_GOAL: &str = "(role white)\n(init (step 1))\n(<= (legal white go))\n(<= (next (step 2)) (does white go))\n\
                       (<= terminal (true (step 2)))\n(<= (goal white 100) (true (step 1)))\n";

#[test]
fn a_finding_about_matches_comes_with_one_that_can_be_stepped() {
    let place = folder();
    let path = write(place.path(), "one.kif", NO_GOAL);
    let traces = place.path().join("traces");
    let traces = traces.to_str().expect("a name");
    let run = percept(&["check", &path, "--time", "20s", "--format", "json", "--save-trace", traces]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|it| it["rule"] == "no-goal").expect("found");
    assert_eq!(finding["witness"]["match"], serde_json::json!(["(go)"]));
    assert_eq!(finding["witness"]["shortest"], true);
    let trace = finding["witness"]["trace"].as_str().expect("a file");
    let step = percept(&["step", &path, trace, "--print", "--format", "json"]).json();
    let places = step["places"].as_array().expect("a list");
    assert_eq!(places.len(), 2);
    assert_eq!(places[1]["terminal"], true);
    assert_eq!(places[1]["roles"][0]["goals"], serde_json::json!([]));
    // The text alone is right, and nothing else is played.
    let text = percept(&["check", &path, "--no-judge"]);
    assert_eq!(text.code, 0, "{}", text.out);
    let page = percept(&["explain", "no-goal"]);
    assert!(page.out.starts_with("# no-goal"), "{}", page.out);
}

/// The errors of a domain are reported at the domain, once each, whichever of its files are checked; they have no
/// consequences elsewhere.
#[test]
fn a_broken_domain_is_told_once_whoever_asks() {
    let place = folder();
    let domain = "(define (domain hide) (:requirements :typing :equality :pogddl)\n (:types role place other)\n \
             (:constants chance seeker - role attic - place all others u - other)\n \
             (:predicates (whoseturn ?r - role) (hidden ?p - place))\n \
             (:action hide :parameters (?p - place) :precondition (and (whoseturn chance) (not (hiden ?p)))\n \
             :effect (and (not (whoseturn chance)) (hidden ?p)))\n (:gain ?r - role 1 (and (= ?r seeker) (hiden attic))))";
    let problem = "(define (problem p) (:domain hide)\n (:objects cellar - place)\n (:init (whoseturn chance)))\n";
    write(place.path(), "hide.pog", domain);
    write(place.path(), "p1.pog", problem);
    write(place.path(), "p2.pog", problem.replace("problem p", "problem q"));
    let findings = |files: &[&str]| {
        let run = percept_in(place.path(), &[&["check", "--format", "json"], files].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        let all = run.json();
        let all = all["findings"].as_array().expect("a list");
        let errors = all.iter().filter(|it| it["severity"] == "error");
        let findings =
            errors.map(|it| format!("{} {}:{}", it["rule"].as_str().unwrap_or_default(), it["file"], it["line"]));
        findings.collect::<Vec<_>>()
    };
    let whole = findings(&["."]);
    assert!(!whole.is_empty() && whole.iter().all(|it| it.contains("hide.pog")), "{whole:?}");
    for files in [&["p1.pog"][..], &["p2.pog", "p1.pog"], &["hide.pog", "p1.pog"], &["hide.pog"]] {
        let lines = findings(files);
        assert!(lines.len() == whole.len() && lines.iter().all(|it| it.contains("hide.pog")), "{files:?}: {lines:?}");
    }
}

/// One byte in a comment does not make a file unreadable: the encoding is reported once and kept.
#[test]
fn files_in_other_encodings_are_read_and_stay_as_they_are() {
    let place = folder();
    let text = "; Schl\u{fc}ssel\n(role solo)\n(init  (n 1))\n(<= (legal solo go) (true (n 1)))\n(<= (next (n 2)) (does solo go))\n\
        (<= (sees solo it) (does solo go))\n(<= terminal (true (n 2)))\n(<= (goal solo 100) (true (n 2)))\n\
        (<= (goal solo 0) (true (n 1)))\n(<= (goal solo 0) (true (n 1)))\n";
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let wide = |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let old_mac = |text: &str| text.replace('\n', "\r").into_bytes();
    type Way<'a> = (&'a str, &'a dyn Fn(&str) -> Vec<u8>);
    let ways: [Way<'_>; 3] = [("Latin-1", &latin), ("UTF-16", &wide), ("", &old_mac)];
    for (name, bytes) in ways {
        let path = write(place.path(), "game.kif", bytes(text));
        let run = percept_in(place.path(), &["check", "--format", "json", "game.kif"]);
        let all = run.json();
        let all = all["findings"].as_array().expect("a list").clone();
        let lines: Vec<&str> =
            all.iter().filter_map(|it| it["message"].as_str()).filter(|it| it.contains("UTF-8")).collect();
        assert_eq!((run.code, lines.len()), (0, usize::from(!name.is_empty())), "{all:?} {}", run.err);
        assert!(lines.iter().all(|it| it.contains(name)), "{lines:?}");
        // One of two equal rules and an extra blank are removed.
        let fixed = text.replacen("\n(<= (goal solo 0) (true (n 1)))\n(", "\n(", 1);
        assert_eq!(percept_in(place.path(), &["check", "--fix", "game.kif"]).code, 0);
        assert_eq!(std::fs::read(&path).expect("it is there"), bytes(&format!("{fixed}\n")), "{name}");
        assert_eq!(percept_in(place.path(), &["fmt", "game.kif"]).code, 0);
        assert_eq!(std::fs::read(&path).expect("it is there"), bytes(&fixed.replace("init  (", "init (")), "{name}");
    }
}

/// A file that only looks like PDDL is named, once, without any other finding.
#[test]
fn other_languages_are_named_once() {
    let place = folder();
    let files = [
        ("hddl", "tasks.hddl", "(define (domain tasks) (:types cup) (:task get :parameters (?c - cup)))"),
        ("HDDL", "htn.hddl", "(define (problem p) (:domain tasks) (:htn :subtasks (and (get cup1))) (:init))"),
        ("MA-PDDL", "agents.pddl", "(define (domain agents) (:predicates (:private ?a (holds ?a))))"),
        ("PPDDL", "chance.pddl", "(define (domain dice) (:action roll :effect (probabilistic 1/6 (six))))"),
        ("RDDL", "lights.rddl", "// on or off\ndomain lights { pvariables { on : { state-fluent, bool }; }; }"),
    ];
    for (name, file, text) in files {
        write(place.path(), file, text);
        let run = percept_in(place.path(), &["check", "--format", "json", file]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{file}: {}", run.out);
        let all = run.json();
        let all = all["findings"].as_array().expect("a list").clone();
        let message = all[0]["message"].as_str().unwrap_or_default();
        assert!(all.len() == 1 && message.contains(&name.to_uppercase()), "{file}: {all:?}");
    }
}

#[test]
fn files_of_other_languages_in_a_folder_are_named_once() {
    let place = folder();
    write(place.path(), "game.kif", "(role r)\n");
    for name in ["one.hddl", "two.HDDL"] {
        write(place.path(), name, "(define (domain d))\n");
    }
    let run = percept(&["check", &place.path().display().to_string()]);
    assert!(run.err.contains("2 files of another language, HDDL, such as "), "{}", run.err);
    assert_eq!(run.err.matches("HDDL").count(), 1, "{}", run.err);
}
