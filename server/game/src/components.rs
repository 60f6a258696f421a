//! Strongly connected components (Tarjan 1972), without recursion.

/// Components in a row, each after all that it reaches.
#[derive(Default)]
pub(crate) struct Components {
    nodes: Vec<u32>,
    /// The end of each component.
    ends: Vec<u32>,
}

impl Components {
    /// Single nodes in this order.
    pub(crate) fn singles(nodes: Vec<u32>) -> Components {
        let ends = (1..=nodes.len() as u32).collect();
        Components { nodes, ends }
    }

    /// The components in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        begins.zip(&self.ends).map(|(&begin, &end)| &self.nodes[begin as usize..end as usize])
    }

    /// The nodes of all components.
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.nodes
    }
}

/// Like [`components_from`], for a graph without cycles. A plain walk orders it: every node is a component.
pub(crate) fn postorder_from(
    roots: impl IntoIterator<Item = u32>,
    count: usize,
    successor: impl Fn(u32, usize) -> Option<u32>,
) -> Components {
    let mut seen = vec![false; count];
    let mut nodes = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.last_mut() {
            match successor(*node, *edge) {
                Some(successor) => {
                    *edge += 1;
                    if !std::mem::replace(&mut seen[successor as usize], true) {
                        calls.push((successor, 0));
                    }
                }
                None => {
                    nodes.push(*node);
                    calls.pop();
                }
            }
        }
    }
    Components::singles(nodes)
}

/// The components of the graph with nodes `0..successors.len()`, each node's successors before the node itself:
/// a component comes after every component it reaches.
pub(crate) fn components<T: AsRef<[u32]>>(successors: &[T]) -> Vec<Vec<u32>> {
    let all = 0..successors.len() as u32;
    let successor = |node: u32, edge: usize| successors[node as usize].as_ref().get(edge).copied();
    components_from(all, successors.len(), successor).iter().map(<[u32]>::to_vec).collect()
}

/// Like [`components`], for the nodes that the roots reach: those of the first root come first. There are `count`
/// nodes; `successor` returns a node's successor by its index.
pub(crate) fn components_from(
    roots: impl IntoIterator<Item = u32>,
    count: usize,
    successor: impl Fn(u32, usize) -> Option<u32>,
) -> Components {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut result, mut next) = (Vec::new(), Components::default(), 0);
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for root in roots {
        if index[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            let at = node as usize;
            if edge == 0 {
                index[at] = next;
                low[at] = next;
                next += 1;
                stack.push(node);
                on_stack[at] = true;
            }
            if let Some(successor) = successor(node, edge) {
                calls.push((node, edge + 1));
                if index[successor as usize] == NEW {
                    calls.push((successor, 0));
                } else if on_stack[successor as usize] {
                    low[at] = low[at].min(index[successor as usize]);
                }
                continue;
            }
            if low[at] == index[at] {
                let start = stack.iter().rposition(|&member| member == node).expect("a root is on the stack");
                stack[start..].iter().for_each(|&member| on_stack[member as usize] = false);
                result.nodes.extend(stack.drain(start..));
                result.ends.push(result.nodes.len() as u32);
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{components, components_from, postorder_from};

    #[test]
    fn successors_come_first() {
        let graph: Vec<Vec<u32>> = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5]];
        let mut found = components(&graph);
        found.iter_mut().for_each(|component| component.sort());
        assert_eq!(found, vec![vec![4], vec![3], vec![0, 1, 2], vec![5]]);
    }

    #[test]
    fn without_cycles_the_order_is_the_same() {
        let graph: Vec<Vec<u32>> = vec![vec![3, 1], vec![2, 4], vec![4], vec![4, 2], vec![], vec![0, 3]];
        let successor = |node: u32, edge: usize| graph[node as usize].get(edge).copied();
        for roots in [vec![0, 5], vec![5, 0], vec![3, 1, 5], vec![4]] {
            let all = components_from(roots.iter().copied(), graph.len(), successor);
            let order = postorder_from(roots, graph.len(), successor);
            assert_eq!(order.nodes(), all.nodes());
            assert_eq!(order.iter().collect::<Vec<_>>(), all.iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let graph: Vec<Vec<u32>> =
            (0..200_000).map(|node| if node < 199_999 { vec![node + 1] } else { vec![] }).collect();
        assert_eq!(components(&graph).len(), 200_000);
    }
}
