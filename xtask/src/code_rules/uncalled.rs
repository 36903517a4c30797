//! Finds functions that are never called.
//!
//! A name alone is ambiguous: two types may have a `check`. So the form of each use counts, and the
//! other definitions of the name in the same file.

use std::collections::{HashMap, HashSet};

use super::source::Source;

/// A function definition.
struct Function<'a> {
    name: &'a str,
    /// The type; `None` for a free function.
    owner: Option<&'a str>,
    is_public: bool,
}

/// The form of a use: `.name`, `owner::name`, or the name alone.
enum Use<'a> {
    Method,
    Of(&'a str),
    Bare,
}

/// The uses of names in a file.
struct Calls<'a> {
    source: &'a Source,
    functions: Vec<Function<'a>>,
    uses: HashMap<&'a str, Vec<Use<'a>>>,
    /// All names in the file.
    names: HashSet<&'a str>,
    /// The imported or re-exported names; `*` for glob imports.
    imported: HashSet<&'a str>,
}

/// The public functions of `folders` that nothing in `product` calls.
pub fn uncalled(product: &[&Source], folders: &[&str]) -> Vec<String> {
    let files: Vec<Calls> = product.iter().map(|source| Calls::of(source)).collect();
    let of_folders = files.iter().filter(|it| folders.iter().any(|at| it.source.is_in(at)));
    let functions = of_folders.flat_map(|file| file.functions.iter().map(move |it| (file, it)));
    functions
        .filter(|(_, function)| function.is_public)
        .filter(|(home, function)| !files.iter().any(|file| file.calls(function, home)))
        .map(|(home, function)| {
            format!("{}: only tests call `{}`", home.source.path, function.name)
        })
        .collect()
}

impl<'a> Calls<'a> {
    fn of(source: &'a Source) -> Self {
        let names = tokens(&source.code).filter(|token| !token.starts_with(not_in_a_name));
        Self {
            source,
            functions: functions(&source.code),
            uses: uses(source),
            names: names.collect(),
            imported: source.imports().flat_map(tokens).collect(),
        }
    }

    fn calls(&self, function: &Function, home: &Calls) -> bool {
        let uses = self.uses.get(function.name).into_iter().flatten();
        uses.into_iter().any(|it| self.means(it, function, home))
    }

    fn imports(&self, name: &str) -> bool {
        self.imported.contains(name) || self.imported.contains("*")
    }

    fn means(&self, used: &Use, function: &Function, home: &Calls) -> bool {
        let has_its_own = |of_a_type: bool| {
            let mut own = self.functions.iter().filter(|it| it.name == function.name);
            own.any(|it| it.owner.is_some() == of_a_type)
        };
        match (function.owner, used) {
            (Some(_), Use::Bare) | (None, Use::Method) => false,
            (Some(owner), Use::Method) => self.names.contains(owner) || !has_its_own(true),
            (Some(owner), Use::Of("Self")) => self.names.contains(owner),
            // `>` ends a generic type whose name is not read here.
            (Some(owner), Use::Of(of)) => [owner, ">"].contains(of),
            (None, Use::Of(of)) => !of.starts_with(char::is_uppercase),
            (None, Use::Bare) => {
                self.source.path == home.source.path
                    || self.imports(function.name) && !has_its_own(false)
            }
        }
    }
}

fn functions(code: &str) -> Vec<Function<'_>> {
    let mut owner = None;
    let mut found = Vec::new();
    for line in code.lines() {
        if line.starts_with('}') {
            owner = None;
        } else if let Some(name) = implemented(line) {
            owner = Some(name);
        }
        let Some((before, after)) = line.split_once("fn ") else { continue };
        let name = after.split(not_in_a_name).next().unwrap_or_default();
        if before.chars().all(|it| it.is_alphanumeric() || "_() :".contains(it)) {
            let is_public = before.trim_start().starts_with("pub");
            found.push(Function { name, owner, is_public });
        }
    }
    found
}

/// `Store` of `impl<T> fmt::Display for Store<T> {` and of `pub trait Store {`.
fn implemented(line: &str) -> Option<&str> {
    let line = line.split(" where ").next().unwrap_or_default();
    let subject = match line.strip_prefix("impl") {
        Some(rest) => rest.rsplit_once(" for ").map_or_else(|| after_generics(rest), |(_, it)| it),
        None => line.split_once("trait ").filter(|_| !line.starts_with(' '))?.1,
    };
    let path = subject.trim_start().split(['<', ' ', '{']).next()?;
    path.rsplit("::").next()
}

/// The rest of a line after a leading `<…>`.
fn after_generics(line: &str) -> &str {
    let mut depth = 0;
    let after = line.trim_start_matches(|letter| {
        let inside = depth > 0 || letter == '<';
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        inside
    });
    after.trim_start()
}

/// Every use of a name, without imports, re-exports and definitions.
fn uses(source: &Source) -> HashMap<&str, Vec<Use<'_>>> {
    let mut uses: HashMap<&str, Vec<Use>> = HashMap::new();
    let mut before = ["", "", ""];
    for token in source.lines_without_imports().flat_map(tokens) {
        if !token.starts_with(not_in_a_name) {
            let used = match before {
                [_, _, "fn"] => None,
                [_, ".", "."] => Some(Use::Bare),
                [_, _, "."] => Some(Use::Method),
                [of, ":", ":"] => Some(Use::Of(of)),
                _ => Some(Use::Bare),
            };
            uses.entry(token).or_default().extend(used);
        }
        let [_, second, third] = before;
        before = [second, third, token];
    }
    uses
}

/// Names, and the characters between them one by one.
fn tokens(code: &str) -> impl Iterator<Item = &str> {
    let pieces = code.split_inclusive(not_in_a_name).flat_map(|piece| {
        let name = piece.trim_end_matches(not_in_a_name);
        [name, piece.strip_prefix(name).unwrap_or_default().trim()]
    });
    pieces.filter(|token| !token.is_empty())
}

fn not_in_a_name(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}
