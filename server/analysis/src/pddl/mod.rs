//! The analysis of a POGDDL domain and its problem: [`Model`], built by [`model()`](resolve::model).
//!
//! In: the typed syntax of one or two files. Out: declarations, scopes, every use of a name with its meaning, and
//! conditions and effects in a form for reasoning. Nothing here reports findings: `rules::pogddl` does that.

mod conditions;
mod declare;
mod effects;
mod entailed;
mod facts;
mod features;
mod formula;
mod loud;
mod model;
#[cfg(test)]
mod mutants;
mod names;
#[cfg(test)]
mod passed_over;
mod plain;
mod resolve;
mod spelling;
mod stuck;
mod types;
mod unread;
mod usage;
mod values;

pub(crate) use conditions::{ConditionFinding, Flaw, Whole};
pub(crate) use declare::{first_domain, first_problem};
pub(crate) use effects::EffectFlaw;
pub(crate) use facts::{Facts, file_of, remove, replace, replace_all};
pub(crate) use features::{FLAGS, Feature, features_in, features_of};
pub(crate) use formula::{EffectNode, Formula, KeyId, Number, ObjectId, Term, UseId, VarId};
pub(crate) use model::*;
pub(crate) use names::{Symbol, all_differ};
pub(crate) use percept_syntax::near::{form_of, nearest, nearest_or_doubled};
pub(crate) use resolve::is_reserved;
pub(crate) use spelling::split_names;
pub(crate) use stuck::{Stuck, stuck_actions};
pub(crate) use types::{OBJECT, TypeId, TypeSet};
pub(crate) use usage::action_of;
