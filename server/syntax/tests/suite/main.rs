//! Tests of the parsers, the formatter and the converter from outside the crate.

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
