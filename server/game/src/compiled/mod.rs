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
//! Instructions in the loop of [`Playouts`] by callgrind, release build, the difference between 3072 and 1024 matches:
//!
//! | game         | a state | a playout | of these in `lanes` (choice, bookkeeping) and `transpose` |
//! |--------------|---------|-----------|------------------------------------------------------------|
//! | connectFour  |     362 |     8 142 | 16 % and 9 %                                               |
//! | breakthrough |     893 |    56 804 | 9 % and 11 %                                               |
//! | reversi      |   3 232 |   195 360 | 2 % and 2 %                                                |
//! | checkers     |   2 830 |   283 261 | 6 % and 6 %                                                |
//!
//! What is left is the gates and the standard library's code that was inlined into all of it. In callgrind's cache model
//! (breakthrough, checkers) 3 % and 6 % of the reads miss the first level and next to none (4 reads) the last one: the
//! working set lives in the caches, and main memory is not the limit there.

mod compile;
mod lanes;
mod phases;
mod transpose;
mod values;

pub(crate) use compile::codes;
pub use compile::{Compiled, Segment};
pub use lanes::Playouts;
pub use values::Values;
pub(crate) use values::Words;
