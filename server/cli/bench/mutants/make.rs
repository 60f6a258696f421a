//! The mutants of a text: one part removed, negated, exchanged or misspelt.

use percept_syntax::TextRange;

use super::forms::Form;

pub(in crate::bench) use crate::args::MutantKind as Kind;

impl Kind {
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Kind::Frame => "frame rule removed",
            Kind::Init => "`init` removed",
            Kind::Rule => "rule removed",
            Kind::Percept => "percept removed",
            Kind::Condition => "condition removed",
            Kind::Effect => "effect removed",
            Kind::Sign => "sign changed",
            Kind::Exchanged => "arguments exchanged",
            Kind::Argument => "argument removed",
            Kind::Misspelt => "name misspelt",
        }
    }
}

/// A change of a text.
#[derive(Clone, Debug)]
pub(in crate::bench) struct Mutant {
    pub kind: Kind,
    /// The index of the changed text.
    pub file: usize,
    /// The replaced range and its replacement.
    pub range: TextRange,
    pub insert: String,
    /// The names that a finding may use for the change.
    pub names: Vec<String>,
    /// The changed rule in the new text; `None` if it was removed, or if the name alone decides.
    pub rule: Option<TextRange>,
}

impl Mutant {
    /// The text with the change.
    pub(in crate::bench) fn apply(&self, text: &str) -> String {
        let range = self.range.as_usize();
        format!("{}{}{}", &text[..range.start], self.insert, &text[range.end..])
    }
}

/// Makes mutants of one text.
pub(super) struct Maker<'t> {
    pub text: &'t str,
    pub file: usize,
    pub made: Vec<Mutant>,
}

impl Maker<'_> {
    fn written(&self, form: &Form<'_>) -> &str {
        &self.text[form.range.as_usize()]
    }

    /// Removes a rule or a fact.
    pub(super) fn without(&mut self, kind: Kind, form: &Form<'_>, names: Vec<String>) {
        let (range, file) = (form.range, self.file);
        self.made.push(Mutant { kind, file, range, insert: String::new(), names, rule: None });
    }

    /// Changes a part of a rule.
    pub(super) fn within(&mut self, kind: Kind, rule: &Form<'_>, range: TextRange, insert: String, names: Vec<String>) {
        let end = rule.range.end + insert.len() as u32 - (range.end - range.start);
        let rule = Some(TextRange::new(rule.range.start, end));
        self.made.push(Mutant { kind, file: self.file, range, insert, names, rule });
    }

    /// Removes a condition or an effect, and negates it.
    pub(super) fn part(&mut self, kind: Kind, rule: &Form<'_>, part: &Form<'_>, names: Vec<String>) {
        self.within(kind, rule, part.range, String::new(), names.clone());
        let turned = match part.is("not") && part.parts.len() == 2 {
            true => self.written(&part.parts[1]).to_string(),
            false => format!("(not {})", self.written(part)),
        };
        self.within(Kind::Sign, rule, part.range, turned, names);
    }

    /// Removes arguments of an atom, and exchanges each with the next.
    pub(super) fn arguments(&mut self, rule: &Form<'_>, atom: &Form<'_>) {
        let names = vec![atom.head().to_string()];
        let arguments = atom.parts.get(1..).unwrap_or_default();
        for (at, argument) in arguments.iter().enumerate() {
            if arguments.len() > 1 {
                self.within(Kind::Argument, rule, argument.range, String::new(), names.clone());
            }
            if let Some(next) = arguments.get(at + 1).filter(|next| !next.same(argument)) {
                let range = argument.range.cover(next.range);
                let turned = format!("{} {}", self.written(next), self.written(argument));
                self.within(Kind::Exchanged, rule, range, turned, names.clone());
            }
        }
    }

    /// Changes a letter of a word; the wrong name alone identifies its place.
    pub(super) fn misspelt(&mut self, word: &Form<'_>) {
        let slip = slip(word.word);
        let names = vec![slip.trim_start_matches('?').to_string()];
        let (range, file) = (word.range, self.file);
        self.made.push(Mutant { kind: Kind::Misspelt, file, range, insert: slip, names, rule: None });
    }
}

/// The word without one letter; a short word with one letter doubled.
fn slip(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    let at = |(index, letter): (usize, &char)| match letters.len() {
        0..=3 if index + 1 == letters.len() => vec![*letter; 2],
        4.. if index == middle => Vec::new(),
        _ => vec![*letter],
    };
    letters.iter().enumerate().flat_map(at).collect()
}
