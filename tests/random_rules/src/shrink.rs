//! Minimizes a failing case: removes every part without which it still fails in the same way.

use crate::sexp::Sexp;

/// The smallest case found by removing statements (half of them first, then fewer), then parts of them, and by
/// replacing expressions by their parts. `fails` is called at most `attempts` times.
pub fn shrink(case: Vec<Sexp>, attempts: usize, fails: &mut dyn FnMut(&[Sexp]) -> bool) -> Vec<Sexp> {
    let mut left = attempts;
    let mut ask = |case: &[Sexp]| {
        let may = left > 0;
        left = left.saturating_sub(1);
        may && fails(case)
    };
    let mut case = case;
    loop {
        let before: usize = case.iter().map(Sexp::size).sum();
        case = fewer(case, &mut ask);
        case = smaller(case, &mut ask);
        if case.iter().map(Sexp::size).sum::<usize>() == before {
            return renamed(case, &mut ask);
        }
    }
}

/// Replaces long and odd names by short ones if the case still fails.
fn renamed(mut case: Vec<Sexp>, ask: &mut dyn FnMut(&[Sexp]) -> bool) -> Vec<Sexp> {
    let mut names = std::collections::BTreeSet::new();
    case.iter().for_each(|sexp| {
        sexp.words(&mut |word| {
            names.insert(word.to_owned());
        });
    });
    let is_odd =
        |name: &String| name.len() > 12 || !name.chars().all(|c| c.is_ascii_lowercase() || "?0123456789".contains(c));
    for (index, name) in names.iter().filter(|name| is_odd(name)).enumerate() {
        let other: Vec<Sexp> = case.iter().map(|sexp| with_name(sexp, name, &format!("n{index}"))).collect();
        if ask(&other) {
            case = other;
        }
    }
    case
}

fn with_name(sexp: &Sexp, old: &str, new: &str) -> Sexp {
    match sexp {
        Sexp::Word(word) => Sexp::word(if word == old { new } else { word }),
        Sexp::List(parts) => Sexp::List(parts.iter().map(|part| with_name(part, old, new)).collect()),
    }
}

fn fewer(mut case: Vec<Sexp>, ask: &mut dyn FnMut(&[Sexp]) -> bool) -> Vec<Sexp> {
    let mut chunk = case.len() / 2;
    while chunk > 0 {
        let mut at = 0;
        while at < case.len() {
            let until = (at + chunk).min(case.len());
            let without = [&case[..at], &case[until..]].concat();
            if ask(&without) {
                case = without;
            } else {
                at = until;
            }
        }
        chunk /= 2;
    }
    case
}

/// The path to a part of an expression: the indexes on each level.
type Path = Vec<usize>;

fn paths(sexp: &Sexp, path: &Path, found: &mut Vec<Path>) {
    if let Sexp::List(parts) = sexp {
        for (at, part) in parts.iter().enumerate().skip(1) {
            let path = [&path[..], &[at]].concat();
            found.push(path.clone());
            paths(part, &path, found);
        }
        if let Some(first @ Sexp::List(_)) = parts.first() {
            paths(first, &[&path[..], &[0]].concat(), found);
        }
    }
}

fn at<'a>(sexp: &'a mut Sexp, path: &[usize]) -> Option<&'a mut Sexp> {
    path.iter().try_fold(sexp, |sexp, &place| match sexp {
        Sexp::List(parts) => parts.get_mut(place),
        Sexp::Word(_) => None,
    })
}

fn smaller(mut case: Vec<Sexp>, ask: &mut dyn FnMut(&[Sexp]) -> bool) -> Vec<Sexp> {
    for index in 0..case.len() {
        let mut all = Vec::new();
        paths(&case[index], &Vec::new(), &mut all);
        // The largest parts come first; parts inside of a removed one are skipped.
        let mut next = 0;
        while next < all.len() {
            let path = all[next].clone();
            next += 1;
            let mut changed = None;
            for change in changes(&mut case[index].clone(), &path) {
                let mut other = case.clone();
                other[index] = change;
                if ask(&other) {
                    changed = Some(other);
                    break;
                }
            }
            if let Some(other) = changed {
                case = other;
                all.clear();
                paths(&case[index], &Vec::new(), &mut all);
                next = all.iter().position(|other| *other >= path).unwrap_or(all.len());
            }
        }
    }
    case
}

/// The expression without the part, and with the part replaced by its own parts.
fn changes(sexp: &mut Sexp, path: &[usize]) -> Vec<Sexp> {
    let mut all = Vec::new();
    let (last, above) = path.split_last().expect("a part");
    let whole = sexp.clone();
    if let Some(Sexp::List(parts)) = at(sexp, above) {
        parts.remove(*last);
        all.push(sexp.clone());
    }
    let mut inner = whole.clone();
    if let Some(Sexp::List(parts)) = at(&mut inner, path).cloned() {
        for part in parts.into_iter().skip(1) {
            let mut changed = whole.clone();
            *at(&mut changed, path).expect("there") = part;
            all.push(changed);
        }
    }
    all
}
