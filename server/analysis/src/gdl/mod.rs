//! What is known of a GDL description: its names as symbols, who defines and who uses them, what depends on what,
//! and which values can stand in which place.

mod domains;
mod facts;
mod graph;
mod lowered;
mod matching;
pub mod slips;
mod structure;
mod symbols;
mod trust;
mod uses;

pub use domains::{Clash, Domains, Place};
pub use facts::Facts;
pub use graph::{Edge, Graph};
pub use lowered::{Literal, Lowered, Node, RuleId, RuleNode, Shape, TermId, Variable};
pub use matching::Makers;
pub use percept_syntax::near::{nearest, one_slip_apart, same_ends, same_word};
pub use structure::{Fault, Structure};
pub use symbols::{Sym, Symbols, keyword};
pub use trust::Trusted;
pub use uses::{Occurrence, Predicate, Space, Uses};
