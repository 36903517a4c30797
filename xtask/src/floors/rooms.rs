//! Which modules of a crate reach one another, also by way of others.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::checkout::Source;
use super::imports;

/// The modules at the root of a crate, each with those that it names and the file it does so in.
pub struct Modules(BTreeMap<String, BTreeMap<String, String>>);

impl Modules {
    /// Of the crate whose sources are in `folder`.
    pub fn of(sources: &[Source], folder: &str) -> Self {
        let mut modules: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for source in sources {
            let Some(path) = source.module_of(folder) else { continue };
            let Some(module) = path.first() else { continue };
            let named = modules.entry(module.clone()).or_default();
            for name in imports::from_the_crate_root(&source.code, path.len()) {
                named.entry(name).or_insert_with(|| source.path.clone());
            }
        }
        Self(modules)
    }

    /// The shortest way from a module to each of `others` that it reaches, and the file it begins in. Nobody
    /// looks further behind one of them.
    pub fn ways(&self, from: &str, others: &[&str]) -> Vec<(String, String)> {
        let mut ways = Vec::new();
        let mut came_from: HashMap<&str, &str> = HashMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(module) = next.pop_front() {
            for name in self.0.get(module).into_iter().flat_map(BTreeMap::keys) {
                if name == from || came_from.contains_key(name.as_str()) {
                    continue;
                }
                came_from.insert(name, module);
                if others.contains(&name.as_str()) {
                    let way = way(name, &came_from);
                    ways.push((self.file(&way), way.join(" → ")));
                } else {
                    next.push_back(name);
                }
            }
        }
        ways
    }

    /// The file that a way begins in.
    fn file(&self, way: &[&str]) -> String {
        let [first, second, ..] = way else { return String::new() };
        self.0.get(*first).and_then(|named| named.get(*second)).cloned().unwrap_or_default()
    }
}

/// From where the search began.
fn way<'a>(to: &'a str, came_from: &HashMap<&'a str, &'a str>) -> Vec<&'a str> {
    let back = std::iter::successors(Some(to), |at| came_from.get(at).copied());
    let mut way: Vec<_> = back.collect();
    way.reverse();
    way
}
