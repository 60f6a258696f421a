//! # percept-random-rules: a second opinion on whole games
//!
//! Random games as texts, and their meaning, read naively; the tests beside this crate compare it with all answers of
//! Percept: states, moves, percepts and goals at every step; information sets by every method, as sets of histories
//! with their numbers and probabilities; the verdicts along matches and about every match, by every method; answers to
//! queries; bounds on the length of a match.
//!
//! | part | basis |
//! | --- | --- |
//! | the texts ([`gdl::write`], [`gdl::plots`], [`pogddl::write`], [`pogddl::numbers`]) | none |
//! | the meaning of GDL ([`gdl::Naive`]) | a separate reader of lists of words ([`sexp`]) and a separate fixpoint, layer by layer |
//! | the meaning of POGDDL | `percept-syntax`'s tree as written, and `tests/helpers/src/naive.rs`, which evaluates it by recursion |
//! | possible matches ([`graph`]), knowledge of roles ([`truth`]), meaning of queries ([`query`]) | the two readers; all histories and all pairs of states, by brute force |
//!
//! This crate depends on no crate of Percept; only `tests/` uses both sides. The two sides therefore share only the
//! parser of POGDDL, and nothing for GDL.
//!
//! There are four suites: random rule sets ([`gdl::write`]); rule sets with a plot, in which something rare, or hidden
//! by a symmetry or a count, is broken in one place ([`gdl::plots`]); random domains ([`pogddl::write`]); and domains
//! about numbers, wide, negative, clamped and multiplied, in longer matches ([`pogddl::numbers`]). The suites about
//! every match run each method separately and compare it with brute force and with each other method, whose answers
//! must not contradict it at any length.
//!
//! Brute force is complete up to a length. A `proved` must have no pair of histories up to that length, a `refuted`
//! must be a pair and the shortest, a list must be the whole set; if all pairs of states were examined, no verdict may
//! stay open.
//!
//! ```sh
//! cargo test -p percept-random-rules                                   the same seeds every time
//! PERCEPT_HEAVY=1 cargo test -p percept-random-rules                  a thousand, and fresh ones, whose seeds are printed
//! PERCEPT_RANDOM_SEED=1234 cargo test -p percept-random-rules gdl::       one again; 0..500: a range
//! PERCEPT_RANDOM_COUNT=1 PERCEPT_RANDOM_SEED=0..200 cargo test ...           counts the differences in verdicts on every match
//! sh tests/random_rules/planted/run --games 150 count-returns                the same with a fault planted in the provers
//! ```
//! The quality of the tests: `planted_faults_are_found` (`tests/suite/gdl.rs`) plants faults and counts the cases in
//! which each is found. A fault that is not found usually has no effect (a rule that never fires, ids of moves that are
//! both always legal). In two hundred cases, among those with a place for the fault:
//!
//! | fault | found in |
//! | --- | --- |
//! | a rule is dropped | 81 of 200 |
//! | a condition is dropped | 90 of 200 |
//! | a negation is dropped | 64 of 186 |
//! | `distinct` is always true | 38 of 174 |
//! | one branch of a disjunction is dropped | 19 of 184 |
//! | a percept goes to another role | 86 of 154 |
//! | a move is replaced by another | 53 of 186 |
//! | the initial facts are forgotten | 176 of 186 |
//! | names that differ only in case are one | 50 of 56 |
//! | a move has the id of another in the circuit | 52 of 159 |
//! | a percept has the id of another in the circuit | 32 of 58 |
//! | a fluent has the id of another in the circuit | 101 of 199 |
//! | a percept is lost in the circuit | 58 of 103 |
//! | a fluent is lost in the circuit | 47 of 200 |
//! | the circuit has no terminal state | 51 of 200 |
//!
//! Faults in the provers themselves are in `planted/`, one small diff each, with a script that plants one after the
//! other, builds, and counts; `tests/suite/planted.rs` fails if one no longer applies. The numbers are those of the
//! first hundred games of the suite that finds the fault most often (the other suites find it, too, or have no place
//! for it):
//!
//! | fault | found in | suite, or file of `kept/` |
//! | --- | --- | --- |
//! | `goal-terms`: goals that are terms are not compared | 11 | numbers |
//! | `choice-shares`: a role that does not know its own move makes the same in both copies | 12 | numbers |
//! | `percepts-of-all`: all roles' percepts are assumed to be the same | 10 | numbers |
//! | `values-unknown`: two numbers that are not followed are assumed to be equal (6 of 300) | 1 | numbers |
//! | `bounded-short`: one round too few is examined | 24 | random rule sets |
//! | `property-base`: the property is not checked in the first rounds | 14 | random rule sets |
//! | `legality`: moves need not be legal | 7 | random rule sets |
//! | `pairs-skip`: the last pair of a layer is not examined | 5 | random rule sets |
//! | `choice-exclusive`: a role may make two moves at once | 9 | random domains |
//! | `sieve-last`: the last group of claims is not checked | 14 | rule sets with a plot |
//! | `sieve-one`: claims not broken by the first round's finding are kept | 12 | rule sets with a plot |
//! | `choice-places`: the values of all arguments of hundreds of moves are assigned to one argument | 5 | rule sets with a plot |
//! | `early-percepts`: the percepts of a round are known before it | 5 | rule sets with a plot |
//! | `joint-unasked`: two fluents together are never checked | 3 | rule sets with a plot |
//! | `census-up`: one more fact in one of the matches is not noticed | 2 | rule sets with a plot |
//! | `invariant-base`: invariants are not checked at the start of the induction | 2 | rule sets with a plot |
//! | `tally-two`: two facts of a group that cease at once are not noticed in counted groups | 2 | rule sets with a plot |
//! | `sieve-once`: a group is not checked again after the loss of a claim on which it depends | 1 | rule sets with a plot |
//! | `symmetry-first`: the initial facts are not compared | 1 | rule sets with a plot |
//! | `symmetry-roles`: the image of one role is used for every other one | 1 | rule sets with a plot |
//! | `bounded-first`: one of several symmetric first moves is examined, for all roles at once | 0 | `told-where-both-chose-alike.plot` |
//! | `pairs-images`: the two states of a pair are renamed in different ways | 0 | `told-where-both-chose-alike.plot` |
//! | `lemmas-stale`: agreements are kept although some of their premises no longer agree | 0 | `known-while-held.plot` |
//! | `census-many`: two facts of a group that change at once are not noticed | 0 | none |
//! | `choice-seen`: a percept of one player's move is assumed to show that move, whichever player makes it | 0 | none |
//! | `count-returns`, `count-stays`, `count-offset`: a number that counts moves is counted wrong | 0 | none |
//! | `values-few`: the largest of more than 256 values are forgotten | 0 | none |
//!
//! A file beside a 0 finds the fault in every run. These games do not guard against the faults of the last four rows:
//! counts of moves are used only if no simpler argument suffices, which does not happen in small games; and more than
//! 256 values rarely occur in matches within the reach of brute force. The tests of `percept-infoset` on larger games
//! have to find them.
//!
//! This crate was written because of one mistake: a fold that gave away the ids of dead moves and fluents
//! (`server/game/src/gdl/ground.rs`). With this mistake and without the checks of ids in release builds, `kept_cases`
//! and one of two hundred random cases differ (in the percepts), and two tests of
//! `server/game/tests/suite/gdl_rules.rs` and two of `server/infoset/tests/suite/verdicts` fail. A program with the
//! mistake "proves" false claims by every method that searches, but cannot certify them: it refuses to write three of
//! the proofs, and the certificate of the fourth (pairs) is refused by its own check, which grounds the rules again.
//!
//! A case that differs is minimized ([`shrink`]) and printed as a file for `kept/`, whose cases are part of every run.

pub mod dice;
pub mod gdl;
pub mod graph;
pub mod pogddl;
pub mod query;
pub mod sexp;
pub mod shrink;
pub mod truth;
