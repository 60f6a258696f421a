//! Learning to guess, through the binary: a network is trained, used, and refused for another game.

use crate::support::{folder, percept, percept_in, root};

const GAME: &str = "games/goofspiel/goofspiel-5-descending.kif";

fn train(path: &str, more: &[&str]) -> crate::support::Run {
    let plain =
        ["learn", GAME, "--out", path, "--trajectories", "40", "--samples", "20", "--epochs", "3", "--hidden", "8"];
    percept(&[&plain[..], more].concat())
}

/// A match of the game: p1 bids from the highest down, p2 upwards.
const TRACE: &str = "((bid 5) (bid 1))\n((bid 4) (bid 2))\n((bid 3) (bid 4))\n";

#[test]
fn a_network_is_trained_and_used() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let run = train(&path("one.safetensors"), &["--format", "json", "--keep", &path("kept.jsonl")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = run.json();
    assert_eq!((&answer["schema"], &answer["role"]), (&"percept-learn".into(), &"p1".into()));
    assert_eq!(answer["epochs"].as_array().map(Vec::len), Some(4));
    assert_eq!(std::fs::read_to_string(path("kept.jsonl")).unwrap().lines().count(), 1 + 44);
    // The same again, from the kept matches: the same file.
    let run = train(&path("two.safetensors"), &["--keep", &path("kept.jsonl")]);
    assert!(run.out.contains("epoch   3: training loss"), "{}", run.out);
    let (one, two) = (std::fs::read(path("one.safetensors")).unwrap(), std::fs::read(path("two.safetensors")).unwrap());
    assert!(one == two);
    std::fs::write(path("three.trace"), TRACE).unwrap();
    let network = path("one.safetensors");
    let all = |method: &[&str]| {
        let plain = ["infoset", GAME, &path("three.trace"), "--role", "p1", "--format", "json"];
        let answer = percept(&[&plain[..], method].concat()).json();
        let mut members: Vec<String> =
            answer["members"].as_array().unwrap().iter().map(|it| it["moves"].to_string()).collect();
        members.sort();
        (answer["histories"].clone(), members)
    };
    let exact = all(&["--method", "exact"]);
    assert_eq!(all(&["--method", "hrs"]), exact);
    assert_eq!(all(&["--method", "nisg", "--network", &network]), exact);
    assert_eq!(
        percept_in(&root(), &["infoset", GAME, &path("three.trace"), "--role", "p1", "--method", "hrs", "-n", "1"])
            .code,
        0
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let network = path("network.safetensors");
    assert_eq!(train(&network, &[]).code, 0);
    std::fs::write(path("three.trace"), TRACE).unwrap();
    let refused = |args: &[&str], why: &str| {
        let run = percept(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(why), "{args:?}: {}", run.err);
    };
    let trace = path("three.trace");
    let by = |role: &str, network: &str, why: &str| {
        refused(&["infoset", GAME, &trace, "--role", role, "--method", "nisg", "--network", network], why);
    };
    by("p2", &network, "guesses for p1, not for p2");
    by("p1", &path("missing"), "cannot read");
    std::fs::write(path("broken"), &std::fs::read(&network).unwrap()[..999]).unwrap();
    by("p1", &path("broken"), "is not a network that `percept learn` wrote");
    refused(&["infoset", GAME, &trace, "--role", "p1", "--method", "nisg"], "--network FILE");
    let traces = root().join("games/kuhn-poker/traces");
    let other = std::fs::read_dir(traces).unwrap().flatten().next().expect("a trace").path().display().to_string();
    let kuhn = ["infoset", "games/kuhn-poker/kuhn-poker.kif", &other, "--role", "p1", "--method", "nisg"];
    refused(&[&kuhn[..], &["--network", &network]].concat(), "of another game");
    let bomb = "games/exploding-bomb/exploding-bomb.kif";
    refused(&["learn", bomb, "--out", &network], "needs two roles that choose");
    refused(&["learn", GAME, "--out", &path("no/such/folder")], "cannot write");
    refused(&["learn", GAME, "--out", &network, "--role", "nobody"], "nobody");
    refused(&["generate", "goofspiel", "--cards", "0"], "from 1 to 60 cards");
}

/// The shipped sizes equal the generator's output.
#[test]
fn goofspiel_is_generated() {
    for cards in ["15", "20", "30"] {
        let run = percept(&["generate", "goofspiel", "--cards", cards]);
        let shipped = std::fs::read_to_string(root().join(format!("games/goofspiel/goofspiel-{cards}.kif"))).unwrap();
        assert_eq!(run.out, shipped, "goofspiel-{cards}");
    }
}

/// The measurement runs, and its methods find members if there are some.
#[test]
fn figure_6_in_very_small() {
    let folder = folder();
    let plot = folder.path().join("plot.svg").display().to_string();
    let plain = ["bench", "nisg", GAME, "--trajectories", "20", "--samples", "10", "--epochs", "1", "--tests", "2"];
    let run = percept(&[&plain[..], &["--time", "2s", "--plot", &plot, "--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = run.json();
    let depths = answer["games"][0]["depths"].as_array().unwrap();
    assert_eq!(depths.len(), 5);
    for depth in depths {
        let found: Vec<f64> =
            depth["methods"].as_array().unwrap().iter().map(|it| it["histories"].as_f64().unwrap()).collect();
        assert!(
            found[0] >= 1.0 && found.iter().all(|it| *it == found[0]),
            "{found:?}: every method lists the whole set"
        );
    }
    assert!(answer["games"][0]["entropies"]["exact"].as_f64() <= answer["games"][0]["entropies"]["network"].as_f64());
    let classes = answer["games"][0]["reliability"].as_array().unwrap();
    let filled = classes.iter().filter(|it| it["count"].as_u64() > Some(0)).count();
    let picture = std::fs::read_to_string(plot).unwrap();
    assert!(picture.starts_with("<svg"));
    assert_eq!(picture.matches("<circle").count(), filled, "a point for each class of guesses");
    assert!(filled > 0);
}

/// Two secrets of 81 numbers each are more histories than a player keeps; if it learns both at once, hardly any of the
/// followed ones fits, so it asks the network.
const SECRETS: &str = "(role p1) (role p2) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(picking 1) (picking 2)
(<= (legal p2 (pick ?a ?b)) (true (round ?r)) (picking ?r) (digit ?a) (digit ?b))
(<= (legal p2 wait) (true (round 3))) (<= (legal p2 wait) (true (round 4)))
(<= (legal p1 wait) (not (true (round 4))))
(<= (legal p1 (say ?a ?b)) (true (round 4)) (digit ?a) (digit ?b))
(<= (next (round ?s)) (true (round ?r)) (succ ?r ?s))
(<= (next (secret ?r ?a ?b)) (true (round ?r)) (does p2 (pick ?a ?b)))
(<= (next (secret ?r ?a ?b)) (true (secret ?r ?a ?b)))
(<= (next said) (does p1 (say ?a ?b)) (true (secret 1 ?a ?b)))
(<= (sees p1 (secret ?r ?a ?b)) (true (round 3)) (true (secret ?r ?a ?b)))
(<= terminal (true (round 5)))
(<= (goal p1 100) (true said)) (<= (goal p1 0) (not (true said)))
(<= (goal p2 0) (true said)) (<= (goal p2 100) (not (true said)))
";

#[test]
fn a_player_asks_the_network() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (game, network) = (path("secrets.kif"), path("p1.safetensors"));
    std::fs::write(&game, SECRETS).unwrap();
    let small = ["--trajectories", "20", "--samples", "5", "--epochs", "1", "--hidden", "8"];
    let run = percept(&[&["learn", &game, "--out", &network][..], &small].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let play = |beliefs: &[&str]| {
        // Long clocks, which simulations end: on a busy machine the network needs its time.
        let clocks = ["--startclock", "60s", "--playclock", "60s", "--simulations", "200"];
        let clocks = [&["--role", "p1=ismcts", "--format", "json"][..], &clocks].concat();
        let run = percept(&[&["match", &game][..], &clocks, beliefs].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.json()
    };
    let guesses = &play(&["--beliefs", "nisg", "--network", &network])["guesses"];
    assert_eq!(guesses["role"], "p1");
    let count = |what: &str| guesses[what].as_u64().unwrap();
    assert!(count("asked") >= 1 && count("answered") >= 1, "{guesses}");
    assert!(play(&[]).get("guesses").is_none());
}
