//! Writes statements in the other notation, with comments and line breaks in the author's places. Spacing and
//! indentation are left to the formatter.

use super::{
    Refusal,
    names::{Names, Variables},
};
use crate::{
    Language, Source, TextRange,
    gdl::{Description, Formula, Statement, Term, TermKind},
};

pub(super) fn write(
    source: &Source,
    description: &Description,
    to: Language,
    names: &Names,
) -> Result<String, Refusal> {
    let mut writer = Writer {
        source,
        names,
        variables: Variables::default(),
        out: String::with_capacity(source.text.len() + source.text.len() / 4),
        comment: 0,
        done: 0,
    };
    for statement in description.statements.iter() {
        names.variables(statement, &mut writer.variables);
        writer.gap(statement.range.start, 2);
        writer.begin_line();
        match to {
            Language::GdlInfix => writer.infix(statement)?,
            _ => writer.prefix(statement),
        }
        writer.comments(statement.range.end);
        if to != Language::GdlInfix && statement.arrow.is_some() {
            writer.out.push(')');
        }
        writer.done = writer.done.max(statement.range.end);
    }
    writer.gap(source.text.len() as u32, 2);
    Ok(writer.out)
}

struct Writer<'a> {
    source: &'a Source,
    names: &'a Names,
    /// The variables of the statement being written.
    variables: Variables,
    out: String,
    /// The index of the next comment.
    comment: usize,
    /// The offset up to which the source has been written.
    done: u32,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Begins a line for each statement: in infix text only the line break shows the end of a statement.
    fn begin_line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Writes the comments before `at`, and then the author's line breaks, at most `most`.
    fn gap(&mut self, at: u32, most: usize) {
        self.comments(at);
        self.breaks(at, most);
    }

    fn breaks(&mut self, at: u32, most: usize) {
        let at = at.max(self.done);
        let between = &self.source.text[self.done as usize..at as usize];
        let breaks = between.matches('\n').count() + between.matches('\r').count() - between.matches("\r\n").count();
        match breaks {
            0 => self.push(" "),
            _ => (0..breaks.min(most)).for_each(|_| self.push("\n")),
        }
        self.done = at;
    }

    fn comments(&mut self, before: u32) {
        while let Some(comment) = self.source.comments.get(self.comment).filter(|comment| comment.range.start < before)
        {
            self.comment += 1;
            self.breaks(comment.range.start, 2);
            self.written_comment(comment.range);
            let behind = &self.source.text[comment.range.end as usize..];
            let width = if behind.starts_with("\r\n") { 2 } else { usize::from(behind.starts_with(['\n', '\r'])) };
            self.done = comment.range.end + width as u32;
        }
    }

    /// Writes a comment with the marks of the other notation and ends its line.
    fn written_comment(&mut self, range: TextRange) {
        let text = self.source.text[range.as_usize()].trim_end();
        let rest = text.trim_start_matches([';', '%']);
        let mark = if self.source.language == Language::GdlInfix { ";" } else { "%" };
        self.push(&mark.repeat(text.len() - rest.len()));
        self.push(rest);
        self.push("\n");
    }

    fn name(&mut self, name: &str) {
        let names = self.names;
        self.push(names.constant(name));
    }

    fn variable(&mut self, name: &str) {
        let written = self.variables.get(name).map_or(name, |new| new.as_str());
        self.out.push_str(written);
    }

    fn prefix(&mut self, statement: &Statement) {
        if statement.arrow.is_some() {
            self.push("(<=");
        }
        if let Some(head) = &statement.head {
            self.prefix_term(head);
        }
        for part in flat(&statement.body) {
            self.prefix_formula(part);
        }
    }

    fn prefix_term(&mut self, term: &Term) {
        self.gap(term.range.start, 1);
        match &term.kind {
            TermKind::Variable => self.variable(&term.name.text),
            TermKind::Constant => self.name(&term.name.text),
            TermKind::Compound(args) | TermKind::Error(args) => {
                self.push("(");
                self.name(&term.name.text);
                args.iter().for_each(|arg| self.prefix_term(arg));
                self.push(")");
            }
        }
    }

    fn prefix_formula(&mut self, formula: &Formula) {
        self.gap(formula.range().start, 1);
        let (word, parts) = match formula {
            Formula::Atom(term) => return self.prefix_term(term),
            Formula::Distinct { args, .. } => {
                self.push("(distinct");
                args.iter().for_each(|arg| self.prefix_term(arg));
                return self.push(")");
            }
            Formula::Not { parts, .. } => ("(not", parts),
            Formula::Or { parts, .. } => ("(or", parts),
            Formula::And { parts, .. } => ("(and", parts),
        };
        self.push(word);
        parts.iter().for_each(|part| self.prefix_formula(part));
        self.push(")");
    }

    fn infix(&mut self, statement: &Statement) -> Result<(), Refusal> {
        if let Some(head) = &statement.head {
            // A break between `(<=` and the head is dropped in infix text.
            self.comments(head.range.start);
            self.done = self.done.max(head.range.start);
            self.infix_term(head);
        }
        if statement.arrow.is_none() {
            return Ok(());
        }
        self.push(" :-");
        let body = flat(&statement.body);
        match &body[..] {
            [] => self.push(" ."),
            [Formula::Or { parts, .. }] if parts.len() > 1 => self.joined(parts.iter(), " |")?,
            _ => self.joined(body.into_iter(), " &")?,
        }
        Ok(())
    }

    fn joined<'f>(&mut self, parts: impl Iterator<Item = &'f Formula>, operator: &str) -> Result<(), Refusal> {
        for (at, part) in parts.enumerate() {
            if at > 0 {
                self.push(operator);
            }
            self.infix_formula(part)?;
        }
        Ok(())
    }

    fn infix_term(&mut self, term: &Term) {
        self.gap(term.range.start, 1);
        match &term.kind {
            TermKind::Variable => self.variable(&term.name.text),
            TermKind::Constant => self.name(&term.name.text),
            TermKind::Compound(args) | TermKind::Error(args) => {
                self.name(&term.name.text);
                self.infix_args(args);
            }
        }
    }

    fn infix_args(&mut self, args: &[Term]) {
        self.push("(");
        for (at, arg) in args.iter().enumerate() {
            if at > 0 {
                self.push(",");
            }
            self.infix_term(arg);
        }
        self.push(")");
    }

    fn infix_formula(&mut self, formula: &Formula) -> Result<(), Refusal> {
        self.gap(formula.range().start, 1);
        let (word, operator, parts) = match formula {
            Formula::Atom(term) => {
                self.infix_term(term);
                return Ok(());
            }
            Formula::Distinct { args, .. } => {
                self.push("distinct");
                self.infix_args(args);
                return Ok(());
            }
            Formula::Not { parts, keyword, .. } => {
                let [part] = &parts[..] else {
                    let message = format!(
                        "`not` takes one condition but has {} here: infix text cannot express this",
                        parts.len()
                    );
                    return Err(Refusal { range: *keyword, message });
                };
                self.push("~");
                return self.infix_formula(part);
            }
            Formula::Or { parts, .. } => ("or", " |", parts),
            Formula::And { parts, .. } => ("and", " &", parts),
        };
        // A disjunction of fewer than two alternatives has no operator.
        self.push(if parts.len() < 2 { word } else { "" });
        self.push("(");
        self.joined(parts.iter(), operator)?;
        self.push(")");
        Ok(())
    }
}

/// Flattens the conjunctions at the top of a body.
fn flat(body: &[Formula]) -> Vec<&Formula> {
    let mut flat = Vec::with_capacity(body.len());
    for formula in body {
        match formula {
            Formula::And { parts, .. } => flat.extend(self::flat(parts)),
            other => flat.push(other),
        }
    }
    flat
}
