//! A game as a stochastic constraint satisfaction problem: Koriche, Lagrue, Piette and Tabary, Stochastic Constraint
//! Programming for General Game Playing with Imperfect Information, IJCAI 2017, section 4. One *stage* describes a
//! round; a game of horizon T is T stages in a row.
//!
//! The variables are: the end of the match, each role's reward, each role's percepts, the state before the round, each
//! role's move, and the state after it. Chance's move and the state after the round are stochastic. Constraints define
//! the legal moves, their effects, the end of the match and its goals. Conditional probability tables define chance's
//! moves and the information of a percept about the state.
//!
//! Choices that the paper leaves open: Fluents of one functor of which at most one holds in every state are one
//! variable (if necessary one for each value of the leading arguments). Others are variables of their own with the
//! values `true` and `false`. The value of a variable in states in which none of its fluents holds is called `unset`.
//! The scope of a constraint is read off the ground game's circuit; its rows are all combinations that occur in some
//! match. So everything is exact, and only games whose states can all be visited are translated.

mod explore;
mod mac;
mod stage;
mod text;

pub use explore::ScspError;
pub(crate) use explore::explore;
pub use mac::solutions;
pub use stage::{Chance, Constraint, Stage, Variable};
