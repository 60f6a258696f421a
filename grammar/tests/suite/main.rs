//! Tests of the grammars and their queries, from outside the crate.

mod corpus;
mod queries;
