//! The names that a finding is about: those in backquotes in its message, then those at its place.

use percept_analysis::Diagnostic;
use percept_syntax::pddl::Definition;
use percept_syntax::{Source, Syntax, TokenKind};

use super::pieces::{self, Piece};

/// Words that occur in most statements and therefore identify none.
const COMMON: [&str; 16] = [
    "true", "does", "next", "init", "role", "not", "and", "or", "distinct", "base", "input", "when", "forall",
    "exists", "noop", "observe",
];

/// The position of the first name that a statement mentions; true if only its body does; the number of missing names.
type Rank = (usize, bool, usize);

/// The names that a finding is about, the most important first.
pub(super) struct Subject {
    names: Vec<String>,
    /// The names among them that count only beside another one: most rules mention a role.
    roles: Vec<String>,
}

impl Subject {
    pub(super) fn of(finding: &Diagnostic, source: Option<&Source>, roles: &[String]) -> Subject {
        let mut words: Vec<String> = Vec::new();
        for quoted in finding.message.split('`').skip(1).step_by(2) {
            words.extend(in_text(quoted));
        }
        if let Some(source) = source {
            let tokens = pieces::tokens(source, finding.range);
            let named = tokens.iter().filter(|token| token.kind == TokenKind::Word);
            words.extend(named.map(|token| source.text[token.range.as_usize()].to_ascii_lowercase()));
        }
        let mut names: Vec<String> = Vec::new();
        for word in words {
            if !COMMON.contains(&&*word) && !names.contains(&word) {
                names.push(word);
            }
        }
        let (roles, others): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| roles.contains(name));
        if others.is_empty() {
            return Subject { names: roles, roles: Vec::new() };
        }
        Subject { names: others, roles }
    }

    /// The weight of a statement for the finding; the least is the best. `None` if it mentions none of the names.
    pub(super) fn rank(&self, piece: &Piece) -> Option<Rank> {
        let owner: Vec<String> = piece.what.split('`').skip(1).step_by(2).flat_map(in_text).collect();
        let is_in = |words: &[String], name: &String| words.contains(name) || owner.contains(name);
        let first = self.names.iter().position(|name| is_in(&piece.words, name))?;
        let is_body = !is_in(&piece.words[..piece.head], &self.names[first]);
        let missing = self.names.iter().chain(&self.roles).filter(|name| !is_in(&piece.words, name)).count();
        Some((first, is_body, missing))
    }
}

/// The words of a term in a message, variables and numbers excluded.
fn in_text(term: &str) -> impl Iterator<Item = String> {
    let words = term.split(|c: char| c.is_whitespace() || "(),:<=".contains(c));
    let is_name = |word: &&str| word.chars().next().is_some_and(|c| !c.is_ascii_digit() && c != '?' && c != '.');
    words.filter(is_name).map(str::to_ascii_lowercase)
}

/// The names of the roles.
pub(super) fn roles(sources: &[&Source]) -> Vec<String> {
    let mut roles = Vec::new();
    for source in sources {
        match &source.syntax {
            Syntax::Gdl(description) => {
                let heads = description.statements.iter().filter_map(|it| it.head.as_ref());
                let named = heads.filter(|head| head.name.is("role")).filter_map(|head| head.args().first());
                roles.extend(named.map(|role| role.name.text.to_ascii_lowercase()));
            }
            Syntax::Pddl(file) => {
                let groups = file.definitions.iter().flat_map(|it| match it {
                    Definition::Domain(domain) => &domain.constants,
                    Definition::Problem(problem) => &problem.objects,
                });
                let of_roles = groups.filter(|group| group.types.iter().any(|it| it.is("role")));
                roles.extend(of_roles.flat_map(|group| &group.names).map(|name| name.text.to_ascii_lowercase()));
            }
        }
    }
    roles
}
