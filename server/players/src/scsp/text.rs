//! A stage as text, table by table as in the paper's Figure 2.

use std::fmt::{Display, Formatter, Result};

use super::stage::{Chance, Constraint, Stage};

impl Display for Stage {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "; stochastic constraint network: this stage, {} times in a row", self.horizon)?;
        writeln!(f, "\nvariables and domains")?;
        let mut rows: Vec<Vec<String>> = Vec::new();
        for variable in &self.variables {
            let kind = if variable.is_stochastic { "stochastic" } else { "decision" };
            let domain: Vec<String> = variable.domain.iter().map(|it| quoted(it)).collect();
            rows.push(vec![quoted(&variable.name), kind.into(), format!("{{{}}}", domain.join(", "))]);
        }
        lines(f, &rows)?;
        for constraint in &self.constraints {
            self.constraint(f, constraint)?;
        }
        for chance in &self.chances {
            self.chance(f, chance)?;
        }
        Ok(())
    }
}

impl Stage {
    fn name(&self, variable: usize) -> String {
        quoted(&self.variables[variable].name)
    }

    fn value(&self, variable: usize, value: u32) -> String {
        quoted(&self.variables[variable].domain[value as usize])
    }

    fn constraint(&self, f: &mut Formatter<'_>, constraint: &Constraint) -> Result {
        writeln!(f, "\n{} constraint", constraint.kind)?;
        let mut rows = vec![constraint.scope.iter().map(|&it| self.name(it)).collect::<Vec<_>>()];
        let named = |row: &Vec<u32>| constraint.scope.iter().zip(row).map(|(&it, &at)| self.value(it, at)).collect();
        rows.extend(constraint.rows.iter().map(named));
        lines(f, &rows)
    }

    fn chance(&self, f: &mut Formatter<'_>, chance: &Chance) -> Result {
        writeln!(f, "\nconditional probability table of {}", self.name(chance.variable))?;
        let scope = chance.scope.iter().map(|&it| self.name(it));
        let mut rows =
            vec![scope.chain(self.variables[chance.variable].domain.iter().map(|it| quoted(it))).collect::<Vec<_>>()];
        for (key, shares) in &chance.rows {
            let key = chance.scope.iter().zip(key).map(|(&it, &at)| self.value(it, at));
            rows.push(key.chain(shares.iter().map(|&share| fraction(share))).collect());
        }
        lines(f, &rows)
    }
}

/// A name as written in a table: in quotation marks if it contains a separator of names, values or lines.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && !name.contains("  ") && !name.contains([',', '{', '}', '"', '\\', ';']);
    if plain && !name.chars().any(percept_syntax::acts) { name.to_owned() } else { format!("{name:?}") }
}

/// Rows in columns.
fn lines(f: &mut Formatter<'_>, rows: &[Vec<String>]) -> Result {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|it| it.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        writeln!(f, "  {}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// A share as a fraction with a small denominator, if it is one.
fn fraction(share: f64) -> String {
    for denominator in 1..=1_000u32 {
        let numerator = share * f64::from(denominator);
        if (numerator - numerator.round()).abs() < 1e-9 {
            let numerator = numerator.round();
            return if denominator == 1 { format!("{numerator}") } else { format!("{numerator}/{denominator}") };
        }
    }
    format!("{share:.6}")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_do_not_end_early() {
        assert_eq!(quoted("(cell 1 1 b)"), "(cell 1 1 b)");
        assert_eq!(quoted("a,b}"), r#""a,b}""#);
        assert_eq!(quoted("a\u{1b}\nb"), r#""a\u{1b}\nb""#);
        assert_eq!(quoted("a\u{202e}\u{61c}b"), r#""a\u{202e}\u{61c}b""#);
    }
}
