//! The analysis of a GDL description: its names as symbols, their definitions and uses, the dependencies between them,
//! and the possible values of each argument.

mod begin;
mod domains;
mod facts;
mod graph;
mod lowered;
mod matching;
pub(crate) mod slips;
mod structure;
mod symbols;
mod trust;
mod uses;

pub(crate) use begin::unbegun;
pub(crate) use domains::{Clash, Place, SPARE, Size};
pub(crate) use facts::{Facts, LARGE};
pub(crate) use graph::Edge;
pub(crate) use lowered::{Literal, Node, RuleId, RuleNode, Shape, TermId, Variable};
pub(crate) use matching::Makers;
pub(crate) use percept_syntax::near::{nearest, one_slip_apart, same_ends, same_word, slip_of};
pub(crate) use structure::Fault;
pub(crate) use symbols::{Sym, keyword, natural};
pub(crate) use uses::{Occurrence, Predicate, Space};
