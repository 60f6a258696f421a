//! Infix.

use super::ast::Description;
use crate::{SyntaxError, token::Token};

pub(crate) fn parse(_text: &str, _tokens: &[Token], _errors: &mut Vec<SyntaxError>) -> Description {
    Description::default()
}
