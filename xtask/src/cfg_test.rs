//! Removes tests from Rust source.

/// The text without items of `#[cfg(test)]`. An item ends with its line, or with a brace in the
/// column it began in.
pub fn without_tests(text: &str) -> String {
    let mut item: Option<Item> = None;
    let product = text.lines().filter(|line| {
        let begins = item.is_none().then(|| line.trim_start().strip_prefix(TEST)).flatten();
        if begins.is_some() {
            item = Some(Item { column: column(line), is_open: false });
        }
        let is_test = item.is_some();
        if item.as_mut().is_some_and(|item| item.ends(line, begins.unwrap_or(line).trim())) {
            item = None;
        }
        !is_test
    });
    product.collect::<Vec<_>>().join("\n")
}

const TEST: &str = "#[cfg(test)]";

struct Item {
    column: usize,
    is_open: bool,
}

impl Item {
    fn ends(&mut self, line: &str, words: &str) -> bool {
        let is_outside = column(line) == self.column;
        if self.is_open {
            return is_outside && words.starts_with('}');
        }
        self.is_open = words.ends_with('{');
        words.ends_with([';', '}']) || is_outside && words.ends_with(',')
    }
}

fn column(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
