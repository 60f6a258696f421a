//! The server's commands (`workspace/executeCommand`), shared by all editors.

use serde_json::Value;

use crate::backend::Answer;
use crate::ingress::Place;

/// The commands, as they are announced.
pub const NAMES: &[&str] = &[];

/// Runs a command with its one argument; `None` where there is no such command.
pub fn run(_place: &Place, name: &str, _argument: Value) -> Option<Answer<Value>> {
    NAMES.contains(&name).then_some(Ok(Value::Null))
}
