//! The results of a set as tables in Markdown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::measure::{LENGTHS, LOOKED_AT, Measured, Row};
use super::score::Share;

/// A row of the tables.
struct Measure {
    name: &'static str,
    /// The goals at 8k tokens and above: minimum or maximum.
    goals: [f64; 2],
    at_most: bool,
    decimals: usize,
    value: fn(&Row) -> Option<f64>,
}

const MEASURES: [Measure; 6] = [
    Measure::share("right", [80.0, 90.0], |row| row.right.percent()),
    Measure::share("exact", [85.0, 95.0], |row| row.exact.percent()),
    Measure::number("false (was)", |row| Some(f64::from(row.false_was.of))),
    Measure::share("reach", [98.0, 98.0], |row| row.reach.percent()),
    Measure::number("invented", |row| Some(f64::from(row.invented))),
    Measure { at_most: true, ..Measure::share("size", [17.0, 10.0], |row| row.size.percent()) },
];

impl Measure {
    /// A share in percent, of which there should be much.
    const fn share(name: &'static str, goals: [f64; 2], value: fn(&Row) -> Option<f64>) -> Self {
        Self { name, goals, at_most: false, decimals: 1, value }
    }

    /// A number that should be 0.
    const fn number(name: &'static str, value: fn(&Row) -> Option<f64>) -> Self {
        Self { name, goals: [0.0, 0.0], at_most: true, decimals: 0, value }
    }

    fn cell(&self, row: &Row) -> String {
        let value = (self.value)(row);
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.*}", self.decimals))
    }

    fn goal(&self) -> String {
        let bound = if self.at_most { "≤" } else { "≥" };
        match self.goals {
            [goal, same] if goal == same => match goal {
                0.0 => "0".to_owned(),
                goal => format!("{bound} {goal}"),
            },
            [short, long] => format!("{bound} {short}, {long}"),
        }
    }

    fn is_met(&self, row: &Row, tokens: u32) -> bool {
        let [short, long] = self.goals;
        let goal = if Some(&tokens) == LENGTHS.first() { short } else { long };
        (self.value)(row).is_none_or(|it| if self.at_most { it <= goal } else { it >= goal })
    }
}

/// Percent with one decimal; a dash if there is nothing to count.
fn percent(share: Share) -> String {
    share.percent().map_or_else(|| "–".to_owned(), |percent| format!("{percent:.1}"))
}

#[derive(Clone, Copy)]
struct Column<'m> {
    measured: &'m [Measured],
    tokens: u32,
    lower: bool,
    language: Option<&'m str>,
}

impl<'m> Column<'m> {
    fn conversations(self) -> impl Iterator<Item = &'m Measured> {
        let of_language =
            move |it: &&Measured| self.language.is_none_or(|language| it.language == language);
        let here = move |it: &&Measured| it.tokens == self.tokens && it.lower == self.lower;
        self.measured.iter().filter(here).filter(of_language)
    }

    fn row(self) -> Option<Row> {
        self.conversations().fold(None, |all, it| {
            let mut all: Row = all.unwrap_or_default();
            all.join(&it.last);
            Some(all)
        })
    }

    /// *Right* after each number of compactions.
    fn decay(self) -> String {
        let after = (0..LOOKED_AT.len()).map(|at| {
            let shares = self.conversations().filter_map(|it| it.decay.get(at));
            percent(shares.fold(Share::default(), |mut all, share| {
                all.join(*share);
                all
            }))
        });
        after.collect::<Vec<_>>().join(" · ")
    }
}

/// The table of results, for all languages together and for each: the present figures and, in
/// brackets, those of `before`. A bold figure misses its goal.
pub fn table(now: &[Measured], before: &[Measured]) -> String {
    let columns: Vec<(u32, bool)> =
        [false, true].iter().flat_map(|lower| LENGTHS.map(|tokens| (tokens, *lower))).collect();
    let mut text = String::from("| | goal |");
    for (tokens, lower) in &columns {
        let case = if *lower { ", lower case" } else { "" };
        let _ = write!(text, " {}k{case} |", tokens / 1_000);
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()));
    let mut line = |name: &str, goal: &str, cell: &dyn Fn(Column<'_>, Column<'_>) -> String| {
        let _ = write!(text, "| {name} | {goal} |");
        for (tokens, lower) in &columns {
            let column =
                |measured| Column { measured, tokens: *tokens, lower: *lower, language: None };
            let _ = write!(text, " {} |", cell(column(now), column(before)));
        }
        text.push('\n');
    };
    for measure in &MEASURES {
        line(measure.name, &measure.goal(), &|now, before| compared(measure, now, before));
    }
    let languages: BTreeSet<&str> = now.iter().map(|it| it.language.as_str()).collect();
    for measure in MEASURES.iter().take(2) {
        for language in &languages {
            let name = format!("{}, {language}", measure.name);
            let only = |column: Column<'_>| {
                let column = Column { language: Some(language), ..column };
                column.row().map(|row| measure.cell(&row))
            };
            line(&name, "", &|now, before| bracketed(only(now), only(before)));
        }
    }
    line("right after 1 · 2 · 5 · 10 compactions", "", &|now, _| now.decay());
    text
}

/// One row for each set, named, and one column for each measure: its figures at the three lengths.
pub fn overview(sets: &[(&str, Vec<Measured>)]) -> String {
    let lengths = LENGTHS.map(|tokens| format!("{}k", tokens / 1_000)).join(" · ");
    let mut text = format!("| {lengths} |");
    let mut goals = String::from("| *goal* |");
    for measure in &MEASURES {
        let _ = write!(text, " {} |", measure.name);
        let _ = write!(goals, " {} |", measure.goal());
    }
    let _ = writeln!(text, "\n|---|{}\n{goals}", "---|".repeat(MEASURES.len()));
    for (name, measured) in sets {
        let _ = write!(text, "| {name} |");
        for measure in &MEASURES {
            let cells = LENGTHS.map(|tokens| {
                let column = Column { measured, tokens, lower: false, language: None };
                compared(measure, column, Column { measured: &[], ..column })
            });
            let _ = write!(text, " {} |", cells.join(" · "));
        }
        text.push('\n');
    }
    text
}

fn compared(measure: &Measure, now: Column<'_>, before: Column<'_>) -> String {
    let cell = |row: Option<Row>| row.map(|row| measure.cell(&row));
    let row = now.row();
    let is_met = row.as_ref().is_none_or(|row| measure.is_met(row, now.tokens));
    let shown = cell(row).map(|cell| if is_met { cell } else { format!("**{cell}**") });
    bracketed(shown, cell(before.row()))
}

fn bracketed(now: Option<String>, before: Option<String>) -> String {
    let before = before.map(|before| format!(" ({before})")).unwrap_or_default();
    now.map_or_else(|| "–".to_owned(), |now| now + &before)
}
