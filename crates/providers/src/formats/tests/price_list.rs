//! List prices of models in models.dev's form, in US dollars per million tokens.

/// A provider's id at models.dev, and the model's entry there.
pub(super) struct ListedPrices(pub(super) &'static str, pub(super) &'static str);

/// <https://openai.com/api/pricing>, GPT-5.4, with the legacy field that models.dev adds to it.
pub(super) const GPT_5_4: ListedPrices = ListedPrices(
    "openai",
    r#""cost":{"input":2.5,"output":15,"cache_read":0.25,
       "tiers":[{"tier":{"type":"context","size":272000},"input":5,"output":22.5,"cache_read":0.5}],
       "context_over_200k":{"input":5,"output":22.5,"cache_read":0.5}},
       "experimental":{"modes":{"fast":{"cost":{"input":5,"output":30,"cache_read":0.5}}}}"#,
);
/// The same page, GPT-5.6: writes cost 1.25 times the input.
pub(super) const GPT_5_6: ListedPrices =
    ListedPrices("openai", r#""cost":{"input":4,"output":20,"cache_read":0.4,"cache_write":5}"#);
/// The same page, GPT-5 Pro: no cached price.
pub(super) const GPT_5_PRO: ListedPrices =
    ListedPrices("openai", r#""cost":{"input":15,"output":120}"#);
/// <https://platform.claude.com/docs/en/about-claude/pricing>, Sonnet 5.5.
pub(super) const SONNET: ListedPrices = ListedPrices(
    "anthropic",
    r#""cost":{"input":2,"output":10,"cache_read":0.1,"cache_write":2.5},
       "experimental":{"modes":{"fast":{"cost":{"input":12,"output":60}}}}"#,
);
/// The same page, Haiku 5.5.
pub(super) const HAIKU: ListedPrices = ListedPrices(
    "anthropic",
    r#""cost":{"input":0.1,"output":0.5,"cache_read":0.01,"cache_write":0.125,
       "tiers":[{"tier":{"size":100000},"input":0.5,"output":2.5,"cache_read":0.05,"cache_write":0.625}]}"#,
);
/// Haiku 5.5 as a catalogue has it whose tier lacks the cached price.
pub(super) const HAIKU_IN_PART: ListedPrices = ListedPrices(
    "anthropic",
    r#""cost":{"input":0.1,"output":0.5,"cache_read":0.01,
       "tiers":[{"tier":{"size":100000},"input":0.5,"output":2.5}]}"#,
);
/// <https://ai.google.dev/gemini-api/docs/pricing>, Gemini 2.5 Pro.
pub(super) const GEMINI_PRO: ListedPrices = ListedPrices(
    "google",
    r#""cost":{"input":1.25,"output":10,"cache_read":0.125,
       "tiers":[{"tier":{"size":200000},"input":2.5,"output":15,"cache_read":0.25}]}"#,
);
/// <https://api-docs.deepseek.com/quick_start/pricing>, off-peak.
pub(super) const DEEPSEEK: ListedPrices =
    ListedPrices("deepseek", r#""cost":{"input":0.28,"output":0.42,"cache_read":0.028}"#);
/// <https://docs.x.ai/docs/models>, Grok 4.6.
pub(super) const GROK: ListedPrices = ListedPrices(
    "xai",
    r#""cost":{"input":2,"output":6,"cache_read":0.5,
       "tiers":[{"tier":{"size":200000},"input":4,"output":12,"cache_read":1}]}"#,
);
/// <https://www.alibabacloud.com/help/en/model-studio/models>, Qwen3 Max and Qwen Plus.
pub(super) const QWEN_MAX: ListedPrices = ListedPrices(
    "alibaba",
    r#""cost":{"input":1.2,"output":6,"tiers":[{"tier":{"size":32000},"input":2.4,"output":12},
       {"tier":{"size":128000},"input":3,"output":15}]}"#,
);
pub(super) const QWEN_PLUS: ListedPrices =
    ListedPrices("alibaba", r#""cost":{"input":0.4,"output":1.2,"reasoning":4}"#);
/// <https://platform.moonshot.ai/docs/pricing/chat>, Kimi K2.
pub(super) const KIMI: ListedPrices =
    ListedPrices("moonshotai", r#""cost":{"input":0.6,"output":2.5,"cache_read":0.15}"#);
/// <https://groq.com/pricing>.
pub(super) const GROQ: ListedPrices =
    ListedPrices("groq", r#""cost":{"input":0.1,"output":0.2,"cache_read":0.05}"#);
/// <https://www.cerebras.ai/pricing>, gpt-oss-120b: no cached price.
pub(super) const CEREBRAS: ListedPrices =
    ListedPrices("cerebras", r#""cost":{"input":0.35,"output":0.75}"#);
/// <https://mistral.ai/pricing>, without a cached price.
pub(super) const MISTRAL: ListedPrices =
    ListedPrices("mistral", r#""cost":{"input":0.5,"output":1.5}"#);
pub(super) const OPENROUTER: ListedPrices =
    ListedPrices("openrouter", r#""cost":{"input":3,"output":15}"#);
pub(super) const FREE: ListedPrices =
    ListedPrices("openrouter", r#""cost":{"input":0,"output":0}"#);
pub(super) const UNLISTED: ListedPrices = ListedPrices("openai", r#""name":"GPT""#);
