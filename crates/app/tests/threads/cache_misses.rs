//! The provider's cache: how much of a session's prompts it held, and why it was not used.

use serde_json::json;
use skein_app::view::{CacheReport, TranscriptPosition};
use skein_domain::cache_miss::CacheMiss;
use skein_domain::session::SessionOverride;
use skein_domain::usage::CacheTotals;

use crate::scenario::{Say, Scenario, under};

/// Why the cache was not used for the last reply, as it stands beside the reply.
async fn miss(given: &Scenario) -> Option<CacheMiss> {
    let thread = given.current().await;
    let transcript = given.app.messages.transcript(thread, TranscriptPosition::End {}, 10).await;
    transcript.unwrap().items.last().unwrap().cache_miss.clone()
}

async fn report(given: &Scenario) -> CacheReport {
    given.app.context.cache_report(given.session).await.unwrap()
}

async fn ask(given: &Scenario, reported: Say) -> Option<CacheMiss> {
    given.model.says([reported]);
    given.send(&"The shuttle crosses the warp. ".repeat(300)).await.unwrap();
    miss(given).await
}

#[tokio::test(flavor = "multi_thread")]
async fn c06_a_changed_tool_list_or_system_prompt_is_named_as_the_cause_of_a_miss() {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    let noted = || Say::words("Noted.");
    assert_eq!(ask(&given, noted().at(3_000).cached(0)).await, None, "nothing was there before");
    assert_eq!(ask(&given, noted().at(5_000).cached(3_000)).await, None);
    let tool = given.model.asked()[0]["tools"][0]["function"]["name"].as_str().unwrap().to_owned();
    // Also where the program was closed in between.
    let switches = json!({ "switches": { tool.clone(): "off" } });
    let given = given.configured(|settings| settings["tools"] = switches).await;
    let changed = Some(CacheMiss::Tool { name: tool });
    assert_eq!(ask(&given, noted().at(7_000).cached(0)).await, changed);
    let totals = Some(CacheTotals { calls: 3, cached: 3_000, prompt: 15_000 });
    assert_eq!(report(&given).await, CacheReport { totals, miss: changed, keeps_hour: false });
    let instructions = SessionOverride::Instructions(Some("Be brief.".into()));
    given.app.sessions.set_override(given.session, instructions).await.unwrap();
    assert_eq!(ask(&given, noted().at(9_000).cached(0)).await, Some(CacheMiss::System {}));
    assert_eq!(ask(&given, noted().at(11_000).cached(9_000)).await, None);
    assert_eq!(report(&given).await.miss, None, "the latest reply used it");
}

#[tokio::test(flavor = "multi_thread")]
async fn c06_what_no_reply_reports_of_a_cache_is_unknown_and_no_miss() {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    for prompt in [3_000, 5_000] {
        assert_eq!(ask(&given, Say::words("Noted.").at(prompt)).await, None);
    }
    assert_eq!(report(&given).await, CacheReport { totals: None, miss: None, keeps_hour: false });
}
