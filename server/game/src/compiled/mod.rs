//! Circuits as straight lines of instructions over words: every bit of a word is a *lane*, an evaluation of its own.
//!
//! [`Compiled`] evaluates any [`Circuit`](crate::circuit::Circuit): put words into its fluents and moves
//! ([`Values::set_fluent`], [`Values::set_move`], ...), run its segments, read words off any literal. With `W` words
//! per node one sweep evaluates `64 * W` assignments: 64 candidate histories, 64 matches. Nothing is allocated after
//! [`Compiled::values`].
//!
//! ```
//! use percept_game::circuit::Circuit;
//! use percept_game::compiled::{Compiled, Segment};
//! use percept_game::FluentId;
//!
//! let mut circuit = Circuit::new();
//! let (a, b) = (circuit.fluent(FluentId(0)), circuit.fluent(FluentId(1)));
//! let both = circuit.and([a, b]);
//! let compiled = Compiled::new(&circuit, &[Segment::always(vec![both])]);
//! let mut values = compiled.values::<1>();
//! values.set_fluent(FluentId(0), [0b0101]);
//! values.set_fluent(FluentId(1), [0b0011]);
//! values.run(0);
//! assert_eq!(values.get(both)[0] & 0b1111, 0b0001);
//! ```
//!
//! # Cost of random play
//!
//! The gains of each idea when it was added, in processor time of a state (a joint move in one match) on one thread;
//! docs/speed.md has what is reached.
//!
//! | idea | gain |
//! | --- | --- |
//! | a circuit for every turn (`phases`) | breakthrough 1.4, reversi 1.5, chess_200 2.1, amazons_10x10 4.8 times as fast |
//! | 512 or 1024 matches at once instead of 256 | 1.1 to 1.4 times |
//! | a circuit for every round (`unfold`), if the rounds are counted | hex 4.5 times |
//! | goals only for matches that are over | reversi 1.8 times |
//! | pairs of operands instead of gates with one reader (`within`) | hex 1.4, chess.kif 1.3, gomoku 1.2, reversi 1.1 times; skirmish 0.9 |
//! | choosing in a lane of all words at once (`draws`) | connect4 1.3, breakthrough 1.5, gomoku 1.7 times, with words of 512 bits |
//! | counting and choosing in slices, for up to 255 moves (`sliced`) | connect4 1.5, breakthrough 1.3, gomoku and reversi 1.1 times |
//! | gates of common shapes without loops (`shapes`) | connect4, hex, gomoku, chess_200 and skirmish 1.1 times; checkers 0.93 |
//!
//! If the circuits of all rounds would be too large, those of blocks of rounds are nearly as small (`blocks`): hex on
//! 15x15 cells has a fifth of the operands of one circuit for all rounds.
//!
//! An operand is read with a check of its index. Without the check, `chess.kif` is 1.1 times as fast and other games are as
//! fast as before, if the compiler is kept from taking the loop apart (`transpose::apart`), and three times as slow if
//! not; so the code stays safe.
//!
//! Values that are no longer needed give up their slots to others (`lives`). `chess.kif` with 364,000 gates a turn in
//! 54,000 slots (it has a third of them now) took 5.6 µs a state instead of 7.9, amazons_10x10 70 ns instead of 87, chess_200 371 instead of
//! 449, breakthrough 19.5 instead of 22.7. If all values are in the caches anyway, this costs up to 7 % (checkers),
//! because a value is often read as soon as written. Ordering the roots of `chess.kif` so that those that share
//! more are adjacent leaves 41,000 slots, but takes a second and gains nothing.
//!
//! A game of POGDDL is sequential, and its phase and role in turn differ between matches. Lanes are sorted by the kind of
//! their positions, and every kind has a small circuit (`kinds`): Battleship on 10x10 cells takes 44 ns a state instead
//! of 105 with one circuit, Racko with 60 cards 105 instead of 165 (on another machine, with 512 KB of second-level cache).
//!
//! Most of the remaining time is spent in gates. If a role has thousands of moves (amazons), half of it is spent
//! reading the legal ones; if gates are few (connect4), half of it is spent choosing.

mod blocks;
mod choices;
mod compile;
pub(crate) mod cursors;
mod draws;
mod kinds;
mod lanes;
mod lives;
mod partial;
mod phases;
mod rounds;
mod runs;
mod segment;
mod sets;
mod shapes;
mod shrink;
mod sliced;
mod transpose;
mod unfold;
mod values;
mod within;

pub(crate) use choices::{Choices, select};
pub use compile::Compiled;
pub(crate) use compile::codes;
pub use lanes::{Many, Playouts};
pub(crate) use rounds::Rounds;
pub use segment::Segment;
pub(crate) use transpose::transpose;
pub use unfold::TooLarge as TooManyRounds;
pub use values::Values;
pub(crate) use values::Words;
