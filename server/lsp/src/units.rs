//! Which files mean something together: a GDL description alone; a POGDDL domain with its problems.

use std::sync::Arc;

use percept_syntax::{Syntax, pddl};

use crate::snapshot::{File, Snapshot};

/// Files that are read together.
#[derive(Clone, Debug)]
pub enum Unit {
    Single(Arc<File>),
    /// A domain, where it is known, and the problems that name it.
    Pogddl {
        domain: Option<Arc<File>>,
        problems: Vec<Arc<File>>,
    },
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        let (mine, theirs) = (self.files(), other.files());
        mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Unit {
    /// The unit a file belongs to.
    pub fn of(snapshot: &Snapshot, file: &Arc<File>) -> Unit {
        match halves(file) {
            None => Unit::Single(file.clone()),
            Some(Half::Domain(name)) => {
                let problems = companions(snapshot, file)
                    .filter(
                        |other| matches!(halves(other), Some(Half::Problem(Some(of))) if name.as_ref() == Some(&of)),
                    )
                    .cloned()
                    .collect();
                Unit::Pogddl { domain: Some(file.clone()), problems }
            }
            Some(Half::Problem(name)) => {
                let domain = companions(snapshot, file)
                    .find(|other| matches!(halves(other), Some(Half::Domain(Some(is))) if name.as_ref() == Some(&is)));
                Unit::Pogddl { domain: domain.cloned(), problems: vec![file.clone()] }
            }
        }
    }

    /// All files of the unit, the domain first.
    pub fn files(&self) -> Vec<&Arc<File>> {
        match self {
            Unit::Single(file) => vec![file],
            Unit::Pogddl { domain, problems } => domain.iter().chain(problems).collect(),
        }
    }

    /// Every domain with a problem of its own.
    pub fn pairs(&self) -> Vec<(&Arc<File>, &Arc<File>)> {
        match self {
            Unit::Pogddl { domain: Some(domain), problems } => problems.iter().map(|it| (domain, it)).collect(),
            _ => Vec::new(),
        }
    }
}

enum Half {
    Domain(Option<String>),
    Problem(Option<String>),
}

/// Which half of a game a file is, and the name that binds it to the other.
fn halves(file: &File) -> Option<Half> {
    let Syntax::Pddl(syntax) = &file.source()?.syntax else { return None };
    let lower = |name: &percept_syntax::Name| name.text.to_ascii_lowercase();
    Some(match syntax.definitions.first()? {
        pddl::Definition::Domain(domain) => Half::Domain(domain.name.as_ref().map(lower)),
        pddl::Definition::Problem(problem) => Half::Problem(problem.domain.as_ref().map(lower)),
    })
}

/// The other files that may belong to a file, nearest first.
fn companions<'a>(snapshot: &'a Snapshot, file: &'a Arc<File>) -> impl Iterator<Item = &'a Arc<File>> {
    snapshot.open.values().filter(|other| !Arc::ptr_eq(other, file))
}
