//! The meaning of GDL-II rules, on small descriptions.

use expect_test::expect;
use percept_game::Budget;
use percept_game::gdl::Grounding;
use percept_game::{Game, Limit, MoveId, RoleId, Scope, State};
use percept_test::{description, gdl};
use std::time::{Duration, Instant};

fn read(text: &str) -> Result<Game, String> {
    let description = &description(text);
    Game::from_gdl(description).map_err(|errors| {
        let show =
            |error: &percept_game::GameError| format!("{} at `{}`", error.message, &text[error.range.as_usize()]);
        errors.iter().map(show).collect::<Vec<_>>().join("\n")
    })
}

fn fluents(game: &Game, state: &State) -> String {
    let mut names: Vec<String> = state.fluents().map(|fluent| game.rules.fluent_name(fluent)).collect();
    names.sort();
    names.join(" ")
}

fn legal(game: &Game, state: &State, role: u16) -> String {
    let role = RoleId(role);
    game.rules.legal(state, role).iter().map(|&mv| game.rules.move_name(role, mv)).collect::<Vec<_>>().join(" ")
}

fn joint(game: &Game, names: &[&str]) -> Vec<MoveId> {
    names
        .iter()
        .enumerate()
        .map(|(role, name)| game.rules.find_move(RoleId(role as u16), name).unwrap_or_else(|| panic!("no move {name}")))
        .collect()
}

/// A round of a small game with everything in it: nested terms, negation, `or`, `distinct`, mixed case.
const SMALL: &str = "
    (ROLE left) (role random)
    (succ 0 1) (succ 1 2)
    (init (at 0 0)) (init (flag up))
    (<= (base (at ?x ?y)) (succ ?x ?y) (oops))
    (<= (legal left (go (step ?dx ?dy))) (delta ?dx ?dy))
    (<= (delta ?x ?y) (or (pair ?x ?y) (pair ?y ?x)) (distinct ?x ?y))
    (pair 0 1) (pair 0 0)
    (<= (legal random flip)) (legal random keep)
    (<= (next (at ?x ?y)) (does left (go (step ?dx ?dy))) (true (at ?a ?b)) (plus ?a ?dx ?x) (plus ?b ?dy ?y))
    (<= (plus 0 ?y ?y) (number ?y))
    (<= (plus ?x 0 ?x) (number ?x))
    (<= (plus 1 1 2))
    (<= (number ?x) (or (succ ?x ?y) (succ ?y ?x)))
    (<= (next (flag up)) (true (flag up)) (not (does random flip)))
    (<= (next (flag down)) (not (next (flag up))))
    (<= (sees left (flag ?f)) (next (flag ?f)))
    (<= (sees ?anyone tick) (true (flag ?f)))
    (<= terminal (true (at 2 ?y)))
    (<= terminal (true (at ?x 2)))
    (<= (goal left 100) (true (at ?x ?y)) (not (distinct ?x ?y)))
    (<= (goal left 0) (true (at ?x ?y)) (distinct ?x ?y))
";

#[test]
fn a_round_of_everything() {
    let game = gdl(SMALL);
    assert_eq!(
        game.roles.iter().map(|role| (role.name.as_str(), role.is_chance)).collect::<Vec<_>>(),
        [("left", false), ("random", true)]
    );
    let state = game.rules.initial();
    expect!["(at 0 0) (flag up)"].assert_eq(&fluents(&game, &state));
    expect!["(go (step 0 1)) (go (step 1 0))"].assert_eq(&legal(&game, &state, 0));
    expect!["flip keep"].assert_eq(&legal(&game, &state, 1));
    assert_eq!(game.rules.goals(&state, RoleId(0)), [100]);
    assert!(!game.rules.terminal(&state));
    let moves = joint(&game, &["(go (step 1 0))", "flip"]);
    let percepts = game.rules.percepts(&state, &moves, RoleId(0));
    let mut names: Vec<String> = percepts.iter().map(|&percept| game.rules.percept_name(RoleId(0), percept)).collect();
    names.sort();
    assert_eq!(names, ["(flag down)", "tick"]);
    let state = game.rules.next(&state, &moves);
    expect!["(at 1 0) (flag down)"].assert_eq(&fluents(&game, &state));
    assert_eq!(game.rules.goals(&state, RoleId(0)), [0]);
    let state = game.rules.next(&state, &joint(&game, &["go(step(1,0))", "keep"]));
    expect!["(at 2 0) (flag down)"].assert_eq(&fluents(&game, &state));
    assert!(game.rules.terminal(&state));
}

#[test]
fn the_order_of_a_body_does_not_matter() {
    let game = gdl("
        (role r) (init (p a)) (q a b) (q b c)
        (<= (legal r (m ?y)) (not (true (p ?y))) (distinct ?x ?y) (q ?x ?y))
        (<= (next (p b)) (true (p a))) (<= terminal (true (p c))) (goal r 0)");
    assert_eq!(legal(&game, &game.rules.initial(), 0), "(m b) (m c)");
}

#[test]
fn a_negation_with_its_own_variables_means_there_is_none() {
    let game = gdl("
        (role r) (init (p a b))
        (cell a) (cell b)
        (<= (legal r (free ?x)) (cell ?x) (not (true (p ?x ?any))))
        (<= (legal r none) (not (and (true (p ?x ?y)) (distinct ?x ?y))))
        (<= (legal r both) (not (or (true (p b ?x)) (true (p ?x a)))))
        (<= (next (p a a)) (true (p a b)))
        (<= terminal (not (true (p a ?x)))) (goal r 0)");
    let state = game.rules.initial();
    assert_eq!(legal(&game, &state, 0), "both (free b)");
    let state = game.rules.next(&state, &joint(&game, &["both"]));
    assert_eq!(legal(&game, &state, 0), "(free b) none");
    assert!(!game.rules.terminal(&state));
}

#[test]
fn recursion_reaches_a_fixpoint() {
    let game = gdl("
        (role r) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d a))
        (<= (path ?x ?y) (true (edge ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (legal r (loop ?x)) (path ?x ?x))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (loop ?x))))
        (<= terminal (not (path a a))) (goal r 0)");
    let state = game.rules.initial();
    assert_eq!(legal(&game, &state, 0), "(loop a) (loop b) (loop c)");
    let state = game.rules.next(&state, &joint(&game, &["(loop b)"]));
    expect!["(edge a b) (edge c a) (edge d a)"].assert_eq(&fluents(&game, &state));
    assert!(game.rules.terminal(&state));
    assert_eq!(legal(&game, &state, 0), "");
}

#[test]
fn mistakes_are_reported_at_their_place() {
    let check = |text: &str, expected: expect_test::Expect| expected.assert_eq(&read(text).err().unwrap_or_default());
    check("(legal r m)", expect!["the description declares no role: write `(role name)` at `(legal r m)`"]);
    check(
        "(role r) (<= (next (p ?x)) (true q))",
        expect!["unsafe rule: no positive condition binds `?x` in the head at `(next (p ?x))`"],
    );
    check(
        "(role r) (<= (legal r m) (not (p)) (distinct ?x a))",
        expect!["unsafe rule: no positive condition binds `?x` in `distinct` at `(distinct ?x a)`"],
    );
    check(
        "(role r) (<= p (not q)) (<= q (not p))",
        expect![[r#"
            `p` depends on its own negation: the rules are not stratified at `q`
            `q` depends on its own negation: the rules are not stratified at `p`"#]],
    );
    check("(role r) (<= terminal (does r m))", expect!["`terminal` must not depend on `does` at `(does r m)`"]);
    check("(role r) (legal r)", expect!["`legal` takes 2 arguments, not 1 at `(legal r)`"]);
    check(
        "(role r) (number 0) (<= (number (s ?x)) (number ?x)) (<= (init (p ?x)) (number ?x))",
        expect![
            "`number` builds deeper and deeper terms: check that its recursion ends at `(<= (number (s ?x)) (number ?x))`"
        ],
    );
}

/// Prints an explanation as an indented tree; rules by their first line.
fn tree(text: &str, explanation: &percept_game::gdl::Explanation, indent: usize, out: &mut String) {
    use std::fmt::Write;
    let pad = "  ".repeat(indent);
    let place = |range: percept_syntax::TextRange| text[range.as_usize()].lines().next().unwrap_or("").to_string();
    writeln!(out, "{pad}{} {}", explanation.atom, if explanation.holds { "holds" } else { "does not hold" }).unwrap();
    for reason in &explanation.reasons {
        writeln!(out, "{pad}  by {}", place(reason.rule)).unwrap();
        for support in &reason.support {
            match &support.because {
                Some(because) => tree(text, because, indent + 2, out),
                None => writeln!(out, "{pad}    {}", support.literal).unwrap(),
            }
        }
    }
    for failure in &explanation.failures {
        let failed: Vec<&str> = failure.failed.iter().map(|(literal, _)| literal.as_str()).collect();
        writeln!(out, "{pad}  not by {}: {}", place(failure.rule), failed.join(", ")).unwrap();
    }
}

#[test]
fn answers_why_and_why_not() {
    let text = "(role r) (edge a b) (edge b c) (init (p a))
(<= (path ?x ?y) (edge ?x ?y))
(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))
(<= (legal r (go ?y)) (true (p ?x)) (path ?x ?y) (not (true (q ?y ?any))))
(<= (next (p ?y)) (does r (go ?y)))
(<= terminal (true (p c)))
(<= (goal r 0) (not (goal r 100)))
(<= (goal r 100) (true (p ?x)) (distinct ?x a))";
    let description = &description(text);
    let explainer = percept_game::gdl::Explainer::new(description).unwrap();
    let ask = |atom: &str| {
        let term = |text: &str| text.parse::<percept_game::Term>().unwrap();
        let fluents = [term("(p a)"), term("(q b a)")];
        let explanation = explainer.explain(&fluents, &[("r".into(), term("(go c)"))], &term(atom), 3).unwrap();
        let mut out = String::new();
        tree(text, &explanation, 0, &mut out);
        out
    };
    expect![[r#"
        (legal r (go c)) holds
          by (<= (legal r (go ?y)) (true (p ?x)) (path ?x ?y) (not (true (q ?y ?any))))
            (true (p a))
            (path a c) holds
              by (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))
                (edge a b) holds
                  by (edge a b)
                (path b c) holds
                  by (<= (path ?x ?y) (edge ?x ?y))
                    (edge b c) holds
                      by (edge b c)
            (not (true (q c ?any)))
    "#]]
    .assert_eq(&ask("(legal r (go c))"));
    expect![[r#"
        (legal r (go b)) does not hold
          not by (<= (legal r (go ?y)) (true (p ?x)) (path ?x ?y) (not (true (q ?y ?any)))): (not (true (q b ?any)))
    "#]]
    .assert_eq(&ask("legal(r, go(b))"));
    expect![[r#"
        (next (p c)) holds
          by (<= (next (p ?y)) (does r (go ?y)))
            (does r (go c))
    "#]]
    .assert_eq(&ask("(next (p c))"));
    expect![[r#"
        (next (p b)) does not hold
          not by (<= (next (p ?y)) (does r (go ?y))): (does r (go b))
    "#]]
    .assert_eq(&ask("(next (p b))"));
    expect![[r#"
        terminal does not hold
          not by (<= terminal (true (p c))): (true (p c))
    "#]]
    .assert_eq(&ask("terminal"));
    expect![[r#"
        (goal r 0) holds
          by (<= (goal r 0) (not (goal r 100)))
            (not (goal r 100))
    "#]]
    .assert_eq(&ask("(goal r 0)"));
    expect![[r#"
        (goal r 100) does not hold
          not by (<= (goal r 100) (true (p ?x)) (distinct ?x a)): (distinct a a)
    "#]]
    .assert_eq(&ask("(goal r 100)"));
    assert_eq!(explainer.explain(&[], &[], &"(unknown x)".parse().unwrap(), 1), None);
}

#[test]
fn a_deadline_that_has_passed_leaves_the_game_to_the_lifted_reasoner() {
    let description = &description(SMALL);
    let until = |time| Budget::default().until(Instant::now() + time);
    let late = Grounding { budget: until(Duration::ZERO), ..Grounding::default() };
    let game = Game::from_gdl_with(description, &late).unwrap();
    let why = game.rules.ground(&Scope::default()).map(|_| ()).unwrap_err();
    assert!(game.rules.playouts().is_none() && why.limit == Limit::Time, "{why}");
    let in_time = Grounding { budget: until(Duration::from_secs(3600)), ..Grounding::default() };
    assert!(Game::from_gdl_with(description, &in_time).unwrap().rules.playouts().is_some());
}

/// An abandoned match causes no more work, however large its rules are.
#[test]
fn a_set_up_that_is_given_up_makes_no_game() {
    let facts: String = (0..200_000).map(|n| format!("(cell {} {})", n / 1000, n % 1000)).collect();
    let large = &description(&format!("{SMALL} {facts} (<= (next (n ?x)) (cell ?x ?y) (cell ?y ?z) (cell ?z ?x))"));
    let given_up = |set_up| {
        let begun = Instant::now();
        let refused = Game::from_gdl_with(large, &Grounding { set_up, ..Grounding::default() });
        (refused.map(|_| ()).expect_err("no game")[0].message.clone(), begun.elapsed())
    };
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let (why, time) = given_up(Budget { cancel: Some(cancel), ..Budget::default() });
    assert!(why.contains("cancelled") && time < Duration::from_millis(50), "{why} after {time:?}");
    let (why, time) = given_up(Budget::default().until(Instant::now() + Duration::from_millis(30)));
    assert!(why.contains("out of time") && time < Duration::from_secs(2), "{why} after {time:?}");
}

/// Recursion that always holds for every role that is awake, but looks as if it depended on the light. Only folding the
/// circuit shows that it is constant; the same is true of cheating, of its absence from all fluents, and of being
/// caught.
const AWAKE: &str = "
    (role a) (role b) (init (light on))
    (<= (next (light off)) (true (light on))) (<= (next (light on)) (true (light off)))
    (<= (next (chose ?m)) (does a ?m))
    (<= (awake ?r) (role ?r) (true (light on)))
    (<= (awake ?r) (role ?r) (not (true (light on))))
    (<= (awake ?r) (role ?r) (role ?q) (awake ?q))
    (<= (legal a cheat) (not (awake b))) (legal a left) (legal a right) (legal b wait)
    (<= (sees b caught) (does a cheat))
    (<= terminal (true (chose ?m)))
    (<= (goal b 100) (true (chose left))) (<= (goal b 0) (true (chose right))) (goal a 50)";

/// All answers of a game for every state and joint move of `rounds` rounds.
fn everything(game: &Game, rounds: usize) -> String {
    let mut lines = Vec::new();
    let mut states = vec![(game.rules.initial(), String::new())];
    for _ in 0..rounds {
        let mut after = Vec::new();
        for (state, past) in states {
            let over = game.rules.terminal(&state);
            let goals: Vec<_> = game.role_ids().map(|role| game.rules.goals(&state, role)).collect();
            lines.push(format!("{past}: {} over {over} goals {goals:?}", fluents(game, &state)));
            if over {
                continue;
            }
            for left in game.rules.legal(&state, RoleId(0)) {
                for right in game.rules.legal(&state, RoleId(1)) {
                    let joint = [left, right];
                    let sees = |role: RoleId| {
                        let percepts = game.rules.percepts(&state, &joint, role);
                        percepts.iter().map(|&it| game.rules.percept_name(role, it)).collect::<Vec<_>>().join(" ")
                    };
                    let names: Vec<_> =
                        game.role_ids().zip(joint).map(|(role, mv)| game.rules.move_name(role, mv)).collect();
                    let past =
                        format!("{past}({}; a sees [{}], b [{}])", names.join(" "), sees(RoleId(0)), sees(RoleId(1)));
                    after.push((game.rules.next(&state, &joint), past));
                }
            }
        }
        states = after;
    }
    lines.sort();
    lines.join("\n")
}

#[test]
fn what_becomes_constant_while_folding_is_given_no_id() {
    let ground = gdl(AWAKE);
    expect![[r#"
        (left wait; a sees [], b []): (chose left) (light off) over true goals [[50], [100]]
        (right wait; a sees [], b []): (chose right) (light off) over true goals [[50], [0]]
        : (light on) over false goals [[50], []]"#]]
    .assert_eq(&everything(&ground, 3));
    assert_eq!(ground.rules.find_move(RoleId(0), "cheat"), None);
    assert_eq!(ground.rules.find_percept(RoleId(1), "caught"), None);
}

/// The same shape with every source of constants: recursion that always holds or is never founded, fluents that never
/// change, moves that are never legal, and chains of all of them.
#[test]
fn constants_behind_constants_fold_away_and_the_rest_is_right() {
    let chains = [
        // Without a foundation: a role is reached only if another one is.
        "(<= (reached ?r) (role ?r) (role ?q) (distinct ?r ?q) (reached ?q) (true (light on)))
         (<= (legal a cheat) (reached a))",
        // A fluent that only a dead move makes, a move that only that fluent allows, a percept that only that move
        // gives.
        "(<= (legal a cheat) (true opened)) (<= (next opened) (does a open)) (<= (legal a open) (not (awake a)))",
        // A fluent that always holds, found out only behind the recursion.
        "(init shut) (<= (next shut) (true shut) (awake b)) (<= (legal a cheat) (not (true shut)))",
        // Two recursions, of which one reads the other.
        "(<= (calm ?r) (awake ?r)) (<= (calm ?r) (role ?r) (calm ?q) (true (light off)))
         (<= (legal a cheat) (not (calm b)))",
    ];
    for chain in chains {
        let text = AWAKE.replace("(<= (legal a cheat) (not (awake b)))", chain);
        assert!(text.contains(chain));
        let ground = gdl(&text);
        let description = &description(&text);
        let Ok(lifted) = Game::from_gdl_lifted(description) else { panic!("a game") };
        assert_eq!(everything(&ground, 4), everything(&lifted, 4), "{chain}");
        assert!(!everything(&ground, 4).contains("caught"), "{chain}");
        assert_eq!(ground.rules.find_move(RoleId(0), "cheat"), None, "{chain}");
    }
}

#[test]
fn a_table_of_pairs_takes_no_square_of_memory() {
    // Each value is named by one pair of forty thousand: a list of the omitted pairs for each value would have 1.6
    // billion entries.
    let mut text = String::from(
        "(role r) (role s)
        (<= (legal r (take ?i)) (digit ?i)) (<= (legal s (take ?i)) (digit ?i))
        (<= (next (took ?r ?i)) (does ?r (take ?i)))
        (<= over (true (took r ?i))) (<= terminal over)
        (<= (goal r ?v) (true (took r ?i)) (true (took s ?j)) (both ?i ?j ?v)) (<= (goal r 0) (not over))
        (<= (goal s 0) (role s))\n",
    );
    for i in 0..200 {
        text += &format!("(digit {i})");
        (0..200).for_each(|j| text += &format!("(both {i} {j} {})", 1000 * i + j));
    }
    let game = gdl(&text);
    let state = game.rules.next(&game.rules.initial(), &joint(&game, &["(take 17)", "(take 4)"]));
    assert!(game.rules.terminal(&state));
    assert_eq!(game.rules.goals(&state, RoleId(0)), [17_004]);
}

/// The number of operands of a game's gates.
fn operands(text: &str) -> usize {
    gdl(text).rules.ground(&Scope::default()).expect("a ground game").circuit.operand_count()
}

const BITS: &str = "(role r) (v 0) (v 1) (v 2) (v 3) (legal r stay) (goal r 0) (<= (sees r done) terminal)
    (<= (legal r (set ?c ?x)) (v ?c) (v ?x)) (<= (next (is ?c ?x)) (does r (set ?c ?x)))
    (<= (next (is ?c ?x)) (true (is ?c ?x)))\n";

#[test]
fn a_rule_is_taken_apart_where_that_makes_the_smaller_circuit() {
    // A chain over six variables has 4^6 instances; link by link it has 6 times 4^2.
    let chain =
        "(<= terminal (true (is ?a ?b)) (true (is ?b ?c)) (true (is ?c ?d)) (true (is ?d ?e)) (true (is ?e ?f)))";
    let found = operands(&format!("{BITS}{chain}"));
    assert!(found < 500, "{found} operands");
}

#[test]
fn many_disjunctions_in_one_rule_are_no_more_work_than_their_sum() {
    // Multiplied out these are 3^8 cases.
    let among = |n: usize| format!("(or (true (is {n} ?x{n})) (true (is ?x{n} {n})) (true (is ?x{n} ?x{n})))");
    let all: String = (0..8).map(|n| among(n % 4).replace("?x", &format!("?x{n}_"))).collect();
    let found = operands(&format!("{BITS}(<= terminal {all})"));
    assert!(found < 500, "{found} operands");
}

#[test]
fn alternatives_share_what_the_rule_has_in_common() {
    let rule = |either: &str| {
        format!("{BITS}(<= terminal {either} (true (is ?b ?c)) (not (true (is ?c ?a))) (distinct ?a ?b))")
    };
    let one = operands(&rule("(true (is ?a ?b))"));
    let two = operands(&rule("(or (true (is ?a ?b)) (true (is ?b ?a)))"));
    assert!(two < one + one / 2, "{two} operands for two alternatives, {one} for one");
}
