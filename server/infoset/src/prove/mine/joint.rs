//! Clauses about pairs of fluents: if one fluent names the piece on a cell and another its owner, a role has one flag,
//! although there are two flags.

use rustc_hash::FxHashMap;

use super::super::claims::{Atom, Claim};
use super::Miner;

/// The most members of an exclusive group, because each two of them make a clause.
const MOST_MEMBERS: usize = 24;
/// The most clauses; if there are more, none is claimed.
const MOST_CLAUSES: usize = 6_000;
/// The most fluents of a family to be paired.
const MOST_FLUENTS: usize = 400;
/// The most arguments of fluents to be paired.
const MOST_ARGUMENTS: usize = 4;

/// Two fluents that share arguments.
type Both = (Atom, Atom);

impl Miner {
    /// Finds conjunctions of two fluents about the same objects that differ only in these objects, and of which at most
    /// one holds.
    pub(super) fn exclusive_pairs(&self) -> Vec<Claim> {
        let arity = |family: &[Atom]| self.shapes[family[0] as usize].arguments.len();
        let is_fit =
            |family: &&Vec<Atom>| family.len() <= MOST_FLUENTS && (1..=MOST_ARGUMENTS).contains(&arity(family));
        let families: Vec<Vec<Atom>> = self.families.iter().filter(is_fit).cloned().collect();
        let mut found = Vec::new();
        for (at, left) in families.iter().enumerate() {
            for right in &families[at + 1..] {
                // The shared arguments, as bits; they are at the same positions.
                for mask in 1..1u32 << arity(left).min(arity(right)) {
                    for group in self.pairs(left, right, mask) {
                        self.exclude(&group, &mut found);
                    }
                }
            }
        }
        if found.len() > MOST_CLAUSES { Vec::new() } else { found }
    }

    /// The pairs of fluents that agree in the arguments of `mask`, grouped by their other arguments.
    fn pairs(&self, left: &[Atom], right: &[Atom], mask: u32) -> Vec<Vec<Both>> {
        let split = |atom: Atom| {
            let arguments = self.shapes[atom as usize].arguments.iter().copied().enumerate();
            let (shared, own): (Vec<_>, Vec<_>) = arguments.partition(|(at, _)| mask >> at & 1 == 1);
            (
                shared.into_iter().map(|it| it.1).collect::<Vec<u32>>(),
                own.into_iter().map(|it| it.1).collect::<Vec<u32>>(),
            )
        };
        let live = |family: &[Atom]| family.iter().copied().filter(|&atom| !self.is_constant(atom)).collect::<Vec<_>>();
        let mut about: FxHashMap<Vec<u32>, Vec<(Atom, Vec<u32>)>> = FxHashMap::default();
        for atom in live(right) {
            let (shared, own) = split(atom);
            about.entry(shared).or_default().push((atom, own));
        }
        let mut groups: FxHashMap<(Vec<u32>, Vec<u32>), Vec<Both>> = FxHashMap::default();
        for atom in live(left) {
            let (shared, own) = split(atom);
            for (other, theirs) in about.get(&shared).into_iter().flatten() {
                groups.entry((own.clone(), theirs.clone())).or_default().push((atom, *other));
            }
        }
        let mut groups: Vec<Vec<Both>> =
            groups.into_values().filter(|group| (2..=MOST_MEMBERS).contains(&group.len())).collect();
        groups.sort_unstable();
        groups
    }

    /// Claims that at most one of these pairs holds, if that was always true and is not already true of one side alone.
    fn exclude(&self, group: &[Both], found: &mut Vec<Claim>) {
        let side = |of: fn(&Both) -> Atom| {
            let mut side: Vec<Atom> = group.iter().map(of).collect();
            side.sort_unstable();
            side.dedup();
            self.at_most_one(&side)
        };
        if side(|it| it.0) || side(|it| it.1) {
            return;
        }
        let (mut one, mut met) = (vec![0; self.everywhere.len()], 0);
        for &(a, b) in group {
            let mut is_met = false;
            for ((one, a), b) in one.iter_mut().zip(self.bits(a)).zip(self.bits(b)) {
                if *one & a & b != 0 {
                    return;
                }
                *one |= a & b;
                is_met |= a & b != 0;
            }
            met += usize::from(is_met);
        }
        // If most of the pairs were never met, there is too little evidence.
        if 2 * met < group.len() {
            return;
        }
        for (at, &(a, b)) in group.iter().enumerate() {
            for &(c, d) in &group[at + 1..] {
                let mut clause = vec![(a, false), (b, false), (c, false), (d, false)];
                clause.sort_unstable();
                clause.dedup();
                found.push(Claim::Clause(clause));
            }
        }
    }
}
