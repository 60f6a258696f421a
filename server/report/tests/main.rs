//! What commands and editors both say, tested: one program, so that it is linked once.

mod certain;
mod domain;
mod judged_slips;
mod rule_book;
mod schema;
mod templates;
