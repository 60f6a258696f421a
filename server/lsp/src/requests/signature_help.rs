//! `textDocument/signatureHelp`.

use percept_analysis::ide::signature;
use tower_lsp::lsp_types::*;

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let Some((signature, active)) = signature::help(&view.files(), view.id, offset) else { return Ok(None) };
    let parameters = signature.parameters.iter().map(|range| ParameterInformation {
        label: ParameterLabel::Simple(signature.label[range.clone()].to_string()),
        documentation: None,
    });
    let information = SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: signature.documentation.map(Documentation::String),
        label: signature.label,
        active_parameter: Some(active as u32),
    };
    Ok(Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(active as u32),
    }))
}
