//! Many questions "can this be true?" answered together: each model answers yes to several, and the rest are asked
//! again, until no model is left.

use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// For each target whether it can be true under what is demanded. `None` where the time was up.
///
/// Leaves the clauses as fit for use as they were: what it adds hangs on a variable of its own.
pub fn possible(net: &mut Net, clauses: &mut Clauses, targets: &[Lit]) -> Option<Vec<bool>> {
    let mut possible = vec![false; targets.len()];
    let mut open: Vec<usize> = (0..targets.len()).filter(|&index| targets[index] != Lit::FALSE).collect();
    while !open.is_empty() {
        // A fresh question whenever half of the last one is answered keeps the long clauses few and honest.
        let asked = open.len();
        let question = net.input();
        let switches: Vec<Lit> = open.iter().map(|_| net.input()).collect();
        for (&switch, &index) in switches.iter().zip(&open) {
            clauses.add(net, [!switch, targets[index]]);
        }
        clauses.add(net, switches.iter().copied().chain([!question]));
        let mut left = asked;
        while left > asked / 2 {
            if !clauses.solve(net, &[question])? {
                return Some(possible);
            }
            // All values are read before anything is added: that would end the model.
            let hits =
                switches.iter().zip(&open).filter(|&(_, &index)| !possible[index] && clauses.value(targets[index]));
            let hits: Vec<(Lit, usize)> = hits.map(|(&switch, &index)| (switch, index)).collect();
            left -= hits.len();
            for (switch, index) in hits {
                possible[index] = true;
                clauses.add(net, [!switch]);
            }
        }
        open.retain(|&index| !possible[index]);
    }
    Some(possible)
}
