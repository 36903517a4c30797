//! Reads the billing fields of a reply beside the token counts, for every wire format.
//!
//! The decoders read the counters; this reads the rest from the same frames: the model and the
//! service tier that replied, one-hour cache writes, calls of the provider's own tools, a stated
//! charge. A charge is a decimal number and is read from the frame's text, never as a float. Not
//! here: prices.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;
use skein_domain::cost::{BilledAttempt, BillingReport, StatedCost, StatedCostField};
use skein_domain::money::{Currency, DECIMALS, Money, parse_decimal};
use skein_domain::usage::TokenUsage;

use crate::json_values::{non_empty, parse_count, value_at};

/// 10⁻¹² of a dollar in one of xAI's ticks, of which a dollar has 10¹⁰.
const UNITS_PER_TICK: u64 = 100;

/// Reads the frames of one reply.
#[derive(Debug, Default)]
pub(crate) struct BillingReader {
    report: BillingReport,
    /// The report as last sent.
    sent: BillingReport,
}

impl BillingReader {
    /// The report, if it changed since the last call.
    pub(crate) fn take_changes(&mut self) -> Option<BillingReport> {
        (self.report != self.sent).then(|| {
            self.sent = self.report.clone();
            self.report.clone()
        })
    }

    /// Reads one frame, as text and parsed. Newer values replace older ones: all counters are
    /// cumulative.
    pub(crate) fn read(&mut self, text: &str, frame: &Value) {
        for place in ["", "/message", "/response"] {
            let reply = value_at(frame, place);
            let model = [&reply["model"], &reply["modelVersion"]];
            replace_text(&mut self.report.model, model.into_iter().find_map(non_empty));
            replace_text(&mut self.report.service_tier, non_empty(&reply["service_tier"]));
            self.read_output(reply);
        }
        self.read_candidate(frame);
        for place in USAGES {
            let usage = value_at(frame, place);
            if usage.is_object() {
                self.read_usage(usage);
                self.read_stated(text, place, usage);
            }
        }
    }

    fn read_usage(&mut self, usage: &Value) {
        let report = &mut self.report;
        replace_text(&mut report.service_tier, non_empty(&usage["service_tier"]));
        if usage["speed"] == "fast" {
            report.service_tier = Some("fast".to_owned());
        }
        report.is_us_only |= usage["inference_geo"] == "us";
        replace_count(&mut report.cache_written_hour, value_at(usage, HOUR));
        replace_count(&mut report.tool_prompt, &usage["toolUsePromptTokenCount"]);
        let tools = &usage["server_tool_use"];
        replace_count(&mut report.web_searches, &tools["web_search_requests"]);
        let is_used = |count: &Value| parse_count(count).is_some_and(|count| count > 0);
        let is_audio = |part: &Value| part["modality"] == "AUDIO" && is_used(&part["tokenCount"]);
        let details = usage["promptTokensDetails"].as_array();
        report.has_unpriced_items |= is_used(&tools["code_execution_requests"])
            || details.is_some_and(|details| details.iter().any(is_audio));
        if let Some(attempts) = usage["iterations"].as_array().filter(|all| all.len() > 1) {
            report.attempts = attempts.iter().map(billed_attempt).collect();
        }
    }

    /// Counts calls of the provider's own tools (Responses).
    fn read_output(&mut self, reply: &Value) {
        let Some(items) = reply["output"].as_array() else { return };
        let of = |kind: &str| items.iter().filter(|item| item["type"] == kind).count();
        let searches = of("web_search_call");
        if searches > 0 {
            self.report.web_searches = u32::try_from(searches).ok();
        }
        self.report.has_unpriced_items |= of("code_interpreter_call") > 0;
    }

    /// Counts the searches behind a reply (Gemini).
    fn read_candidate(&mut self, frame: &Value) {
        let queries = value_at(frame, "/candidates/0/groundingMetadata/webSearchQueries");
        let count = queries.as_array().map_or(0, Vec::len);
        if count > 0 {
            self.report.web_searches = u32::try_from(count).ok();
        }
    }

    fn read_stated(&mut self, text: &str, place: &str, usage: &Value) {
        let ticks = usage["cost_in_usd_ticks"].as_u64();
        if let Some(amount) = ticks.and_then(|ticks| ticks.checked_mul(UNITS_PER_TICK)) {
            self.report.stated = Some(stated(amount, false, StatedCostField::UsdTicks));
        } else if usage["cost"].is_number() {
            let Some((cost, upstream)) = cost_digits(text, place) else { return };
            // The upstream's charge is separate only with a key of the user's own; otherwise it
            // repeats the total.
            let is_own_key = usage["is_byok"] == true;
            let amount = match upstream.filter(|_| is_own_key) {
                Some(upstream) => cost.saturating_add(upstream),
                None => cost,
            };
            let is_partial = is_own_key && upstream.is_none();
            self.report.stated = Some(stated(amount, is_partial, StatedCostField::Cost));
        }
    }
}

/// The pointers to the counters in the various formats.
const USAGES: &[&str] = &[
    "/usage",
    "/message/usage",
    "/response/usage",
    "/choices/0/usage",
    "/x_groq/usage",
    "/usageMetadata",
];

const HOUR: &str = "/cache_creation/ephemeral_1h_input_tokens";

fn stated(amount: u64, is_partial: bool, field: StatedCostField) -> StatedCost {
    let money = Money { amount, currency: Currency::usd() };
    StatedCost { money, is_partial, field }
}

/// One of several attempts in Anthropic's counters, which list the cached parts of the prompt
/// separately.
fn billed_attempt(usage: &Value) -> BilledAttempt {
    let count = |name: &str| parse_count(&usage[name]);
    let (cached, written) =
        (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    let parts = [cached, written].into_iter().flatten();
    BilledAttempt {
        model: non_empty(&usage["model"]).map(str::to_owned),
        usage: TokenUsage {
            prompt: count("input_tokens").map(|fresh| parts.fold(fresh, u32::saturating_add)),
            completion: count("output_tokens"),
            cached,
            cache_written: written,
            ..TokenUsage::default()
        },
        cache_written_hour: parse_count(value_at(usage, HOUR)),
    }
}

/// The digits of `cost` and `cost_details.upstream_inference_cost` in the counters at a pointer.
fn cost_digits(text: &str, place: &str) -> Option<(u64, Option<u64>)> {
    let mut usage = members(text)?;
    for name in place.split('/').skip(1) {
        usage = members(usage.get(name)?.get())?;
    }
    let decimal = |value: &RawValue| parse_decimal(value.get(), DECIMALS);
    let upstream = || {
        let details = members(usage.get("cost_details")?.get())?;
        decimal(details.get("upstream_inference_cost")?)
    };
    Some((decimal(usage.get("cost")?)?, upstream()))
}

fn members(json: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(json).ok()
}

fn replace_text(known: &mut Option<String>, newer: Option<&str>) {
    if let Some(newer) = newer.filter(|newer| known.as_deref() != Some(*newer)) {
        *known = Some(newer.to_owned());
    }
}

fn replace_count(known: &mut Option<u32>, newer: &Value) {
    *known = parse_count(newer).or(*known);
}
