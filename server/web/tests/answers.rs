//! Tests of the answers to a page, without a page: `editors/web/build --test`.

use percept_web::answer;
use serde_json::{Value, json};

const GAME: &str = include_str!("../../../games/blind-tic-tac-toe/blind-tic-tac-toe.kif");
const DOMAIN: &str = include_str!("../../../games/poker/poker.pog");
const PROBLEM: &str = include_str!("../../../games/poker/king-and-jack.pog");

fn ask(mut question: Value, texts: &[(&str, &str)]) -> Value {
    question["texts"] = texts.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    serde_json::from_str(&answer(&question.to_string())).expect("an answer is JSON")
}

fn gdl(question: Value) -> Value {
    ask(question, &[("game.kif", GAME)])
}

#[test]
fn places_count_as_pages_do() {
    let text = format!("; \u{1F600} \u{e9}\n{}", GAME.replace("(role white)", "(role white"));
    let findings = ask(json!({ "ask": "check" }), &[("game.kif", &text)]);
    let first = &findings["findings"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let from = first["from"].as_u64().expect("a number") as usize;
    assert_eq!(String::from_utf16_lossy(&units[from..from + 11]), "(role white");
    let edit = &first["fixes"][0]["edits"][0];
    let at = edit["from"].as_u64().expect("a number") as usize;
    assert_eq!((String::from_utf16_lossy(&units[..at]).ends_with("(role white"), &edit["insert"]), (true, &json!(")")));
}

#[test]
fn a_problem_is_read_with_its_domain_in_any_order() {
    for texts in [[("d.pog", DOMAIN), ("p.pog", PROBLEM)], [("p.pog", PROBLEM), ("d.pog", DOMAIN)]] {
        let step = ask(json!({ "ask": "step" }), &texts);
        assert_eq!(step["roles"].as_array().map(Vec::len), Some(3), "{step}");
        assert_eq!(ask(json!({ "ask": "check" }), &texts)["findings"].as_array().map(Vec::len), Some(0));
    }
    let alone = ask(json!({ "ask": "step" }), &[("p.pog", PROBLEM)]);
    assert!(alone["refusals"][0]["message"].as_str().is_some_and(|it| it.contains("domain")), "{alone}");
}

#[test]
fn a_seat_shows_nothing_of_the_true_state() {
    // Two matches that white cannot distinguish.
    let history = |black: &str| json!([["(mark 1 1)", black, "(tiebreak x)"]]);
    let seat = |black| gdl(json!({ "ask": "step", "role": "white", "history": history(black) }))["seat"].clone();
    let (one, other) = (seat("(mark 2 2)"), seat("(mark 3 3)"));
    assert!(one["round"] == 1 && one == other, "{one}\n{other}");
}

#[test]
fn a_scene_says_what_was_told_to_everybody() {
    const KUHN: &str = include_str!("../../../games/kuhn-poker/kuhn-poker.kif");
    let history = json!([["noop", "noop", "(deal 1 2)"], ["bet", "noop", "noop"]]);
    let stepped = ask(json!({ "ask": "step", "history": history }), &[("kuhn-poker.kif", KUHN)]);
    assert_eq!(stepped["view"]["public"], json!([[], ["(did p1 bet)"]]), "{stepped}");
}

#[test]
fn chapter_17_is_answered() {
    let proved = gdl(json!({ "ask": "prove", "seconds": 20.0 }));
    let verdict = |role: &str, property: &str| {
        let found = proved["findings"].as_array().into_iter().flatten();
        let mut found = found.filter(|it| it["role"] == role && it["property"] == property);
        found.next().map(|it| it["verdict"].clone()).unwrap_or_default()
    };
    for role in ["white", "black"] {
        assert_eq!([verdict(role, "legal"), verdict(role, "terminal")], ["proved", "refuted"]);
    }
}

#[test]
fn nonsense_is_told() {
    for question in ["", "{}", "{\"ask\":\"dance\"}", "{\"ask\":\"hover\",\"texts\":[],\"text\":0}"] {
        let value: Value = serde_json::from_str(&answer(question)).expect("an answer is JSON");
        assert!(value["error"].is_string(), "{question}: {value}");
    }
    let odd = ["", "((((", "(define (domain", "role(", "\u{feff}(role a)", "(role a)\0"];
    for text in odd {
        for question in ["check", "tokens", "step", "prove", "format", "hover", "complete"] {
            let request = json!({ "ask": question, "text": 0, "at": 1, "history": [], "seconds": 0.1 });
            ask(request, &[("odd.kif", text)]);
        }
    }
}

/// The proposal is inserted by the page, and then every player knows the property.
#[test]
fn a_repair_tells_all_players_that_lack_the_same() {
    let text = include_str!("../../../tests/end_to_end/traitor.kif").replacen("; One", "; \u{1F600} One", 1);
    let texts = [("traitor.kif", text.as_str())];
    let found = ask(json!({ "ask": "repair", "role": "bob", "property": "goal", "seconds": 60 }), &texts);
    assert_eq!((&found["known"], &found["role"]), (&json!(false), &json!("bob")), "{found}");
    let first = &found["repairs"][0];
    assert_eq!(first["says"], "Tell every player whether `caught` holds after each round", "{found}");
    let roles: Vec<&Value> = first["gives"].as_array().expect("roles").iter().map(|it| &it["role"]).collect();
    assert_eq!(roles, ["bob", "ann", "cid"], "{found}");
    assert!(first["bits"].as_f64().is_some_and(|bits| bits > 0.0) && first["worth"].is_null(), "{found}");
    let edit = &first["edits"][0];
    assert_eq!((&edit["text"], &edit["from"]), (&json!(0), &edit["to"]), "{found}");
    let units: Vec<u16> = text.encode_utf16().collect();
    let (before, after) = units.split_at(edit["from"].as_u64().expect("a number") as usize);
    let insert = edit["insert"].as_str().expect("lines");
    let repaired = format!("{}{insert}{}", String::from_utf16_lossy(before), String::from_utf16_lossy(after));
    let texts = [("traitor.kif", repaired.as_str())];
    let proved = ask(json!({ "ask": "prove", "seconds": 20 }), &texts);
    let goals = proved["findings"].as_array().expect("findings").iter().filter(|it| it["property"] == "goal");
    assert_eq!(goals.map(|it| it["verdict"].as_str()).collect::<Vec<_>>(), [Some("proved"); 3], "{proved}");
    let after = ask(json!({ "ask": "repair", "role": "bob", "property": "goal" }), &texts);
    assert_eq!((&after["known"], &after["repairs"]), (&json!(true), &json!([])), "{after}");
    let wrong = ask(json!({ "ask": "repair", "role": "nobody", "property": "goal" }), &texts);
    assert_eq!(wrong["error"], "`nobody` is not a role");
}
