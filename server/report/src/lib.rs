//! # percept-report: what commands and editors both say
//!
//! In: files and what the floors below found out about them. Out: the same words for the terminal and the editor, so that
//! they never differ. So far it has one room: which files belong together.
//!
//! Never known here: the language server protocol, arguments of commands, how a terminal is painted.
//!
//! | to do | call |
//! | --- | --- |
//! | read the bytes of a file, unless it is too long or no file | [`files::read`] |
//! | list the descriptions of a folder | [`files::descriptions`] |
//! | tell a domain from a problem by its first words | [`half::of_text`] |
//! | find the domain of a problem | [`domain::find`] |
//!
//! What a search may look at is a trait, [`domain::Folders`]: a command has the disk as it is ([`domain::Disk`]), an
//! editor remembers listings and has texts that are not saved yet.

#![warn(missing_docs)]

pub mod domain;
pub mod files;
pub mod half;
