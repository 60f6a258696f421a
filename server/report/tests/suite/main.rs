//! Reports to people and programs, tested from outside the crate.

mod certain;
mod domain;
mod judged_slips;
mod rule_book;
mod schema;
mod templates;
