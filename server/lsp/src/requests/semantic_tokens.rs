//! `textDocument/semanticTokens`: full, delta and range.

use percept_analysis::ide::semantic_tokens::{Kind, Token, tokens};
use percept_syntax::TextRange;
use tower_lsp::lsp_types::*;

use super::View;
use crate::place::{Answer, Place};
use crate::positions::Encoding;
use crate::snapshot::File;

/// The legend: standard token types if they exist, so that every theme has a colour.
pub(crate) fn legend() -> SemanticTokensLegend {
    let own = ["relation", "role", "fluent", "move", "percept", "constant"].map(SemanticTokenType::new);
    let standard = [
        SemanticTokenType::KEYWORD,
        SemanticTokenType::VARIABLE,
        SemanticTokenType::PARAMETER,
        SemanticTokenType::FUNCTION,
        SemanticTokenType::NUMBER,
        SemanticTokenType::TYPE,
        SemanticTokenType::COMMENT,
        SemanticTokenType::NAMESPACE,
    ];
    SemanticTokensLegend {
        token_types: own.into_iter().chain(standard).collect(),
        token_modifiers: vec![SemanticTokenModifier::DEFINITION, SemanticTokenModifier::DEFAULT_LIBRARY],
    }
}

/// The place of a kind in the legend.
fn number(kind: Kind) -> u32 {
    match kind {
        Kind::Relation => 0,
        Kind::Role => 1,
        Kind::Fluent => 2,
        Kind::Move => 3,
        Kind::Percept => 4,
        Kind::Constant => 5,
        Kind::Keyword | Kind::Operator => 6,
        Kind::Variable => 7,
        Kind::Parameter => 8,
        Kind::Function => 9,
        Kind::Number => 10,
        Kind::Type => 11,
        Kind::Comment => 12,
        Kind::Name => 13,
    }
}

pub(crate) fn full(place: &Place, params: SemanticTokensParams) -> Answer<Option<SemanticTokensResult>> {
    let Some(data) = all(place, &params.text_document.uri) else { return Ok(None) };
    let result_id = place.shared.remember_tokens(params.text_document.uri, data.clone());
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: Some(result_id), data })))
}

pub(crate) fn delta(place: &Place, params: SemanticTokensDeltaParams) -> Answer<Option<SemanticTokensFullDeltaResult>> {
    let uri = params.text_document.uri;
    let Some(data) = all(place, &uri) else { return Ok(None) };
    let before = place.shared.tokens(&uri, &params.previous_result_id);
    let result_id = Some(place.shared.remember_tokens(uri, data.clone()));
    Ok(Some(match before {
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data }),
        Some(before) => {
            let edits = difference(&before, &data).into_iter().collect();
            SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits })
        }
    }))
}

pub(crate) fn range(place: &Place, params: SemanticTokensRangeParams) -> Answer<Option<SemanticTokensRangeResult>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let range = view.file.text_range(params.range, view.encoding);
    let Some(file) = view.files().get(view.id) else { return Ok(None) };
    let inside =
        tokens(file).into_iter().filter(|token| token.range.end >= range.start && token.range.start <= range.end);
    let data = encode(&view.file, inside, view.encoding);
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

fn all(place: &Place, uri: &Url) -> Option<Vec<SemanticToken>> {
    let view = View::of(place, uri)?;
    let file = view.files().get(view.id)?;
    Some(encode(&view.file, tokens(file).into_iter(), view.encoding))
}

fn encode(file: &File, tokens: impl Iterator<Item = Token>, encoding: Encoding) -> Vec<SemanticToken> {
    let mut last = Position::default();
    let mut data = Vec::new();
    for token in tokens {
        let Range { start, end } = file.range(TextRange::new(token.range.start, token.range.end), encoding);
        if start.line != end.line {
            continue;
        }
        let delta_line = start.line - last.line;
        data.push(SemanticToken {
            delta_line,
            delta_start: if delta_line == 0 { start.character - last.character } else { start.character },
            length: end.character - start.character,
            token_type: number(token.kind),
            token_modifiers_bitset: u32::from(token.is_definition) | u32::from(token.is_builtin) << 1,
        });
        last = start;
    }
    data
}

/// One edit that turns `before` into `after`: the part between the common beginning and the common end. The protocol
/// counts numbers, five for each token.
fn difference(before: &[SemanticToken], after: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - same;
    let same_end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    if same == before.len() && same == after.len() {
        return None;
    }
    Some(SemanticTokensEdit {
        start: same as u32 * 5,
        delete_count: (before.len() - same - same_end) as u32 * 5,
        data: Some(after[same..after.len() - same_end].to_vec()),
    })
}
