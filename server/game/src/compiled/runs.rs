//! Gates in runs of one shape, which a processor evaluates faster.

use super::within::{Within, conjunction, is_read_negated};
use crate::circuit::{Circuit, Lit};
use crate::components::Components;

/// The number of nodes among which gates of one shape are put next to each other. A gate whose numbers of operands differ
/// from those of the gate before it costs as much as several operands, because the processor predicts how often its loops
/// are repeated. The window bounds the number of values that are kept for longer.
const WINDOW: usize = 8192;

/// The same nodes, segment by segment, with gates of one shape next to each other where their operands allow it (see
/// [`WINDOW`]).
pub(super) fn in_runs(
    circuit: &Circuit,
    within: &Within,
    order: &Components,
    segments: usize,
    place: &[u8],
) -> Components {
    let nodes = circuit.nodes();
    // The number of gates on the longest way from the beginning of the window to each of its nodes.
    let mut depth = vec![0u32; nodes.len()];
    let mut result: Vec<u32> = Vec::with_capacity(order.nodes().len());
    let mut shapes: Vec<((u32, [u32; 5]), u32)> = Vec::with_capacity(WINDOW);
    for segment in 0..segments {
        let own = order.nodes().iter().filter(|&&node| usize::from(place[node as usize]) == segment);
        for window in own.copied().collect::<Vec<u32>>().chunks(WINDOW) {
            shapes.clear();
            for &node in window {
                if conjunction(&nodes[node as usize]).is_none() {
                    shapes.push(((0, [0; 5]), node));
                    continue;
                }
                let read = within.read(circuit, node);
                let deepest = read.map(|lit| depth[lit.node() as usize]).max().unwrap_or(0);
                depth[node as usize] = deepest + 1;
                shapes.push(((deepest + 1, shape(circuit, within, node)), node));
            }
            shapes.sort_by_key(|(shape, _)| *shape);
            window.iter().for_each(|&node| depth[node as usize] = 0);
            result.extend(shapes.iter().map(|(_, node)| *node));
        }
    }
    Components::singles(result)
}

/// The numbers of plain and negated operands of a gate, and of pairs with no, one or two negated operands.
fn shape(circuit: &Circuit, within: &Within, node: u32) -> [u32; 5] {
    let nodes = circuit.nodes();
    let of = |node: u32| conjunction(&nodes[node as usize]).unwrap_or_default();
    let is_negated = |lit: &Lit, flip: bool| is_read_negated(nodes, *lit, flip);
    let mut shape = [0; 5];
    let (operands, flip) = of(node);
    for lit in operands {
        match within.has(lit.node()) {
            false => shape[usize::from(is_negated(lit, flip))] += 1,
            true => {
                let (pair, flip) = of(lit.node());
                shape[2 + pair.iter().filter(|lit| is_negated(lit, flip)).count()] += 1;
            }
        }
    }
    shape
}
