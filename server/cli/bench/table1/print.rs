//! The table as the paper prints it, our rows below the paper's.

use super::paper::TABLE;
use super::{Cell, Run};

pub(super) fn text(runs: &[Run]) -> String {
    let mut lines = Vec::new();
    for block in &TABLE {
        let any = |run: &Run| run.cells.iter().any(|cell| cell.cell.starts_with(block.game.letter()));
        if !runs.iter().any(any) {
            continue;
        }
        let header: String = block.columns.iter().map(|column| format!("{column:>8}")).collect();
        lines.push(format!("{:<34}{header}", block.title));
        for (row, size) in block.rows.iter().enumerate() {
            let cells = |run: &Run| -> Vec<Option<Cell>> {
                let find = |column| run.cells.iter().find(|cell| cell.cell == block.cell(row, column)).cloned();
                (0..block.columns.len()).map(find).collect()
            };
            let first = cells(&runs[0]);
            if first.iter().all(Option::is_none) {
                continue;
            }
            let paper = |pick: &dyn Fn(&Cell) -> Option<u32>| line(&first, &|cell| pick(cell).map(|it| it.to_string()));
            lines.push(format!("{size:>3} {:<30}{}", "paper, CSP", paper(&|cell| cell.paper_csp)));
            lines.push(format!("{:>3} {:<30}{}", "", "paper, DFS", paper(&|cell| cell.paper_dfs)));
            if first.iter().flatten().any(|cell| cell.reference_found > 0) {
                let program = |cell: &Cell| Some(cell.reference_found.to_string());
                lines.push(format!("{:>3} {:<30}{}", "", "paper's program, these positions", line(&first, &program)));
            }
            for run in runs {
                let name = format!("percept, {} s, at most {}", run.time_s, run.members);
                let found = |cell: &Cell| Some(format!("{}{}", cell.found, if cell.short > 0 { "!" } else { "" }));
                lines.push(format!("{:>3} {name:<30}{}", "", line(&cells(run), &found)));
            }
            let latency = |cell: &Cell| Some(format!("{:.0}", 1000.0 * cell.first_worst_s));
            let last = cells(&runs[runs.len() - 1]);
            lines.push(format!("{:>3} {:<30}{}", "", "first member, ms at worst", line(&last, &latency)));
        }
        lines.push(String::new());
    }
    lines.extend(notes(runs));
    lines.join("\n")
}

fn line(cells: &[Option<Cell>], text: &dyn Fn(&Cell) -> Option<String>) -> String {
    let one = |cell: &Option<Cell>| match cell {
        None => String::new(),
        Some(cell) if cell.infeasible.is_some() => "NA".to_string(),
        Some(cell) => text(cell).unwrap_or_default(),
    };
    cells.iter().map(|cell| format!("{:>8}", one(cell))).collect()
}

/// Notes about the meaning of the figures, and about problems.
fn notes(runs: &[Run]) -> Vec<String> {
    let mut lines = vec![
        "Sums over the positions of a cell. The paper lists a whole set where few combinations are left, so its sums may"
            .to_string(),
        "exceed 300; ours hold at most the members wanted. Times include reading the rules.".to_string(),
    ];
    for cell in &runs[0].cells {
        if let Some(why) = &cell.infeasible {
            lines.push(format!("{}: NA: {why}", cell.cell));
        }
    }
    for run in runs {
        let cells = || run.cells.iter().filter(|cell| cell.infeasible.is_none());
        let sum = |of: &dyn Fn(&Cell) -> usize| cells().map(of).sum::<usize>();
        let worst = cells().max_by(|left, right| left.worst_s.total_cmp(&right.worst_s));
        lines.push(format!(
            "{} s, at most {}: {} positions; whole set in {}, short of it (!) in {}, empty {}; worst {:.2} s{}",
            run.time_s,
            run.members,
            sum(&|cell| cell.positions),
            sum(&|cell| cell.complete),
            sum(&|cell| cell.short),
            sum(&|cell| cell.empty),
            worst.map_or(0.0, |cell| cell.worst_s),
            worst.map_or(String::new(), |cell| format!(" ({})", cell.cell)),
        ));
        let reference: f64 = cells().map(|cell| cell.reference_s * cell.positions as f64).sum();
        if reference > 0.0 {
            let ours: f64 = cells().map(|cell| cell.mean_s * cell.positions as f64).sum();
            lines.push(format!("  all positions: {ours:.1} s; the paper's program, as measured: {reference:.1} s"));
        }
        for cell in cells().filter(|cell| cell.wrong > 0) {
            lines.push(format!("{}: {} sizes differ from those known", cell.cell, cell.wrong));
        }
    }
    lines
}
