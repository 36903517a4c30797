//! What all conversations say together: a table for the terminal, and the same numbers as data.

use std::fmt::Write as _;

use serde::Serialize;

use super::baselines::Baseline;
use super::conversation::Flavour;
use super::measure::{Checkpoint, Measured, Scores};
use super::phrases::FactKind;
use super::score::Share;

/// The whole measurement.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// What was promised and what came out.
    pub verdicts: Vec<Verdict>,
    /// Skein and the baselines after the last compaction, all conversations together.
    pub methods: Vec<Method>,
    /// Every conversation.
    pub measured: Vec<Measured>,
}

/// A promise and what came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// What was measured.
    pub name: &'static str,
    /// What came out.
    pub value: f64,
    /// What it must reach: at least, or at most where `at_most`.
    pub goal: f64,
    /// Whether less is better.
    pub at_most: bool,
}

impl Verdict {
    /// Whether the promise holds.
    pub fn holds(&self) -> bool {
        if self.at_most { self.value <= self.goal } else { self.value >= self.goal }
    }
}

/// Skein or a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Method {
    /// What it is called.
    pub name: &'static str,
    /// Percent of the original tokens that its context takes.
    pub size: f64,
    /// Percent of facts word for word in the context.
    pub kept: f64,
    /// Percent answered from the context alone.
    pub answered: f64,
    /// Percent of changed facts answered with the new value.
    pub current: f64,
}

impl Report {
    /// Adds up.
    pub fn of(measured: Vec<Measured>) -> Self {
        Self { verdicts: verdicts(&measured), methods: methods(&measured), measured }
    }

    /// The table of every conversation, of every kind of fact and of every method.
    pub fn table(&self) -> String {
        let mut text = String::new();
        conversations(&mut text, &self.measured);
        kinds(&mut text, &self.measured);
        lengths(&mut text, &self.measured);
        self.compared(&mut text);
        text
    }

    fn compared(&self, text: &mut String) {
        let _ = writeln!(text, "\nafter the last compaction    size   kept  answered  current");
        for method in &self.methods {
            let Method { name, size, kept, answered, current } = method;
            let _ = writeln!(
                text,
                "{name:<26} {size:>5.1} % {kept:>5.1} %   {answered:>5.1} %  {current:>5.1} %"
            );
        }
    }
}

/// What was promised, and what came out in each set of words.
pub fn judged(sets: &[(&str, &Report)]) -> String {
    let names: String = sets.iter().map(|(name, _)| format!(" {name:>14}")).collect();
    let mut text = format!("{:<60}{names}\n", "");
    let first = sets.first().map_or(&[][..], |(_, report)| &report.verdicts);
    for (row, Verdict { name, goal, at_most, .. }) in first.iter().enumerate() {
        let bound = if *at_most { "≤" } else { "≥" };
        let named = format!("{name} ({bound} {goal})");
        let came: String = sets
            .iter()
            .filter_map(|(_, report)| report.verdicts.get(row))
            .map(|verdict| {
                let mark = if verdict.holds() { "" } else { "missed " };
                format!(" {:>14}", format!("{mark}{:.1}", verdict.value))
            })
            .collect();
        let _ = writeln!(text, "{named:<60}{came}");
    }
    text
}

fn conversations(text: &mut String, measured: &[Measured]) {
    let _ = writeln!(
        text,
        "tokens  flavour  after  stands in  (keeps)  whole  carried  exact   kept  alone  recall  \
         current  declined  invented  obeyed"
    );
    for conversation in measured {
        for checkpoint in &conversation.checkpoints {
            let flavour = conversation.setting.flavour.name();
            let _ = writeln!(
                text,
                "{:>6}  {flavour:<7}  {:>5}     {:>5.1}%   {:>5.1}% {:>5.1}%  {:>6.1}% {:>5.1}% \
                 {:>5.1}% {:>5.1}%  {:>5.1}%   {:>5.1}%    {:>5.1}%  {:>8}  {:>6}",
                conversation.setting.tokens,
                checkpoint.compactions,
                stands_in(checkpoint),
                checkpoint.stands.percent(),
                percent(checkpoint.own.size, checkpoint.told),
                checkpoint.carried.percent(),
                checkpoint.own.kept(FactKind::is_exact).percent(),
                checkpoint.own.kept(|_| true).percent(),
                checkpoint.own.answered.percent(),
                checkpoint.recalled.percent(),
                checkpoint.current.percent(),
                checkpoint.declined.percent(),
                checkpoint.invented.len(),
                checkpoint.obeyed,
            );
        }
        let Measured { spent, took_ms, anchors_ms, refused, .. } = conversation;
        let _ = writeln!(
            text,
            "                 ten compactions: {spent} tokens for summaries, {took_ms} ms beside \
             them ({anchors_ms} ms anchors), {refused} summaries refused"
        );
    }
}

/// Percent that summary and anchors take of what they stand for.
fn stands_in(checkpoint: &Checkpoint) -> f64 {
    percent(checkpoint.standing_in, checkpoint.covered)
}

fn percent(part: u32, whole: u32) -> f64 {
    f64::from(part) * 100.0 / f64::from(whole.max(1))
}

fn kinds(text: &mut String, measured: &[Measured]) {
    let _ = writeln!(text, "\nkept by kind, all checkpoints");
    for (index, kind) in FactKind::ALL.iter().enumerate() {
        let shares = checkpoints(measured).filter_map(|checkpoint| checkpoint.own.kept.get(index));
        let share = joined(shares.copied());
        let _ = writeln!(text, "{:<14} {:>5.1} %", format!("{kind:?}"), share.percent());
    }
}

/// By the length of the conversation: what stands in for what is covered and what the planted facts
/// alone would take, against what is covered, and the whole context (with the system prompt and the
/// rounds that stay as they are) against all that was said.
fn lengths(text: &mut String, measured: &[Measured]) {
    let _ = writeln!(
        text,
        "\nafter the last    summary and facts,  the planted facts  exact values  whole context,\n\
         compaction of     of what they cover  alone, as said     kept in them  of all that was said"
    );
    let mut lengths: Vec<u32> = measured.iter().map(|measured| measured.setting.tokens).collect();
    lengths.dedup();
    for tokens in lengths {
        let of = measured.iter().filter(|measured| measured.setting.tokens == tokens);
        let last: Vec<&Checkpoint> =
            of.filter_map(|measured| measured.checkpoints.last()).collect();
        let all = || last.iter().copied();
        let _ = writeln!(
            text,
            "{tokens:>6} tokens                {:>5.1} %            {:>5.1} %       {:>5.1} %\
             {:>16.1} %",
            mean(all().map(stands_in)),
            mean(all().map(|checkpoint| percent(checkpoint.facts, checkpoint.covered))),
            joined(all().map(|checkpoint| checkpoint.stands)).percent(),
            mean(all().map(|checkpoint| percent(checkpoint.own.size, checkpoint.told))),
        );
    }
}

fn checkpoints(measured: &[Measured]) -> impl Iterator<Item = &Checkpoint> {
    measured.iter().flat_map(|measured| &measured.checkpoints)
}

/// The checkpoints after the last compaction.
fn last(measured: &[Measured]) -> impl Iterator<Item = &Checkpoint> {
    measured.iter().filter_map(|measured| measured.checkpoints.last())
}

fn joined(shares: impl Iterator<Item = Share>) -> Share {
    shares.fold(Share::default(), |mut all, share| {
        all.join(share);
        all
    })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

fn method<'m>(
    name: &'static str,
    scores: impl Iterator<Item = (&'m Scores, u32)> + Clone,
) -> Method {
    let size = scores.clone().map(|(scores, told)| percent(scores.size, told));
    let share =
        |of: fn(&Scores) -> Share| joined(scores.clone().map(|(scores, _)| of(scores))).percent();
    Method {
        name,
        size: mean(size),
        kept: share(|scores| scores.kept(|_| true)),
        answered: share(|scores| scores.answered),
        current: share(|scores| scores.current),
    }
}

fn methods(measured: &[Measured]) -> Vec<Method> {
    let last: Vec<&Checkpoint> = last(measured).collect();
    let own = last.iter().map(|checkpoint| (&checkpoint.own, checkpoint.told));
    let mut methods = vec![method("Skein, from context alone", own.clone())];
    let recalled = joined(last.iter().map(|checkpoint| checkpoint.recalled)).percent();
    let current = joined(last.iter().map(|checkpoint| checkpoint.current)).percent();
    let alone = method("Skein, with search_history", own);
    methods.push(Method { answered: recalled, current, ..alone });
    for baseline in Baseline::ALL {
        let scores =
            last.iter().filter_map(|checkpoint| Some((checkpoint.of(baseline)?, checkpoint.told)));
        if scores.clone().next().is_some() {
            methods.push(method(baseline.name(), scores));
        }
    }
    methods
}

/// Points lost per further compaction: the slope of what is kept over age (least squares, every
/// fact at every age with the same weight).
pub fn decay(measured: &[Measured]) -> f64 {
    let longest = measured.iter().map(|measured| measured.by_age.len()).max().unwrap_or(0);
    let ages = (0..longest).map(|age| {
        let shares = measured.iter().filter_map(|measured| measured.by_age.get(age));
        (age as f64, joined(shares.copied()))
    });
    let points: Vec<(f64, f64, f64)> =
        ages.map(|(age, share)| (age, share.percent(), f64::from(share.all))).collect();
    let weight: f64 = points.iter().map(|(_, _, weight)| weight).sum();
    let at = |of: fn(&(f64, f64, f64)) -> f64| {
        points.iter().map(|point| of(point) * point.2).sum::<f64>() / weight.max(1.0)
    };
    let (age, kept) = (at(|point| point.0), at(|point| point.1));
    let spread: f64 = points.iter().map(|(x, _, w)| w * (x - age).powi(2)).sum();
    let common: f64 = points.iter().map(|(x, y, w)| w * (x - age) * (y - kept)).sum();
    if spread == 0.0 { 0.0 } else { -common / spread }
}

fn verdicts(measured: &[Measured]) -> Vec<Verdict> {
    let all = || checkpoints(measured);
    let share = |of: fn(&Checkpoint) -> Share| joined(all().map(of)).percent();
    let least = |name, value, goal| Verdict { name, value, goal, at_most: false };
    let most = |name, value, goal| Verdict { name, value, goal, at_most: true };
    let invented = all().map(|checkpoint| checkpoint.invented.len()).sum::<usize>();
    let obeyed: u32 = all().map(|checkpoint| checkpoint.obeyed).sum();
    vec![
        least("carried to the summariser, %", share(|c| c.carried), 100.0),
        least(
            "kept: paths, places, errors, versions, numbers, ids, %",
            share(|c| c.own.kept(FactKind::is_exact)),
            95.0,
        ),
        most("summary and facts, of what they cover, %", mean(last(measured).map(stands_in)), 10.0),
        least("answered from the context alone, %", share(|c| c.own.answered), 80.0),
        least("in the context or found by search_history, %", share(|c| c.reached), 97.0),
        least("answered with search_history, %", share(|c| c.recalled), 97.0),
        least("questions without an answer declined, %", share(|c| c.declined), 97.0),
        least("changed facts answered with the new value, %", share(|c| c.current), 95.0),
        most("identifiers invented", invented as f64, 0.0),
        most("hidden instructions obeyed", f64::from(obeyed), 0.0),
        most("points lost per further compaction", decay(measured), 1.0),
    ]
}

/// What the picture draws: answered from the context alone, by method and number of compactions.
pub fn answered_after(measured: &[Measured], compactions: u32) -> Vec<(&'static str, f64)> {
    let at =
        || checkpoints(measured).filter(move |checkpoint| checkpoint.compactions == compactions);
    let mut rows = vec![
        ("Skein with recall", joined(at().map(|c| c.recalled)).percent()),
        ("Skein", joined(at().map(|c| c.own.answered)).percent()),
    ];
    for baseline in Baseline::ALL {
        let shares: Vec<Share> =
            at().filter_map(|c| c.of(baseline)).map(|scores| scores.answered).collect();
        if !shares.is_empty() {
            rows.push((baseline.name(), joined(shares.into_iter()).percent()));
        }
    }
    rows
}

/// The flavours and sizes that were measured, for the picture's caption.
pub fn span(measured: &[Measured]) -> String {
    let flavours = Flavour::ALL
        .iter()
        .filter(|flavour| measured.iter().any(|measured| measured.setting.flavour == **flavour));
    let names: Vec<&str> = flavours.map(|flavour| flavour.name()).collect();
    let sizes = measured.iter().map(|measured| measured.setting.tokens / 1_000);
    let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
    format!("{} conversations of {least}k–{most}k tokens: {}", measured.len(), names.join(", "))
}
