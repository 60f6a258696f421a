//! Which numbers stay in a small range, so that they can be fluents, one per value, instead of registers.

use super::engine::Engine;

/// For every function the least and greatest value of its instances, where both are known and close.
pub(crate) fn bounds(engine: &Engine, _ends_at_payoff: bool) -> Vec<Option<(i64, i64)>> {
    vec![None; engine.functions.len()]
}
