//! The secrets of links.

use std::fmt;

/// 128 random bits, which open one seat of a table. They are never written by `Debug`.
#[derive(Clone, Copy)]
pub struct Token([u8; 16]);

impl Token {
    /// A new token.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes))
    }

    /// Reads the text of [`Token::text`].
    pub fn read(text: &str) -> Option<Token> {
        let digits = (text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit())).then_some(text)?;
        u128::from_str_radix(digits, 16).ok().map(|it| Token(it.to_be_bytes()))
    }

    /// The token in 32 hexadecimal digits, as in a link.
    pub fn text(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }

    /// True if the tokens are the same. The time does not show how much of them is.
    pub(crate) fn is(&self, other: &Token) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written_and_is_not_shown() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert!(Token::read(&one.text()).unwrap().is(&one) && !one.is(&other));
        assert_eq!(format!("{one:?}"), "Token");
        for wrong in ["", "0", &"g".repeat(32), &"0".repeat(33), "+0000000000000000000000000000000"] {
            assert!(Token::read(wrong).is_none(), "{wrong}");
        }
    }
}
