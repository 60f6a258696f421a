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
//! CPU time of a state (a joint move in one match), release build, one thread of a processor with 1 MB of second-level
//! cache, under load by other processes; programs compared turn by turn over the same matches, medians, without set-up.
//! The first column is one circuit for all turns and 256 matches at once.
//!
//! | game             | one circuit | a circuit for every turn | and 512 or 1024 matches at once |
//! |------------------|--------|--------------------------|---------------------------------|
//! | breakthrough     |  53 ns |  39 ns |  28 ns |
//! | connect4         |  28 ns |  21 ns |  18 ns |
//! | gomoku (11x11)   |  46 ns |  51 ns |  40 ns |
//! | hex (9x9)        | 768 ns | 820 ns | 734 ns |
//! | chess_200        | 1.8 µs | 0.86 µs | 0.65 µs |
//! | reversi          | 245 ns | 162 ns | 129 ns |
//! | amazons_10x10    | 608 ns | 127 ns | 106 ns |
//!
//! In the middle column gomoku and hex are measured with one circuit, because a circuit for every turn saves few of
//! their gates. Such circuits nevertheless make gomoku 1.6 times and hex 1.5 times as fast, because the legal moves of
//! the role that is not in turn need not be read (see `phases`). For many matches, hex also has a circuit for every
//! round of a match (`unfold`: 98 ns instead of 440 with one circuit on the same machine). If goals take many gates and
//! matches are about equally long, lanes wait for each other, so that goals are not evaluated in every round (reversi:
//! 73 ns instead of 134).
//!
//! If the circuits of all rounds would be too large, those of blocks of rounds are nearly as small (`blocks`): hex on
//! 15x15 cells has a fifth of the operands of one circuit for all rounds.
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
//! reading the legal ones; if gates are few (gomoku), nearly all of it is spent choosing.

mod blocks;
mod choices;
mod compile;
mod draws;
mod kinds;
mod lanes;
mod lives;
mod partial;
mod phases;
mod rounds;
mod shrink;
mod transpose;
mod unfold;
mod values;

pub(crate) use choices::{Choices, select};
pub(crate) use compile::codes;
pub use compile::{Compiled, Segment};
pub use lanes::{Many, Playouts};
pub(crate) use rounds::Rounds;
pub(crate) use transpose::transpose;
pub use unfold::TooLarge as TooManyRounds;
pub use values::Values;
pub(crate) use values::Words;
