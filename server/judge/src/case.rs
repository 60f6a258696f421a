//! A game with its texts, and the places of its parts in them.

use std::cell::OnceCell;

use percept_game::gdl::Explainer;
use percept_game::{Game, MoveId, RoleId, State, Term};
use percept_syntax::gdl::{self, Description, Statement, TermKind};
use percept_syntax::pddl::{Domain, Problem};
use percept_syntax::{Language, Source, Syntax, TextRange};

use crate::{FileId, Place};

/// The most conditions that are named as a reason.
const SUPPORT: usize = 3;

/// The longest description, in bytes, that is explained: an explanation takes the rules once more, with each fact.
const EXPLAINED: usize = 1 << 20;

/// A game to be judged.
pub struct Case<'a> {
    /// The game.
    pub game: &'a Game,
    /// The description, or the domain and the problem (twice the same text if one file has both).
    sources: Vec<&'a Source>,
    explainer: OnceCell<Option<Explainer>>,
}

impl<'a> Case<'a> {
    /// A game with its texts: the description, or the domain and the problem.
    pub fn new(game: &'a Game, sources: Vec<&'a Source>) -> Case<'a> {
        Case { game, sources, explainer: OnceCell::new() }
    }

    /// The rules of a GDL game.
    pub fn description(&self) -> Option<&'a Description> {
        match &self.sources.first()?.syntax {
            Syntax::Gdl(description) => Some(description),
            Syntax::Pddl(_) => None,
        }
    }

    /// The domain of a POGDDL game.
    pub fn domain(&self) -> Option<&'a Domain> {
        self.sources.first()?.domain()
    }

    /// The problem of a POGDDL game.
    pub fn problem(&self) -> Option<&'a Problem> {
        self.sources.get(1)?.problem()
    }

    /// True if the rules are lists in parentheses.
    pub(crate) fn is_prefix(&self) -> bool {
        self.sources.first().is_some_and(|source| source.language == Language::GdlPrefix)
    }

    /// The whole text of a file.
    pub(crate) fn whole(&self, file: FileId) -> &'a str {
        self.sources.get(file.0 as usize).map_or("", |source| &source.text)
    }

    /// The text at a place.
    pub fn text(&self, place: Place) -> &'a str {
        self.sources
            .get(place.file.0 as usize)
            .and_then(|source| source.text.get(place.range.as_usize()))
            .unwrap_or_default()
    }

    /// The roles that are not chance.
    pub fn players(&self) -> impl Iterator<Item = RoleId> + '_ {
        self.game.role_ids().filter(|role| !self.game.roles[role.0 as usize].is_chance)
    }

    /// The name of a role.
    pub fn name(&self, role: RoleId) -> &'a str {
        &self.game.roles[role.0 as usize].name
    }

    /// The statements of a description whose head has this relation.
    pub fn statements<'s>(&self, word: &'s str) -> impl Iterator<Item = &'a Statement> + use<'a, 's> {
        self.description().into_iter().flat_map(|description| description.statements.about(word))
    }

    /// The heads of the statements with this relation.
    pub fn heads<'s>(&self, word: &'s str) -> impl Iterator<Item = &'a gdl::Term> + use<'a, 's> {
        self.statements(word).filter_map(|statement| statement.head.as_ref())
    }

    /// The heads of this relation whose first argument can be the role.
    pub fn heads_for<'s>(&self, word: &'s str, role: &'s str) -> impl Iterator<Item = &'a gdl::Term> + use<'a, 's> {
        self.statements_for(word, role).filter_map(|statement| statement.head.as_ref())
    }

    /// The statements of this relation whose first argument can be the role.
    pub(crate) fn statements_for<'s>(
        &self,
        word: &'s str,
        role: &'s str,
    ) -> impl Iterator<Item = &'a Statement> + use<'a, 's> {
        self.statements(word).filter(move |statement| match statement.head.as_ref().map(|head| &head.kind) {
            Some(TermKind::Compound(arguments)) => {
                arguments.first().is_none_or(|first| first.is_variable() || first.name.is(role))
            }
            head => head.is_some(),
        })
    }

    /// The declaration of a role; the beginning of the text if there is no explicit one.
    pub fn role_place(&self, role: RoleId) -> Place {
        let name = self.name(role);
        let declared = self.heads("role").find_map(|head| head.args().first().filter(|first| first.name.is(name)));
        self.here(declared.map(|term| term.range))
    }

    /// A place in the description or the domain.
    pub fn here(&self, range: Option<TextRange>) -> Place {
        Place { file: FileId(0), range: range.unwrap_or(TextRange::at(0)) }
    }

    /// The whole first text.
    pub fn everywhere(&self) -> Place {
        let length = self.sources.first().map_or(0, |source| source.text.len());
        Place { file: FileId(0), range: TextRange::new(0, length as u32) }
    }

    /// The heads of the rules by which an atom holds in a state.
    pub fn reasons(&self, state: &State, joint: &[MoveId], atom: &Term) -> Vec<TextRange> {
        let explained = self.explainer().and_then(|it| it.explain(&self.fluents(state), &self.moves(joint), atom, 0));
        let reasons = explained.map(|explained| explained.reasons).unwrap_or_default();
        reasons.iter().map(|reason| self.head_at(reason.rule)).collect()
    }

    /// The head of a rule that gives a role this goal value in a state.
    pub fn gives(&self, state: &State, role: &str, value: i64) -> Option<TextRange> {
        let goal = Term::list("goal", [Term::word(role), Term::word(value.to_string())]);
        self.reasons(state, &[], &goal).first().copied()
    }

    /// The rules of a GDL game, unless they are too long to be explained: no author reads a match with states that
    /// large.
    pub(crate) fn explained(&self) -> Option<&'a Description> {
        let is_short = self.sources.first()?.text.len() <= EXPLAINED;
        self.description().filter(|_| is_short)
    }

    /// The explainer of the rules; `None` if they cannot be explained.
    pub fn explainer(&self) -> Option<&Explainer> {
        let explainer = || Explainer::new(self.explained()?).ok();
        self.explainer.get_or_init(explainer).as_ref()
    }

    /// The names of a state's fluents.
    pub fn fluents(&self, state: &State) -> Vec<Term> {
        state.fluents().map(|fluent| self.game.rules.fluent_term(fluent)).collect()
    }

    /// The reason why an atom holds in a state, from the conditions other than plain facts: ", since `(line x)` holds".
    /// Empty if there are none.
    pub(crate) fn since(&self, state: &State, joint: &[MoveId], atom: &Term) -> String {
        let explained = self.explainer().and_then(|it| it.explain(&self.fluents(state), &self.moves(joint), atom, 0));
        let reason = explained.and_then(|it| it.reasons.into_iter().next());
        let is_fact = |literal: &str| {
            let word = literal.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default();
            let mut of = self.statements(word).peekable();
            of.peek().is_some() && of.all(|statement| statement.body.is_empty())
        };
        let holds = reason.into_iter().flat_map(|it| it.support).map(|it| it.literal);
        let shown: Vec<String> =
            holds.filter(|literal| !is_fact(literal)).take(SUPPORT).map(|it| format!("`{it}`")).collect();
        match &shown[..] {
            [] => String::new(),
            [only] => format!(", since {only} holds"),
            several => format!(", since {} hold", several.join(" and ")),
        }
    }

    /// The moves of a joint move, by name.
    pub fn moves(&self, joint: &[MoveId]) -> Vec<(String, Term)> {
        let roles = self.game.role_ids().zip(joint).filter(|(_, mv)| **mv != MoveId::NOOP);
        roles.map(|(role, &mv)| (self.name(role).to_string(), self.game.rules.move_term(role, mv))).collect()
    }

    /// The head of the statement at a range: a message with the head alone is easier to read.
    pub fn head_at(&self, rule: TextRange) -> TextRange {
        let statement = self.description().and_then(|description| description.statements.at(rule));
        statement.and_then(|statement| statement.head.as_ref().map(|head| head.range)).unwrap_or(rule)
    }
}

/// "when the match begins", "after round 3".
pub(crate) fn when(rounds: usize) -> String {
    match rounds {
        0 => "when the match begins".to_string(),
        round => format!("after round {round}"),
    }
}

/// The fluent that a head is about.
pub(crate) fn inner(statement: &Statement) -> Option<&gdl::Term> {
    statement.head.as_ref()?.args().first()
}

/// True if a rule keeps a fluent: `(<= (next f) (true f) ...)`.
pub(crate) fn is_frame(statement: &Statement) -> bool {
    let Some(fluent) = inner(statement) else { return false };
    statement.body.iter().any(|literal| match literal {
        gdl::Formula::Atom(atom) if atom.name.is("true") => {
            atom.args().first().is_some_and(|inner| is_same(inner, fluent))
        }
        _ => false,
    })
}

fn is_same(one: &gdl::Term, other: &gdl::Term) -> bool {
    one.name.text == other.name.text
        && one.is_variable() == other.is_variable()
        && one.args().len() == other.args().len()
        && one.args().iter().zip(other.args()).all(|(a, b)| is_same(a, b))
}
