//! The command line of Percept.
fn main() {}
