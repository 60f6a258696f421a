//! The modules of a crate, and the cycles of their dependencies: read from the sources, file by file.
//!
//! A module exists if another one declares it; code after `cfg(test)` may use anything, and is left out. A name that a
//! module took from another one (`use`, also with a star) counts for the module that it comes from, and for the one
//! that took it, unless that only re-exports its submodules. Output of macros is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module's place below the root of its crate, which is the empty one.
type Place = Vec<String>;

/// The content of a module.
#[derive(Default)]
struct Module {
    /// The place of its file's module: another one's, if it is in braces.
    owner: Place,
    /// The names defined here.
    items: BTreeSet<String>,
    /// Names taken from elsewhere, with the paths behind them.
    names: BTreeMap<String, Vec<String>>,
    /// Paths of which every name is taken.
    stars: Vec<Vec<String>>,
    /// All paths in it.
    paths: Vec<Vec<String>>,
}

/// The modules of a crate.
#[derive(Default)]
pub(super) struct Modules(BTreeMap<Place, Module>);

/// The target of a path.
struct End {
    /// The module that it ends in.
    place: Place,
    /// The name is that module, not an item in it.
    is_module: bool,
    /// Modules that took the name from elsewhere.
    through: Vec<Place>,
}

/// Names that were looked up already, by module: they can stand for each other without end.
type Looks = BTreeSet<(Place, String)>;

impl Modules {
    /// All of them, from the folder of the sources.
    pub(super) fn of(source: &Path) -> Modules {
        let mut modules = Modules::default();
        let mut open: Vec<Place> = vec![Vec::new()];
        while let Some(place) = open.pop() {
            let below = |folder: &Path| {
                let path = place.iter().fold(folder.to_owned(), |path, name| path.join(name));
                [path.with_extension("rs"), path.join("mod.rs")]
            };
            let files = match place.is_empty() {
                true => vec![source.join("lib.rs"), source.join("main.rs")],
                // A separate tree, such as benchmarks, may be beside the sources.
                false => [below(source), below(source.parent().unwrap_or(source))].concat(),
            };
            let file = files.iter().find(|file| file.is_file()).unwrap_or_else(|| panic!("none of {files:?} is there"));
            let words = without_tests(words(&super::read(file)));
            modules.add(&words, &place, place.clone(), &mut open);
        }
        modules
    }

    /// The number of modules with files of their own.
    pub(super) fn files(&self) -> usize {
        self.0.iter().filter(|(place, module)| **place == module.owner).count()
    }

    /// The module that has these words, and those in braces. `declared`: the ones in other files.
    fn add(&mut self, words: &[String], owner: &Place, place: Place, declared: &mut Vec<Place>) {
        let mut module = Module { owner: owner.clone(), ..Module::default() };
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        let mut at = 0;
        while at < words.len() {
            match (word(at), word(at + 1)) {
                ("mod", name) if matches!(word(at + 2), "{" | ";") => {
                    let child: Place = place.iter().cloned().chain([name.to_owned()]).collect();
                    if word(at + 2) == ";" {
                        declared.push(child);
                    } else {
                        let end = closing(words, at + 2);
                        self.add(&words[at + 3..end], owner, child, declared);
                        at = end;
                    }
                }
                ("use", _) => {
                    let end = at + words[at..].iter().position(|word| word == ";").unwrap_or(words.len() - at);
                    module.take(&words[at + 1..end], &[]);
                    at = end;
                }
                ("struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static", name) => {
                    module.items.insert(name.to_owned());
                }
                // `pub(in path)` is not a use.
                (name, "::") if is_name(name) && (at == 0 || word(at - 1) != "in" || word(at - 2) != "(") => {
                    let mut path = vec![name.to_owned()];
                    while word(at + 1) == "::" && is_name(word(at + 2)) {
                        path.push(words[at + 2].clone());
                        at += 2;
                    }
                    module.paths.push(path);
                }
                _ => {}
            }
            at += 1;
        }
        self.0.insert(place, module);
    }

    /// The target of a path in a module. `None`: out of the crate.
    fn end(&self, from: &Place, path: &[String], looks: &mut Looks) -> Option<End> {
        let mut end = End { place: from.clone(), is_module: true, through: Vec::new() };
        for (at, word) in path.iter().enumerate() {
            match word.as_str() {
                "crate" => end.place.clear(),
                "self" => {}
                "super" => drop(end.place.pop()),
                _ => match self.member(&end.place, word, looks) {
                    Some(member) => {
                        end.through.extend(member.through);
                        (end.place, end.is_module) = (member.place, member.is_module);
                    }
                    // The name belongs to another crate, or needs no import.
                    None if at == 0 => return None,
                    None => end.is_module = false,
                },
            }
            if !end.is_module {
                break;
            }
        }
        Some(end)
    }

    /// The target of a name in a module.
    fn member(&self, place: &Place, word: &str, looks: &mut Looks) -> Option<End> {
        let at = |place: Place, is_module: bool| Some(End { place, is_module, through: Vec::new() });
        let child: Place = place.iter().cloned().chain([word.to_owned()]).collect();
        if self.0.contains_key(&child) {
            return at(child, true);
        }
        let module = self.0.get(place)?;
        if module.items.contains(word) {
            return at(place.clone(), false);
        }
        if !looks.insert((place.clone(), word.to_owned())) {
            return None;
        }
        let named = module.names.get(word).and_then(|path| self.end(place, path, looks));
        let mut taken = named.or_else(|| {
            module.stars.iter().find_map(|path| {
                let all = self.end(place, path, looks).filter(|all| all.is_module && all.place != *place)?;
                self.member(&all.place, word, looks)
            })
        })?;
        if !taken.place.starts_with(place) {
            taken.through.push(place.clone());
        }
        Some(taken)
    }

    /// Each file's module with the modules that it uses, without its parents and submodules.
    fn imports(&self) -> BTreeMap<&Place, BTreeSet<&Place>> {
        let mut imports: BTreeMap<&Place, BTreeSet<&Place>> = BTreeMap::new();
        for (place, module) in &self.0 {
            let own = &module.owner;
            let ends = module.paths.iter().filter_map(|path| self.end(place, path, &mut Looks::new()));
            let places = ends.flat_map(|end| end.through.into_iter().chain([end.place]));
            let others = places.filter_map(|place| Some(&self.0.get(&place)?.owner));
            imports.entry(own).or_default().extend(others.filter(|it| !it.starts_with(own) && !own.starts_with(it)));
        }
        imports
    }

    /// The cycles of sibling modules in one module, each with all that is below it; and the files by which two of them
    /// use each other.
    pub(super) fn circles(&self) -> BTreeMap<Vec<String>, Vec<String>> {
        // The siblings of each module.
        let mut levels: BTreeMap<&[String], Level<'_>> = BTreeMap::new();
        let imports = self.imports();
        let pairs = imports.iter().flat_map(|(place, others)| others.iter().map(move |other| (*place, *other)));
        for (place, other) in pairs {
            let shared = place.iter().zip(other).take_while(|(a, b)| a == b).count();
            let level = levels.entry(&place[..shared]).or_default();
            level.entry(&place[..=shared]).or_default().insert(&other[..=shared]);
        }
        let mut circles = BTreeMap::new();
        for level in levels.values() {
            let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
                level.keys().map(|place| (*place, reached(place, level))).collect();
            for (place, all) in &reached {
                let is_back = |other: &&&[String]| reached.get(*other).is_some_and(|all| all.contains(place));
                let circle: BTreeSet<&[String]> = all.iter().filter(is_back).copied().collect();
                let member = |place: &Place| circle.iter().find(|member| place.starts_with(member)).copied();
                // One example for each pair.
                let mut knows: BTreeMap<_, String> = BTreeMap::new();
                for (place, others) in &imports {
                    for other in others.iter().filter(|other| member(place) != member(other)) {
                        if let (Some(left), Some(right)) = (member(place), member(other)) {
                            let says = || format!("{} knows {}", place.join("/"), other.join("/"));
                            knows.entry((left, right)).or_insert_with(says);
                        }
                    }
                }
                if !circle.is_empty() {
                    circles.insert(circle.iter().map(|place| place.join("/")).collect(), knows.into_values().collect());
                }
            }
        }
        circles
    }
}

/// Sibling modules, each with those that it uses.
type Level<'a> = BTreeMap<&'a [String], BTreeSet<&'a [String]>>;

/// All that can be reached from a module.
fn reached<'a>(from: &'a [String], level: &Level<'a>) -> BTreeSet<&'a [String]> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(level.get(module).into_iter().flatten().filter(|next| seen.insert(**next)));
    }
    seen
}

impl Module {
    /// Records a `use`. `before`: the path in front of the braces.
    fn take(&mut self, words: &[String], before: &[String]) {
        let mut path = before.to_vec();
        let mut name = None;
        for (at, word) in words.iter().enumerate() {
            match word.as_str() {
                "::" => {}
                "*" => {
                    self.stars.push(path.clone());
                    return self.paths.push(path);
                }
                "{" => {
                    let inside = &words[at + 1..closing(words, at)];
                    let mut depth = 0;
                    let parts = inside.split(|word| {
                        depth += i32::from(word == "{") - i32::from(word == "}");
                        word == "," && depth == 0
                    });
                    return parts.filter(|part| !part.is_empty()).for_each(|part| self.take(part, &path));
                }
                "as" => {
                    name = words.get(at + 1).cloned();
                    break;
                }
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
        }
        self.names.insert(name.or_else(|| path.last().cloned()).unwrap_or_default(), path.clone());
        self.paths.push(path);
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The words of a text, without comments and quoted text.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let after = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        let mut word = "";
        let length = if rest.starts_with("//") {
            after("\n")
        } else if rest.starts_with("/*") {
            after("*/")
        } else if c == '"' {
            quoted(rest)
        } else if rest.starts_with("'\\") {
            3 + rest[3..].find('\'').map_or(0, |at| at + 1)
        } else if c == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices().nth(3).map_or(rest.len(), |it| it.0)
        } else if is_part(c) {
            word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let behind = &rest[word.len()..];
            let hashes = behind.len() - behind.trim_start_matches('#').len();
            if matches!(word, "r" | "br") && behind[hashes..].starts_with('"') {
                let (begin, end) = (word.len() + hashes + 1, format!("\"{}", &behind[..hashes]));
                word = "";
                begin + rest[begin..].find(&end).map_or(rest.len() - begin, |at| at + end.len())
            } else {
                word.len()
            }
        } else {
            word = if rest.starts_with("::") { "::" } else { &rest[..c.len_utf8()] };
            word.len()
        };
        if !word.trim().is_empty() {
            words.push(word.to_owned());
        }
        rest = &rest[length..];
    }
    words
}

/// The length of the quoted text at the beginning of this one.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The index of the brace that closes the one opened here.
fn closing(words: &[String], open: usize) -> usize {
    let mut depth = 0;
    let is_end = |word: &String| {
        depth += i32::from(word == "{") - i32::from(word == "}");
        depth == 0
    };
    words[open..].iter().position(is_end).map_or(words.len(), |at| open + at)
}

/// The words without those for tests alone.
fn without_tests(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        if words[at..].iter().take(7).map(String::as_str).eq(["#", "[", "cfg", "(", "test", ")", "]"]) {
            let end =
                words[at..].iter().position(|word| matches!(&**word, ";" | "{")).map_or(words.len(), |it| at + it);
            at = if words.get(end).is_some_and(|word| word == "{") { closing(&words, end) } else { end } + 1;
        } else {
            kept.push(words[at].clone());
            at += 1;
        }
    }
    kept
}

#[test]
fn circles_are_found_however_they_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let circles = || Modules::of(folder.path()).circles().into_keys().map(|it| it.join(" ")).collect::<Vec<_>>();
    write("lib.rs", "mod low; mod high; mod both; pub use low::*; pub use both::Both as Two;");
    write("low.rs", "pub struct Low; /* use crate::high::High; */ const TEXT: &str = r#\"crate::high::\"High\"#;");
    write("high/mod.rs", "mod one; mod two; pub use one::One; pub struct High(crate::Low); // crate::both::Both");
    write("high/one.rs", "use super::High; pub struct One(High);");
    write("high/two.rs", "use super::One; #[cfg(test)] mod tests { use crate::both::Both; } #[cfg(test)] mod far;");
    write("both.rs", "pub struct Both { it: crate::low::Low, a: char = '\"', b: crate::high::High }");
    assert!(circles().is_empty(), "{:?}", circles());
    for (file, text, circle) in [
        ("low.rs", "pub struct Low; fn f() { let it = crate::high::High; }", "high low"),
        ("low.rs", "pub struct Low; use super::{both::{self}};", "both high low"),
        ("low.rs", "pub struct Low(crate::Two);", "both high low"),
        ("low.rs", "pub struct Low; mod inside { fn f() { super::super::both::f::<char>() } }", "both high low"),
        (
            "low.rs",
            "pub struct Low; const C: [char; 3] = ['\\'', '{', '\"']; use crate::{high::{One, High as H}, Two};",
            "both high low",
        ),
        ("high/one.rs", "pub struct One; use super::{super::high::{two}};", "high/one high/two"),
        ("high/one.rs", "pub struct One; pub(in crate::both) fn f() { crate::high::two::f() }", "high/one high/two"),
    ] {
        let before = super::read(folder.path().join(file));
        write(file, text);
        assert_eq!(circles(), [circle], "{file}: {text}");
        write(file, &before);
    }
}
