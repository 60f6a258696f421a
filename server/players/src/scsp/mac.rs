//! The decision part of a stage: maintaining arc consistency while values are tried (Sabin and Freuder 1994), on
//! tables.

use super::stage::Stage;

/// Finds all ways to complete `given` (variable, value) over the `wanted` variables so that the `legal` constraints
/// hold, and returns the values of the wanted variables. Before each choice, every value without support in some table
/// is dropped. The variable with the fewest values left is tried next.
pub fn solutions(stage: &Stage, given: &[(usize, u32)], wanted: &[usize]) -> Vec<Vec<u32>> {
    let mut domains: Vec<Vec<u32>> =
        stage.variables.iter().map(|variable| (0..variable.domain.len() as u32).collect()).collect();
    for &(variable, value) in given {
        domains[variable] = vec![value];
    }
    let mut found = Vec::new();
    if revise(stage, &mut domains) {
        search(stage, domains, wanted, &mut found);
    }
    found.sort_unstable();
    found
}

fn search(stage: &Stage, domains: Vec<Vec<u32>>, wanted: &[usize], found: &mut Vec<Vec<u32>>) {
    let open = wanted.iter().copied().filter(|&it| domains[it].len() > 1).min_by_key(|&it| domains[it].len());
    let Some(variable) = open else {
        found.push(wanted.iter().map(|&it| domains[it][0]).collect());
        return;
    };
    for &value in &domains[variable] {
        let mut tried = domains.clone();
        tried[variable] = vec![value];
        if revise(stage, &mut tried) {
            search(stage, tried, wanted, found);
        }
    }
}

/// Drops values without support until nothing changes; `false` if a variable has none left.
fn revise(stage: &Stage, domains: &mut [Vec<u32>]) -> bool {
    let legal: Vec<_> = stage.constraints.iter().filter(|constraint| constraint.kind == "legal").collect();
    loop {
        let mut changed = false;
        for constraint in &legal {
            let fits =
                |row: &&Vec<u32>| constraint.scope.iter().zip(*row).all(|(&it, value)| domains[it].contains(value));
            let rows: Vec<&Vec<u32>> = constraint.rows.iter().filter(fits).collect();
            for (at, &variable) in constraint.scope.iter().enumerate() {
                let before = domains[variable].len();
                let supported: Vec<u32> = domains[variable]
                    .iter()
                    .copied()
                    .filter(|value| rows.iter().any(|row| row[at] == *value))
                    .collect();
                if supported.is_empty() {
                    return false;
                }
                changed |= supported.len() < before;
                domains[variable] = supported;
            }
        }
        if !changed {
            return true;
        }
    }
}
