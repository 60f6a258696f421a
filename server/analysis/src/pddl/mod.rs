//! What is known of a POGDDL domain and its problem: [`Model`], built by [`model()`].
//!
//! In: the typed syntax of one or two files. Out: declarations, scopes, every use of a name with what it stands
//! for, conditions and effects in a form that can be reasoned about. Nothing here reports anything: that is what
//! `rules::pogddl` does.

mod conditions;
mod declare;
mod effects;
mod entailed;
mod facts;
mod features;
mod formula;
mod loud;
mod model;
mod names;
mod plain;
mod resolve;
mod spelling;
mod stuck;
mod types;
mod unread;
mod usage;
mod values;

pub use conditions::{ConditionFinding, Flaw, Judge, Whole, judge_conditions, judge_conditions_of};
pub use declare::{first_domain, first_problem};
pub use effects::{EffectFinding, EffectFlaw, effects_are_clear, judge_effects};
pub use entailed::{Entailed, Verdict};
pub use facts::{Facts, file_of, remove, replace};
pub use features::{FLAGS, Feature, features_in, features_of};
pub use formula::{EffectNode, Formula, KeyId, Number, ObjectId, Orders, Term, UseId, VarId};
pub use loud::loud_actions;
pub use model::*;
pub use names::{Names, Symbol, all_differ};
pub use percept_syntax::near::{form_of, nearest};
pub use resolve::{is_reserved, model, telling_model};
pub use spelling::split_names;
pub use stuck::{Stuck, stuck_actions};
pub use types::{OBJECT, Type, TypeId, TypeSet, Types};
pub use usage::{CallableUses, Usage, action_of, fits, terms_fit};
pub use values::Values;
