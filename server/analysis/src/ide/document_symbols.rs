//! The outline of a file.

use percept_syntax::gdl::{Description, Statement};
use percept_syntax::pddl::{Definition, Domain, Problem, TypedGroup};
use percept_syntax::{Name, Source, Syntax, TextRange};
use smol_str::SmolStr;

use super::gdl_index::argument_classes;
use super::index::Class;

/// A node of the outline.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The name as written in the text.
    pub name: String,
    /// A few words in grey after the name.
    pub detail: String,
    /// The class of the name.
    pub class: Class,
    /// The range of the whole form.
    pub range: TextRange,
    /// The range of the name in it.
    pub selection: TextRange,
    /// The nodes inside the form.
    pub children: Vec<Outline>,
}

/// Returns the outline in the order of the text. In a GDL file, neighbouring rules for the same thing are one node.
pub fn outline(source: &Source) -> Vec<Outline> {
    match &source.syntax {
        Syntax::Gdl(description) => gdl(source, description),
        Syntax::Pddl(file) => file
            .definitions
            .iter()
            .map(|definition| match definition {
                Definition::Domain(it) => domain(it),
                Definition::Problem(it) => problem(it),
            })
            .collect(),
    }
}

fn gdl(source: &Source, description: &Description) -> Vec<Outline> {
    let mut groups: Vec<(SmolStr, Outline)> = Vec::new();
    for statement in description.statements.iter() {
        let Some((key, class)) = defines(statement) else { continue };
        let Some(head) = &statement.head else { continue };
        let text = source.text.get(head.range.as_usize()).unwrap_or_default();
        let one = Outline {
            name: one_line(text),
            detail: if statement.arrow.is_some() { String::new() } else { "fact".into() },
            class,
            range: statement.range.cover(head.range),
            selection: head.range,
            children: Vec::new(),
        };
        match groups.last_mut() {
            Some((last, group)) if *last == key => {
                group.range = group.range.cover(one.range);
                group.children.push(one);
            }
            _ => {
                let group = Outline { name: key.to_string(), children: vec![one.clone()], ..one };
                groups.push((key, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| count(group)).collect()
}

/// Replaces a group of one statement by that statement, and adds the number of statements to a larger one.
fn count(mut group: Outline) -> Outline {
    if group.children.len() > 1 {
        group.detail = format!("{} rules", group.children.len());
        return group;
    }
    group.children.pop().unwrap_or(group)
}

/// The name and class of the thing that a statement defines: `legal mark`, `next cell`, `open`.
pub(super) fn defines(statement: &Statement) -> Option<(SmolStr, Class)> {
    let head = statement.head.as_ref()?;
    let word = &head.name.text;
    let Some(classes) = argument_classes(word) else { return Some((word.clone(), Class::Relation)) };
    let keyword = word.to_ascii_lowercase();
    let Some(class) = classes.last() else { return Some((keyword.into(), Class::Keyword)) };
    let about = head.args().get(classes.len() - 1).filter(|arg| !arg.is_variable() && *class != Class::Object);
    Some(match about.filter(|_| keyword != "role") {
        Some(arg) => (smol_str::format_smolstr!("{keyword} {}", arg.name.text), *class),
        None => (keyword.into(), *class),
    })
}

fn one_line(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    line
}

fn domain(domain: &Domain) -> Outline {
    let mut children = Vec::new();
    children.extend(domain.types.iter().flat_map(|group| group_nodes(group, Class::Type)));
    children.extend(domain.constants.iter().flat_map(|group| group_nodes(group, Class::Object)));
    for predicate in &domain.predicates {
        let detail = parameters(&predicate.params);
        children.push(node(&predicate.name, detail, Class::Predicate, predicate.range));
    }
    for function in &domain.functions {
        let signature = &function.signature;
        children.push(node(&signature.name, parameters(&signature.params), Class::NumericFunction, signature.range));
    }
    for derived in &domain.derived {
        children.push(node(&derived.head.name, "derived".into(), Class::Predicate, derived.range));
    }
    for action in domain.every_action() {
        children.push(node(&action.name, parameters(&action.params), Class::Action, action.range));
    }
    for gain in &domain.gains {
        children.push(Outline {
            name: ":gain".into(),
            detail: parameters(&gain.params),
            class: Class::Keyword,
            range: gain.range,
            selection: TextRange::new(gain.range.start, gain.range.end.min(gain.range.start + 6)),
            children: Vec::new(),
        });
    }
    whole("domain", domain.name.as_ref(), domain.range, children)
}

fn problem(problem: &Problem) -> Outline {
    let children = problem.objects.iter().flat_map(|group| group_nodes(group, Class::Object));
    let sections = problem.sections.iter().filter(|section| section.keyword.is(":init") || section.keyword.is(":goal"));
    let sections = sections.map(|section| Outline {
        name: section.keyword.text.to_string(),
        detail: String::new(),
        class: Class::Keyword,
        range: section.range,
        selection: section.keyword.range,
        children: Vec::new(),
    });
    let children = children.chain(sections).collect();
    whole("problem", problem.name.as_ref(), problem.range, children)
}

fn whole(what: &str, name: Option<&Name>, range: TextRange, mut children: Vec<Outline>) -> Outline {
    children.sort_by_key(|child| (child.range.start, child.selection.start));
    Outline {
        name: name.map_or_else(|| what.into(), |name| name.text.to_string()),
        detail: what.into(),
        class: Class::Name,
        range,
        selection: name.map_or(TextRange::at(range.start), |name| name.range),
        children,
    }
}

fn group_nodes(group: &TypedGroup, class: Class) -> impl Iterator<Item = Outline> + '_ {
    let types: Vec<&str> = group.types.iter().map(|name| name.text.as_str()).collect();
    let detail = types.join(" ");
    group.names.iter().map(move |name| node(name, detail.clone(), class, name.range))
}

fn node(name: &Name, detail: String, class: Class, range: TextRange) -> Outline {
    let range = range.cover(name.range);
    Outline { name: name.text.to_string(), detail, class, range, selection: name.range, children: Vec::new() }
}

/// Typed lists as text: `?x ?y - t ?z - u`.
pub(super) fn parameters(groups: &[TypedGroup]) -> String {
    let mut out = String::new();
    for group in groups {
        for name in &group.names {
            out.push_str(if out.is_empty() { "?" } else { " ?" });
            out.push_str(&name.text);
        }
        match &group.types[..] {
            [] => {}
            [one] => out.push_str(&format!(" - {}", one.text)),
            many => {
                let many: Vec<&str> = many.iter().map(|name| name.text.as_str()).collect();
                out.push_str(&format!(" - (either {})", many.join(" ")));
            }
        }
    }
    out
}
