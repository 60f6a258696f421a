//! # percept-report: what commands and editors both say
//!
//! In: files and what the floors below found out about them. Out: the same words for the terminal and the editor, so that
//! they never differ: which files belong together, and one list of [`Finding`]s of the text and of the game, with a witness
//! where there is one, and one rule book ([`book`]).
//!
//! Never known here: the language server protocol, arguments of commands, how a terminal is painted.
//!
//! | to do | call |
//! | --- | --- |
//! | read the bytes of a file, unless it is too long or no file | [`files::read`] |
//! | list the descriptions of a folder | [`files::descriptions`] |
//! | tell a domain from a problem by its first words | [`half::of_text`] |
//! | find the files that mean something with a file, and what is wrong with them | [`workspace::Unit`] |
//! | find and read the settings of a folder | [`settings`] |
//! | find the domain of a problem | [`domain::find`] |
//! | name moves, histories, percepts | [`names`] |
//! | say what a property, a value, a verdict is in words | [`words`] |
//! | give a verdict as data, for the command and the editor | [`verdict::MatchVerdict`], [`verdict::GameVerdict`] |
//! | say where something stands in a file | [`place::InFile`] |
//! | write findings or verdicts as SARIF | [`sarif::Log`] |
//! | find the rules behind what a role does not know | [`blame::Blamer`] |
//! | make a game of a path, or of texts | [`load::sources`], [`load::game`] |
//! | draw a state as boards | [`board::Layout`] |
//! | say how likely every fluent is to a role | [`belief::Worlds`] |
//! | say all that a role can know at a place, and nothing else | [`seat::Seat::of`] |
//! | propose what a role should be told, proved to suffice | [`repair::repairs`] |
//! | play a history given by names, and one round more | [`replay::replay`], [`replay::own_move`] |
//! | show all there is to see at a place | [`scene::Scene`] |
//! | list what a role cannot tell apart | [`members::Members`] |
//! | put two histories that look the same side by side | [`pair::frames`] |
//! | list what can be asked for its reasons | [`askable::atoms`] |
//! | say how many histories a round's percepts rule out | [`told::told`] |
//! | show text of strangers where it could act | [`clean::clean`] |
//! | judge a game, and put what is found beside what the text shows | [`judge`], [`join`] |
//!
//! What a search may look at is a trait, [`workspace::Texts`]: a command has the disk as it is ([`workspace::OnDisk`]), an
//! editor remembers listings and has texts that are not saved yet.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | find the files that belong together, read one | `workspace.rs`, `domain.rs`; `load.rs`, `files.rs` |
//! | change what a verdict, a place of a match or a list of histories says to programs | `verdict.rs`, `scene.rs`, `seat.rs`, `members.rs`, `belief.rs`; what editors alone ask (reasons, repairs, coverage, matches against others): `editor.rs`; `UPDATE_EXPECT=1 cargo test -p percept-report --test schema` writes `schema.json` and the VS Code client's `answers.ts` anew |
//! | draw boards otherwise, give pieces other signs | `board`; the terminal paints them in `server/cli/src/boards.rs`, VS Code in `panel/board.ts`, Neovim in `render.lua` |
//! | change what a role believes, or what is shown at its seat | `belief.rs`, `seat.rs` |
//! | propose other repairs of what a role does not know | `repair`: candidates in `gdl.rs` and `pogddl.rs`, their declarations in `declare.rs`, proved and measured in `mod.rs` |

#![warn(missing_docs, unreachable_pub)]

pub mod askable;
pub mod belief;
pub mod blame;
pub mod board;
pub mod book;
pub mod clean;
pub mod domain;
pub mod editor;
pub mod files;
pub mod half;
mod judged;
pub mod load;
pub mod members;
pub mod names;
pub mod pair;
pub mod place;
pub mod repair;
pub mod replay;
pub mod sarif;
pub mod scene;
pub mod seat;
pub mod settings;
pub mod told;
pub mod verdict;
pub mod words;
pub mod workspace;

pub use judged::{Finding, Judged, Proof, Witness, game, join, judge, only_text, refusals, untold, with_game};
