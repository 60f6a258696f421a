//! A game as a stochastic constraint satisfaction problem: Koriche, Lagrue, Piette and Tabary, Stochastic Constraint
//! Programming for General Game Playing with Imperfect Information, IJCAI 2017, section 4. One *stage* says what a round
//! is; a game of horizon T is T stages in a row.
//!
//! Variables: whether the match is over, each role's reward, what each role perceives, the state before the round, each
//! role's move, and the state after it. Chance's move and the state after the round are stochastic. Constraints say
//! which moves are legal, what they do, when the match is over and what it is then worth; conditional probability tables
//! say how chance moves and what a percept tells of the state.
//!
//! Chosen where the paper leaves it open. Fluents of one functor of which at most one holds in every state are one
//! variable (if need be one for each value of the leading arguments), others are variables of their own with the values
//! `true` and `false`; what a variable's value is in states where none of its fluents holds is called `unset`. What a
//! constraint speaks of is read off the ground game's circuit; its rows are all combinations that occur in some match.
//! So everything is exact, and only games whose states can all be visited are translated.

mod explore;
mod mac;
mod stage;
mod text;

pub use explore::ScspError;
pub(crate) use explore::explore;
pub use mac::solutions;
pub use stage::{Chance, Constraint, Stage, Variable};
