//! `textDocument/diagnostic` and `workspace/diagnostic`: findings for clients that pull them.

use std::collections::HashMap;
use std::sync::Arc;

use tower_lsp::lsp_types::*;

use crate::diagnostics;
use crate::games;
use crate::place::{Answer, Place};
use crate::shared;

pub(crate) fn document(place: &Place, params: DocumentDiagnosticParams) -> Answer<DocumentDiagnosticReportResult> {
    let uri = params.text_document.uri;
    let related_documents = related(place, &uri);
    let report = match report(place, &uri, params.previous_result_id.as_deref()) {
        Report::Same(result_id) => DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: related_documents.clone(),
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        }),
        Report::Full(result_id, items) => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
        }),
    };
    Ok(DocumentDiagnosticReportResult::Report(report))
}

/// The errors of a problem's domain, unless the domain is open.
fn related(place: &Place, uri: &Url) -> Option<HashMap<Url, DocumentDiagnosticReportKind>> {
    if !place.snapshot.session.client.related_documents {
        return None;
    }
    let file = games::file(&place.snapshot, uri)?;
    let domain = place.shared.basis(&place.snapshot, &file).domain_beside(&place.snapshot)?;
    let mut items = diagnostics::find(&place.snapshot, &place.shared, &domain);
    items.retain(|it| it.severity == Some(DiagnosticSeverity::ERROR));
    let report = FullDocumentDiagnosticReport { result_id: None, items };
    Some(HashMap::from([(domain.uri().clone(), DocumentDiagnosticReportKind::Full(report))]))
}

/// All games and traces of the workspace, open or not.
pub(crate) fn workspace(place: &Place, params: WorkspaceDiagnosticParams) -> Answer<WorkspaceDiagnosticReportResult> {
    let disk = &place.snapshot.session.disk;
    let on_disk = place.snapshot.session.roots.iter().flat_map(|root| disk.below(root));
    let on_disk = on_disk.filter_map(|path| Url::from_file_path(path).ok());
    let mut uris: Vec<Url> = place.snapshot.open.iter().map(|file| file.uri.clone()).chain(on_disk).collect();
    uris.sort();
    uris.dedup();
    let mut items = Vec::new();
    for uri in uris {
        if place.token.is_cancelled() {
            break;
        }
        let version = place.snapshot.file(&uri).and_then(|file| file.version).map(i64::from);
        let previous = params.previous_result_ids.iter().find(|other| other.uri == uri);
        items.push(match report(place, &uri, previous.map(|other| other.value.as_str())) {
            Report::Same(result_id) => {
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
                })
            }
            Report::Full(result_id, items) => {
                WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                    uri,
                    version,
                    full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
                })
            }
        });
    }
    Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
}

enum Report {
    /// The report that the client knows under this name.
    Same(String),
    Full(Option<String>, Vec<Diagnostic>),
}

fn report(place: &Place, uri: &Url, previous: Option<&str>) -> Report {
    let Some(file) = games::file(&place.snapshot, uri) else { return Report::Full(None, Vec::new()) };
    let basis = place.shared.basis(&place.snapshot, &file);
    let reported = place.shared.report(uri, basis.clone(), previous);
    // A change that arrived before this report was stored needs another analysis.
    let newest = place.state.newest();
    if newest.file(uri).is_some_and(|now| Arc::ptr_eq(now, &file)) && place.shared.basis(&newest, &file) != basis {
        place.state.look_again();
    }
    match reported {
        shared::Report::Same(name) => Report::Same(name),
        shared::Report::New(name) => {
            Report::Full(Some(name), diagnostics::find(&place.snapshot, &place.shared, &basis))
        }
    }
}
