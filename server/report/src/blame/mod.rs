//! The rules to blame for a role's missing knowledge: those that could have shown it a difference but gave the same
//! percept in both histories, and those that cause the difference.

mod gdl;
mod pogddl;

use percept_game::gdl::Explainer;
use percept_game::{Game, JointMove, RoleId, State};
use percept_infoset::{Property, Witness};
use percept_syntax::{Source, Syntax, TextRange};

/// A place in the game's text, with a statement about the rule there and a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The index of the text among the texts of the game.
    pub file: usize,
    /// The range of the whole rule.
    pub range: TextRange,
    /// The part of the rule to mark if the whole would be too much.
    pub mark: TextRange,
    /// The statement, without a full stop.
    pub says: String,
}

impl Rule {
    fn new(range: TextRange, says: impl Into<String>) -> Rule {
        Rule { file: 0, range, mark: range, says: says.into() }
    }
}

/// The rules behind a witness.
#[derive(Clone, Debug, Default)]
pub struct Blame {
    /// The round (from 1) in which a percept could have shown the difference: the first one that differs; for an own
    /// move, the round of the move.
    pub round: usize,
    /// The rules that decide the role's percepts in that round, the most likely culprit first.
    pub silent: Vec<Rule>,
    /// The rules that cause the difference.
    pub deciding: Vec<Rule>,
}

impl Blame {
    /// The place of the finding: a rule that could have shown the difference, or else one that causes it. `None` if no
    /// rule is to blame.
    pub fn place(&self) -> Option<&Rule> {
        self.silent.first().or(self.deciding.first())
    }

    /// The related rules.
    pub fn beside(&self) -> impl Iterator<Item = &Rule> {
        self.silent.iter().chain(&self.deciding).skip(1)
    }
}

/// The most rules named on one side.
const NAMED: usize = 8;

/// Searches for rules to blame. The preparation is done once for all witnesses of a game.
pub struct Blamer<'g> {
    game: &'g Game,
    text: Text<'g>,
}

/// The text to search.
enum Text<'g> {
    Gdl(&'g percept_syntax::gdl::Description, Box<Explainer>),
    Pogddl(&'g percept_syntax::pddl::Domain),
    /// Rules that cannot be explained.
    None,
}

impl<'g> Blamer<'g> {
    /// A blamer for a game and its first text: the description, or the domain.
    pub fn new(game: &'g Game, source: &'g Source) -> Blamer<'g> {
        let text = match &source.syntax {
            Syntax::Gdl(description) => match Explainer::new(description) {
                Ok(explainer) => Text::Gdl(description, Box::new(explainer)),
                Err(_) => Text::None,
            },
            Syntax::Pddl(_) => source.domain().map_or(Text::None, Text::Pogddl),
        };
        Blamer { game, text }
    }

    /// The rules behind the fact that `role` does not know `property` at the ends of the witness.
    pub fn blame(&self, role: RoleId, property: Property, witness: &Witness) -> Blame {
        let round = match property {
            Property::Own => witness.first.len(),
            _ => witness.parting().min(witness.first.len()),
        };
        let case = Case { game: self.game, role, property, witness, round };
        let (mut silent, mut deciding) = match &self.text {
            Text::Gdl(description, explainer) => {
                let rules = gdl::Rules { description, explainer };
                (rules.silent(&case), rules.deciding(&case))
            }
            Text::Pogddl(domain) => (pogddl::silent(domain, &case), pogddl::deciding(domain, &case)),
            Text::None => Default::default(),
        };
        silent.truncate(NAMED);
        deciding.truncate(NAMED);
        Blame { round, silent, deciding }
    }
}

/// The pair of histories to explain.
struct Case<'a> {
    game: &'a Game,
    role: RoleId,
    property: Property,
    witness: &'a Witness,
    /// The round in which the histories diverge; for an own move, its round; 0 if the histories have no rounds.
    round: usize,
}

impl Case<'_> {
    fn role_name(&self) -> &str {
        crate::names::role(self.game, self.role)
    }

    fn histories(&self) -> [&Vec<JointMove>; 2] {
        [&self.witness.first, &self.witness.second]
    }

    /// The state in which each history ends.
    fn ends(&self) -> [State; 2] {
        let rules = &self.game.rules;
        self.histories().map(|history| history.iter().fold(rules.initial(), |state, joint| rules.next(&state, joint)))
    }

    /// For each history, the joint move of the round in which they diverge, and the state before it.
    fn partings(&self) -> Vec<(State, &JointMove)> {
        let Some(before) = self.round.checked_sub(1) else { return vec![] };
        let rules = &self.game.rules;
        let parting = |history: &'_ Vec<JointMove>| {
            history[..before].iter().fold(rules.initial(), |state, joint| rules.next(&state, joint))
        };
        self.histories().into_iter().map(|history| (parting(history), &history[before])).collect()
    }
}
