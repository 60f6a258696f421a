//! Writes questions out: each quantifier becomes a list of cases, one for each fact that the game can have.

use std::sync::Arc;

use percept_game::{Game, Ground, RoleId, Term};

use super::facts::{Facts, Spelling, exactly, fitting};
use super::formula::{Atom, Formula, Placed, QueryError, Question};
use super::pattern::{is_closed, variable, with};
use super::sentence::Sentence;

/// The most parts of a sentence, and the most facts examined to write it.
const MOST_PARTS: usize = 1_000_000;
const MOST_LOOKS: usize = 50_000_000;

impl Sentence {
    /// The sentence of a question about one history. `ground`: the whole game's circuit; without it no variables can be
    /// written out.
    ///
    /// # Errors
    /// An atom that no fact of the game fits, with its position; a sentence that would be too long.
    pub(super) fn of(game: &Game, ground: Option<&Arc<Ground>>, question: &Question) -> Result<Sentence, QueryError> {
        let facts = ground.map(|ground| Facts::of(game, ground));
        let formula = match &facts {
            Some(facts) => {
                let spelling = Spelling::of(facts);
                mapped(&question.formula, &|term| spelling.term(term))
            }
            None => question.formula.clone(),
        };
        let mut writer = Writer { game, facts, parts: 0, looks: 0 };
        writer.check(&formula)?;
        writer.write(&formula)
    }
}

struct Writer<'a> {
    game: &'a Game,
    facts: Option<Facts>,
    parts: usize,
    looks: usize,
}

impl Writer<'_> {
    /// Fails if some atom matches no fact.
    fn check(&self, formula: &Formula) -> Result<(), QueryError> {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().try_for_each(|part| self.check(part)),
            Formula::Not(part) | Formula::Knows(_, part) | Formula::Exists(_, part) => self.check(part),
            Formula::Atom(Atom::True(placed)) => self.check_fluent(placed),
            Formula::Atom(Atom::Legal(role, placed)) => self.check_move(*role, placed),
            Formula::Atom(Atom::Goal(role, placed)) => self.check_goal(*role, placed),
            Formula::Atom(Atom::Terminal | Atom::Can(_) | Atom::Distinct(..)) => Ok(()),
        }
    }

    fn check_fluent(&self, placed: &Placed) -> Result<(), QueryError> {
        match &self.facts {
            Some(facts) => facts.states.check(placed),
            None => match self.game.rules.fluent_named(self.closed(placed)?) {
                Some(_) => Ok(()),
                None => Err(placed.error(format!("no fluent of this game matches `{}`", placed.term))),
            },
        }
    }

    fn check_move(&self, role: RoleId, placed: &Placed) -> Result<(), QueryError> {
        let (pattern, who) = (&placed.term, &self.game.roles[role.0 as usize].name);
        match &self.facts {
            Some(facts) => {
                let moves = &facts.moves[role.0 as usize];
                if moves.any_fits(pattern) {
                    return Ok(());
                }
                let hint = moves.hint(pattern);
                Err(placed.error(format!("no move of {who} matches `{}`; {hint}", placed.term)))
            }
            None => match self.game.rules.move_named(role, self.closed(placed)?) {
                Some(_) => Ok(()),
                None => Err(placed.error(format!("no move of {who} matches `{}`", placed.term))),
            },
        }
    }

    fn check_goal(&self, role: RoleId, placed: &Placed) -> Result<(), QueryError> {
        match &placed.term {
            term if variable(term).is_some() => match self.goals(role) {
                Some(_) => Ok(()),
                None => Err(placed.error("the values of this goal are not known in advance; write a number")),
            },
            term if !term.is_list() && term.head().parse::<i64>().is_ok() => Ok(()),
            other => Err(placed.error(format!("a goal is a number or a variable, not `{other}`"))),
        }
    }

    /// The name of a term in a game too large for variables.
    fn closed<'p>(&self, placed: &'p Placed) -> Result<&'p Term, QueryError> {
        match is_closed(&placed.term) {
            true => Ok(&placed.term),
            false => Err(placed.error("the game is too large to ground; write all terms without variables")),
        }
    }

    /// The possible values of a role's goal, if they are known.
    fn goals(&self, role: RoleId) -> Option<Vec<i64>> {
        match &self.facts {
            Some(facts) => facts.goals[role.0 as usize].clone(),
            None => (!self.game.is_sequential).then(|| (0..=100).collect()),
        }
    }

    fn write(&mut self, formula: &Formula) -> Result<Sentence, QueryError> {
        self.parts += 1;
        self.budget()?;
        Ok(match formula {
            Formula::And(parts) => Sentence::all(self.each(parts)?),
            Formula::Or(parts) => Sentence::any(self.each(parts)?),
            Formula::Not(part) => self.write(part)?.negated(),
            Formula::Knows(role, part) => match self.write(part)? {
                constant @ Sentence::Constant(_) => constant,
                part => Sentence::Knows(*role, Box::new(part)),
            },
            Formula::Exists(variable, part) => {
                let mut values = Vec::new();
                self.values(part, variable, &mut values)?;
                let mut seen = rustc_hash::FxHashSet::default();
                values.retain(|value| seen.insert(value.clone()));
                let mut parts = Vec::new();
                for value in values {
                    parts.push(self.write(&substituted(part, variable, &value))?);
                }
                Sentence::any(parts)
            }
            Formula::Atom(atom) => self.atom(atom),
        })
    }

    fn each(&mut self, parts: &[Formula]) -> Result<Vec<Sentence>, QueryError> {
        parts.iter().map(|part| self.write(part)).collect()
    }

    fn budget(&self) -> Result<(), QueryError> {
        if self.parts > MOST_PARTS || self.looks > MOST_LOOKS {
            return Err(QueryError {
                at: 0,
                message: "the question is too long when written out for all facts of this game".into(),
            });
        }
        Ok(())
    }

    /// An atom without variables.
    fn atom(&self, atom: &Atom) -> Sentence {
        let no = Sentence::Constant(false);
        match atom {
            Atom::Terminal => Sentence::Terminal,
            Atom::Can(role) => Sentence::Can(*role),
            Atom::Distinct(left, right) => Sentence::Constant(left != right),
            Atom::Goal(role, placed) => {
                let value = placed.term.to_string().parse();
                value.map_or(no, |value| Sentence::Goal(*role, value))
            }
            Atom::True(placed) => match &self.facts {
                Some(facts) => facts.states.sentence(&placed.term),
                None => self.game.rules.fluent_named(&placed.term).map_or(no, Sentence::Fluent),
            },
            Atom::Legal(role, placed) => {
                let found = match &self.facts {
                    Some(facts) => exactly(&facts.moves[role.0 as usize], &placed.term),
                    None => self.game.rules.move_named(*role, &placed.term),
                };
                found.map_or(no, |mv| Sentence::Legal(*role, mv))
            }
        }
    }

    /// The values of the variable for which some atom matches something.
    fn values(&mut self, formula: &Formula, variable: &str, found: &mut Vec<Term>) -> Result<(), QueryError> {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().try_for_each(|part| self.values(part, variable, found))
            }
            Formula::Not(part) | Formula::Knows(_, part) | Formula::Exists(_, part) => {
                self.values(part, variable, found)
            }
            Formula::Atom(Atom::Goal(role, placed)) => {
                if placed.term == Term::word(variable) {
                    let goals = self.goals(*role).unwrap_or_default();
                    found.extend(goals.into_iter().map(|value| Term::word(value.to_string())));
                }
                Ok(())
            }
            Formula::Atom(Atom::True(placed)) => {
                let Some(facts) = &self.facts else { return Ok(()) };
                self.looks += facts.states.fitting(&placed.term, variable, found);
                self.budget()
            }
            Formula::Atom(Atom::Legal(role, placed)) => {
                let Some(facts) = &self.facts else { return Ok(()) };
                self.looks += fitting(&facts.moves[role.0 as usize], &placed.term, variable, found);
                self.budget()
            }
            Formula::Atom(Atom::Terminal | Atom::Can(_) | Atom::Distinct(..)) => Ok(()),
        }
    }
}

fn substituted(formula: &Formula, variable: &str, value: &Term) -> Formula {
    mapped(formula, &|term| with(term, variable, value))
}

/// The formula with every term replaced.
fn mapped(formula: &Formula, f: &dyn Fn(&Term) -> Term) -> Formula {
    let placed = |placed: &Placed| Placed { term: f(&placed.term), at: placed.at };
    let all = |parts: &[Formula]| parts.iter().map(|part| mapped(part, f)).collect();
    let one = |part: &Formula| Box::new(mapped(part, f));
    match formula {
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Not(part) => Formula::Not(one(part)),
        Formula::Knows(role, part) => Formula::Knows(*role, one(part)),
        Formula::Exists(other, part) => Formula::Exists(other.clone(), one(part)),
        Formula::Atom(atom) => Formula::Atom(match atom {
            Atom::True(term) => Atom::True(placed(term)),
            Atom::Legal(role, term) => Atom::Legal(*role, placed(term)),
            Atom::Goal(role, term) => Atom::Goal(*role, placed(term)),
            Atom::Distinct(left, right) => Atom::Distinct(f(left), f(right)),
            other => other.clone(),
        }),
    }
}
