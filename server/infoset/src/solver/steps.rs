//! The written form of a proof with hints: in bytes for files, in words for people and tests.
//!
//! In words, the line of a derived clause has its literals, `0`, and its hints. A hint is the number of a demanded
//! clause (from 1, in the order of the demands), or minus the number of a derived clause. A line that begins with a dot
//! ends the answer to one question and names the clause that gives it. That clause contains only negated assumptions.
//!
//! In bytes, all numbers are written in groups of seven bits, the lowest first; the eighth bit says that more follow. A
//! step begins with 0 for an answer, and with the number of literals plus one for a clause. Literals are sorted and
//! written as differences. A derived hint is written as its distance back, a demanded hint as its distance from the
//! previous demanded hint.

use std::sync::Arc;

/// A clause, by its index among the demanded or the derived clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Demanded(u32),
    Derived(u32),
}

/// A step that was read: an answer, or a clause, which is in the buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Clause,
    Answer(Clause),
}

/// Writes one step after another.
#[derive(Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
    derived: u32,
    demanded: u32,
    codes: Vec<u64>,
}

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn hint(&mut self, clause: Clause) {
        match clause {
            Clause::Derived(place) => self.number(u64::from(self.derived.wrapping_sub(place)) << 1),
            Clause::Demanded(place) => {
                let step = i64::from(place) - i64::from(self.demanded);
                self.demanded = place;
                self.number((((step << 1) ^ (step >> 63)) as u64) << 1 | 1);
            }
        }
    }

    pub(crate) fn clause(&mut self, literals: &[i32], hints: impl ExactSizeIterator<Item = Clause>) {
        let mut codes = std::mem::take(&mut self.codes);
        codes.clear();
        codes.extend(literals.iter().map(|literal| u64::from(literal.unsigned_abs()) << 1 | u64::from(*literal < 0)));
        codes.sort_unstable();
        self.number(literals.len() as u64 + 1);
        let mut last = 0;
        for &code in &codes {
            self.number(code - last);
            last = code;
        }
        self.codes = codes;
        self.number(hints.len() as u64);
        hints.for_each(|hint| self.hint(hint));
        self.derived = self.derived.wrapping_add(1);
    }

    pub(crate) fn answer(&mut self, clause: Clause) {
        self.number(0);
        self.hint(clause);
    }
}

/// Reads one step after another.
pub(crate) struct Reader {
    bytes: Arc<[u8]>,
    at: usize,
    steps: usize,
    derived: u32,
    demanded: u32,
}

impl Reader {
    pub(crate) fn new(bytes: Arc<[u8]>) -> Reader {
        Reader { bytes, at: 0, steps: 0, derived: 0, demanded: 0 }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The number of steps begun.
    pub(crate) fn count(&self) -> usize {
        self.steps
    }

    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 63)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn hint(&mut self) -> Option<Clause> {
        let code = self.number()?;
        if code & 1 == 0 {
            return Some(Clause::Derived(self.derived.wrapping_sub(u32::try_from(code >> 1).ok()?)));
        }
        let code = code >> 1;
        let step = (code >> 1) as i64 ^ -((code & 1) as i64);
        self.demanded = u32::try_from(i64::from(self.demanded).checked_add(step)?).ok()?;
        Some(Clause::Demanded(self.demanded))
    }

    /// Reads the next step; the literals and hints of a clause are put into the buffers. `None` if the bytes are
    /// malformed.
    pub(crate) fn next(&mut self, literals: &mut Vec<i32>, hints: &mut Vec<Clause>) -> Option<Step> {
        self.steps += 1;
        let Some(count) = self.number()?.checked_sub(1) else { return self.hint().map(Step::Answer) };
        literals.clear();
        hints.clear();
        let mut code = 0u64;
        for _ in 0..count {
            code = code.checked_add(self.number()?)?;
            let variable = i32::try_from(code >> 1).ok().filter(|&variable| variable > 0)?;
            literals.push(if code & 1 == 1 { -variable } else { variable });
        }
        for _ in 0..self.number()? {
            let hint = self.hint()?;
            hints.push(hint);
        }
        self.derived = self.derived.wrapping_add(1);
        Some(Step::Clause)
    }
}

/// Returns a proof in words. `None` if the bytes are not a proof.
pub(crate) fn text(proof: &[u8]) -> Option<String> {
    use std::fmt::Write;
    let name = |clause: Clause| match clause {
        Clause::Demanded(place) => i64::from(place) + 1,
        Clause::Derived(place) => -i64::from(place) - 1,
    };
    let mut reader = Reader::new(proof.into());
    let (mut text, mut literals, mut hints) = (String::new(), Vec::new(), Vec::new());
    while !reader.is_over() {
        match reader.next(&mut literals, &mut hints)? {
            Step::Answer(clause) => writeln!(text, ". {}", name(clause)).ok()?,
            Step::Clause => {
                literals.iter().try_for_each(|literal| write!(text, "{literal} ")).ok()?;
                text.push('0');
                hints.iter().try_for_each(|&hint| write!(text, " {}", name(hint))).ok()?;
                text.push('\n');
            }
        }
    }
    Some(text)
}

/// Returns the bytes of a proof in words. `None` if a line is not part of a proof.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let clause = |word: &str| match word.parse::<i64>().ok()? {
        0 => None,
        number @ 1.. => u32::try_from(number - 1).ok().map(Clause::Demanded),
        number => u32::try_from(-(number + 1)).ok().map(Clause::Derived),
    };
    let mut writer = Writer::default();
    for line in text.lines() {
        if let Some(word) = line.strip_prefix(". ") {
            writer.answer(clause(word)?);
            continue;
        }
        let mut words = line.split(' ');
        let mut literals = Vec::new();
        loop {
            match words.next()?.parse::<i32>().ok()? {
                0 => break,
                i32::MIN => return None,
                literal => literals.push(literal),
            }
        }
        let hints: Vec<Clause> = words.map(clause).collect::<Option<_>>()?;
        writer.clause(&literals, hints.into_iter());
    }
    Some(writer.bytes)
}
