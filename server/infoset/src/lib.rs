//! # percept-infoset: what a role can know.
