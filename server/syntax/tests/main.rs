//! Texts and trees, tested: one program, so that it is linked once.

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
