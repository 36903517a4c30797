//! The rows of the registry. A provider with a known wire format needs no code.
//!
//! Sources: the providers' public documentation. Not here: the windows of models (the catalogue).

use skein_context::window::ReasoningReplay;

use super::provider_spec::{
    AuthScheme, FormatId, MaxTokensField, ModelListApi, ProviderSpec, ReasoningSwitch,
};
use crate::tool_call_ids::CallIdRule;

const CHAT: ProviderSpec = ProviderSpec {
    id: "custom",
    name: "OpenAI-compatible",
    format: FormatId::OpenAiChat,
    base_url: "",
    auth: AuthScheme::Bearer,
    keyless: false,
    key_env: &[],
    key_page: None,
    catalogue: "",
    default_model: None,
    max_tokens: MaxTokensField::Classic,
    requests_usage: true,
    reasoning_replay: ReasoningReplay::Never,
    reasoning_switch: ReasoningSwitch::Effort,
    cache_marked_models: &[],
    has_cache_keys: false,
    has_hour_cache: false,
    compaction_hosts: &[],
    has_deferred_tools: false,
    call_id_rule: CallIdRule::Any,
    assistant_after_results: false,
    stores_by_default: false,
    mute_overflow: false,
    model_list_api: ModelListApi::Models,
};

/// The common part of two rows: the provider has a service in China and one abroad, with different
/// addresses and keys.
const MOONSHOT: ProviderSpec = ProviderSpec {
    key_env: &["MOONSHOT_API_KEY"],
    default_model: Some("kimi-k3"),
    reasoning_replay: ReasoningReplay::WithTools,
    reasoning_switch: ReasoningSwitch::Type,
    ..CHAT
};

const ZHIPU: ProviderSpec = ProviderSpec {
    default_model: Some("glm-5.3"),
    reasoning_replay: ReasoningReplay::WithTools,
    reasoning_switch: ReasoningSwitch::Type,
    ..CHAT
};

const DASHSCOPE: ProviderSpec = ProviderSpec {
    key_env: &["DASHSCOPE_API_KEY"],
    default_model: Some("qwen-plus-latest"),
    reasoning_switch: ReasoningSwitch::Enable,
    ..CHAT
};

const SILICONFLOW: ProviderSpec = ProviderSpec {
    key_env: &["SILICONFLOW_API_KEY"],
    default_model: Some("deepseek-ai/DeepSeek-V3.2"),
    reasoning_switch: ReasoningSwitch::Enable,
    ..CHAT
};

/// The provider has two formats. This one separates reasoning from the reply.
const MINIMAX: ProviderSpec = ProviderSpec {
    format: FormatId::Anthropic,
    key_env: &["MINIMAX_API_KEY"],
    catalogue: "minimax",
    default_model: Some("MiniMax-M3"),
    reasoning_replay: ReasoningReplay::InProgress,
    call_id_rule: CallIdRule::WordChars,
    ..CHAT
};

/// Every kind, in display order.
pub const ROWS: &[ProviderSpec] = &[
    // OpenAI's newest models combine tools and reasoning only in this format.
    ProviderSpec {
        id: "openai-responses",
        name: "OpenAI",
        format: FormatId::OpenAiResponses,
        base_url: "https://api.openai.com/v1",
        key_env: &["OPENAI_API_KEY"],
        key_page: Some("https://platform.openai.com/api-keys"),
        catalogue: "openai",
        default_model: Some("gpt-5.4"),
        stores_by_default: true,
        has_cache_keys: true,
        compaction_hosts: &[
            "api.openai.com",
            "api.x.ai",
            ".openai.azure.com",
            ".services.ai.azure.com",
        ],
        reasoning_replay: ReasoningReplay::InProgress,
        ..CHAT
    },
    ProviderSpec {
        id: "openai",
        name: "OpenAI (Chat Completions)",
        base_url: "https://api.openai.com/v1",
        key_env: &["OPENAI_API_KEY"],
        key_page: Some("https://platform.openai.com/api-keys"),
        catalogue: "openai",
        default_model: Some("gpt-5.4"),
        max_tokens: MaxTokensField::Completion,
        stores_by_default: true,
        has_cache_keys: true,
        ..CHAT
    },
    ProviderSpec {
        id: "anthropic",
        name: "Anthropic",
        format: FormatId::Anthropic,
        base_url: "https://api.anthropic.com/v1",
        auth: AuthScheme::Header("x-api-key"),
        key_env: &["ANTHROPIC_API_KEY"],
        key_page: Some("https://console.anthropic.com/settings/keys"),
        catalogue: "anthropic",
        default_model: Some("claude-sonnet-5-5"),
        has_hour_cache: true,
        compaction_hosts: &["api.anthropic.com"],
        has_deferred_tools: true,
        reasoning_replay: ReasoningReplay::InProgress,
        call_id_rule: CallIdRule::WordChars,
        ..CHAT
    },
    ProviderSpec {
        id: "gemini",
        name: "Google Gemini",
        format: FormatId::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        auth: AuthScheme::Header("x-goog-api-key"),
        key_env: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        key_page: Some("https://aistudio.google.com/apikey"),
        catalogue: "google",
        default_model: Some("gemini-flash-latest"),
        reasoning_replay: ReasoningReplay::InProgress,
        ..CHAT
    },
    ProviderSpec {
        id: "ollama",
        name: "Ollama",
        format: FormatId::Ollama,
        base_url: "http://127.0.0.1:11434",
        key_env: &["OLLAMA_API_KEY"],
        model_list_api: ModelListApi::Ollama,
        keyless: true,
        ..CHAT
    },
    ProviderSpec {
        id: "deepseek",
        name: "DeepSeek",
        base_url: "https://api.deepseek.com/v1",
        key_env: &["DEEPSEEK_API_KEY"],
        key_page: Some("https://platform.deepseek.com/api_keys"),
        catalogue: "deepseek",
        default_model: Some("deepseek-v4-flash"),
        reasoning_replay: ReasoningReplay::WithTools,
        reasoning_switch: ReasoningSwitch::Type,
        ..CHAT
    },
    ProviderSpec {
        id: "moonshot-cn",
        name: "月之暗面 Kimi (中国, moonshot.cn)",
        base_url: "https://api.moonshot.cn/v1",
        key_page: Some("https://platform.moonshot.cn/console/api-keys"),
        catalogue: "moonshotai-cn",
        ..MOONSHOT
    },
    ProviderSpec {
        id: "moonshot",
        name: "Moonshot Kimi (International, moonshot.ai)",
        base_url: "https://api.moonshot.ai/v1",
        key_page: Some("https://platform.moonshot.ai/console/api-keys"),
        catalogue: "moonshotai",
        ..MOONSHOT
    },
    ProviderSpec {
        id: "mistral",
        name: "Mistral",
        base_url: "https://api.mistral.ai/v1",
        key_env: &["MISTRAL_API_KEY"],
        key_page: Some("https://console.mistral.ai/api-keys"),
        catalogue: "mistral",
        default_model: Some("mistral-large-latest"),
        requests_usage: false,
        mute_overflow: true,
        call_id_rule: CallIdRule::Exactly9,
        assistant_after_results: true,
        ..CHAT
    },
    ProviderSpec {
        id: "groq",
        name: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        key_env: &["GROQ_API_KEY"],
        key_page: Some("https://console.groq.com/keys"),
        catalogue: "groq",
        default_model: Some("openai/gpt-oss-120b"),
        max_tokens: MaxTokensField::Completion,
        ..CHAT
    },
    ProviderSpec {
        id: "openrouter",
        name: "OpenRouter",
        base_url: "https://openrouter.ai/api/v1",
        key_env: &["OPENROUTER_API_KEY"],
        key_page: Some("https://openrouter.ai/settings/keys"),
        catalogue: "openrouter",
        default_model: Some("google/gemini-2.5-flash"),
        cache_marked_models: &["anthropic/", "~anthropic/"],
        ..CHAT
    },
    ProviderSpec {
        id: "xai",
        name: "xAI",
        base_url: "https://api.x.ai/v1",
        key_env: &["XAI_API_KEY"],
        key_page: Some("https://console.x.ai"),
        catalogue: "xai",
        default_model: Some("grok-4.7"),
        max_tokens: MaxTokensField::Completion,
        ..CHAT
    },
    ProviderSpec {
        id: "together",
        name: "Together",
        base_url: "https://api.together.xyz/v1",
        key_env: &["TOGETHER_API_KEY"],
        key_page: Some("https://api.together.ai/settings/api-keys"),
        catalogue: "togetherai",
        default_model: Some("openai/gpt-oss-120b"),
        ..CHAT
    },
    ProviderSpec {
        id: "cerebras",
        name: "Cerebras",
        base_url: "https://api.cerebras.ai/v1",
        key_env: &["CEREBRAS_API_KEY"],
        key_page: Some("https://cloud.cerebras.ai"),
        catalogue: "cerebras",
        default_model: Some("gpt-oss-120b"),
        max_tokens: MaxTokensField::Completion,
        mute_overflow: true,
        ..CHAT
    },
    ProviderSpec {
        id: "zhipu",
        name: "智谱 Zhipu GLM (中国, bigmodel.cn)",
        base_url: "https://open.bigmodel.cn/api/paas/v4",
        key_env: &["ZHIPU_API_KEY", "ZHIPUAI_API_KEY"],
        key_page: Some("https://open.bigmodel.cn/usercenter/apikeys"),
        catalogue: "zhipuai",
        ..ZHIPU
    },
    ProviderSpec {
        id: "zai",
        name: "Zhipu GLM (International, z.ai)",
        base_url: "https://api.z.ai/api/paas/v4",
        key_env: &["ZAI_API_KEY", "ZHIPU_API_KEY"],
        key_page: Some("https://z.ai/manage-apikey/apikey-list"),
        catalogue: "zai",
        ..ZHIPU
    },
    ProviderSpec {
        id: "dashscope",
        name: "阿里云百炼 Qwen (中国, DashScope)",
        base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1",
        key_page: Some("https://bailian.console.aliyun.com/?tab=model#/api-key"),
        catalogue: "alibaba-cn",
        ..DASHSCOPE
    },
    ProviderSpec {
        id: "dashscope-intl",
        name: "Alibaba Qwen (International, DashScope)",
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_page: Some("https://modelstudio.console.alibabacloud.com/?tab=model#/api-key"),
        catalogue: "alibaba",
        ..DASHSCOPE
    },
    ProviderSpec {
        id: "siliconflow",
        name: "硅基流动 SiliconFlow (中国, siliconflow.cn)",
        base_url: "https://api.siliconflow.cn/v1",
        key_page: Some("https://cloud.siliconflow.cn/account/ak"),
        catalogue: "siliconflow-cn",
        ..SILICONFLOW
    },
    ProviderSpec {
        id: "siliconflow-intl",
        name: "SiliconFlow (International, siliconflow.com)",
        base_url: "https://api.siliconflow.com/v1",
        key_page: Some("https://cloud.siliconflow.com/account/ak"),
        catalogue: "siliconflow",
        ..SILICONFLOW
    },
    ProviderSpec {
        id: "volcengine",
        name: "火山方舟 豆包 Doubao (Volcengine Ark)",
        base_url: "https://ark.cn-beijing.volces.com/api/v3",
        key_env: &["ARK_API_KEY"],
        key_page: Some("https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey"),
        catalogue: "volcengine",
        default_model: Some("doubao-seed-2-1-pro-260915"),
        ..CHAT
    },
    ProviderSpec {
        id: "minimax-cn",
        name: "MiniMax 稀宇 (中国, minimaxi.com)",
        base_url: "https://api.minimaxi.com/anthropic/v1",
        key_page: Some("https://platform.minimaxi.com/user-center/basic-information/interface-key"),
        ..MINIMAX
    },
    ProviderSpec {
        id: "minimax",
        name: "MiniMax (International, minimax.io)",
        base_url: "https://api.minimax.io/anthropic/v1",
        auth: AuthScheme::Header("x-api-key"),
        key_page: Some("https://platform.minimax.io/user-center/basic-information/interface-key"),
        ..MINIMAX
    },
    ProviderSpec {
        id: "tencent",
        name: "腾讯混元 Hunyuan (Tencent TokenHub)",
        base_url: "https://tokenhub.tencentmaas.com/v1",
        key_env: &["TOKENHUB_API_KEY", "TENCENT_API_KEY"],
        key_page: Some("https://console.cloud.tencent.com/tokenhub/apikey"),
        catalogue: "tencent",
        default_model: Some("hy3"),
        ..CHAT
    },
    ProviderSpec {
        id: "azure",
        name: "Azure OpenAI",
        auth: AuthScheme::Header("api-key"),
        key_env: &["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
        catalogue: "azure",
        max_tokens: MaxTokensField::Completion,
        ..CHAT
    },
    ProviderSpec {
        id: "lmstudio",
        name: "LM Studio",
        base_url: "http://127.0.0.1:1234/v1",
        catalogue: "lmstudio",
        model_list_api: ModelListApi::LmStudio,
        keyless: true,
        ..CHAT
    },
    ProviderSpec {
        id: "llamacpp",
        name: "llama.cpp",
        base_url: "http://127.0.0.1:8080/v1",
        model_list_api: ModelListApi::LlamaCpp,
        keyless: true,
        ..CHAT
    },
    ProviderSpec {
        id: "vllm",
        name: "vLLM",
        base_url: "http://127.0.0.1:8000/v1",
        key_env: &["VLLM_API_KEY"],
        keyless: true,
        ..CHAT
    },
    ProviderSpec { keyless: true, ..CHAT },
];

pub fn find_provider(kind: &str) -> Option<&'static ProviderSpec> {
    ROWS.iter().find(|row| row.id == kind)
}

#[cfg(test)]
mod tests;
