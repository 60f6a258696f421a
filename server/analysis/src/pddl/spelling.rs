//! Predicates that a typo split into two, both declared: effects write to one, conditions read the other.

use percept_syntax::near::Near;
use rustc_hash::FxHashMap;

use super::{CallableId, Facts};

/// Predicates that effects set and nothing reads, each with the predicate of nearly the same name and the same arity
/// that conditions read and no effect sets, if there is exactly one.
pub(crate) fn split_names(facts: &Facts) -> FxHashMap<CallableId, CallableId> {
    let model = &facts.model;
    let (mut unread, mut unset) = (Vec::new(), Vec::new());
    for (id, callable) in (0..).map(CallableId).zip(&model.callables).filter(|(_, callable)| !callable.is_function) {
        let uses = facts.usage.of(id);
        let is_set = [&uses.adds, &uses.deletes, &uses.heads].iter().any(|uses| !uses.is_empty());
        match (is_set, uses.reads.is_empty()) {
            (true, true) => unread.push((id, callable)),
            (false, false) => unset.push((id, callable)),
            _ => {}
        }
    }
    if unread.is_empty() || unset.is_empty() {
        return FxHashMap::default();
    }
    let near = Near::new(unset.iter().map(|(id, callable)| (model.names.text(callable.name), *id)));
    let one = |(id, callable): (CallableId, &super::Callable)| {
        let mut others = near.of(model.names.text(callable.name)).map(|(_, other)| other);
        let other = others.find(|other| model.callable(*other).params.len() == callable.params.len())?;
        others.all(|more| model.callable(more).params.len() != callable.params.len()).then_some((id, other))
    };
    unread.into_iter().filter_map(one).collect()
}
