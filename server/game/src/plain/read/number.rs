//! Rules with numbers in the place of words.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::super::program::{self, Condition, KEYWORDS, Pattern, Program, RelationId};
use super::super::terms::{TermId, Terms};
use super::cases::Part;
use super::rule::Rule;
use super::tree::{Atom, Relation, Tree};

/// Gives every symbol a number, in the order of occurrence.
pub(super) fn numbered(rules: &[Rule]) -> Program {
    let mut numbering = Numbering::default();
    for (word, count) in KEYWORDS {
        numbering.relation(&Relation::Written(word.into(), count));
    }
    let rules = rules.iter().map(|rule| numbering.rule(rule)).collect();
    Program { terms: numbering.terms, relations: numbering.relations, rules }
}

#[derive(Default)]
struct Numbering {
    terms: Terms,
    relations: Vec<SmolStr>,
    ids: FxHashMap<Relation, RelationId>,
    /// The variables of the rule.
    variables: Vec<SmolStr>,
}

impl Numbering {
    fn rule(&mut self, rule: &Rule) -> program::Rule {
        self.variables.clear();
        let head = self.atom(&rule.head);
        let body = rule.body.iter().map(|part| match part {
            Part::Holds(atom) => Condition::Holds(self.atom(atom)),
            Part::Not(atom) => Condition::Not(self.atom(atom)),
            Part::Distinct(left, right) => Condition::Distinct(self.pattern(left), self.pattern(right)),
            Part::Same(..) => unreachable!("equations were carried out"),
        });
        let body = body.collect();
        program::Rule { head, body, variables: self.variables.len() }
    }

    fn relation(&mut self, relation: &Relation) -> RelationId {
        let next = RelationId(self.relations.len() as u32);
        let id = *self.ids.entry(relation.clone()).or_insert(next);
        if id == next {
            self.relations.push(relation.word().clone());
        }
        id
    }

    fn atom(&mut self, atom: &Atom) -> program::Atom {
        let relation = self.relation(&atom.relation);
        program::Atom { relation, args: atom.args.iter().map(|arg| self.pattern(arg)).collect() }
    }

    fn pattern(&mut self, tree: &Tree) -> Pattern {
        match tree {
            Tree::Variable(name) => {
                let place = self.variables.iter().position(|other| other == name).unwrap_or_else(|| {
                    self.variables.push(name.clone());
                    self.variables.len() - 1
                });
                Pattern::Variable(place as u32)
            }
            Tree::Word(word) => {
                let word = self.terms.word(word);
                Pattern::Ground(self.terms.term(word, None))
            }
            Tree::List(word, args) => {
                let word = self.terms.word(word);
                let args: Box<[Pattern]> = args.iter().map(|arg| self.pattern(arg)).collect();
                let ground = |arg: &Pattern| if let Pattern::Ground(term) = arg { Some(*term) } else { None };
                match args.iter().map(ground).collect::<Option<Vec<TermId>>>() {
                    Some(terms) => Pattern::Ground(self.terms.term(word, Some(&terms))),
                    None => Pattern::List(word, args),
                }
            }
        }
    }
}
