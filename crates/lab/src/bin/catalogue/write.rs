//! Writes the file that `skein_context::limits::catalog` reads; its format is described there.

use std::fmt::Write;
use std::time::SystemTime;

use chrono::DateTime;
use skein_context::limits::catalog::{Catalog, CatalogModel};

use crate::{Outcome, price_line};

/// The file. `old` is the previous one, which keeps its date if the facts are the same.
pub fn file(catalog: &Catalog, sources: &[String], old: &str) -> Outcome<String> {
    let mut facts = String::new();
    for (id, row) in catalog.providers() {
        match &row.fast_model {
            Some(fast) => writeln!(facts, "[{id}] {fast}")?,
            None => writeln!(facts, "[{id}]")?,
        }
        for (id, model) in row.models.iter().filter(|(id, _)| !id.contains(['\t', '\n'])) {
            writeln!(facts, "{id}\t{}", line(model))?;
        }
    }
    let mut head =
        String::from("# Facts about models. Made by `cargo xtask catalogue`; do not edit.\n");
    for source in sources {
        writeln!(head, "# source {source} (MIT)")?;
    }
    let unchanged = old.ends_with(&facts) && old.starts_with(&head);
    let old_date = old.lines().find_map(|line| line.strip_prefix("# date "));
    let date = match old_date.filter(|_| unchanged) {
        Some(date) => date.to_owned(),
        None => today()?,
    };
    writeln!(head, "# date {date}")?;
    Ok(head + &facts)
}

fn line(model: &CatalogModel) -> String {
    let limit = |limit: Option<u32>| limit.map_or(String::new(), |limit| limit.to_string());
    let ability = |letter: char, ability: Option<bool>| match ability {
        Some(true) => letter.to_string(),
        Some(false) => letter.to_ascii_uppercase().to_string(),
        None => String::new(),
    };
    let abilities =
        ability('t', model.tools) + &ability('i', model.images) + &ability('r', model.reasoning);
    let fields = [
        limit(model.window),
        limit(model.max_input),
        limit(model.max_output),
        abilities,
        model.released.clone().unwrap_or_default(),
        model.prices.as_ref().map(price_line::format).unwrap_or_default(),
    ];
    fields.join("\t").trim_end_matches('\t').to_owned()
}

/// Today's date in UTC as `YYYY-MM-DD`.
fn today() -> Outcome<String> {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let now = DateTime::from_timestamp_secs(i64::try_from(seconds)?).ok_or("no date is so late")?;
    Ok(now.format("%Y-%m-%d").to_string())
}
