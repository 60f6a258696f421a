//! Hover: the meaning of the name under the cursor, in Markdown.

use std::fmt::Write;

use percept_syntax::pddl::{Definition, Domain};
use percept_syntax::{Language, Source, Syntax, TextRange};

use super::document_symbols::parameters;
use super::{Access, Class, Files, Namespace, Occurrence, Symbol, keywords, markdown};
use crate::FileId;

/// The text of a hover and the range of its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Hover {
    /// The text to show.
    pub markdown: String,
    /// The range of the name.
    pub range: TextRange,
}

/// Returns the hover for the name at `offset`.
pub fn hover(files: &Files<'_>, file: FileId, offset: u32) -> Option<Hover> {
    let (symbol, occurrence) = files.at(file, offset)?;
    let language = files.get(file)?.source.language;
    let markdown = if symbol.namespace == Namespace::Keyword {
        keyword(language, &symbol.name)?
    } else {
        named(files, file, language, symbol, &occurrence)
    };
    Some(Hover { markdown, range: occurrence.range })
}

fn keyword(language: Language, word: &str) -> Option<String> {
    let keyword = keywords::find(language, word)?;
    Some(format!(
        "{}\n{}\n\n*{}*",
        markdown::block(language.name(), keyword.form),
        keyword.meaning,
        keyword.source.replace('*', "")
    ))
}

fn named(files: &Files<'_>, file: FileId, language: Language, symbol: &Symbol, here: &Occurrence) -> String {
    let all = files.occurrences(file, symbol);
    let mut out = String::new();
    let _ = writeln!(out, "{}", markdown::block(language.name(), &signature(files, file, symbol, here)));
    for (id, occurrence) in all.iter().filter(|(_, occurrence)| occurrence.access == Access::Define) {
        let Some(indexed) = files.get(*id) else { continue };
        if let Some(comment) = doc_comment(indexed.source, occurrence.range) {
            let _ = writeln!(out, "{}\n", markdown::as_written(&comment));
            break;
        }
    }
    if let Some(keyword) = keywords::find(language, &symbol.name).filter(|_| is_reserved(symbol)) {
        let _ = writeln!(out, "{}\n\n*{}*\n", keyword.meaning, keyword.source.replace('*', ""));
    }
    if let Some(indexed) = files.get(file)
        && let Some(arguments) = indexed.index.domains(indexed.source).arguments(symbol.namespace, &symbol.name)
    {
        let argument = |(n, values): (usize, &String)| format!("{}. {}", n + 1, markdown::code(values));
        let list: Vec<String> = arguments.iter().enumerate().map(argument).collect();
        let _ = writeln!(out, "Arguments: {}\n", list.join(" · "));
    }
    let _ = write!(out, "{}", counts(&all, here.class));
    out
}

/// True for names with a meaning in the language that are not keywords.
fn is_reserved(symbol: &Symbol) -> bool {
    matches!(
        (symbol.namespace, symbol.name.as_str()),
        (Namespace::Object, "random" | "chance" | "all" | "others" | "u") | (Namespace::Predicate, "whoseturn")
    )
}

/// The first line of a hover: the kind of thing and its written form.
fn signature(files: &Files<'_>, file: FileId, symbol: &Symbol, here: &Occurrence) -> String {
    let declared = files.files.iter().find_map(|indexed| match &indexed.source.syntax {
        Syntax::Pddl(pddl) => pddl.definitions.iter().find_map(|definition| match definition {
            Definition::Domain(domain) => declaration(domain, symbol),
            Definition::Problem(_) => None,
        }),
        Syntax::Gdl(_) => None,
    });
    if let Some(declared) = declared {
        return declared;
    }
    let text = files.get(file).map_or("", |indexed| &indexed.source.text[here.range.as_usize()]);
    match typed_in_list(files, file, symbol) {
        Some(types) => format!("{text} - {types}  ; {}", word(here.class)),
        None => format!("{text}  ; {}", word(here.class)),
    }
}

/// The declared types of a constant, object, parameter or type.
fn typed_in_list(files: &Files<'_>, home: FileId, symbol: &Symbol) -> Option<String> {
    let definitions = files.occurrences(home, symbol).into_iter().filter(|(_, it)| it.access == Access::Define);
    let types = definitions.filter_map(|(id, it)| files.get(id)?.index.types_at(it.range.start)).next()?;
    match types {
        [] => None,
        [one] => Some(one.to_string()),
        many => Some(format!("(either {})", many.join(" "))),
    }
}

fn declaration(domain: &Domain, symbol: &Symbol) -> Option<String> {
    let same = |name: &percept_syntax::Name| name.is(&symbol.name);
    let list = |name: &str, params: String| match params.is_empty() {
        true => format!("({name})"),
        false => format!("({name} {params})"),
    };
    match symbol.namespace {
        Namespace::Predicate => {
            let predicate = domain.predicates.iter().find(|predicate| same(&predicate.name))?;
            Some(format!("{}  ; predicate", list(&predicate.name.text, parameters(&predicate.params))))
        }
        Namespace::NumericFunction => {
            let function = domain.functions.iter().find(|function| same(&function.signature.name))?;
            let signature = &function.signature;
            Some(format!("{} - number", list(&signature.name.text, parameters(&signature.params))))
        }
        Namespace::Action => {
            let action = domain.every_action().find(|action| same(&action.name))?;
            Some(format!("(:action {} :parameters ({}))", action.name.text, parameters(&action.params)))
        }
        _ => None,
    }
}

/// The name of a class in a sentence.
pub fn word(class: Class) -> &'static str {
    match class {
        Class::Keyword => "keyword",
        Class::Variable => "variable",
        Class::Parameter => "parameter",
        Class::Relation => "relation",
        Class::Role => "role",
        Class::Fluent => "fluent",
        Class::Move => "move",
        Class::Percept => "percept",
        Class::Function => "function",
        Class::Object => "object",
        Class::Number => "number",
        Class::Type => "type",
        Class::Predicate => "predicate",
        Class::NumericFunction => "numeric fluent",
        Class::Action => "action",
        Class::Name => "name",
        Class::Requirement => "requirement",
    }
}

/// The number of definitions, changes and uses.
fn counts(all: &[(FileId, Occurrence)], class: Class) -> String {
    let count = |access| all.iter().filter(|(_, occurrence)| occurrence.access == access).count();
    let (defined, written, read) = (count(Access::Define), count(Access::Write), count(Access::Read));
    let times = |n: usize, what: &str| (n > 0).then(|| format!("{what} {n}×"));
    let defined_word =
        if matches!(class, Class::Parameter | Class::Type | Class::Object) { "declared" } else { "defined" };
    let parts = [times(defined, defined_word), times(written, "changed"), times(read, "used")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The comment lines right above the form that contains `range`, without their marks: text, not Markdown.
fn doc_comment(source: &Source, range: TextRange) -> Option<String> {
    let text = &*source.text;
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start(form_start(source, range) as usize);
    let mut lines = Vec::new();
    while start > 0 {
        let above = line_start(start - 1);
        let line = text[above..start].trim();
        let Some(words) = comment_words(source.language, line) else { break };
        if !words.starts_with("percept:") {
            lines.push(words);
        }
        start = above;
    }
    lines.reverse();
    while lines.first().is_some_and(|line| line.is_empty()) {
        lines.remove(0);
    }
    let joined = lines.join("\n").trim().to_string();
    (!joined.is_empty()).then_some(joined)
}

fn comment_words(language: Language, line: &str) -> Option<&str> {
    let marks: &[char] = match language {
        Language::GdlInfix => &[';', '%'],
        _ => &[';'],
    };
    let rest = line.strip_prefix(marks)?.trim_start_matches(marks).trim();
    // Rows of these characters are drawn around titles; one or two may have a meaning.
    let drawn = ['-', '=', '*'];
    let is_title =
        rest.chars().take_while(|c| drawn.contains(c)).count() > 2 || rest.chars().all(|c| drawn.contains(&c));
    Some(if is_title { rest.trim_matches(drawn).trim() } else { rest })
}

/// The start of the statement, declaration or action around `range`.
fn form_start(source: &Source, range: TextRange) -> u32 {
    match &source.syntax {
        Syntax::Gdl(description) => {
            let after = description.statements.partition_point(|statement| statement.range.start <= range.start);
            description.statements[..after].last().map_or(range.start, |statement| statement.range.start)
        }
        Syntax::Pddl(file) => {
            let mut forms = Vec::new();
            for definition in &file.definitions {
                if let Definition::Domain(domain) = definition {
                    forms.extend(domain.every_action().map(|it| it.range));
                    forms.extend(domain.predicates.iter().map(|it| it.range));
                    forms.extend(domain.functions.iter().map(|it| it.signature.range));
                    forms.extend(domain.derived.iter().map(|it| it.range));
                }
            }
            forms.iter().find(|form| form.contains_range(range)).map_or(range.start, |form| form.start)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: &Fixture, expected: Expect) {
        let hover = hover(&fixture.files(), fixture.file, fixture.offset).expect("a hover");
        expected.assert_eq(&hover.markdown);
    }

    #[test]
    fn a_comment_is_text() {
        check(
            &Fixture::gdl("; === Players ===\n; ![x](https://evil.example/p.png)\n; - *two* <b>\n(role wh$0ite)"),
            expect![[r"
                ```gdl
                white  ; role
                ```
                Players
                !\[x\](https\://evil.example/p.png)  
                \- \*two\* \<b>

                defined 1×"]],
        );
    }

    #[test]
    fn a_name_does_not_leave_its_code() {
        check(
            &Fixture::gdl("(init (c$0ell a`b```))"),
            expect![[r#"
                ```gdl
                cell  ; fluent
                ```
                Arguments: 1. ```` a`b``` ````

                defined 1×"#]],
        );
    }
}
