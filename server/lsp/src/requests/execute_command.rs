//! `workspace/executeCommand`.

use serde_json::Value;
use tower_lsp::lsp_types::ExecuteCommandParams;

use crate::commands;
use crate::place::{Answer, Failure, Place};

pub(crate) fn handle(place: &Place, params: ExecuteCommandParams) -> Answer<Option<Value>> {
    let argument = params.arguments.into_iter().next().unwrap_or(Value::Null);
    match commands::run(place, &params.command, argument) {
        Some(result) => result.map(Some),
        None => Err(Failure::Message(format!("there is no command `{}`", params.command))),
    }
}
