//! The search for symmetries: from the last choice back to the first, the search for other atoms that could have been
//! chosen.

use rustc_hash::FxHashMap;

use super::orbits::Orbits;
use super::refine::{Atoms, Colours, Refine, classes};
use super::{Check, Renaming, Symmetries, Symmetry};
use crate::{Budget, FluentId, Game, Ground, MoveId, RoleId};

/// The most operands that are visited in all: a second or two.
const FUEL: u64 = 400_000_000;
/// The most operands that are visited without a result.
const PATIENCE: u64 = 100_000_000;

/// One atom that is distinguished from all others.
struct Choice {
    atom: usize,
    /// The previous colours, and those after the atom is chosen.
    before: Colours,
    after: Colours,
}

pub(super) fn find(game: &Game, ground: &Ground, budget: &Budget) -> Symmetries {
    let fluents = game.rules.fluent_count();
    let atoms = Atoms::new(ground, game.roles.len(), fluents);
    let initial = game.rules.initial();
    let mut refine = Refine::new(ground, atoms, FUEL, budget);
    let first = refine.first(&initial, &|role| game.roles[role].is_chance);
    let mut found = Symmetries::default();
    let Some(choices) = choices(&mut refine, first) else { return found };
    let mut search = Search { check: Check::new(ground, initial, fluents), refine, choices };
    search.all(&mut found);
    found
}

/// Chooses until all colours differ.
fn choices(refine: &mut Refine<'_>, first: Colours) -> Option<Vec<Choice>> {
    let mut colours = refine.refine(first)?;
    let mut choices = Vec::new();
    while let Some(atom) = undecided(&colours) {
        let after = refine.refine(refine.chosen(&colours, atom))?;
        choices.push(Choice { atom, before: colours, after: after.clone() });
        colours = after;
    }
    Some(choices)
}

/// The first atom that shares its colour: roles come first.
fn undecided(colours: &Colours) -> Option<usize> {
    if classes(colours) == colours.len() {
        return None;
    }
    let mut count: FxHashMap<u64, usize> = FxHashMap::default();
    colours.iter().for_each(|colour| *count.entry(*colour).or_default() += 1);
    (0..colours.len()).find(|&atom| count[&colours[atom]] > 1)
}

struct Search<'a> {
    refine: Refine<'a>,
    check: Check<'a>,
    choices: Vec<Choice>,
}

impl Search<'_> {
    /// From the last choice back to the first. The symmetries found then fix all earlier choices, and show which atoms
    /// need not be tried.
    fn all(&mut self, found: &mut Symmetries) {
        let count = self.refine.atoms.count;
        let mut orbits = Orbits::new(count);
        let mut spent = self.refine.fuel;
        for level in (0..self.choices.len()).rev() {
            let Choice { atom, before, .. } = &self.choices[level];
            let (atom, colour) = (*atom, before[*atom]);
            let others: Vec<usize> = (0..count).filter(|&other| other != atom && before[other] == colour).collect();
            for other in others {
                if orbits.least(other as u32) == orbits.least(atom as u32) {
                    continue;
                }
                if self.refine.budget.stop().is_some() || spent - self.refine.fuel > PATIENCE {
                    return;
                }
                let Some(symmetry) = self.becomes(level, other) else { continue };
                spent = self.refine.fuel;
                self.join(&mut orbits, &symmetry);
                let list = if symmetry.is_of_things() { &mut found.of_things } else { &mut found.of_roles };
                list.push(symmetry);
            }
        }
    }

    /// A symmetry that fixes the earlier choices and maps this one to another atom, if the first way to look for one
    /// finds it.
    fn becomes(&mut self, level: usize, other: usize) -> Option<Symmetry> {
        let chosen = self.refine.chosen(&self.choices[level].before, other);
        let mut colours = self.refine.refine(chosen)?;
        for later in &self.choices[level + 1..] {
            if !same_colours(&later.before, &colours) {
                return None;
            }
            // An atom that can stay should.
            let colour = later.before[later.atom];
            let image = match colours[later.atom] == colour {
                true => later.atom,
                false => colours.iter().position(|it| *it == colour)?,
            };
            let chosen = self.refine.chosen(&colours, image);
            colours = self.refine.refine(chosen)?;
        }
        let last = &self.choices.last()?.after;
        if !same_colours(last, &colours) {
            return None;
        }
        let by_colour: FxHashMap<u64, usize> = colours.iter().enumerate().map(|(at, colour)| (*colour, at)).collect();
        let images: Vec<usize> = last.iter().map(|colour| by_colour[colour]).collect();
        let renaming = self.renaming(&images)?;
        self.check.symmetry(renaming)
    }

    /// The images of roles, fluents and moves, each of the same kind.
    fn renaming(&self, images: &[usize]) -> Option<Renaming> {
        let Atoms { roles, fluents, .. } = self.refine.atoms;
        let role = |at: usize| (images[at] < roles).then(|| RoleId(images[at] as u16));
        let fluent = |at: usize| images[at].checked_sub(roles).filter(|it| *it < fluents).map(|it| FluentId(it as u32));
        let new_roles: Vec<RoleId> = (0..roles).map(role).collect::<Option<_>>()?;
        let moves = (0..roles).map(|role| {
            let of_image = self.refine.atoms.moves_of(new_roles[role].0 as usize);
            let mv = |at: usize| of_image.contains(&images[at]).then(|| MoveId((images[at] - of_image.start) as u32));
            self.refine.atoms.moves_of(role).map(mv).collect::<Option<Vec<MoveId>>>()
        });
        Some(Renaming {
            moves: moves.collect::<Option<_>>()?,
            fluents: (roles..roles + fluents).map(fluent).collect::<Option<_>>()?,
            roles: new_roles,
        })
    }

    /// Joins the orbits of each atom and its image.
    fn join(&self, orbits: &mut Orbits, symmetry: &Symmetry) {
        let Atoms { roles, .. } = self.refine.atoms;
        let pairs = symmetry.roles.iter().enumerate().map(|(at, to)| (at, to.0 as usize));
        let pairs =
            pairs.chain(symmetry.fluents.iter().enumerate().map(|(at, to)| (roles + at, roles + to.0 as usize)));
        let moves = symmetry.moves.iter().enumerate().flat_map(|(role, moves)| {
            let (from, to) = (self.refine.atoms.moves[role], self.refine.atoms.moves[symmetry.roles[role].0 as usize]);
            moves.iter().enumerate().map(move |(at, mv)| (from + at, to + mv.0 as usize))
        });
        pairs.chain(moves).for_each(|(a, b)| orbits.join(a as u32, b as u32));
    }
}

fn same_colours(a: &Colours, b: &Colours) -> bool {
    let (mut a, mut b) = (a.clone(), b.clone());
    a.sort_unstable();
    b.sort_unstable();
    a == b
}
