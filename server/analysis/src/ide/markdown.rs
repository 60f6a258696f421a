//! Markdown that shows the text of a file literally.
//!
//! A comment may be from an untrusted author: none of its images is loaded, and none of it becomes a link, HTML or a
//! heading.

/// Escapes all characters that Markdown would interpret. Lines with marks of their own, such as those of a list, remain
/// lines.
///
/// Only the necessary escapes are added, because some editors show the backslashes.
pub fn as_written(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let text = text.replace("\r\n", "\n");
    let mut is_in_paragraph = false;
    for (at, line) in text.split(['\n', '\r']).map(str::trim).enumerate() {
        let mark = mark_of_line(line);
        if at > 0 {
            // Two blanks keep the line break.
            out.push_str(if mark.is_some() && is_in_paragraph { "  \n" } else { "\n" });
        }
        escape(line, mark, &mut out);
        is_in_paragraph = !line.is_empty();
    }
    out
}

/// The position of the character that makes a line more than a line of a paragraph: a heading, an underline of one, an
/// item of a list, a quotation, a table, a line of code.
fn mark_of_line(line: &str) -> Option<usize> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_mark = |c: char| match digits {
        0 => matches!(c, '#' | '=' | '-' | '+' | '*' | '>' | '|' | ':' | '~' | '`'),
        _ => matches!(c, '.' | ')'),
    };
    line[digits..].starts_with(is_mark).then_some(digits)
}

fn escape(line: &str, mark: Option<usize>, out: &mut String) {
    let mut before = None;
    for (at, c) in line.char_indices() {
        let after = line[at + c.len_utf8()..].chars().next();
        let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let counts = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '@' | '$' => true,
            // Underscores are frequent in names, and have no meaning inside a word.
            '_' => !(is_inner(before) && is_inner(after)),
            '&' => after.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()),
            // Addresses become links without any mark.
            ':' => after == Some('/'),
            '/' => after == Some('/') && before != Some(':'),
            '.' => at >= 3 && line.as_bytes()[at - 3..at].eq_ignore_ascii_case(b"www"),
            _ => false,
        };
        if counts || mark == Some(at) {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// The text as code within a line.
pub fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_fence(&text) + 1);
    // Markdown removes one blank at either end.
    let blank = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// The text as a block of code.
pub fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_fence(text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

/// The length of the longest row of backquotes.
fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Removes the marks from Markdown written by this crate, for editors without Markdown.
pub fn plain(markdown: &str) -> String {
    let mut out = Vec::new();
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let quotes = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => out.push(line.to_string()),
            None if quotes.len() >= 3 => fence = Some(quotes),
            None => out.push(plain_line(line.trim_end())),
        }
    }
    out.join("\n")
}

fn plain_line(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['\\', '`', '*']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = rest.len() - rest.trim_start_matches('`').len();
        if let Some(escaped) = rest.strip_prefix('\\') {
            let length = escaped.chars().next().map_or(0, char::len_utf8);
            out.push_str(&escaped[..length]);
            rest = &escaped[length..];
        } else if length == 0 {
            rest = &rest[1..];
        } else {
            let fence = &rest[..length];
            let (inner, after) = rest[length..].split_once(fence).unwrap_or((&rest[length..], ""));
            let bare = inner.strip_prefix(' ').and_then(|inner| inner.strip_suffix(' '));
            out.push_str(bare.unwrap_or(inner));
            rest = after;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let escaped = as_written(text);
        assert_eq!(escaped, expected);
        assert_eq!(plain(&escaped), text, "it reads as it was written");
    }

    #[test]
    fn pictures_links_and_html_are_text() {
        check("![x](https://evil.example/p.png)", r"!\[x\](https\://evil.example/p.png)");
        check("<img src=x onerror=y>", r"\<img src=x onerror=y>");
        check("[a](command:x)", r"\[a\](command:x)");
        check("[a]: https://evil.example", r"\[a\]: https\://evil.example");
        check("<https://evil.example> WWW.evil.example", r"\<https\://evil.example> WWW\.evil.example");
        check("ask me@evil.example", r"ask me\@evil.example");
        check("//evil.example a/b", r"\//evil.example a/b");
        check("&lt;b&gt; &#60; a & b", r"\&lt;b\&gt; \&#60; a & b");
    }

    #[test]
    fn marks_within_a_line_stay() {
        check("2 * 3 is *not* _five_, snake_case", r"2 \* 3 is \*not\* \_five\_, snake_case");
        check("a `b` ``c`` \\ ~~d~~ $e$", r"a \`b\` \`\`c\`\` \\ \~\~d\~\~ \$e\$");
        check("a\\", r"a\\");
    }

    #[test]
    fn lines_with_marks_stay_lines() {
        check("# a\n## b", "\\# a  \n\\## b");
        check("a\n===", "a  \n\\===");
        check("a\n---", "a  \n\\---");
        check("- a\n+ b\n* c", "\\- a  \n\\+ b  \n\\* c");
        check("1. a\n2) b\n3 c", "1\\. a  \n2\\) b\n3 c");
        check("> a\n~~~\nb", "\\> a  \n\\~\\~\\~\nb");
        check("```\na\n```", "\\`\\`\\`\na  \n\\`\\`\\`");
        check("| a | b |\n|---|---|", "\\| a \\| b \\|  \n\\|---\\|---\\|");
        check("a\n:-:", "a  \n\\:-:");
        check("one line\nof two\n\nand another", "one line\nof two\n\nand another");
        assert_eq!(as_written("a\r# b\r\n    code"), "a  \n\\# b\ncode");
    }

    #[test]
    fn code_cannot_be_left() {
        for (text, expected) in
            [("a", "`a`"), ("a`b", "``a`b``"), ("`a``", "``` `a`` ```"), ("a\n\nb", "`a  b`"), (" ", "`   `")]
        {
            assert_eq!(code(text), expected);
        }
        assert_eq!(block("gdl", "a"), "```gdl\na\n```");
        assert_eq!(block("gdl", "a```\n````\n"), "`````gdl\na```\n````\n\n`````");
        assert_eq!(plain(&block("gdl", "a\n```\n*")), "a\n```\n*");
        assert_eq!(plain(&format!("**b** {}", code("`*`"))), "b `*`");
    }
}
