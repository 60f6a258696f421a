//! What is known of a GDL description: its names as symbols, who defines and who uses them, what depends on what,
//! and which values can stand in which place.

mod domains;
mod facts;
mod graph;
mod lowered;
mod near;
pub mod slips;
mod structure;
mod symbols;

pub use domains::{Clash, Domains, Place};
pub use facts::{Facts, Occurrence, Predicate, Space};
pub use graph::{Edge, Graph};
pub use lowered::{Literal, Lowered, Node, RuleId, RuleNode, Shape, TermId, Variable};
pub use near::{nearest, one_slip_apart};
pub use structure::{Fault, Structure};
pub use symbols::{Sym, Symbols, keyword};
