//! The worth of percepts, for games small enough to be solved while an editor waits for its lenses.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use num_traits::ToPrimitive;
use percept_game::PogddlOptions;
use percept_infoset::Budget;
use percept_solve::worth::{Percept, Rules, Value, Worth, worth};
use percept_solve::{Options, Space};
use percept_syntax::{Syntax, TextRange};

use crate::cancel::Token;
use crate::games;
use crate::snapshot::{File, Snapshot};

/// The time limit for all solving for one text.
const TIME: Duration = Duration::from_millis(400);
/// Bytes for the tree of a game.
const MEMORY: usize = 8 << 20;
/// The number of percepts above which a description gets no prices.
const MOST: usize = 24;
/// The most games whose prices are kept.
const KEPT: usize = 8;

/// The range of a percept in the first of the game's files, and its price in words.
pub(crate) type Price = (TextRange, String);

/// The files of a game, and its prices.
type PricedGame = (Vec<Arc<File>>, Arc<Vec<Price>>);

/// The prices of the most recently used texts, including those of games that are too large (they have none).
#[derive(Debug, Default)]
pub(crate) struct Prices(Mutex<Vec<PricedGame>>);

impl Prices {
    /// The prices of a game with these files; none if it is too large, or the token fired.
    pub(crate) fn of(&self, files: &[Arc<File>], options: &PogddlOptions, token: &Token) -> Arc<Vec<Price>> {
        let same =
            |other: &[Arc<File>]| other.len() == files.len() && other.iter().zip(files).all(|(a, b)| Arc::ptr_eq(a, b));
        let entry = self.lock().iter().find(|(entry, _)| same(entry)).map(|(_, prices)| prices.clone());
        if let Some(prices) = entry {
            return prices;
        }
        let prices = Arc::new(priced(files, options, token).unwrap_or_default());
        if !token.is_cancelled() {
            let mut kept = self.lock();
            kept.insert(0, (files.to_vec(), prices.clone()));
            kept.truncate(KEPT);
        }
        prices
    }

    /// Forgets those of texts that no client can ask for.
    pub(crate) fn forget_old(&self, newest: &Snapshot) {
        self.lock().retain(|(files, _)| files.iter().all(|file| newest.may_have(file)));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PricedGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn priced(files: &[Arc<File>], pogddl: &PogddlOptions, token: &Token) -> Option<Vec<Price>> {
    let rules = match &files.first()?.source()?.syntax {
        Syntax::Gdl(description) => Rules::Gdl(description),
        Syntax::Pddl(_) => {
            let (domain, problem) = games::halves(files)?;
            Rules::Pogddl(domain, problem, pogddl)
        }
    };
    if !(1..=MOST).contains(&rules.percepts().len()) {
        return None;
    }
    let budget = Budget { cancel: Some(token.flag()), deadline: Instant::now().checked_add(TIME), ..Budget::default() };
    let options = Options { space: Space { bytes: MEMORY }, ..Options::default() };
    let worth = worth(&rules, &options, &budget).ok()?;
    if budget.stop().is_some() {
        // Some of the changed games were not solved to their end.
        return None;
    }
    let price = |percept: &Percept| Some((percept.source.range, sentence(&worth, percept)?));
    Some(worth.percepts.iter().filter_map(price).collect())
}

/// The price of a percept for every role: the difference between the values of the game with and without it.
///
/// `None` if no role can guarantee more with it and the goals are not opposed: all others together can take almost
/// anything from a role, so this says nothing about the worth of the percept in play.
fn sentence(worth: &Worth, percept: &Percept) -> Option<String> {
    let with = |role: &str| worth.values.iter().find(|(name, _)| name == role).map(|(_, value)| value);
    let mut prices = Vec::new();
    for row in &percept.rows {
        match (with(&row.role), &row.without) {
            (Some(with), Ok(without)) => prices.extend(price(with, without).map(|it| format!("{it} to {}", row.role))),
            (_, Err(why)) => return Some(format!("cannot be left out: {why}")),
            (None, Ok(_)) => {}
        }
    }
    match (prices.is_empty(), worth.secured) {
        (true, true) => None,
        (true, false) => Some("worth nothing".to_string()),
        (false, true) => Some(format!("worth {}, as far as roles can guarantee it", prices.join(", "))),
        (false, false) => Some(format!("worth {}", prices.join(", "))),
    }
}

/// The price, unless it is zero.
fn price(with: &Value, without: &Value) -> Option<String> {
    if let (Some(with), Some(without)) = (&with.exact, &without.exact) {
        let exact = with - without;
        let number = exact.to_f64()?;
        let short = exact.is_integer() || exact.denom().bits() <= 7;
        return (number != 0.0).then(|| if short { exact.to_string() } else { rounded(number) });
    }
    let number = with.value - without.value;
    (number.abs() > with.error + without.error + 1e-6).then(|| rounded(number))
}

fn rounded(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;

    fn exact(numerator: i64, denominator: i64) -> Value {
        let fraction = BigRational::new(BigInt::from(numerator), BigInt::from(denominator));
        Value { value: numerator as f64 / denominator as f64, error: 0.0, exact: Some(fraction) }
    }

    fn about(value: f64, error: f64) -> Value {
        Value { value, error, exact: None }
    }

    #[test]
    fn prices_are_short_and_nothing_is_no_price() {
        assert_eq!(price(&exact(90, 1), &exact(50, 1)).as_deref(), Some("40"));
        assert_eq!(price(&exact(1, 3), &exact(0, 1)).as_deref(), Some("1/3"));
        assert_eq!(price(&exact(1, 1009), &exact(0, 1)).as_deref(), Some("0.001"));
        assert_eq!(price(&exact(5, 7), &exact(5, 7)), None);
        assert_eq!(price(&about(50.0, 1e-5), &about(50.00001, 1e-5)), None);
        assert_eq!(price(&about(50.0, 1e-5), &about(52.5, 1e-5)).as_deref(), Some("-2.5"));
    }
}
