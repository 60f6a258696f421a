//! Reports to people and programs, tested from outside the crate.

mod certain;
mod changes;
mod curve;
mod domain;
mod judged_slips;
mod load;
mod rule_book;
mod schema;
mod templates;
mod tree;
mod words;
