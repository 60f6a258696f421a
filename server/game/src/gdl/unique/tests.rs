use crate::gdl::fixture::{description, prepared};
use crate::gdl::prepare::Bodies;
use crate::{Game, JointMove, RoleId, State, plain};

/// Kings, guns and pawns on a line of six cells. A pawn that reaches the last cell becomes `promoted`.
fn line(promoted: &str) -> String {
    format!(
        "(role ann) (role bob) (other ann bob) (other bob ann)
         (near 1 2) (near 2 3) (near 3 4) (near 4 5) (near 5 6)
         (<= (beside ?x ?y) (near ?x ?y)) (<= (beside ?x ?y) (near ?y ?x)) (<= (cell ?x) (beside ?x ?y))
         (<= (two ?x ?z) (beside ?x ?y) (beside ?y ?z))
         (king k ann) (piece k ann) (piece p ann) (piece q ann) (piece g bob) (gun g bob) (gun q ann)
         (init (at 1 k)) (init (at 4 p)) (init (at 6 g)) (init (control ann))
         (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
         (<= (threatened ?r ?z ?x ?y)
             (other ?r ?o) (gun ?g ?o) (true (at ?u ?g)) (two ?u ?z) (cell ?x) (cell ?y) (distinct ?u ?y))
         (<= (legal ?r wait) (role ?r))
         (<= (legal bob (go ?p ?x ?y)) (true (control bob)) (piece ?p bob) (true (at ?x ?p)) (beside ?x ?y))
         (<= (legal ?r (go ?p ?x ?y))
             (true (control ?r)) (piece ?p ?r) (true (at ?x ?p)) (beside ?x ?y)
             (king ?k ?r) (true (at ?z ?k)) (not (threatened ?r ?z ?x ?y)))
         (<= (next (at ?y ?p)) (does ?r (go ?p ?x ?y)) (or (distinct ?p p) (distinct ?y 6)))
         (<= (next (at 6 {promoted})) (does ?r (go p ?x 6)))
         (<= (next (at ?z ?q)) (true (at ?z ?q)) (does ?r (go ?p ?x ?y)) (distinct ?z ?x) (distinct ?z ?y))
         (<= (next (at ?z ?q)) (true (at ?z ?q)) (does ann wait) (does bob wait))
         (<= terminal (true (at 1 g))) (goal ann 50) (goal bob 50)"
    )
}

/// The numbers of arguments of the relations that are negated in rules for legal moves.
fn negated(text: &str) -> Vec<usize> {
    let program = prepared(text, Bodies::Decomposed).program;
    let negated = program.rules.iter().flat_map(|rule| &rule.body).filter_map(|literal| match &literal.condition {
        crate::gdl::program::Condition::Negative(atom) => Some(atom),
        _ => None,
    });
    let threats = negated.filter(|atom| program.name(atom.relation) == "threatened");
    threats.map(|atom| program.relations[atom.relation.index()].arity).collect()
}

#[test]
fn the_only_king_is_found_first() {
    assert_eq!(negated(&line("q")), [3], "the square of the king is no argument");
}

#[test]
fn what_may_become_two_is_not_taken_for_one() {
    assert_eq!(negated(&line("k")), [4]);
}

/// The names of what holds and of the legal moves.
fn answers(game: &Game, state: &State) -> (Vec<String>, Vec<Vec<String>>) {
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let fluents = state.fluents().map(|it| game.rules.fluent_name(it)).filter(|it| it.contains("at ")).collect();
    let legal = |role| game.rules.legal(state, role).into_iter().map(|mv| game.rules.move_name(role, mv)).collect();
    (sorted(fluents), game.role_ids().map(|role| sorted(legal(role))).collect())
}

#[test]
fn every_state_has_the_legal_moves_of_the_plain_rules() {
    for promoted in ["q", "k"] {
        let text = line(promoted);
        let game = Game::from_gdl(&description(&text)).expect("a game");
        let plain = plain::gdl(&description(&text), &plain::Limits::default()).expect("plain rules");
        let mut states = vec![(game.rules.initial(), plain.rules.initial())];
        let mut seen = vec![states[0].0.clone()];
        let mut most_kings = 0;
        while let Some((state, other)) = states.pop() {
            let here = answers(&game, &state);
            assert_eq!(here, answers(&plain, &other));
            most_kings = most_kings.max(here.0.iter().filter(|name| name.ends_with(" k)")).count());
            if game.rules.terminal(&state) {
                continue;
            }
            let [ann, bob] = [RoleId(0), RoleId(1)].map(|role| game.rules.legal(&state, role));
            for joint in ann.iter().flat_map(|&one| bob.iter().map(move |&two| JointMove::from_iter([one, two]))) {
                let next = game.rules.next(&state, &joint);
                if seen.contains(&next) {
                    continue;
                }
                seen.push(next.clone());
                let same = game.role_ids().zip(&joint).map(|(role, &mv)| {
                    plain.rules.find_move(role, &game.rules.move_name(role, mv)).expect("the same move")
                });
                let same: JointMove = same.collect();
                states.push((next, plain.rules.next(&other, &same)));
            }
        }
        assert!(seen.len() > 50, "{} states", seen.len());
        assert_eq!(most_kings, if promoted == "k" { 2 } else { 1 });
    }
}
