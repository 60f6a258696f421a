//! The basis of findings, and the results cached for it.

use std::sync::Arc;

use percept_analysis as analysis;
use percept_report::{Judged, workspace};
use tower_lsp::lsp_types::Url;

use crate::project::Project;
use crate::settings::Settings;
use crate::snapshot::{File, Kind, Snapshot};
use crate::units::Unit;
use crate::verdicts::Verdict;

/// The judge's findings about one game. Valid as long as none of its files changes.
#[derive(Debug)]
pub(crate) struct Verdicts {
    /// The description; or the domain and the problem.
    pub files: Vec<Arc<File>>,
    pub judged: Vec<Judged>,
}

/// A finding of the text with the files that its file numbers refer to.
pub(crate) type InText = workspace::InText<File>;

/// The basis of a document's findings (see [`Shared::basis`](crate::shared::Shared::basis)). Equal bases give equal
/// findings.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    pub file: Arc<File>,
    pub unit: Unit,
    /// The files of the game that a trace is a match of.
    pub game: Vec<Arc<File>>,
    pub settings: Arc<Settings>,
    pub project: Option<Arc<Project>>,
    /// The observability verdict about the current game.
    pub verdict: Option<Arc<Verdict>>,
    /// The judge's findings about the current game.
    pub judged: Option<Arc<Verdicts>>,
    /// A domain that is not open, but is read for an open problem.
    pub is_beside: bool,
}

impl PartialEq for Basis {
    fn eq(&self, other: &Basis) -> bool {
        let same_game =
            self.game.len() == other.game.len() && self.game.iter().zip(&other.game).all(|(a, b)| Arc::ptr_eq(a, b));
        same_game
            && Arc::ptr_eq(&self.file, &other.file)
            && self.unit == other.unit
            && Arc::ptr_eq(&self.settings, &other.settings)
            && same(&self.project, &other.project)
            && same(&self.verdict, &other.verdict)
            && same(&self.judged, &other.judged)
            && self.is_beside == other.is_beside
    }
}

fn same<T>(one: &Option<Arc<T>>, other: &Option<Arc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl Basis {
    /// For a problem whose domain is not open: the basis of the domain alone, whose errors are reported anyway.
    pub(crate) fn domain_beside(&self, snapshot: &Snapshot) -> Option<Basis> {
        let domain = self.unit.domain().filter(|domain| snapshot.file(&domain.uri).is_none())?;
        Some(Basis {
            file: domain.clone(),
            unit: Unit::Single(domain.clone()),
            game: Vec::new(),
            settings: self.settings.clone(),
            project: snapshot.project(domain),
            verdict: None,
            judged: None,
            is_beside: true,
        })
    }

    /// True if both are about the same text.
    pub(crate) fn is_of_same_text(&self, other: &Basis) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
    }

    /// The URI of the document.
    pub(crate) fn uri(&self) -> &Url {
        &self.file.uri
    }

    /// True if the analysis has the same findings in both.
    pub(crate) fn has_same_text(&self, other: &Basis) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
            && self.unit == other.unit
            && Arc::ptr_eq(&self.settings, &other.settings)
            && same(&self.project, &other.project)
    }

    /// The editor's version of the text.
    pub(crate) fn version(&self) -> Option<i32> {
        self.file.version
    }

    pub(crate) fn is_trace(&self) -> bool {
        self.file.kind() == Kind::Trace
    }

    /// The settings of the folder, and over them those of the editor.
    pub(crate) fn rules(&self) -> analysis::Settings {
        let own = self.settings.rules();
        self.project.as_ref().map_or_else(|| own.clone(), |project| project.settings.overlaid(&own))
    }
}
