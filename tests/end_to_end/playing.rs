//! `percept match`, `player`, `tournament` and their files.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::support::{Run, folder, percept, root, write};

const BOMB: &str = "games/exploding-bomb/exploding-bomb.kif";
const ARMING: &str = "games/exploding-bomb-arming/exploding-bomb-arming.kif";

/// Runs `percept` with text on standard input.
pub fn run_with_input(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_percept"))
        .current_dir(root())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    Run {
        code: output.status.code().expect("the binary ends by itself"),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("errors are UTF-8"),
    }
}

#[test]
fn a_match_is_told_as_json_and_can_be_stepped_through() {
    let folder = folder();
    for name in ["match.trace", "match.json"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        let json = ["--format", "json", "--save-trace", path];
        let run = percept(&[&["match", BOMB, "--role", "agent=table", "--simulations", "100"], &json[..]].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let answer = run.json();
        assert_eq!(answer["results"][0]["goals"]["agent"], 90);
        assert_eq!(answer["results"][0]["rounds"], 3);
        assert_eq!(answer["results"][0]["errors"].as_array().unwrap().len(), 0);
        assert_eq!(answer["players"]["agent"], "table");
        let step = percept(&["step", BOMB, path, "--print"]);
        assert_eq!(step.code, 0, "{}", step.err);
        assert!(step.out.contains("ask"), "{}", step.out);
    }
}

#[test]
fn printed_rounds_say_what_everybody_was_told() {
    let print = |game, trace| percept(&["step", game, trace, "--print"]);
    let kuhn = print("games/kuhn-poker/kuhn-poker.kif", "games/kuhn-poker/traces/bet-pass.trace");
    for line in ["p1 perceives (card ", "p2 perceives (did p1 bet) (public)"] {
        assert!(kuhn.out.contains(line), "{}", kuhn.out);
    }
    let cards: Vec<&str> = kuhn.out.lines().filter(|line| line.contains("(card ")).collect();
    assert!(cards.iter().filter(|line| line.ends_with(" (private)")).count() == 2, "{}", kuhn.out);
    // A player alone receives nothing that others could also receive.
    let bomb = print(BOMB, "games/exploding-bomb/traces/ask.trace");
    assert!(bomb.out.contains("agent perceives red") && !bomb.out.contains("(private)"), "{}", bomb.out);
}

#[test]
fn the_same_seed_is_the_same_match() {
    let args = ["match", ARMING, "--role", "agent=ismcts", "--role", "opponent=sampling", "--simulations", "50"];
    let moves = |seed: &str| {
        let run = percept(&[&args[..], &["-n", "3", "--seed", seed, "--format", "json"]].concat());
        run.json()["results"].as_array().unwrap().iter().map(|it| it["moves"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(moves("5"), moves("5"));
}

/// The screen shows only the agent's knowledge until the match is over.
#[test]
fn a_person_sees_what_its_role_knows() {
    let run = run_with_input(&["match", BOMB, "--role", "agent=human", "--simulations", "50"], "noop\n(cut red)\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let (seen, opened) =
        run.out.split_once("the match, with the moves of all roles:").expect("it is opened at the end");
    let before_the_end = seen.split("the match is over").next().unwrap();
    assert!(before_the_end.contains("after round 1, as agent knows it"), "{seen}");
    assert!(!before_the_end.contains("(arm red)") && !before_the_end.contains("(arm blue)"), "{seen}");
    // Each wire may be armed, so both are listed as possible.
    assert!(before_the_end.contains("possible: (armed blue) (armed red)"), "{seen}");
    assert!(opened.contains("(arm "), "{opened}");
}

#[test]
fn a_person_who_leaves_costs_itself_random_moves() {
    let run = run_with_input(&["match", BOMB, "--role", "agent=human", "--format", "json", "--simulations", "9"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let last = run.out.find("{\n  \"schema\"").expect("the answer follows what was shown");
    let answer: serde_json::Value = serde_json::from_str(&run.out[last..]).unwrap();
    let errors = answer["results"][0]["errors"].as_array().unwrap();
    assert!(errors.iter().all(|error| error["kind"] == "died") && !errors.is_empty(), "{errors:?}");
}

#[test]
fn who_plays_must_make_sense() {
    for (role, says) in [
        ("agent", "`agent` does not name a role and its strategy"),
        ("agent=chess", "`chess` is not a strategy"),
        ("nobody=auto", "there is no role `nobody`"),
        ("random=auto", "`random` is chance"),
        ("agent=equilibrium:/nowhere", "cannot read the strategy /nowhere"),
    ] {
        let run = percept(&["match", BOMB, "--role", role]);
        assert_eq!(run.code, 2, "{role}");
        assert!(run.err.contains(says), "{role}: {}", run.err);
    }
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Our player behind a port: the program and its address.
fn player(strategy: &str) -> (Running, String) {
    let mut player = Running(
        Command::new(env!("CARGO_BIN_EXE_percept"))
            .args(["player", "--port", "0", "--strategy", strategy, "--simulations", "100"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts"),
    );
    let mut line = String::new();
    BufReader::new(player.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it listens");
    let address = line.trim().strip_prefix("listening on ").expect("an address").to_string();
    (player, address)
}

#[test]
fn our_manager_plays_with_our_player_over_http() {
    let (_player, address) = player("table");
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let role = format!("agent=remote:{address}");
    for protocol in ["chapter17", "dresden", "dresden-2011"] {
        let clocks = ["--startclock", "60", "--playclock", "60", "--format", "json", "--protocol", protocol];
        let run = percept(&[&["match", BOMB, "--role", &role], &clocks[..]].concat());
        assert_eq!(run.json()["results"][0]["goals"]["agent"], 90, "{}", run.out);
    }
}

/// Forwards the bytes of one side to the other.
fn pass_on(from: &TcpStream, to: &TcpStream) {
    let (mut from, mut to) = (from, to);
    let mut buffer = [0; 1 << 12];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

/// The program of a player is killed before its second move: its moves become random, and no other player loses
/// anything.
#[test]
fn a_player_killed_in_mid_match_costs_only_itself() {
    let (mut player, address) = player("legal");
    let between = TcpListener::bind("127.0.0.1:0").expect("a port");
    let role = format!("agent=remote:{}", between.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for (number, manager) in between.incoming().enumerate() {
            let manager = manager.expect("a connection");
            // The start and the first move.
            if number == 2 {
                player.0.kill().and_then(|()| player.0.wait()).expect("it is our child");
            }
            let Ok(behind) = TcpStream::connect(&address) else { continue };
            std::thread::scope(|scope| {
                scope.spawn(|| pass_on(&manager, &behind));
                pass_on(&behind, &manager);
                let _ = manager.shutdown(Shutdown::Both);
            });
        }
    });
    let clocks = ["--startclock", "60", "--playclock", "60", "--format", "json"];
    let run = percept(&[&["match", ARMING, "--role", &role, "--role", "opponent=legal"], &clocks[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = run.json();
    let result = &answer["results"][0];
    assert_eq!((&result["ended"], &result["rounds"]), (&"over".into(), &3.into()), "{answer}");
    let errors: Vec<_> = result["errors"].as_array().unwrap().iter().map(|it| (&it["round"], &it["role"])).collect();
    assert_eq!(errors, [(&2.into(), &"agent".into()), (&3.into(), &"agent".into())], "{answer}");
}

#[test]
fn a_tournament_goes_on_where_it_was_stopped() {
    let folder = folder();
    let out = folder.path().join("results.jsonl");
    let page = folder.path().join("page.html");
    let (out, page) = (out.to_str().unwrap(), page.to_str().unwrap());
    let held = |count: &str| {
        let args = ["tournament", ARMING, BOMB, "--players", "table,random", "--simulations", "20", "-n", count];
        percept(&[&args[..], &["--out", out, "--html", page, "--format", "json"]].concat())
    };
    let first = held("2").json();
    // Two matches of the game for two players, and two of each player in the game for one.
    assert_eq!((&first["played"], &first["resumed"]), (&6.into(), &0.into()));
    let second = held("4").json();
    assert_eq!((&second["played"], &second["resumed"]), (&6.into(), &6.into()));
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 13);
    let pairs = second["pairs"].as_array().unwrap();
    assert!(pairs.iter().all(|pair| pair["matches"] == 4), "{pairs:?}");
    assert!(std::fs::read_to_string(page).unwrap().contains("<svg"));
    let other = percept(&["tournament", BOMB, "--players", "legal", "--simulations", "20", "-n", "1", "--out", out]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("holds another tournament"), "{}", other.err);
}

#[test]
fn a_tournament_of_one_is_none() {
    let run = percept(&["tournament", "games/tic-tac-toe/tic-tac-toe.kif", "--players", "legal", "-n", "1"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("name a second one"), "{}", run.err);
}

#[test]
fn the_parts_of_a_tournament_are_the_whole() {
    let folder = folder();
    let held = |part: &str, name: &str| {
        let out = folder.path().join(name).to_str().unwrap().to_string();
        let args =
            ["tournament", ARMING, BOMB, "--players", "uct,random", "--simulations", "20", "-n", "3", "--seed", "4"];
        let run = percept(&[&args[..], &["--part", part, "--out", &out, "--format", "json"]].concat());
        (run, out)
    };
    let lines = |path: &str| -> Vec<String> {
        let text = std::fs::read_to_string(path).unwrap();
        // Everything that does not depend on the clock.
        let line = |line: &str| line.split(",\"seconds\"").next().unwrap().to_string();
        text.lines().skip(1).map(line).collect()
    };
    let whole = held("1/1", "whole");
    assert_eq!(whole.0.json()["played"], 9);
    let parts: Vec<_> = ["1/4", "2/4", "3/4", "4/4"].map(|part| held(part, &part.replace('/', "-"))).into();
    let played: Vec<u64> = parts.iter().map(|(run, _)| run.json()["played"].as_u64().unwrap()).collect();
    assert_eq!(played, [3, 2, 2, 2]);
    let mut together: Vec<String> = parts.iter().flat_map(|(_, out)| lines(out)).collect();
    let mut all = lines(&whole.1);
    together.sort();
    all.sort();
    assert_eq!(together, all);
    let wrong = percept(&["tournament", BOMB, "--players", "random", "--part", "5/4"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("`1/4` for the first of four"), "{}", wrong.err);
}

#[test]
fn stochastic_constraints_and_the_fragment() {
    let game = "games/hidden-matching-pennies/hidden-matching-pennies.kif";
    let run = percept(&["export", game, "--to", "scsp"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("conditional probability table of lay_t"), "{}", run.out);
    let inside = percept(&["prove", game, "--fragment", "--format", "json"]);
    assert_eq!((inside.code, &inside.json()["shared"], &inside.json()["horizon"]), (0, &"proved".into(), &2.into()));
    let outside = percept(&["prove", ARMING, "--fragment"]);
    assert_eq!(outside.code, 1);
    assert!(outside.out.contains("opponent perceives") && outside.out.contains("agent does not"), "{}", outside.out);
}

/// Endless from the first state on, and stuck after a round: neither has a horizon, nor tables.
#[test]
fn games_without_a_horizon_are_told_and_not_exported() {
    let place = folder();
    let game = |name: &str, rules: &str| {
        write(place.path(), name, format!("(role a) (init here) (goal a 0) (<= (legal a go) (true here)) {rules}"))
    };
    let round =
        game("round.kif", "(<= (next here) (does a go)) (<= terminal (true there)) (<= (next there) (true there))");
    let stuck = game("stuck.kif", "(<= (next there) (does a go)) (<= terminal (true end)) (<= (next end) (true end))");
    let run = percept(&["prove", &round, "--fragment"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("horizon: none, a match can go on for ever\n  round 1: go\n"), "{}", run.out);
    assert!(run.out.contains("the state after round 1 is the first state again"), "{}", run.out);
    let run = percept(&["prove", &stuck, "--fragment"]);
    assert!(run.out.contains("horizon: none, a match can stop before its end\n  round 1: go\n"), "{}", run.out);
    assert!(run.out.contains("a has no legal move after 1 round, though the match is not over"), "{}", run.out);
    let json = |game: &str| percept(&["prove", game, "--fragment", "--format", "json"]).json();
    let (endless, blocked) = (json(&round), json(&stuck));
    assert!(endless["horizon"].is_null() && blocked["horizon"].is_null());
    assert_eq!(endless["endless"], serde_json::json!({ "history": [["go"]], "back_to": 0 }));
    assert_eq!(blocked["stuck"], serde_json::json!({ "role": "a", "history": [["go"]] }));
    for (game, why) in [(&round, "a match can go on for ever"), (&stuck, "a has no legal move after 1 round")] {
        let run = percept(&["export", game, "--to", "scsp"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains(why), "{}", run.err);
    }
}

#[test]
fn no_match_is_nothing_to_play() {
    for command in [vec!["match", BOMB, "-n", "0"], vec!["tournament", BOMB, "--players", "legal,random", "-n", "0"]] {
        let run = percept(&command);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.contains("0 is not in 1.."), "{}", run.err);
    }
}

#[test]
fn a_player_that_cannot_be_says_why() {
    let whys = [
        ("human", "`human` is a person at a terminal"),
        ("remote:foo", "has no host and port"),
        ("remote:127.0.0.1:999999", "`999999` is not a port"),
    ];
    for (strategy, why) in whys {
        let run = percept(&["player", "--port", "0", "--strategy", strategy]);
        assert!(run.code == 2 && run.err.contains(why), "{}", run.err);
    }
}
