//! Which functions there are, and which of them are called.
//!
//! A name alone tells little: two types have a `check`. So it counts how a name is used, and who else
//! in the same file has one of that name.

use std::collections::{HashMap, HashSet};

use super::source::Source;

/// A function as it is defined.
struct Function<'a> {
    name: &'a str,
    /// The type it is of; `None`: it stands in the module.
    owner: Option<&'a str>,
    is_public: bool,
}

/// How a name is used: `.name`, `owner::name`, or by itself.
enum Use<'a> {
    Method,
    Of(&'a str),
    Bare,
}

/// A file, read for its calls.
struct Calls<'a> {
    source: &'a Source,
    functions: Vec<Function<'a>>,
    uses: HashMap<&'a str, Vec<Use<'a>>>,
    /// Every name there is in it.
    names: HashSet<&'a str>,
    /// Every name that it imports or re-exports; `*`: also others.
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
            // `>`: what stands before it is a type that is not spelled out here.
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

/// `Store`, of `impl<T> fmt::Display for Store<T> {` and of `pub trait Store {`.
fn implemented(line: &str) -> Option<&str> {
    let line = line.split(" where ").next().unwrap_or_default();
    let subject = match line.strip_prefix("impl") {
        Some(rest) => rest.rsplit_once(" for ").map_or_else(|| after_generics(rest), |(_, it)| it),
        None => line.split_once("trait ").filter(|_| !line.starts_with(' '))?.1,
    };
    let path = subject.trim_start().split(['<', ' ', '{']).next()?;
    path.rsplit("::").next()
}

/// What follows the `<…>` that a line begins with, if it does.
fn after_generics(line: &str) -> &str {
    let mut depth = 0;
    let after = line.trim_start_matches(|letter| {
        let inside = depth > 0 || letter == '<';
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        inside
    });
    after.trim_start()
}

/// Every use of a name but to import, re-export or define it.
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

/// Names, and what is between them letter by letter.
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
