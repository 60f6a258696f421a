//! Small random games: any circuit is a game.

use percept_game::{Game, circuit::Lit};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::Builder;

/// A game with five fluents, two players with three moves each and a random role with two.
pub fn random_game(seed: u64) -> Game {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut b = Builder::new(&["left", "right", "random"]);
    let fluents: Vec<String> = (0..5).map(|index| format!("f{index}")).collect();
    let mut state: Vec<Lit> = fluents.iter().map(|name| b.is(name)).collect();
    for name in &fluents {
        if rng.random() {
            b.init(name);
        }
    }
    grow(&mut b, &mut state, 6, &mut rng);
    let over = pick(&state, 2, &mut b, &mut rng);
    let rarely = b.and(&[over, state[0], state[1]]);
    b.terminal(rarely);
    let mut all = state.clone();
    for (role, count) in [(0, 3), (1, 3), (2, 2)] {
        for index in 0..count {
            let name = format!("m{index}");
            all.push(b.does(role, &name));
            let gate = if index == 0 { Lit::TRUE } else { pick(&state, 1, &mut b, &mut rng) };
            b.legal(role, &name, gate);
        }
        for goal in [0, 50] {
            let gate = pick(&state, 1, &mut b, &mut rng);
            b.goal(role, goal, gate);
        }
    }
    grow(&mut b, &mut all, 12, &mut rng);
    for name in &fluents {
        let gate = pick(&all[5..], 1, &mut b, &mut rng);
        b.next(name, gate);
    }
    for role in 0..2 {
        for index in 0..2 {
            let gate = pick(&all, 2, &mut b, &mut rng);
            b.sees(role, &format!("p{index}"), gate);
        }
    }
    b.game()
}

/// The conjunction of `count` literals, each negated or not.
fn pick(lits: &[Lit], count: usize, b: &mut Builder, rng: &mut SmallRng) -> Lit {
    let chosen: Vec<Lit> = (0..count)
        .map(|_| {
            let lit = lits[rng.random_range(0..lits.len())];
            if rng.random() { !lit } else { lit }
        })
        .collect();
    b.and(&chosen)
}

fn grow(b: &mut Builder, lits: &mut Vec<Lit>, gates: usize, rng: &mut SmallRng) {
    for _ in 0..gates {
        let left = pick(lits, 1, b, rng);
        let right = pick(lits, 2, b, rng);
        let gate = if rng.random() { b.and(&[left, right]) } else { b.or(&[left, right]) };
        lits.push(gate);
    }
}
