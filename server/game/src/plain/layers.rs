//! The order of evaluation: every relation is evaluated after those that it reads, and together with those that depend
//! on each other.

/// The nodes `0..reads.len()` in layers. A layer is one node, or all nodes that read each other directly or indirectly;
/// it comes after the layers that it reads. (S. R. Kosaraju's two searches, in M. Sharir's paper of 1981: one against
/// the edges for the order, one along them for the layers.)
pub(super) fn layers(reads: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut layers = Vec::new();
    let mut is_placed = vec![false; reads.len()];
    // In reverse order, a relation reads only relations that have a layer already, or that read it in turn.
    for node in by_readers(reads).into_iter().rev() {
        if std::mem::replace(&mut is_placed[node as usize], true) {
            continue;
        }
        let mut layer = vec![node];
        let mut at = 0;
        while let Some(&member) = layer.get(at) {
            for &read in &reads[member as usize] {
                if !std::mem::replace(&mut is_placed[read as usize], true) {
                    layer.push(read);
                }
            }
            at += 1;
        }
        layers.push(layer);
    }
    layers
}

/// The nodes, each after all nodes that read it, unless it reads them in turn.
fn by_readers(reads: &[Vec<u32>]) -> Vec<u32> {
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); reads.len()];
    for (reader, read) in (0..).zip(reads) {
        read.iter().for_each(|&read| readers[read as usize].push(reader));
    }
    let mut found = Vec::with_capacity(reads.len());
    let mut is_seen = vec![false; reads.len()];
    for root in 0..reads.len() as u32 {
        if std::mem::replace(&mut is_seen[root as usize], true) {
            continue;
        }
        // Nodes, each with the number of its readers that were examined.
        let mut path = vec![(root, 0)];
        while let Some((node, looked_at)) = path.last_mut() {
            match readers[*node as usize].get(*looked_at) {
                Some(&reader) => {
                    *looked_at += 1;
                    if !std::mem::replace(&mut is_seen[reader as usize], true) {
                        path.push((reader, 0));
                    }
                }
                None => {
                    found.push(*node);
                    path.pop();
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::layers;

    #[test]
    fn what_is_read_comes_first() {
        let reads = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5, 4], vec![3, 0]];
        let mut found = layers(&reads);
        found.iter_mut().for_each(|layer| layer.sort_unstable());
        let place = |node: u32| found.iter().position(|layer| layer.contains(&node)).expect("every node has a place");
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(found[place(0)], [0, 1, 2]);
        for (node, read) in (0..).zip(&reads) {
            assert!(read.iter().all(|&read| place(read) <= place(node)), "{node} in {found:?}");
        }
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let reads: Vec<Vec<u32>> =
            (0..200_000).map(|node| (node < 199_999).then_some(node + 1).into_iter().collect()).collect();
        assert_eq!(layers(&reads), (0..200_000).rev().map(|node| vec![node]).collect::<Vec<_>>());
    }
}
