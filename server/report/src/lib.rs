//! # percept-report: the shared reports of commands and editors
//!
//! In: files, and the results of the crates below. Out: the same words for the terminal and the editor, so that the two
//! never differ: the files of a game, one list of [`Finding`]s of the text and of the game, each with its witness, and
//! one rule book ([`book`]).
//!
//! Never known here: the language server protocol, arguments of commands, terminal painting.
//!
//! | to do | call |
//! | --- | --- |
//! | read the bytes of a file, with a limit | [`files::read`] |
//! | list the descriptions of a folder | [`files::descriptions`] |
//! | recognise a domain or a problem by its first words | [`half::of_text`] |
//! | find the other files of a game, and the findings in it | [`workspace::Unit`] |
//! | find and read the settings of a folder | [`settings`] |
//! | find the domain of a problem | [`domain::find`] |
//! | name moves, histories, percepts | [`names`] |
//! | say a move or a fluent in a person's words | [`speech::Speech`] |
//! | put a property, a value, a verdict into words | [`words`] |
//! | give a verdict as data, for the command and the editor | [`verdict::MatchVerdict`], [`verdict::GameVerdict`] |
//! | give the place of a piece of text in a file | [`place::InFile`] |
//! | write findings or verdicts as SARIF | [`sarif::Log`] |
//! | find the rules behind missing knowledge | [`blame::Blamer`] |
//! | make a game of a path, or of texts | [`load::sources`], [`load::game`] |
//! | draw a state as boards | [`board::Layout`] |
//! | compute the probability of every fluent for a role | [`belief::Worlds`] |
//! | collect a role's whole knowledge at a place, and nothing else | [`seat::Seat::of`] |
//! | propose percepts for a role, proved to suffice | [`repair::repairs`] |
//! | play a history given by names, and one more round | [`replay::replay`], [`replay::own_move`] |
//! | show a whole place of a match | [`scene::Scene`] |
//! | list the histories that a role cannot tell apart | [`members::Members`] |
//! | put two indistinguishable histories side by side | [`pair::frames`] |
//! | list the atoms that can be explained | [`atoms::atoms`] |
//! | explain an atom | [`why::why`] |
//! | show any of this as lines of marked text with actions | [`page`] |
//! | count the histories that a round's percepts rule out | [`information`] |
//! | draw the tree of a game | [`tree::draw`] |
//! | draw a solver's exploitability over time | [`curve::draw`] |
//! | make untrusted text harmless | [`clean::clean`], in HTML and SVG [`clean::escape`] |
//! | name the change of a text beside a finding that is new | [`changes::Changes`] |
//! | judge a game, and join its findings with those of the text | [`judge`], [`join`] |
//!
//! A search reads files through a trait, [`workspace::Texts`]: a command reads the disk ([`workspace::OnDisk`]); an
//! editor remembers listings and has unsaved texts.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | find the files that belong together, read one | `workspace.rs`, `domain.rs`; `load.rs`, `files.rs` |
//! | change the data of a verdict, a place of a match or a list of histories | `verdict.rs`, `scene.rs`, `seat.rs`, `members.rs`, `belief.rs`; for editors only (explanations, repairs, coverage, matches against others): `editor.rs`; `UPDATE_EXPECT=1 cargo test -p percept-report --test suite schema` rewrites `schema.json` and the VS Code client's `answers.ts` |
//! | draw boards differently, give pieces other signs | `board`; as text they are painted in `page/boards.rs`, in VS Code and on the web in `panel/board.ts` |
//! | change the words or the order of a page in Neovim, Emacs or the terminal | `page`; its colours: `stepper.lua`, `percept.el`, `server/cli/src/tui/paint.rs` |
//! | say moves and fluents differently | `speech.rs`; its comments are read in `analysis/src/ide/sayings.rs`, and on pages `panel/words.ts` takes its words |
//! | change a role's beliefs, or the content of its seat | `belief.rs`, `seat.rs` |
//! | propose other repairs | `repair`: candidates in `gdl.rs` and `pogddl.rs`, their declarations in `declare.rs`, proofs and measures in `mod.rs` |

#![warn(missing_docs, unreachable_pub)]

pub mod atoms;
pub mod belief;
pub mod blame;
pub mod board;
pub mod book;
pub mod changes;
pub mod clean;
pub mod contrast;
pub mod curve;
pub mod domain;
pub mod editor;
pub mod files;
pub mod half;
pub mod information;
mod judged;
pub mod load;
pub mod members;
pub mod names;
pub mod page;
pub mod pair;
pub mod place;
pub mod repair;
pub mod replay;
pub mod sarif;
pub mod scene;
pub mod seat;
pub mod settings;
pub mod signs;
pub mod speech;
pub mod tree;
pub mod verdict;
pub mod why;
pub mod words;
pub mod workspace;
pub mod wrap;

pub use judged::{
    Finding, Judged, Proof, Witness, game, join, judge, judge_with_extent, name_changes, only_text, refusals, untold,
    with_game,
};
