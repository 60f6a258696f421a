//! Circuits as straight lines of instructions over words: every bit of a word is a *lane*, an evaluation of its own.
//!
//! [`Compiled`] evaluates any [`Circuit`]: put words into its fluents and moves ([`Values::set_fluent`],
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

mod compile;
mod lanes;
mod rules;
mod transpose;
mod values;

pub use compile::{Compiled, Segment};
pub use lanes::Playouts;
pub use rules::GroundRules;
pub use values::Values;
