//! Ratings from pairwise results: the model of Bradley and Terry (1952), fitted by the algorithm of Hunter, MM
//! algorithms for generalized Bradley-Terry models, Annals of Statistics 32(1), 2004; a drawn match counts as half won
//! by each.

use serde::Serialize;

/// The number of drawn matches added to each pair that met, so that a player that won every match still has a rating.
const PRIOR: f64 = 1.0;
const ROUNDS: usize = 10_000;

/// The strength of a player relative to the others: 400 points more are odds of ten to one, 0 is the mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The name of the strategy.
    pub player: String,
    /// The rating in points.
    pub rating: f64,
    /// The number of matches behind the rating.
    pub matches: usize,
}

/// Computes ratings from results `(first, second, score of the first)`, the best first.
pub fn ratings<'a>(results: impl Iterator<Item = (&'a str, &'a str, f64)>) -> Vec<Rating> {
    let mut names: Vec<&str> = Vec::new();
    let mut at = |name: &'a str| {
        names.iter().position(|other| *other == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let results: Vec<(usize, usize, f64)> =
        results.map(|(first, second, score)| (at(first), at(second), score)).collect();
    let count = names.len();
    let mut met = vec![vec![0.0; count]; count];
    let mut won = vec![0.0; count];
    let mut matches = vec![0; count];
    for &(first, second, score) in &results {
        met[first][second] += 1.0;
        met[second][first] += 1.0;
        won[first] += score;
        won[second] += 1.0 - score;
        matches[first] += 1;
        matches[second] += 1;
    }
    for (row, won) in met.iter_mut().zip(&mut won) {
        for count in row.iter_mut().filter(|count| **count > 0.0) {
            *count += PRIOR;
            *won += PRIOR / 2.0;
        }
    }
    let strengths = fit(&met, &won);
    let logs: Vec<f64> = strengths.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = logs.iter().sum::<f64>() / count.max(1) as f64;
    let rated = (0..count).map(|at| Rating { player: names[at].into(), rating: logs[at] - mean, matches: matches[at] });
    let mut rated: Vec<Rating> = rated.collect();
    rated.sort_by(|left, right| right.rating.total_cmp(&left.rating));
    rated
}

fn fit(met: &[Vec<f64>], won: &[f64]) -> Vec<f64> {
    let mut strengths = vec![1.0; won.len()];
    for _ in 0..ROUNDS {
        let step = |at: usize| {
            let rest: f64 = (0..won.len())
                .filter(|&other| met[at][other] > 0.0)
                .map(|other| met[at][other] / (strengths[at] + strengths[other]))
                .sum();
            if rest > 0.0 { won[at] / rest } else { strengths[at] }
        };
        let mut next: Vec<f64> = (0..won.len()).map(step).collect();
        let logs: f64 = next.iter().map(|it: &f64| it.ln()).sum::<f64>() / next.len().max(1) as f64;
        next.iter_mut().for_each(|it| *it /= logs.exp());
        let change = next.iter().zip(&strengths).map(|(new, old)| (new / old).ln().abs()).fold(0.0, f64::max);
        strengths = next;
        if change < 1e-12 {
            break;
        }
    }
    strengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If every pair met, the fit gives every player its actual wins: this is the condition for a maximum of the
    /// likelihood.
    #[test]
    fn the_expected_wins_are_those_that_happened() {
        let mut results = Vec::new();
        for (first, second, won, lost) in [("a", "b", 7, 3), ("b", "c", 6, 4), ("a", "c", 9, 1)] {
            results.extend((0..won).map(|_| (first, second, 1.0)));
            results.extend((0..lost).map(|_| (first, second, 0.0)));
        }
        let rated = ratings(results.iter().copied());
        let names: Vec<&str> = rated.iter().map(|it| it.player.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let rating = |name: &str| rated.iter().find(|it| it.player == name).unwrap().rating;
        let chance = |one: &str, other: &str| 1.0 / (1.0 + 10f64.powf((rating(other) - rating(one)) / 400.0));
        // Eleven matches per pair, including the added drawn one.
        let expected = 11.0 * (chance("a", "b") + chance("a", "c"));
        assert!((expected - (16.0 + 1.0)).abs() < 1e-6, "{expected}");
        assert!(rated.iter().map(|it| it.rating).sum::<f64>().abs() < 1e-6);
    }
}
