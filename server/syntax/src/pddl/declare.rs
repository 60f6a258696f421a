//! Declarations: requirements, typed lists, predicates and functions.

use super::{
    ast::{FunctionDecl, Signature, TypedGroup},
    lower::Findings,
};
use crate::{
    Name, TextRange,
    forms::{Form, Forms},
    token::TokenKind,
};

pub(super) fn requirements(flags: Forms<'_>, findings: &mut Findings<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    for flag in flags {
        match flag.kind() {
            TokenKind::Keyword | TokenKind::Word => names.push(flag.name()),
            _ => findings.report(flag.first_range(), "requirements are names such as `:typing`"),
        }
    }
    names
}

/// The kind of names in a typed list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Variables,
    Constants,
}

/// Reads `a b - c d` in `:types`, `:constants` and `:objects`.
pub(super) fn typed_names(mut forms: Forms<'_>, findings: &mut Findings<'_>) -> Vec<TypedGroup> {
    let groups = typed_list(&mut forms, Names::Constants, findings);
    debug_assert!(forms.next().is_none());
    groups
}

/// Reads `(?x ?y - t)`.
pub(super) fn parameters(list: Form<'_>, findings: &mut Findings<'_>) -> Vec<TypedGroup> {
    if !list.is_list() {
        findings.report(list.range(), "variables are listed in parentheses: `(?x - type)`");
        return Vec::new();
    }
    typed_list(&mut list.children(), Names::Variables, findings)
}

/// Reads the variables at the beginning, with their types; stops before the first form that is neither.
pub(super) fn leading_parameters(forms: &mut Forms<'_>, findings: &mut Findings<'_>) -> Vec<TypedGroup> {
    let mut groups = Vec::new();
    while forms.clone().next().is_some_and(|next| next.kind() == TokenKind::Variable) {
        let mut group = Group::default();
        while let Some(variable) = forms.clone().next().filter(|next| next.kind() == TokenKind::Variable) {
            group.names.push(variable.name());
            forms.next();
        }
        let dash = forms.clone().next().filter(|next| next.kind() == TokenKind::Dash);
        if let Some(dash) = dash {
            forms.next();
            group.types(dash, forms, findings);
        }
        groups.extend(group.finish());
    }
    groups
}

#[derive(Default)]
struct Group {
    names: Vec<Name>,
    types: Vec<Name>,
    /// The place of the `-`.
    dash: Option<TextRange>,
    end: Option<TextRange>,
}

impl Group {
    /// Reads the type after a `-`.
    fn types(&mut self, dash: Form<'_>, forms: &mut Forms<'_>, findings: &mut Findings<'_>) {
        (self.dash, self.end) = (Some(dash.range()), Some(dash.range()));
        let next = forms.clone().next();
        match next {
            // `- either a b`, up to the next variable or the end: the brackets are missing.
            Some(name) if name.is_word("either") => {
                let mut last = name;
                forms.next();
                while let Some(part) = forms.clone().next().filter(|part| part.kind() == TokenKind::Word) {
                    self.types.push(part.name());
                    last = part;
                    forms.next();
                }
                let range = name.range().cover(last.range());
                self.end = Some(range);
                findings.report(range, "several types need parentheses: `(either a b)`");
            }
            Some(name) if matches!(name.kind(), TokenKind::Word | TokenKind::Number) => {
                self.types.push(name.name());
                self.end = Some(name.range());
                forms.next();
            }
            Some(list) if list.is_list() => {
                self.either(list, findings);
                self.end = Some(list.range());
                forms.next();
            }
            _ => findings.report(dash.range(), "a type is missing after this `-`: `name - type`"),
        }
    }

    fn either(&mut self, list: Form<'_>, findings: &mut Findings<'_>) {
        let mut parts = list.children();
        if !parts.next().is_some_and(|head| head.is_word("either")) {
            return findings.report(list.first_range(), "several types are written `(either a b)`");
        }
        for part in parts {
            match part.kind() {
                TokenKind::Word | TokenKind::Number => self.types.push(part.name()),
                _ => findings.report(part.first_range(), "`either` takes names of types"),
            }
        }
    }

    fn finish(self) -> Option<TypedGroup> {
        let last = self.names.last().map(|name| name.range).or(self.dash)?;
        let first = self.names.first().map_or(last, |name| name.range);
        let range = first.cover(self.end.unwrap_or(last));
        Some(TypedGroup { names: self.names, types: self.types, range })
    }
}

fn typed_list(forms: &mut Forms<'_>, expected: Names, findings: &mut Findings<'_>) -> Vec<TypedGroup> {
    let mut groups = Vec::new();
    let mut group = Group::default();
    while let Some(form) = forms.next() {
        match form.kind() {
            TokenKind::Dash => {
                if group.names.is_empty() && expected == Names::Variables {
                    findings.report(form.range(), "there is nothing before this `-`: `?x - type`");
                }
                group.types(form, forms, findings);
                groups.extend(std::mem::take(&mut group).finish());
            }
            TokenKind::Variable if expected == Names::Variables => {
                let glued = form.word().strip_suffix('-').filter(|name| name.len() > 1);
                let before_type = || forms.clone().next().is_some_and(|next| next.kind() == TokenKind::Word);
                let Some(name) = glued.filter(|_| before_type()) else {
                    group.names.push(form.name());
                    continue;
                };
                findings.report(form.range(), format!("a space is missing before the `-`: write `{name} - type`"));
                let range = TextRange::new(form.range().start, form.range().end - 1);
                group.names.push(Name::new(&name[1..], range));
                group.types(form, forms, findings);
                groups.extend(std::mem::take(&mut group).finish());
            }
            TokenKind::Word | TokenKind::Number if expected == Names::Constants => group.names.push(form.name()),
            TokenKind::Word | TokenKind::Number => {
                findings.report(form.range(), format!("variables begin with `?`: write `?{}`", form.word()));
                group.names.push(form.name());
            }
            TokenKind::Variable => {
                findings.report(
                    form.range(),
                    format!("`{}` is a variable, but a name is expected here: leave out the `?`", form.word()),
                );
            }
            TokenKind::Keyword => {
                findings.report(
                    form.range(),
                    format!("`{}` is not allowed in this list: is a `)` missing before it?", form.word()),
                );
            }
            _ => findings.report(form.first_range(), "only names and their types are allowed in this list"),
        }
    }
    groups.extend(group.finish());
    groups
}

/// Reads `(at ?c - card ?s - slot)`.
pub(super) fn signature(form: Form<'_>, findings: &mut Findings<'_>) -> Option<Signature> {
    if !form.is_list() {
        findings.report(form.range(), format!("write it in parentheses: `({})`", form.word()));
        return None;
    }
    let mut params = form.children();
    let Some(name) = params.next().filter(|name| matches!(name.kind(), TokenKind::Word | TokenKind::Number)) else {
        findings.report(form.range(), "a name is missing after this `(`");
        return None;
    };
    Some(Signature {
        name: name.name(),
        params: typed_list(&mut params, Names::Variables, findings),
        range: form.range(),
    })
}

pub(super) fn signatures(forms: Forms<'_>, findings: &mut Findings<'_>) -> Vec<Signature> {
    forms.filter_map(|form| signature(form, findings)).collect()
}

/// Reads `(score ?p - role) (pot) - number`: the type after the `-` applies to all signatures before it without a type.
pub(super) fn functions(mut forms: Forms<'_>, findings: &mut Findings<'_>) -> Vec<FunctionDecl> {
    let mut functions: Vec<FunctionDecl> = Vec::new();
    let mut typed = 0;
    while let Some(form) = forms.next() {
        if form.kind() != TokenKind::Dash {
            functions.extend(signature(form, findings).map(|signature| FunctionDecl { signature, result: None }));
            continue;
        }
        match forms.clone().next() {
            Some(name) if name.kind() == TokenKind::Word => {
                forms.next();
                if !name.is_word("number") {
                    findings.outside(name, name.range(), "the type of an object fluent");
                }
                functions[typed..].iter_mut().for_each(|function| function.result = Some(name.name()));
            }
            _ => findings.report(form.range(), "a type is missing after this `-`: `(score ?p - role) - number`"),
        }
        typed = functions.len();
    }
    functions
}
