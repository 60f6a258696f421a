//! The longest path through a graph of states, or a cycle that makes it endless.

#[derive(Clone, Copy)]
enum Mark {
    New,
    /// Its successors are being visited.
    Open,
    /// Finished, with the number of rounds of the longest path from it.
    Done(usize),
}

/// The number of rounds of the longest path from state 0 over numbered states. `successors` returns those of a state,
/// in any order, with or without repetitions.
///
/// A depth-first search in three colours (Cormen, Leiserson, Rivest and Stein, *Introduction to Algorithms*,
/// depth-first search and shortest paths in directed acyclic graphs): only reachable states count, and state 0 may be
/// on a cycle.
///
/// # Errors
/// If a cycle is reachable, so that paths have no greatest length: its states in order, the first one again at the end.
pub fn longest_way<'a>(states: usize, successors: impl Fn(u32) -> &'a [u32]) -> Result<usize, Vec<u32>> {
    let mut marks = vec![Mark::New; states];
    // The states being visited, each with the number of its successors that were examined.
    let mut path: Vec<(u32, usize)> = Vec::new();
    if let Some(first) = marks.first_mut() {
        *first = Mark::Open;
        path.push((0, 0));
    }
    let mut longest = 0;
    while let Some((id, next)) = path.last_mut() {
        let id = *id;
        let Some(&to) = successors(id).get(*next) else {
            let ways = successors(id).iter().map(|&to| match marks[to as usize] {
                Mark::Done(rounds) => rounds + 1,
                Mark::New | Mark::Open => 0,
            });
            longest = ways.max().unwrap_or(0);
            marks[id as usize] = Mark::Done(longest);
            path.pop();
            continue;
        };
        *next += 1;
        match marks[to as usize] {
            Mark::New => {
                marks[to as usize] = Mark::Open;
                path.push((to, 0));
            }
            Mark::Open => {
                let circle = path.iter().map(|&(id, _)| id).skip_while(|&id| id != to);
                return Err(circle.chain([to]).collect());
            }
            Mark::Done(_) => {}
        }
    }
    // The last finished state is state 0.
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::longest_way;

    fn of(graph: &[&[u32]]) -> Result<usize, Vec<u32>> {
        longest_way(graph.len(), |id| graph[id as usize])
    }

    #[test]
    fn the_longest_of_several_ways_counts() {
        assert_eq!(of(&[]), Ok(0));
        assert_eq!(of(&[&[]]), Ok(0));
        assert_eq!(of(&[&[3, 1], &[2], &[3], &[]]), Ok(3));
        // A state that is reached twice is not a cycle.
        assert_eq!(of(&[&[1, 2], &[3, 3], &[3], &[4], &[]]), Ok(3));
    }

    #[test]
    fn circles_are_found_wherever_they_lie() {
        assert_eq!(of(&[&[0]]), Err(vec![0, 0]));
        assert_eq!(of(&[&[1], &[0]]), Err(vec![0, 1, 0]));
        assert_eq!(of(&[&[1, 2], &[], &[3], &[2]]), Err(vec![2, 3, 2]));
        assert_eq!(of(&[&[1], &[2], &[1, 0]]), Err(vec![1, 2, 1]));
        // State 1 is on a cycle, but no path leads there.
        assert_eq!(of(&[&[2], &[1], &[]]), Ok(1));
    }

    /// Tries all paths of every graph of three states, one round longer at a time: with as many rounds as states, one
    /// state is repeated.
    #[test]
    fn every_small_graph_is_told_as_by_brute_force() {
        let lists: [&[u32]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        for number in 0..8 * 8 * 8 {
            let graph = [lists[number % 8], lists[number / 8 % 8], lists[number / 64]];
            let (mut ends, mut rounds) = (vec![0u32], 0);
            loop {
                ends = ends.iter().flat_map(|&at| graph[at as usize]).copied().collect();
                if ends.is_empty() || rounds == 3 {
                    break;
                }
                rounds += 1;
            }
            match of(&graph) {
                Ok(longest) => assert_eq!((longest, ends.is_empty()), (rounds, true), "{graph:?}"),
                Err(circle) => {
                    assert!(!ends.is_empty(), "{graph:?}: {circle:?}");
                    assert_eq!(circle.first(), circle.last());
                    assert!(circle.windows(2).all(|step| graph[step[0] as usize].contains(&step[1])), "{graph:?}");
                }
            }
        }
    }
}
