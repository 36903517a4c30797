use std::collections::BTreeMap;

use proptest::prelude::*;
use skein_context::health::breakdown::{
    Breakdown, BreakdownCategory, BreakdownMode, BreakdownPartLabel, BreakdownRow, breakdown,
};
use skein_context::health::usage::UsageReport;
use skein_context::limits::Limits;
use skein_context::tokens::message_tokens::CountedText;
use skein_context::window::{EntryContent, PrefixSection, SectionKind, SkillEntry, Window};
use skein_domain::ids::ProviderId;
use skein_domain::message::{ContentPart, Origin};
use skein_domain::model::ModelRef;
use skein_domain::strategy::Strategy as When;
use skein_domain::tool_declaration::ToolFamily;
use skein_domain::usage::TokenUsage;

use crate::fixture::Thread;
use crate::laws;

fn report(prompt: u32, cached: Option<u32>) -> UsageReport {
    UsageReport {
        message_id: skein_domain::ids::MessageId(1),
        at: 0,
        point: None,
        prefix: None,
        model: ModelRef { provider: ProviderId("demo".to_owned()), model: "a".to_owned() },
        usage: TokenUsage { prompt: Some(prompt), cached, ..TokenUsage::default() },
    }
}

fn of(thread: &Thread, report: Option<&UsageReport>) -> Breakdown {
    thread.see(|window| breakdown(window, thread.limits, report))
}

fn rows(breakdown: &Breakdown) -> Vec<(BreakdownCategory, u32)> {
    breakdown.rows.iter().map(|row| (row.kind, row.tokens)).collect()
}

fn parts(breakdown: &Breakdown, kind: BreakdownCategory) -> Vec<(String, u32)> {
    let row = breakdown.rows.iter().find(|row| row.kind == kind).unwrap();
    let name = |label: &BreakdownPartLabel| match label {
        BreakdownPartLabel::Named { name } => name.clone(),
        other => format!("{other:?}"),
    };
    row.parts.iter().map(|part| (name(&part.label), part.tokens)).collect()
}

/// A window of 10,000 that compacts above 3,000, with everything resident.
fn equipped() -> Thread {
    let mut thread = Thread::new()
        .window_of(10_000)
        .system(500)
        .memory("AGENTS.md", 40)
        .memory("~/.skein/AGENTS.md", 60)
        .tool("read_file", ToolFamily::BuiltIn, 120)
        .tool("grep", ToolFamily::BuiltIn, 130)
        .tool("git__log", ToolFamily::Mcp, 90)
        .tool("skill", ToolFamily::Skill, 200);
    thread.prefix.skills = vec![
        SkillEntry { name: "pdf".to_owned(), tokens: 50 },
        SkillEntry { name: "xlsx".to_owned(), tokens: 70 },
    ];
    thread
}

#[test]
fn q09_q11_mode_a_has_no_total_and_free_is_window_less_estimate_less_buffer() {
    let thread = equipped().rounds(2, 100);
    let found = of(&thread, None);
    let expected = [
        (BreakdownCategory::SystemPrompt, 500),
        (BreakdownCategory::BuiltInTools, 250),
        (BreakdownCategory::McpTools, 90),
        (BreakdownCategory::Skills, 200),
        (BreakdownCategory::MemoryFiles, 100),
        (BreakdownCategory::Messages, thread.used() - 1_140),
        (BreakdownCategory::FreeSpace, 10_000 - thread.used() - 7_000),
        (BreakdownCategory::AutocompactBuffer, 7_000),
    ];
    assert_eq!(rows(&found), expected);
    assert_eq!(
        (found.mode, found.window, found.assumed, found.over),
        (BreakdownMode::Estimated {}, 10_000, false, 0)
    );
}

#[test]
fn q11_in_mode_a_the_messages_are_split_and_the_draft_is_one_of_their_parts() {
    let thread = equipped().person(30).model(50).draft(40);
    let found = of(&thread, None);
    let expected = [("Model".to_owned(), 50), ("Draft".to_owned(), 40), ("Person".to_owned(), 30)];
    assert_eq!(parts(&found, BreakdownCategory::Messages), expected);
}

#[test]
fn q10_q11_in_mode_a_over_the_trigger_the_buffer_shrinks_and_over_the_window_the_excess_is_named() {
    let found = of(&equipped().person(3_360), None);
    assert_eq!(
        rows(&found)[6..],
        [(BreakdownCategory::FreeSpace, 0), (BreakdownCategory::AutocompactBuffer, 5_500)]
    );
    let found = of(&equipped().person(9_000), None);
    assert_eq!(
        rows(&found)[6..],
        [(BreakdownCategory::FreeSpace, 0), (BreakdownCategory::AutocompactBuffer, 0)]
    );
    assert_eq!(found.over, 140);
}

#[test]
fn q12_mode_b_takes_the_total_from_the_report_and_messages_are_what_it_leaves() {
    let thread = equipped().rounds(2, 100);
    let found = of(&thread, Some(&report(1_600, Some(900))));
    let expected = [
        (BreakdownCategory::SystemPrompt, 500),
        (BreakdownCategory::BuiltInTools, 250),
        (BreakdownCategory::McpTools, 90),
        (BreakdownCategory::Skills, 200),
        (BreakdownCategory::MemoryFiles, 100),
        (BreakdownCategory::Messages, 460),
        (BreakdownCategory::FreeSpace, 1_400),
        (BreakdownCategory::AutocompactBuffer, 7_000),
    ];
    assert_eq!(rows(&found), expected);
    assert_eq!(found.mode, BreakdownMode::Reported { total: 1_600, cached: Some(900) });
}

#[test]
fn q02_q03_q05_q07_parts_are_listed_largest_first() {
    let mut thread = equipped();
    for (kind, tokens) in [(SectionKind::Standing {}, 600), (SectionKind::Instructions {}, 700)] {
        let content = CountedText { text: String::new(), tokens };
        thread.prefix.sections.push(PrefixSection { kind, content });
    }
    let found = of(&thread, None);
    let named = |list: &[(&str, u32)]| -> Vec<(String, u32)> {
        list.iter().map(|(name, tokens)| ((*name).to_owned(), *tokens)).collect()
    };
    let system = named(&[("Instructions", 700), ("Standing", 600), ("Program", 500)]);
    assert_eq!(parts(&found, BreakdownCategory::SystemPrompt), system);
    assert_eq!(parts(&found, BreakdownCategory::Skills), named(&[("xlsx", 70), ("pdf", 50)]));
    assert_eq!(
        parts(&found, BreakdownCategory::BuiltInTools),
        named(&[("grep", 130), ("read_file", 120)])
    );
    assert_eq!(parts(&found, BreakdownCategory::McpTools), named(&[("git__log", 90)]));
    assert_eq!(
        parts(&found, BreakdownCategory::MemoryFiles),
        named(&[("~/.skein/AGENTS.md", 60), ("AGENTS.md", 40)])
    );
}

#[test]
fn q04_what_an_mcp_server_says_of_its_tools_is_counted_with_them() {
    let found = of(&equipped().server("git", 30), None);
    let expected = [("git__log".to_owned(), 90), ("git".to_owned(), 30)];
    assert_eq!(parts(&found, BreakdownCategory::McpTools), expected);
}

#[test]
fn q06_the_parts_of_skills_are_less_than_their_row_by_the_words_around_them() {
    let found = of(&equipped(), None);
    assert_eq!(
        parts(&found, BreakdownCategory::Skills),
        [("xlsx".to_owned(), 70), ("pdf".to_owned(), 50)]
    );
}

#[test]
fn q04_the_row_of_mcp_tools_is_there_only_when_there_are_any() {
    let thread = Thread::new().window_of(10_000).system(10);
    let kinds: Vec<BreakdownCategory> = of(&thread, None).rows.iter().map(|row| row.kind).collect();
    let expected = [
        BreakdownCategory::SystemPrompt,
        BreakdownCategory::BuiltInTools,
        BreakdownCategory::Skills,
        BreakdownCategory::MemoryFiles,
        BreakdownCategory::Messages,
        BreakdownCategory::FreeSpace,
        BreakdownCategory::AutocompactBuffer,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn q08_q13_an_overestimated_overhead_is_scaled_and_rounded_down() {
    let found = of(&equipped(), Some(&report(1_000, None)));
    let expected = [
        (BreakdownCategory::SystemPrompt, 438),
        (BreakdownCategory::BuiltInTools, 219),
        (BreakdownCategory::McpTools, 78),
        (BreakdownCategory::Skills, 175),
        (BreakdownCategory::MemoryFiles, 87),
        (BreakdownCategory::Messages, 3),
        (BreakdownCategory::FreeSpace, 2_000),
        (BreakdownCategory::AutocompactBuffer, 7_000),
    ];
    assert_eq!(rows(&found), expected);
    let memory = parts(&found, BreakdownCategory::MemoryFiles);
    assert_eq!(memory, [("~/.skein/AGENTS.md".to_owned(), 53), ("AGENTS.md".to_owned(), 34)]);
}

#[test]
fn q08_under_messages_an_estimated_split_says_what_it_does_not_account_for() {
    let thread = equipped()
        .person(30)
        .model(50)
        .covered_to(1, 25)
        .person(40)
        .says_and_calls(20, 300)
        .model(60)
        .reminder("tabs");
    let found = of(&thread, Some(&report(2_000, None)));
    let reminders = 10 + u32::try_from("[7] tabs\n".len()).unwrap();
    let expected = [
        ("Unattributed".to_owned(), 860 - 300 - 80 - 45 - 40 - reminders),
        ("ToolResults".to_owned(), 300),
        ("Model".to_owned(), 80),
        ("Summary".to_owned(), 45),
        ("Person".to_owned(), 40),
        ("Reminders".to_owned(), reminders),
    ];
    assert_eq!(parts(&found, BreakdownCategory::Messages), expected);
}

#[test]
fn q08_under_messages_pictures_and_files_stand_apart_and_a_draft_not_at_all() {
    let thread = equipped().attaches(1_000).model(20).attaches_file(300).model(20).notice(9);
    let thread = thread.person(50).pinned().draft(40);
    let found = of(&thread, Some(&report(4_000, None)));
    let expected = [
        ("Unattributed".to_owned(), 2_860 - 1_086 - 90 - 40 - 9),
        ("Attachments".to_owned(), 786 + 300),
        ("Person".to_owned(), 20 + 20 + 50),
        ("Model".to_owned(), 40),
        ("Reminders".to_owned(), 9),
    ];
    assert_eq!(parts(&found, BreakdownCategory::Messages), expected);
}

#[test]
fn q10_the_buffer_is_what_automatic_compaction_keeps_free() {
    let buffer = |strategy: When, automatic: bool| {
        let thread = equipped().policy(|policy| {
            policy.strategy = strategy;
            policy.automatic = automatic;
        });
        of(&thread, None).rows.last().unwrap().tokens
    };
    assert_eq!(buffer(When::Summarize, true), 7_000);
    assert_eq!(buffer(When::Archive, true), 1_000);
    assert_eq!(buffer(When::Remind, true), 0);
    assert_eq!(buffer(When::Summarize, false), 0);
}

#[test]
fn q10_over_the_trigger_free_is_nothing_and_the_buffer_shrinks() {
    let found = of(&equipped(), Some(&report(4_500, None)));
    assert_eq!(
        rows(&found)[6..],
        [(BreakdownCategory::FreeSpace, 0), (BreakdownCategory::AutocompactBuffer, 5_500)]
    );
}

#[test]
fn q01_over_the_window_the_excess_is_named_and_nothing_is_negative() {
    let found = of(&equipped(), Some(&report(10_250, None)));
    assert_eq!(
        rows(&found)[6..],
        [(BreakdownCategory::FreeSpace, 0), (BreakdownCategory::AutocompactBuffer, 0)]
    );
    assert_eq!(found.over, 250);
}

#[test]
fn q01_where_less_than_the_window_is_taken_as_a_prompt_the_rows_sum_to_that() {
    let mut thread = equipped();
    thread.limits.max_input = Some(6_000);
    // Compacts at three fifths of half the window, which a prompt may take.
    let found = of(&thread, Some(&report(6_000, None)));
    assert_eq!((found.window, found.over), (6_000, 0));
    let found = of(&thread, Some(&report(6_001, None)));
    assert_eq!((found.window, found.over), (6_000, 1));
    let found = of(&thread, Some(&report(2_000, None)));
    assert_eq!(
        rows(&found)[6..],
        [(BreakdownCategory::FreeSpace, 1_000), (BreakdownCategory::AutocompactBuffer, 3_000)]
    );
    holds_together(&found);
}

#[test]
fn fr_3_3_an_unknown_window_is_assumed_and_says_so_and_has_no_buffer() {
    let mut thread = equipped();
    thread.limits.window = None;
    let found = of(&thread, None);
    assert_eq!((found.window, found.assumed), (96_000, true));
    assert_eq!(found.rows.last().map(|row| row.tokens), Some(0));
}

/// Checks law 8 for a breakdown.
fn holds_together(found: &Breakdown) {
    let sum: u64 = found.rows.iter().map(|row| u64::from(row.tokens)).sum();
    assert_eq!(sum, u64::from(found.window) + u64::from(found.over));
    for BreakdownRow { kind, tokens, parts } in &found.rows {
        let within: u64 = parts.iter().map(|part| u64::from(part.tokens)).sum();
        match kind {
            BreakdownCategory::FreeSpace | BreakdownCategory::AutocompactBuffer => {
                assert!(parts.is_empty())
            }
            BreakdownCategory::Skills => assert!(within <= u64::from(*tokens), "{kind:?}"),
            BreakdownCategory::SystemPrompt
            | BreakdownCategory::BuiltInTools
            | BreakdownCategory::McpTools
            | BreakdownCategory::MemoryFiles
            | BreakdownCategory::Messages => assert_eq!(within, u64::from(*tokens), "{kind:?}"),
        }
        assert!(parts.is_sorted_by(|a, b| a.tokens >= b.tokens), "{kind:?}");
    }
    if let BreakdownMode::Reported { total, .. } = found.mode {
        let free = [BreakdownCategory::FreeSpace, BreakdownCategory::AutocompactBuffer];
        let used = found.rows.iter().filter(|row| !free.contains(&row.kind));
        assert_eq!(used.map(|row| row.tokens).sum::<u32>(), total);
    }
}

/// Tokens of a request by author and kind, without the draft. Text of the model and its calls count together.
fn split(window: &Window<'_>) -> BTreeMap<&'static str, u32> {
    let mut split = BTreeMap::new();
    let mut add = |of, tokens| *split.entry(of).or_insert(0) += tokens;
    for line in &window.entries {
        let sent = match line.content {
            EntryContent::Message { sent, .. } | EntryContent::Pinned { sent, .. } => sent,
            EntryContent::Opening
            | EntryContent::Reminder { .. }
            | EntryContent::ContinueReply { .. } => {
                add("Reminders", line.tokens);
                continue;
            }
            EntryContent::Draft { .. } => continue,
            _ => {
                add("Summary", line.tokens);
                continue;
            }
        };
        let parts = sent.counted.message.parts.iter().zip(&sent.counted.tokens.parts);
        let attached = parts
            .filter(|(part, _)| matches!(part, ContentPart::Image(_) | ContentPart::File { .. }));
        let attached: u32 = attached.map(|(_, tokens)| tokens).sum();
        add("Attachments", attached);
        let speaker = match sent.counted.message.origin {
            Origin::Person => "Person",
            Origin::Model => "Model",
            Origin::Runtime => "Reminders",
        };
        add(speaker, line.tokens - attached);
    }
    split
}

/// A thread in any state, or one with all sorts of things resident; of a model with a window of any size,
/// or an unknown one.
fn any_threads() -> impl Strategy<Value = Thread> {
    let unknown = |thread| Thread { limits: Limits::default(), ..thread };
    prop_oneof![threads(), laws::threads(), laws::threads().prop_map(unknown)]
}

fn threads() -> impl Strategy<Value = Thread> {
    let sizes = || proptest::collection::vec(0_u32..5_000, 0..6);
    let report = (1_000_u32..2_000_000, 40_u32..=90, any::<bool>(), 0..3_u8);
    (sizes(), sizes(), sizes(), sizes(), report).prop_map(|(system, tools, mcp, messages, rest)| {
        let (window, percent, automatic, strategy) = rest;
        let mut thread = Thread::new().window_of(window).policy(|policy| {
            policy.compaction_threshold = percent;
            policy.automatic = automatic;
            policy.strategy = [When::Summarize, When::Remind, When::Archive][usize::from(strategy)];
        });
        for (at, tokens) in system.iter().enumerate() {
            thread = match at {
                0 => thread.system(*tokens),
                _ => thread.memory(&format!("{at}.md"), *tokens),
            };
        }
        for (at, tokens) in tools.iter().enumerate() {
            let family = if at == 0 { ToolFamily::Skill } else { ToolFamily::BuiltIn };
            thread = thread.tool(&format!("tool{at}"), family, *tokens);
        }
        if let Some(tokens) = tools.first() {
            thread.prefix.skills = vec![
                SkillEntry { name: "a".to_owned(), tokens: tokens / 3 },
                SkillEntry { name: "b".to_owned(), tokens: tokens / 2 },
            ];
        }
        for (at, tokens) in mcp.iter().enumerate() {
            thread = thread.tool(&format!("mcp__tool{at}"), ToolFamily::Mcp, *tokens);
        }
        messages.iter().fold(thread, |thread, tokens| thread.round(*tokens + 10))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn law_08_rows_sum_to_the_window_and_parts_to_their_row(
        thread in any_threads(),
        total in proptest::option::of(1_u32..3_000_000),
    ) {
        holds_together(&of(&thread, total.map(|total| report(total, None)).as_ref()));
    }

    #[test]
    fn law_08_in_mode_a_the_rows_that_are_used_sum_to_the_estimate(thread in any_threads()) {
        let found = of(&thread, None);
        let free = [BreakdownCategory::FreeSpace, BreakdownCategory::AutocompactBuffer];
        let used = found.rows.iter().filter(|row| !free.contains(&row.kind));
        prop_assert_eq!(used.map(|row| row.tokens).sum::<u32>(), thread.used());
    }

    #[test]
    fn law_08_the_parts_of_messages_are_what_the_lines_of_the_request_take(
        thread in any_threads(),
        beyond in 0_u32..1_000,
    ) {
        let drafted = thread.draft.as_ref().map_or(0, |(_, tokens)| tokens.total());
        let found = of(&thread, Some(&report(thread.used() - drafted + beyond, None)));
        let mut told = BTreeMap::new();
        for (label, tokens) in parts(&found, BreakdownCategory::Messages) {
            let label = if label == "ToolResults" { "Model".to_owned() } else { label };
            *told.entry(label).or_insert(0) += tokens;
        }
        let sent = thread.see(split).into_iter().chain([("Unattributed", beyond)]);
        let sent = sent.filter(|(_, tokens)| *tokens > 0);
        let sent: BTreeMap<_, _> = sent.map(|(of, tokens)| (of.to_owned(), tokens)).collect();
        prop_assert_eq!(told, sent);
    }

    #[test]
    fn law_08_nothing_jumps_when_a_threshold_is_crossed_by_one(
        thread in threads(),
        edge in 0..4_u8,
        total in 2_u32..2_000_000,
    ) {
        let overhead: u32 = of(&thread, None).rows.iter()
            .filter(|row| !matches!(
                row.kind,
                BreakdownCategory::Messages | BreakdownCategory::FreeSpace | BreakdownCategory::AutocompactBuffer
            ))
            .map(|row| row.tokens)
            .sum();
        let policy = &thread.policy;
        let total = match edge {
            0 => overhead,
            1 => thread.limits.threshold(policy).unwrap(),
            2 => thread.limits.window.unwrap(),
            _ => total,
        };
        let total = total.max(1);
        let before = of(&thread, Some(&report(total, None)));
        let after = of(&thread, Some(&report(total + 1, None)));
        for (one, other) in before.rows.iter().zip(&after.rows) {
            prop_assert_eq!(one.kind, other.kind);
            let moved = one.tokens.abs_diff(other.tokens);
            let allowed = if one.kind == BreakdownCategory::Messages { 8 } else { 1 };
            prop_assert!(moved <= allowed, "{:?} moved by {moved}", one.kind);
        }
        prop_assert!(after.over.abs_diff(before.over) <= 1);
    }
}

#[test]
fn fr_1_2_what_is_kept_free_follows_the_upper_bound_and_the_price_step_is_told_within_the_window() {
    let kept_free = |price_step| {
        let mut thread = Thread::new();
        thread.limits = Limits { window: Some(1_000_000), price_step, ..Limits::default() };
        let breakdown = of(&thread, None);
        let buffer = breakdown.rows.last().map(|row| row.tokens);
        (buffer, breakdown.price_step)
    };
    assert_eq!(kept_free(None), (Some(850_000), None));
    assert_eq!(kept_free(Some(140_001)), (Some(860_000), Some(140_001)));
    assert_eq!(kept_free(Some(1_000_001)), (Some(850_000), None), "beyond the window");
}
