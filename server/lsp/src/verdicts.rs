//! A verdict on observability as findings in the text: at the rule by which two histories part that a role cannot tell
//! apart, with what that rule saw in the one and not in the other.

use std::sync::Arc;

use percept_game::gdl::{Explainer, Explanation};
use percept_game::{Game, JointMove, RoleId, State};
use percept_infoset::{Property, Value};
use percept_syntax::gdl::{Description, Term, TermKind};
use percept_syntax::pddl::{self};
use percept_syntax::{Syntax, TextRange};
use tower_lsp::lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString};

use crate::games;
use crate::snapshot::{File, Snapshot};

/// Rules about a role's percepts that are named beside a finding.
const PERCEPTS: usize = 3;
/// The first statements of a description that are looked through for such rules.
const DEPTH: usize = 2;

/// What was found out about one game. Holds as long as none of its files changes.
#[derive(Debug)]
pub struct Verdict {
    files: Vec<Arc<File>>,
    notes: Vec<Note>,
}

/// One finding: what a role cannot know, where that is decided, and places that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Places in the list of the game's files.
    pub file: usize,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<(usize, TextRange, String)>,
}

/// Two histories that look the same to a role, though a property differs between their ends.
pub struct Difference<'a> {
    pub role: RoleId,
    pub property: Property,
    pub first: &'a [JointMove],
    pub second: &'a [JointMove],
}

impl Verdict {
    pub fn new(files: Vec<Arc<File>>, notes: Vec<Note>) -> Verdict {
        Verdict { files, notes }
    }

    pub fn is_about(&self, file: &Arc<File>) -> bool {
        self.files.iter().any(|it| Arc::ptr_eq(it, file))
    }

    /// Whether no file has changed since.
    pub fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.files.iter().all(|file| games::file(snapshot, &file.uri).is_some_and(|now| Arc::ptr_eq(&now, file)))
    }

    pub fn is_replaced_by(&self, newer: &Verdict) -> bool {
        self.files.len() == newer.files.len() && self.files.iter().zip(&newer.files).all(|(a, b)| a.uri == b.uri)
    }

    /// The findings in one of the files.
    pub fn findings(&self, snapshot: &Snapshot, file: &Arc<File>) -> Vec<Diagnostic> {
        let encoding = snapshot.encoding();
        let related = |(file, range, message): &(usize, TextRange, String)| DiagnosticRelatedInformation {
            location: self.files[*file].location(*range, encoding),
            message: message.clone(),
        };
        let here = self.notes.iter().filter(|note| Arc::ptr_eq(&self.files[note.file], file));
        here.map(|note| Diagnostic {
            range: file.range(note.range, encoding),
            severity: Some(DiagnosticSeverity::WARNING),
            code: Some(NumberOrString::String("observability".into())),
            source: Some("percept".into()),
            message: note.message.clone(),
            related_information: (snapshot.session.client.related_information && !note.related.is_empty())
                .then(|| note.related.iter().map(related).collect()),
            ..Default::default()
        })
        .collect()
    }
}

/// Where the difference is decided, with what belongs to it; `message` is the finding's.
pub fn note(game: &Game, files: &[Arc<File>], difference: &Difference<'_>, message: String) -> Option<Note> {
    match &files.first()?.source()?.syntax {
        Syntax::Gdl(description) => Some(in_rules(game, description, difference, message)),
        Syntax::Pddl(syntax) => in_domain(game, syntax, difference, message),
    }
}

fn in_rules(game: &Game, description: &Description, difference: &Difference<'_>, message: String) -> Note {
    let role = &game.roles[difference.role.0 as usize].name;
    let mut note =
        Note { file: 0, range: anywhere(description, difference.property, role), message, related: Vec::new() };
    if let Some((holds, fails)) = explained(game, description, difference)
        && let Some(reason) = holds.reasons.first()
    {
        note.range = head_at(description, reason.rule).unwrap_or(reason.rule);
        let same_rule = fails.failures.iter().find(|failure| failure.rule == reason.rule);
        if let Some((literal, range)) = same_rule.and_then(|failure| failure.failed.first()) {
            let said = format!("`{literal}` holds in one of the two histories only");
            note.related.push((0, *range, said));
        }
    }
    let percepts = heads(description, "sees").filter(|head| may_be(head, role)).take(PERCEPTS);
    note.related.extend(percepts.map(|head| (0, head.range, format!("what {role} perceives is said here"))));
    note
}

/// Why a property's atom holds after one of the histories, and why not after the other.
fn explained(
    game: &Game,
    description: &Description,
    difference: &Difference<'_>,
) -> Option<(Explanation, Explanation)> {
    let explainer = Explainer::new(description).ok()?;
    let ends = [end(game, difference.first), end(game, difference.second)];
    let atoms = ends.each_ref().map(|state| atoms(game, difference, state));
    let (holder, atom) = [0, 1].into_iter().find_map(|side: usize| {
        let only = atoms[side].iter().find(|atom| !atoms[1 - side].contains(atom))?;
        Some((side, only))
    })?;
    let explain = |state: &State| explainer.explain(&fluents(game, state), &[], atom, DEPTH);
    Some((explain(&ends[holder])?, explain(&ends[1 - holder])?))
}

/// What holds of the property in a state.
fn atoms(game: &Game, difference: &Difference<'_>, state: &State) -> Vec<String> {
    let role = &game.roles[difference.role.0 as usize].name;
    match difference.property {
        Property::Terminal => game.rules.terminal(state).then(|| "terminal".to_string()).into_iter().collect(),
        Property::Legal => {
            let legal = game.rules.legal(state, difference.role).into_iter();
            legal.map(|mv| format!("(legal {role} {})", game.rules.move_name(difference.role, mv))).collect()
        }
        Property::Goal => {
            let goals = game.rules.goals(state, difference.role).into_iter();
            goals.map(|value| format!("(goal {role} {value})")).collect()
        }
    }
}

fn end(game: &Game, history: &[JointMove]) -> State {
    history.iter().fold(game.rules.initial(), |state, joint| game.rules.next(&state, joint))
}

fn fluents(game: &Game, state: &State) -> Vec<String> {
    state.fluents().map(|fluent| game.rules.fluent_name(fluent)).collect()
}

fn heads<'a>(description: &'a Description, word: &'a str) -> impl Iterator<Item = &'a Term> {
    description.statements.iter().filter_map(|statement| statement.head.as_ref()).filter(move |head| head.name.is(word))
}

fn head_at(description: &Description, rule: TextRange) -> Option<TextRange> {
    let statement = description.statements.iter().find(|statement| statement.range == rule)?;
    statement.head.as_ref().map(|head| head.range)
}

/// Whether a head's first argument can be the role.
fn may_be(head: &Term, role: &str) -> bool {
    match &head.kind {
        TermKind::Compound(arguments) => {
            arguments.first().is_none_or(|first| matches!(first.kind, TermKind::Variable) || first.name.is(role))
        }
        _ => true,
    }
}

/// Some rule about the property, for want of a better one.
fn anywhere(description: &Description, property: Property, role: &str) -> TextRange {
    let mut rules = heads(description, property.name());
    let found = rules.find(|head| may_be(head, role)).map(|head| head.range);
    found.unwrap_or(TextRange::at(0))
}

/// In POGDDL: the payoff, the action that is or is not there, or the domain's name.
fn in_domain(game: &Game, syntax: &pddl::File, difference: &Difference<'_>, message: String) -> Option<Note> {
    let domain = syntax.domain()?;
    let range = match difference.property {
        Property::Terminal => None,
        Property::Goal => domain.gains.first().map(|gain| gain.range),
        Property::Legal => {
            let ends = [end(game, difference.first), end(game, difference.second)];
            let legal = ends.map(|state| game.rules.legal(&state, difference.role));
            let only = |a: usize| legal[a].iter().find(|mv| !legal[1 - a].contains(mv));
            only(0).or_else(|| only(1)).and_then(|&mv| {
                let name = game.rules.move_name(difference.role, mv);
                let head = name.trim_matches(['(', ')']).split(' ').next()?.to_string();
                domain.actions.iter().find(|action| action.name.is(&head)).map(|action| action.name.range)
            })
        }
    };
    let range = range.or(domain.name.as_ref().map(|name| name.range)).unwrap_or(TextRange::at(0));
    Some(Note { file: 0, range, message, related: Vec::new() })
}

/// A property's value in words.
pub fn known(game: &Game, role: RoleId, value: &Value) -> String {
    match value {
        Value::Legal(moves) => moves.iter().map(|&mv| game.rules.move_name(role, mv)).collect::<Vec<_>>().join(" "),
        Value::Terminal(true) => "the match is over".into(),
        Value::Terminal(false) => "the match goes on".into(),
        Value::Goal(values) => values.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// What a role cannot know, in a sentence's end.
pub fn asked(property: Property) -> &'static str {
    match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal",
    }
}
