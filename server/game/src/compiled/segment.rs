//! Parts of a circuit that are evaluated together.

use crate::circuit::Lit;

/// A part of a circuit that is evaluated together.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The literals that can be read once the segment has run.
    pub roots: Vec<Lit>,
    /// True if the segment may be skipped; then later segments must not depend on it.
    pub on_demand: bool,
}

impl Segment {
    /// A segment that is always run, after all earlier ones that are not on demand.
    pub fn always(roots: Vec<Lit>) -> Segment {
        Segment { roots, on_demand: false }
    }

    /// A segment that is run only on request, after all earlier ones that are not on demand.
    pub fn on_demand(roots: Vec<Lit>) -> Segment {
        Segment { roots, on_demand: true }
    }
}

/// The segment of nodes that no segment needs.
pub(super) const NO_SEGMENT: u8 = u8::MAX;
