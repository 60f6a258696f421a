//! Circuits as straight lines of instructions over words: every bit of a word is a *lane*, an evaluation of its own.
//!
//! [`Compiled`] evaluates any [`Circuit`](crate::circuit::Circuit): put words into its fluents and moves ([`Values::set_fluent`],
//! [`Values::set_move`], ...), run its segments, read words off any literal. With `W` words per node one sweep
//! evaluates `64 * W` assignments: 64 candidate histories, 64 matches. Nothing is allocated after [`Compiled::values`].
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
//! # What random play costs
//!
//! CPU time of a state (a joint move in one match), release build, one thread of a processor with 1 MB of second-level
//! cache that others used at the same time; programs compared turn by turn over the same matches, medians, set-up left
//! out. "Before" is one circuit for all turns and 256 matches at once.
//!
//! | game             | before | a circuit for every turn | and 512 or 1024 matches at once |
//! |------------------|--------|--------------------------|---------------------------------|
//! | breakthrough     |  53 ns |  39 ns |  28 ns |
//! | connect4         |  28 ns |  21 ns |  18 ns |
//! | gomoku (11x11)   |  46 ns |  51 ns |  40 ns |
//! | hex (9x9)        | 768 ns | 820 ns | 734 ns |
//! | chess_200        | 1.8 µs | 0.86 µs | 0.65 µs |
//! | reversi          | 245 ns | 162 ns | 129 ns |
//! | amazons_10x10    | 608 ns | 127 ns | 106 ns |
//!
//! In the middle column gomoku and hex had no circuit for every turn, since it saves few gates; but then who is not in turn
//! need not be asked what is legal, which makes gomoku 1.6 times as fast and hex 1.5 (see `phases`).
//! Where matches are many, hex has a circuit for every round of a match besides (`unfold`: 98 ns where one for all takes 440 on
//! the same machine); and where goals take many gates and matches are about equally long, lanes wait for each other, so
//! that goals are not found out in every round (reversi: 73 ns where lanes that do not wait take 134).
//!
//! Then values came to leave their slots to others (`lives`): `chess.kif` has 364,000 gates a turn in 54,000 slots and takes
//! 5.6 µs a state where it took 7.9, amazons_10x10 70 ns for 87, chess_200 371 for 449, breakthrough 19.5 for 22.7; where all
//! values are in the caches anyway it costs up to 7 % (checkers), since a value is often read as soon as it is written.
//! In `chess.kif` roots that share more stand together when the order is by what the next one needs least of, which leaves
//! 41,000 slots, but takes a second and gains nothing.
//!
//! What is left is mostly the gates; where a role has thousands of moves (amazons), half is reading what is legal; where
//! gates are few (gomoku), nearly all is choosing.

mod choices;
mod compile;
mod lanes;
mod lives;
mod partial;
mod phases;
mod rounds;
mod transpose;
mod unfold;
mod values;

pub(crate) use choices::{Choices, select};
pub(crate) use compile::codes;
pub use compile::{Compiled, Segment};
pub use lanes::Playouts;
pub(crate) use rounds::Rounds;
pub(crate) use transpose::transpose;
pub use values::Values;
pub(crate) use values::Words;
