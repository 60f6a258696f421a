//! Character encodings of files. All other modules work on UTF-8.

/// The length limit in bytes. Longer texts are refused, so that reading a file that is not a game cannot take minutes
/// (the largest published PDDL domain has 4 MB).
pub const MAX_BYTES: usize = 64 << 20;

/// The reasons why a file cannot be read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotText {
    /// Longer than [`MAX_BYTES`]; holds the length in bytes.
    TooLong(usize),
    /// Neither UTF-8 nor another supported encoding; holds the offset of the first byte that is not UTF-8.
    NotUtf8(usize),
    /// A zero byte, as in programs and pictures; holds its offset.
    Binary(usize),
}

impl std::fmt::Display for NotText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotText::TooLong(length) => {
                write!(f, "the file has {} MB; game descriptions up to {} MB are read", length >> 20, MAX_BYTES >> 20)
            }
            NotText::NotUtf8(at) => {
                write!(f, "the file is not text: byte {at} does not begin a UTF-8 character; save it as UTF-8")
            }
            NotText::Binary(at) => write!(f, "the file is not text: byte {at} is zero"),
        }
    }
}

impl std::error::Error for NotText {}

/// Decodes the bytes of a file in any supported encoding.
pub fn text_of(bytes: Vec<u8>) -> Result<String, NotText> {
    Charset::read(bytes).map(|(text, _)| text)
}

/// The character encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Charset {
    /// UTF-8, the encoding of nearly all files.
    #[default]
    Utf8,
    /// One byte per character: Windows-1252, a superset of Latin-1.
    Latin1,
    /// UTF-16: two bytes for most characters.
    Utf16 {
        /// True if the higher byte comes first (big-endian).
        is_big: bool,
        /// True if the file begins with a byte order mark.
        has_mark: bool,
    },
}

/// The byte order mark.
const MARK: char = '\u{feff}';
/// The characters of Windows-1252 from 0x80 to 0x9f; zero for unassigned bytes.
const HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”', '•',
    '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

impl Charset {
    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "UTF-8",
            Charset::Latin1 => "Latin-1",
            Charset::Utf16 { .. } => "UTF-16",
        }
    }

    /// Decodes the bytes of a file and returns the text with its encoding. Bytes that are not UTF-8 are read as Latin-1
    /// if that gives a text.
    ///
    /// # Errors
    /// The bytes are not text.
    pub fn read(bytes: Vec<u8>) -> Result<(String, Charset), NotText> {
        if bytes.len() > MAX_BYTES {
            return Err(NotText::TooLong(bytes.len()));
        }
        let zero = bytes.iter().position(|byte| *byte == 0).map(NotText::Binary);
        if let Some(charset) = wide(&bytes) {
            let text = charset.wide_text(&bytes).map(|text| (text, charset));
            return text.ok_or(zero.unwrap_or(NotText::NotUtf8(0)));
        }
        if let Some(zero) = zero {
            return Err(zero);
        }
        String::from_utf8(bytes).map(|text| (text, Charset::Utf8)).or_else(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = error.as_bytes().iter().map(|byte| from_latin1(*byte)).collect::<Option<String>>();
            text.map(|text| (text, Charset::Latin1)).ok_or(NotText::NotUtf8(at))
        })
    }

    /// Encodes a text. Returns `None` if a character has no byte in this encoding.
    pub fn write(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Charset::Utf8 => Some(text.as_bytes().to_vec()),
            Charset::Latin1 => text.chars().map(to_latin1).collect(),
            Charset::Utf16 { is_big, has_mark } => {
                let mark = (has_mark && !text.starts_with(MARK)).then_some(MARK as u16);
                let units = mark.into_iter().chain(text.encode_utf16());
                let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                Some(units.flat_map(bytes).collect())
            }
        }
    }

    fn wide_text(self, bytes: &[u8]) -> Option<String> {
        let units = bytes.chunks_exact(2).map(|pair| match self {
            Charset::Utf16 { is_big: true, .. } => u16::from_be_bytes([pair[0], pair[1]]),
            _ => u16::from_le_bytes([pair[0], pair[1]]),
        });
        let text = bytes
            .len()
            .is_multiple_of(2)
            .then(|| char::decode_utf16(units).collect::<Result<String, _>>().ok())
            .flatten();
        text.filter(|text| !text.contains('\0'))
    }
}

/// Detects UTF-16 by its byte order mark or by the zero bytes next to Latin letters.
fn wide(bytes: &[u8]) -> Option<Charset> {
    let utf16 = |is_big, has_mark| Some(Charset::Utf16 { is_big, has_mark });
    match bytes {
        [0xff, 0xfe, ..] => utf16(false, true),
        [0xfe, 0xff, ..] => utf16(true, true),
        [a, 0, b, 0, ..] if *a > 0 && *b > 0 => utf16(false, false),
        [0, a, 0, b, ..] if *a > 0 && *b > 0 => utf16(true, false),
        _ => None,
    }
}

fn from_latin1(byte: u8) -> Option<char> {
    match byte {
        b'\t' | b'\n' | b'\r' | 0x0c | 0x20..=0x7e | 0xa0.. => Some(char::from(byte)),
        0x80..=0x9f => Some(HIGH[usize::from(byte - 0x80)]).filter(|c| *c != '\0'),
        _ => None,
    }
}

fn to_latin1(c: char) -> Option<u8> {
    match c {
        '\0'..='\x7f' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        _ => HIGH.iter().position(|high| *high == c && c != '\0').map(|at| 0x80 + at as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let texts: [(&[u8], &str, Charset); 5] = [
            ("; é\n(a)".as_bytes(), "; é\n(a)", Charset::Utf8),
            (b"; \xe9 \x80 \x96\r(a)", "; é € –\r(a)", Charset::Latin1),
            (b"\xff\xfe(\0a\0)\0\xe9\0", "\u{feff}(a)é", Charset::Utf16 { is_big: false, has_mark: true }),
            (b"\0(\0a\0)", "(a)", Charset::Utf16 { is_big: true, has_mark: false }),
            (b"\xef\xbb\xbf(a)", "\u{feff}(a)", Charset::Utf8),
        ];
        for (bytes, text, charset) in texts {
            assert_eq!(Charset::read(bytes.to_vec()), Ok((text.to_owned(), charset)));
            assert_eq!(charset.write(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(Charset::Latin1.write("(β)"), None);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [&b"(a)\0(b)"[..], b"\x7fELF\xe9", b"\xff\xfe(", b"ab\x1b[31m\xe9", b"\xff\xfe\0\0", b"\x81\xe9"] {
            assert!(Charset::read(bytes.to_vec()).is_err(), "{bytes:?}");
        }
    }
}
