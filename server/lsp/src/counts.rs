//! The numbers of ground instances of fluents, moves and percepts. Grounding takes time, so it runs in the background,
//! one game at a time, on the first request; until then there is no answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use percept_game::gdl::Grounding;
use percept_game::{FluentId, Game, Scope, Term};

use crate::games::{self, Loaded};
use crate::snapshot::{File, Snapshot};

/// The most games whose numbers are kept.
const KEPT: usize = 6;
/// Larger descriptions are not ground for a number in a hover.
const MAX_BYTES: usize = 120_000;
/// The most circuit nodes and tuples for the count: a fraction of a second, some tens of megabytes.
const MAX_NODES: usize = 100_000;
const MAX_FUEL: u64 = 2_000_000;

/// The numbers of one game, by functor.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counts {
    fluents: HashMap<String, usize>,
    moves: HashMap<String, usize>,
    percepts: HashMap<String, usize>,
}

/// A name's kind, with its counts so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Fluent,
    Move,
    Percept,
}

impl Counts {
    pub(crate) fn of(&self, what: Counted, name: &str) -> Option<usize> {
        let map = match what {
            Counted::Fluent => &self.fluents,
            Counted::Move => &self.moves,
            Counted::Percept => &self.percepts,
        };
        map.get(name).copied()
    }

    /// Moves and percepts that several roles have are counted once for each role.
    fn new(game: &Game) -> Counts {
        let mut counts = Counts::default();
        // The lifted reasoner knows only instances that have occurred.
        if game.is_sequential || game.rules.playouts().is_some() {
            for id in 0..game.rules.fluent_count() as u32 {
                count(&mut counts.fluents, &game.rules.fluent_term(FluentId(id)));
            }
        }
        let Ok(ground) = game.rules.ground(&Scope { budget: Some(MAX_NODES), ..Scope::default() }) else {
            return counts;
        };
        for (role, (moves, percepts)) in game.role_ids().zip(ground.moves.iter().zip(&ground.sees)) {
            moves.iter().for_each(|(mv, _)| count(&mut counts.moves, &game.rules.move_term(role, *mv)));
            for (percept, _) in percepts {
                count(&mut counts.percepts, &game.rules.percept_term(role, *percept));
            }
        }
        counts
    }
}

fn count(map: &mut HashMap<String, usize>, atom: &Term) {
    *map.entry(atom.head().to_string()).or_default() += 1;
}

/// The files of a game with its numbers; `None` if the files are not a game.
type CountedGame = (Vec<Arc<File>>, Option<Arc<Counts>>);

/// The known numbers, and the thread that determines others.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    games: Mutex<Vec<CountedGame>>,
    orders: Mutex<Option<mpsc::Sender<Order>>>,
}

type Order = (Arc<Snapshot>, Arc<Counter>, Arc<File>);

impl Counter {
    /// The numbers of the game that a file belongs to; `None` until they are known.
    pub(crate) fn look(self: &Arc<Self>, snapshot: &Arc<Snapshot>, file: &Arc<File>) -> Option<Arc<Counts>> {
        let entry = self.lock().iter().find(|(files, _)| files.iter().any(|it| Arc::ptr_eq(it, file))).cloned();
        if let Some((_, counts)) = entry {
            return counts;
        }
        if file.text().len() <= MAX_BYTES {
            self.order((snapshot.clone(), self.clone(), file.clone()));
        }
        None
    }

    fn order(&self, order: Order) {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = orders.get_or_insert_with(|| {
            let (sender, orders) = mpsc::channel::<Order>();
            let thread = std::thread::Builder::new().name("counting".into()).stack_size(16 << 20);
            // Without the thread there are no numbers, but everything else works.
            let _ = thread.spawn(move || {
                while let Ok(first) = orders.recv() {
                    let (snapshot, counter, file) = orders.try_iter().last().unwrap_or(first);
                    counter.work(&snapshot, &file);
                }
            });
            sender
        });
        let _ = sender.send(order);
    }

    fn work(&self, snapshot: &Snapshot, file: &Arc<File>) {
        if self.lock().iter().any(|(files, _)| files.iter().any(|it| Arc::ptr_eq(it, file))) {
            return;
        }
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let grounding = Grounding { nodes: MAX_NODES, fuel: MAX_FUEL, ..Grounding::default() };
            let loaded = games::load_within(snapshot, file, &grounding).ok();
            loaded.map(|Loaded { game, files, .. }| (files, Arc::new(Counts::new(&game))))
        }));
        let (files, counts) = match found {
            Ok(Some((files, counts))) => (files, Some(counts)),
            // Not a game: this text is not tried again.
            _ => (vec![file.clone()], None),
        };
        let mut games = self.lock();
        games.insert(0, (files, counts));
        games.truncate(KEPT);
    }

    /// Forgets those of texts that no client can ask for.
    pub(crate) fn forget_old(&self, newest: &Snapshot) {
        self.lock().retain(|(files, _)| files.iter().all(|file| newest.may_have(file)));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<CountedGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
