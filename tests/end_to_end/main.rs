//! End to end, through the real binary: the promises of the project, command by command.

mod answers;
mod author;
mod bad_input;
mod changes;
mod check;
mod convert;
mod fix;
mod games;
mod hooks;
mod house;
mod learning;
mod limits;
mod observability;
mod own_moves;
mod pages;
mod playing;
mod proofs;
mod readme;
mod repairs;
mod sarif;
mod support;
mod terminal;
mod truths;
mod values;
mod waiting;
mod watching;
