//! Decoding of the fuzzer's bytes: a seed is a short header and then plain text.
#![allow(dead_code)]

use std::fmt::Debug;

use percept_syntax::{
    Language, Source, Syntax,
    gdl::{Formula, Term},
};

/// The three notations, chosen by a seed's first byte.
pub const LANGUAGES: [Language; 3] = [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl];

/// The remaining bytes, taken from the front.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte; 0 at the end.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn number(&mut self) -> u32 {
        u32::from(self.byte()) << 8 | u32::from(self.byte())
    }

    pub fn language(&mut self) -> Language {
        LANGUAGES[usize::from(self.byte() % 3)]
    }

    /// The remaining bytes as text.
    pub fn text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }
}

/// The typed syntax without its ranges, with flattened conjunctions and with names converted by `name`.
pub fn meaning(source: &Source, name: &dyn Fn(&str) -> String) -> Vec<String> {
    let Syntax::Gdl(description) = &source.syntax else { return Vec::new() };
    let mut statements = Vec::new();
    for statement in description.statements.iter() {
        let mut variables: Vec<String> = Vec::new();
        let mut out = String::new();
        if let Some(head) = &statement.head {
            term(head, name, &mut variables, &mut out);
        }
        out += if statement.arrow.is_some() { " <=" } else { "" };
        conjunction(&statement.body, name, &mut variables, &mut out);
        statements.push(out);
    }
    statements
}

fn term(it: &Term, name: &dyn Fn(&str) -> String, variables: &mut Vec<String>, out: &mut String) {
    if it.is_variable() {
        let old = variables.iter().position(|variable| *variable == *it.name.text);
        let number = old.unwrap_or_else(|| {
            variables.push(it.name.text.to_string());
            variables.len() - 1
        });
        *out += &format!(" ?{number}");
        return;
    }
    let kind = format!("{:?}", it.kind);
    let kind = kind.split(['(', '[']).next().unwrap_or_default();
    *out += &format!(" {kind}[{}", name(&it.name.text));
    it.args().iter().for_each(|arg| term(arg, name, variables, out));
    *out += "]";
}

fn conjunction(parts: &[Formula], name: &dyn Fn(&str) -> String, variables: &mut Vec<String>, out: &mut String) {
    for part in parts {
        match part {
            Formula::And { parts, .. } => conjunction(parts, name, variables, out),
            other => formula(other, name, variables, out),
        }
    }
}

fn formula(it: &Formula, name: &dyn Fn(&str) -> String, variables: &mut Vec<String>, out: &mut String) {
    let (word, parts) = match it {
        Formula::Atom(atom) => return term(atom, name, variables, out),
        Formula::Distinct { args, .. } => {
            *out += " distinct{";
            args.iter().for_each(|arg| term(arg, name, variables, out));
            *out += " }";
            return;
        }
        Formula::Not { parts, .. } => ("not", parts),
        Formula::Or { parts, .. } => ("or", parts),
        Formula::And { parts, .. } => ("and", parts),
    };
    *out += &format!(" {word}{{");
    parts.iter().for_each(|part| formula(part, name, variables, out));
    *out += " }";
}

/// Asserts that two values are equal and shows only their first difference.
pub fn same<T: PartialEq + Debug>(a: &T, b: &T, what: &str) {
    if a != b {
        let (a, b) = (format!("{a:?}"), format!("{b:?}"));
        let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(60);
        let cut =
            |s: &str| String::from_utf8_lossy(&s.as_bytes()[at.min(s.len())..(at + 300).min(s.len())]).into_owned();
        panic!("{what} differ:\n{}\n{}", cut(&a), cut(&b));
    }
}
