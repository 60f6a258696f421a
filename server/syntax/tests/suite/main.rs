//! What the parsers, the formatter and the converter do, from outside the crate.

mod convert;
mod corpus;
mod detect;
mod format;
mod infix;
mod lines;
mod pddl;
mod prefix;
mod properties;
mod support;
