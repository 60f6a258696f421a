//! What is known of a POGDDL domain and its problem: [`Model`], built by [`model`].
//!
//! In: the typed syntax of one or two files. Out: declarations, scopes, every use of a name with what it stands
//! for, conditions and effects in a form that can be reasoned about. Nothing here reports anything: that is what
//! `rules::pogddl` does.

mod conditions;
mod declare;
mod effects;
mod facts;
mod features;
mod formula;
mod known;
mod model;
mod names;
mod reach;
mod resolve;
mod types;
mod unread;
mod usage;
mod values;

pub use conditions::{ConditionFinding, Flaw, Judge, Whole, judge_conditions};
pub use declare::{first_domain, first_problem};
pub use effects::{EffectFinding, EffectFlaw, judge_effects};
pub use facts::{Facts, file_of, remove, replace};
pub use features::{FLAGS, Feature, features_in, features_of};
pub use formula::{EffectNode, Formula, KeyId, Number, ObjectId, Orders, Term, UseId, VarId};
pub use known::{Known, Verdict};
pub use model::*;
pub use names::{Names, Symbol, nearest};
pub use reach::{Stuck, stuck_actions};
pub use resolve::{is_reserved, model};
pub use types::{OBJECT, Type, TypeId, TypeSet, Types};
pub use usage::{CallableUses, Usage, action_of, fits, terms_fit};
pub use values::Values;

use percept_syntax::{Source, Syntax, pddl::Definition};

use crate::{Diagnostic, FileId, Settings, check_pddl};

/// Checks a file whose other half is not known. Ranges are in [`FileId`] 0, whichever half it is.
pub fn check_alone(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let is_problem = match &source.syntax {
        Syntax::Pddl(file) => matches!(file.definitions.first(), Some(Definition::Problem(_))),
        Syntax::Gdl(_) => false,
    };
    if !is_problem {
        return check_pddl(Some(source), None, settings);
    }
    let mut list = check_pddl(None, Some(source), settings);
    for diagnostic in &mut list {
        diagnostic.file = FileId(0);
        diagnostic.related.iter_mut().for_each(|related| related.file = FileId(0));
        let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.file = FileId(0));
    }
    list
}
