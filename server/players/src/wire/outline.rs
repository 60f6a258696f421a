//! A message in outline: its items as text, so that a description of megabytes is skipped and not parsed.

use percept_game::sexpr::MAX_DEPTH;

/// The most items; further ones are ignored. Every message has fewer.
const MOST: usize = 8;

/// Returns the items of a text that is a single list.
///
/// # Errors
/// Returns the reason if the text is not a single list.
pub(super) fn items(text: &str) -> Result<Vec<&str>, &'static str> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    // The number of open lists, the start of the current item, and true if the list is closed.
    let (mut depth, mut began, mut is_over) = (0usize, 0, false);
    let mut keep = |from: usize, to: usize| {
        if items.len() < MOST {
            items.push(&text[from..to]);
        }
    };
    let mut at = 0;
    while let Some((start, end)) = token(bytes, at) {
        at = end;
        if is_over {
            return Err("it must be a single list");
        }
        match bytes[start] {
            b'(' if depth == MAX_DEPTH => return Err("lists are nested too deeply"),
            b'(' => {
                depth += 1;
                if depth == 2 {
                    began = start;
                }
            }
            b')' if depth == 0 => return Err("this `)` closes nothing; remove it"),
            b')' => {
                depth -= 1;
                is_over = depth == 0;
                if depth == 1 {
                    keep(began, end);
                }
            }
            _ if depth == 0 => return Err("it must be a single list"),
            _ if depth == 1 => keep(start, end),
            _ => {}
        }
    }
    match depth {
        0 if is_over => Ok(items),
        0 => Err("it must be a single list"),
        _ => Err("this `(` is never closed; add a `)`"),
    }
}

/// Returns the words of a text, at any depth of lists.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (start, end) = token(text.as_bytes(), at)?;
            at = end;
            if !matches!(text.as_bytes()[start], b'(' | b')') {
                return Some(&text[start..end]);
            }
        }
    })
}

/// True if a message with this beginning may be long because it contains a description; `None` if it is not known yet.
pub(crate) fn may_be_long(beginning: &[u8]) -> Option<bool> {
    let (start, end) = token(beginning, 0)?;
    if beginning[start] != b'(' {
        return Some(false);
    }
    let (start, end) = token(beginning, end)?;
    let kind = &beginning[start..end];
    let is_whole = end < beginning.len() || matches!(kind, b"(" | b")");
    is_whole.then(|| kind.eq_ignore_ascii_case(b"start") || kind.eq_ignore_ascii_case(b"preview"))
}

/// Returns the start and the end of the next word or parenthesis from `at` on. `;` starts a comment.
fn token(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    loop {
        match bytes.get(at)? {
            b'(' | b')' => return Some((at, at + 1)),
            b';' => at += bytes[at..].iter().position(|&byte| byte == b'\n')?,
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';');
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                return Some((at, at + length));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_the_text_that_they_are_in_the_message() {
        let message = "; hello\n(start m1 a ((role a) ; not )\n (legal a go)) 10 10)";
        let rules = "((role a) ; not )\n (legal a go))";
        assert_eq!(items(message).unwrap(), ["start", "m1", "a", rules, "10", "10"]);
        assert_eq!(items("()").unwrap(), [""; 0]);
        assert_eq!(items(&format!("({})", "a ".repeat(1000))).unwrap().len(), MOST);
        for (text, why) in [
            ("", "it must be a single list"),
            ("hello", "it must be a single list"),
            ("(info) (info)", "it must be a single list"),
            ("(info", "this `(` is never closed; add a `)`"),
            (")", "this `)` closes nothing; remove it"),
        ] {
            assert_eq!(items(text), Err(why), "{text}");
        }
        assert_eq!(items(&"(".repeat(1000)), Err("lists are nested too deeply"));
        assert_eq!(
            words(message).collect::<Vec<_>>(),
            "start m1 a role a legal a go 10 10".split(' ').collect::<Vec<_>>()
        );
    }

    #[test]
    fn the_type_is_known_before_the_rest_is_there() {
        let is_long = |text: &str| may_be_long(text.as_bytes());
        assert_eq!(is_long(" ; a comment\n ( START m1"), Some(true));
        assert_eq!(is_long("(preview ("), Some(true));
        assert_eq!(is_long("(info a a"), Some(false));
        assert_eq!(is_long("hello"), Some(false));
        assert_eq!(is_long("(("), Some(false));
        assert_eq!(is_long("(sta"), None);
        assert_eq!(is_long("; a comment"), None);
        assert_eq!(is_long("("), None);
    }
}
