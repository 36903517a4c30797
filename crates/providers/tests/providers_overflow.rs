//! Overflow errors of servers and gateways, and errors that only look like one (P09).
//!
//! Sources: the providers' documentation, public clients and issue threads, and the recordings.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use proptest::prelude::*;
use skein_providers::overflow::{ServerHints, detect_overflow};

const REMOTE: ServerHints = ServerHints { local: false, mute_overflow: false };
const LOCAL: ServerHints = ServerHints { local: true, mute_overflow: false };
const MUTE: ServerHints = ServerHints { local: false, mute_overflow: true };

/// Status (0: none), body, limit (0: none), actual (0: none).
type Shape = (u16, &'static str, u32, u32);

const TOO_LONG: &[Shape] = &[
    // OpenAI and Azure
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        128_000,
        130_001,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 4097 tokens. However, you requested 4927 tokens (3927 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        4_097,
        4_927,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens (8000 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length.","type":"invalid_request_error","param":null,"code":null}}"#,
        8_192,
        9_000,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 16385 tokens. However, your messages resulted in 20000 tokens (19000 in the messages, 1000 in the functions).","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        16_385,
        20_000,
    ),
    (
        400,
        r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280123 tokens. Please reduce the length of the messages.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        272_000,
        280_123,
    ),
    (400, r#"{"error":{"code":"context_length_exceeded"}}"#, 0, 0),
    (
        400,
        r#"{"error":{"innererror":{"code":"context_length_exceeded"},"code":"BadRequest","message":"This model's maximum context length is 128,000 tokens. However, your messages resulted in 131,072 tokens."}}"#,
        128_000,
        131_072,
    ),
    (
        413,
        r#"{"error":{"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens.","details":"Request body too large for gpt-4o model. Max size: 8000 tokens."}}"#,
        8_000,
        0,
    ),
    // OpenAI Responses, inside a stream
    (
        200,
        r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again."}}}"#,
        0,
        0,
    ),
    (
        200,
        r#"{"type":"error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model.","param":"input"}"#,
        0,
        0,
    ),
    (
        0,
        r#"{"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}"#,
        0,
        0,
    ),
    // Anthropic
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215300 tokens > 200000 maximum"},"request_id":"req_1"}"#,
        200_000,
        215_300,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"}}"#,
        200_000,
        209_573,
    ),
    (
        413,
        r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes."}}"#,
        0,
        0,
    ),
    (
        413,
        r#"{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
        0,
        0,
    ),
    (
        200,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1000001 tokens > 1000000 maximum"}}"#,
        1_000_000,
        1_000_001,
    ),
    // Bedrock
    (400, r#"{"message":"Input is too long for requested model."}"#, 0, 0),
    (
        400,
        r#"{"__type":"ValidationException","message":"The model returned the following errors: Input is too long for requested model."}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"message":"Too many input tokens. Max input tokens: 8192, request input token count: 9000"}"#,
        8_192,
        9_000,
    ),
    (
        400,
        r#"ValidationException: The model returned the following errors: prompt is too long: 203000 tokens > 200000 maximum"#,
        200_000,
        203_000,
    ),
    (
        400,
        r#"{"message":"The model returned the following errors: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 203000 tokens > 200000 maximum\"}}"}"#,
        200_000,
        203_000,
    ),
    // Gemini and Vertex
    (
        400,
        r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
        1_048_576,
        1_200_000,
    ),
    (
        400,
        r#"[{"error":{"code":400,"message":"The input token count (1048577) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]"#,
        1_048_575,
        1_048_577,
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.","status":"INVALID_ARGUMENT"}}"#,
        32_768,
        40_000,
    ),
    (
        200,
        r#"{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
        1_048_576,
        0,
    ),
    // DeepSeek
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (62000 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
        65_536,
        70_000,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (140000 in the messages, 0 in the completion).","type":"invalid_request_error"}}"#,
        131_072,
        140_000,
    ),
    // Moonshot
    (
        400,
        r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 9331)","type":"invalid_request_error"}}"#,
        8_192,
        9_331,
    ),
    (
        400,
        r#"Error: API error: {"error":{"message":"Invalid request: Your request exceeded model token limit: 32768","type":"invalid_request_error"}}"#,
        32_768,
        0,
    ),
    // Mistral
    (
        400,
        r#"{"object":"error","message":"Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","param":null,"code":"3051"}"#,
        32_768,
        40_960,
    ),
    (
        422,
        r#"{"object":"error","message":"Prompt contains 140000 tokens, too large for model with 131072 maximum context length","code":"3051"}"#,
        131_072,
        140_000,
    ),
    // Groq
    (
        400,
        r#"{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        0,
        0,
    ),
    (
        413,
        r#"{"error":{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        8_192,
        9_000,
    ),
    // OpenRouter
    (
        400,
        r#"{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 140215 tokens (132023 of text input, 8192 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400,"metadata":{"provider_name":null}}}"#,
        131_072,
        140_215,
    ),
    (
        400,
        r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}","provider_name":"Anthropic"}}}"#,
        200_000,
        210_000,
    ),
    (
        200,
        r#"{"id":"gen-1","error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 41000 tokens (40000 of text input, 500 of tool input, 500 in the output).","code":400},"choices":[{"finish_reason":"error"}]}"#,
        32_768,
        41_000,
    ),
    (
        200,
        r#"{"error":{"code":400,"message":"Provider returned error","metadata":{"error_type":"context_length_exceeded"}}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 65536 tokens. However, you requested 66000 tokens\"}}"}}}"#,
        65_536,
        66_000,
    ),
    // Ollama
    (400, r#"{"error":"the input length exceeds the context length"}"#, 0, 0),
    (400, r#"{"error":"input length exceeds maximum context length"}"#, 0, 0),
    (400, r#"{"error":"prompt too long; exceeded max context length by 1234 tokens"}"#, 0, 0),
    (200, r#"{"error":"exceeded max context length by 52 tokens"}"#, 0, 0),
    (
        400,
        r#"{"error":{"message":"input length exceeds the context length","type":"invalid_request_error","param":null,"code":null}}"#,
        0,
        0,
    ),
    // llama.cpp
    (
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#,
        8_192,
        9_000,
    ),
    (
        0,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#,
        4_096,
        5_000,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 2048 tokens. However, you requested 2559 tokens (2559 in the messages, None in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        2_048,
        2_559,
    ),
    (400, r#"{"detail":"Requested tokens (2600) exceed context window of 2048"}"#, 2_048, 2_600),
    // vLLM, SGLang
    (
        400,
        r#"{"object":"error","message":"This model's maximum context length is 32768 tokens. However, you requested 33000 tokens (32000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}"#,
        32_768,
        33_000,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        4_096,
        5_000,
    ),
    (
        400,
        r#"{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 500 input tokens (8000 > 8192 - 500).","type":"BadRequestError","code":400}}"#,
        8_192,
        8_500,
    ),
    (
        400,
        r#"{"error":{"message":"You passed 4097 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3996 tokens. Please reduce the length of the input prompt.","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        4_096,
        4_197,
    ),
    (
        400,
        r#"{"object":"error","message":"max_tokens must be at least 1, got -1234.","type":"BadRequestError","param":null,"code":400}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"The decoder prompt (length 40000) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.","code":400}}"#,
        32_768,
        40_000,
    ),
    (
        400,
        r#"{"object":"error","message":"Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000 tokens from the input messages and 1000 tokens for the completion.","code":400}"#,
        8_192,
        9_000,
    ),
    (
        400,
        r#"{"object":"error","message":"The input (9001 tokens) is longer than the model's context length (8192 tokens).","type":"BadRequest","code":400}"#,
        8_192,
        9_001,
    ),
    (
        200,
        r#"{"object":"error","message":"The input (9001 tokens) is longer than the model's context length (8192 tokens).","code":400}"#,
        8_192,
        9_001,
    ),
    // LM Studio
    (
        400,
        r#"{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}"#,
        4_096,
        0,
    ),
    (
        200,
        r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 6000 >= n_ctx: 4096)."}}"#,
        4_096,
        0,
    ),
    // xAI
    (
        400,
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."}"#,
        131_072,
        150_000,
    ),
    (
        400,
        r#""This model's maximum prompt length is 262144 but the request contains 300000 tokens.""#,
        262_144,
        300_000,
    ),
    // GitHub Copilot
    (
        400,
        r#"{"error":{"message":"prompt token count of 130000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}"#,
        128_000,
        130_000,
    ),
    (400, r#"{"error":{"code":"model_max_prompt_tokens_exceeded"}}"#, 0, 0),
    // Zhipu
    (400, r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#, 0, 0),
    (200, r#"{"error":{"code":1261,"message":"Prompt 超长"}}"#, 0, 0),
    (200, r#"{"choices":[{"finish_reason":"model_context_window_exceeded"}]}"#, 0, 0),
    // MiniMax
    (
        400,
        r#"{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)","http_code":"400"}}"#,
        0,
        0,
    ),
    (
        200,
        r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}"#,
        0,
        0,
    ),
    // DashScope
    (
        400,
        r#"{"error":{"code":"InvalidParameter","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]","type":"invalid_request_error"}}"#,
        30_720,
        0,
    ),
    (
        400,
        r#"{"code":"InvalidParameter","message":"Range of input length should be [1, 129024]","request_id":"x"}"#,
        129_024,
        0,
    ),
    (400, r#"{"code":"InvalidParameter","message":"Input token length is too long"}"#, 0, 0),
    // Together, TGI, Hugging Face
    (
        422,
        r#"{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens and 512 `max_new_tokens`","type":"invalid_request_error"}}"#,
        4_097,
        4_512,
    ),
    (
        400,
        r#"{"id":"x","error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 0 `max_new_tokens`","code":null}}"#,
        8_193,
        9_000,
    ),
    (
        422,
        r#"{"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1200","error_type":"validation"}"#,
        1_024,
        1_200,
    ),
    (
        400,
        r#"{"error":{"message":"The input (36000 tokens) is longer than the model's context length (32768 tokens).","type":"invalid_request_error","param":"prompt"}}"#,
        32_768,
        36_000,
    ),
    // Cerebras
    (
        400,
        r#"{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}"#,
        8_192,
        9_000,
    ),
    // Cohere, Fireworks, Perplexity, NVIDIA, AI21, Together again
    (
        400,
        r#"{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt, or enabling prompt truncation."}"#,
        4_081,
        5_000,
    ),
    (
        400,
        r#"{"error":{"object":"error","type":"invalid_request_error","code":"invalid_request_error","message":"The prompt is too long: 140000, model maximum context length: 131071"}}"#,
        131_071,
        140_000,
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 127072 tokens. However, you requested 130000 tokens.","code":400}}"#,
        127_072,
        130_000,
    ),
    (400, r#"{"detail":"Prompt is too long for the model: reduce it."}"#, 0, 0),
    (400, r#"{"error":"Conversation is too long for this model"}"#, 0, 0),
    (
        400,
        r#"{"error":{"message":"Input length 40000 exceeds maximum allowed token size 32768"}}"#,
        32_768,
        40_000,
    ),
    (
        400,
        r#"{"error":{"message":"input tokens exceeded: the request exceeds the maximum number of input tokens"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"errors":[{"message":"first"},{"message":"AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8000)."}]}"#,
        8_000,
        9_000,
    ),
    // LiteLLM and other proxies
    (
        400,
        r#"{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.","type":null,"param":null,"code":"400"}}"#,
        128_000,
        130_001,
    ),
    (
        400,
        r#"{"error":{"message":"litellm.BadRequestError: AnthropicException - {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 215300 tokens > 200000 maximum\"}}","code":"400"}}"#,
        200_000,
        215_300,
    ),
    (
        503,
        r#"{"error":{"message":"litellm.ServiceUnavailableError: This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.","code":"503"}}"#,
        128_000,
        130_001,
    ),
    (
        400,
        r#"Error code: 400 - {'error': {'message': "This model's maximum context length is 8192 tokens. However, your messages resulted in 9331 tokens.", 'type': 'invalid_request_error', 'code': 'context_length_exceeded'}}"#,
        8_192,
        9_331,
    ),
    (
        400,
        r#"b'{"error":{"message":"prompt is too long: 215300 tokens > 200000 maximum"}}'"#,
        200_000,
        215_300,
    ),
    (
        200,
        r#"{"error":"{\"error\":\"{\\\"message\\\":\\\"prompt is too long: 215300 tokens > 200000 maximum\\\"}\"}"}"#,
        200_000,
        215_300,
    ),
    (
        400,
        r#"{"cause":{"cause":{"cause":{"message":"This model's maximum context length is 8192 tokens."}}}}"#,
        8_192,
        0,
    ),
    (
        400,
        r#"{"name":"AI_RetryError","lastError":{"statusCode":400,"message":"prompt is too long: 215300 tokens > 200000 maximum"},"errors":[{"message":"rate limit reached"}]}"#,
        200_000,
        215_300,
    ),
    (
        400,
        r#"{"attempts":[{"message":"Rate limit reached"},{"message":"maximum context length is 8192 tokens"}]}"#,
        8_192,
        0,
    ),
    (
        400,
        r#"data: {"error":{"message":"This model's maximum context length is 8192 tokens."}}"#,
        8_192,
        0,
    ),
    (400, "maximum context length is 8192 tokens", 8_192, 0),
    (
        400,
        r#"{"error":{"message":"{\"error\":{\"code\":\"context_length_exceeded\"}}","code":"400"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: this is a mock context window exceeded error\nmodel=full. context_window_fallbacks=None. fallbacks=None.","type":"invalid_request_error","param":null,"code":"400"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"litellm.ContextWindowExceededError: litellm.BadRequestError: this is a mock context window exceeded error"}}"#,
        0,
        0,
    ),
    // Chinese gateways
    (400, r#"{"error":{"message":"输入内容过长，超出模型上下文长度限制"}}"#, 0, 0),
    (400, r#"{"message":"请求超过最大上下文长度","code":400}"#, 0, 0),
    (
        200,
        r#"{"error_code":336007,"error_msg":"the max input characters is 20000; prompt tokens too long"}"#,
        0,
        0,
    ),
    // SiliconFlow: langgenius/dify#19394, chatboxai/chatbox#2060, continuedev/continue#10993
    (
        400,
        r#"{"code":20015,"message":"length of prompt_tokens (68957) must be less than max_seq_len (65536).","data":null}"#,
        65_536,
        68_957,
    ),
    (
        400,
        r#"{"code":20015,"message":"max_total_tokens (33802) must be less than or equal to max_seq_len (32768)","data":null}"#,
        32_768,
        33_802,
    ),
    (
        400,
        r#""max_total_tokens (33802) must be less than or equal to max_seq_len (32768)""#,
        32_768,
        33_802,
    ),
    // Volcengine: bytedance/deer-flow#583; its documented code for the same
    (
        400,
        r#"{"error":{"code":"InvalidParameter","message":"Total tokens of image and text exceed max message tokens. Request id: 0217","param":"","type":"BadRequest"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"code":"OutofContextError","message":"The request failed.","type":"BadRequest"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"code":"InvalidParameter","message":"Input length 132500 exceeds the maximum length 131072. Request id: 0217","type":"BadRequest"}}"#,
        131_072,
        132_500,
    ),
    // Newer vLLM stops counting where it is full: AIDotNet/OpenCowork#82, harbor-framework/harbor#996
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=134145)","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        262_144,
        262_145,
    ),
    (
        400,
        r#"{"error":{"message":"You passed 25 input tokens and requested 1000 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 24 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=25)","type":"BadRequestError","param":"input_tokens","code":400}}"#,
        1_024,
        1_025,
    ),
    // SGLang: sgl-project/sglang#4048
    (
        400,
        r#"{"object":"error","message":"Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.","type":"BadRequestError","param":null,"code":400}"#,
        59_862,
        160_062,
    ),
    // TensorRT-LLM: triton-inference-server/tensorrtllm_backend#141 and #565
    (
        400,
        r#"{"object":"error","message":"The sum of prompt length (72417.0), query length (0) should not exceed max_num_tokens (69632)","type":"BadRequestError","param":null,"code":400}"#,
        69_632,
        72_417,
    ),
    (
        400,
        r#"{"object":"error","message":"The sum of prompt length (9000), query length (0) and max_tokens (1000) should not exceed max_seq_len (8192)","type":"BadRequestError","code":400}"#,
        8_192,
        9_000,
    ),
    (
        400,
        r#"{"error":"Cannot process new request: Prompt length (5056) exceeds maximum sequence length (2048)"}"#,
        2_048,
        5_056,
    ),
    (
        400,
        r#"{"error":"Encountered an error when fetching new request: Prompt length (9000) exceeds maximum input length (8192)"}"#,
        8_192,
        9_000,
    ),
    // TabbyAPI (exllama): SillyTavern/SillyTavern#3543
    (
        400,
        r#"{"detail":"Request length 71599 + 2048 is greater than max_seq_len 65536"}"#,
        65_536,
        73_647,
    ),
    (400, r#"{"detail":"Prompt length 71599 is greater than max_seq_len 65536"}"#, 65_536, 71_599),
    // text-generation-webui: oobabooga/textgen#3658
    (
        400,
        r#"{"error":{"message":"This model maximum context length is 4096 tokens. However, your messages resulted in over 4250 tokens.","code":400,"type":"InvalidRequestError","param":"messages"}}"#,
        4_096,
        4_250,
    ),
    // llama-cpp-python, before it said how many: abetlen/llama-cpp-python#120
    (400, r#"{"detail":"Requested tokens exceed context window of 2048"}"#, 2_048, 0),
    // DS4: antirez/ds4#150
    (
        400,
        r#"{"error":{"message":"Prompt tokens (9000) exceeds context size (8192)","type":"context_exceeded","n_prompt_tokens":9000,"n_ctx":8192}}"#,
        8_192,
        9_000,
    ),
    (
        400,
        r#"{"error":{"message":"prompt has 9,000 tokens, but the configured context size is 8,192 tokens","type":"invalid_request_error"}}"#,
        8_192,
        9_000,
    ),
    // oMLX: ValueCell-ai/ClawX#658
    (
        400,
        r#"{"error":{"message":"Prompt too long: 41911 tokens exceeds max context window of 32768 tokens","type":"invalid_request_error"}}"#,
        32_768,
        41_911,
    ),
    // Cohere: cohere-ai/sandbox-topically#4
    (
        400,
        r#"{"message":"too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value."}"#,
        2_048,
        6_354,
    ),
    // Cloudflare: anomalyco/models.dev#4422
    (
        400,
        r#"{"errors":[{"message":"AiError: Requested token count exceeds the model's maximum context length of 256000 tokens. You requested a total of 256878 tokens: 31216 tokens from the input messages and 225662 tokens for the completion."}]}"#,
        256_000,
        256_878,
    ),
    // OpenRouter without an answer: refly-ai/refly#1177
    (
        400,
        r#"{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400}}"#,
        32_768,
        42_832,
    ),
    // DashScope behind its own client: QwenLM/qwen-code#98
    (
        400,
        r#"{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]","type":"invalid_request_error","param":null,"code":"invalid_parameter_error"}}"#,
        204_800,
        0,
    ),
    // Ollama behind another gateway: openJiuwen-ai/jiuwenswarm#12
    (
        400,
        r#"{"error":{"message":"400 Bad Request: prompt too long; exceeded max context length by 263 tokens","type":"api_error","param":null,"code":null}}"#,
        0,
        0,
    ),
    // Relays: fengshao1227/ccg-workflow#69, anomalyco/opencode#37840
    (
        400,
        r#"{"type":"error","error":{"type":"prompt_limit","message":"输入内容过长，请减少 Prompt 中的 token 数量后重试 (cch_session_id: 1)"}}"#,
        0,
        0,
    ),
    (400, r#"{"error":{"message":"Tokens in request more than max tokens allowed"}}"#, 0, 0),
    (
        400,
        r#"{"error":{"message":"Request exceeds the maximum allowed input length of 131,072 tokens"}}"#,
        131_072,
        0,
    ),
    (400, r#"{"error":{"message":"The prompt exceeds the length limit"}}"#, 0, 0),
    // LM Studio: anomalyco/opencode#11141
    (400, r#"{"error":"Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"}"#, 7_424, 0),
    (
        200,
        r#"{"error":{"message":"Cannot truncate prompt with n_keep (32903) >= n_ctx (32768)"}}"#,
        32_768,
        0,
    ),
    // Moonshot's own documentation of its errors
    (
        400,
        r#"{"error":{"message":"Input token length too long","type":"invalid_request_error"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"error":{"message":"Your request exceeded model token limit : 32768","type":"invalid_request_error"}}"#,
        32_768,
        0,
    ),
    // Cohere: its documentation of errors; Quansight/ragna#351
    (
        400,
        r#"{"id":"x","error_type":"TOO_MANY_TOKENS","message":"too many tokens: size limit exceeded by 168512 tokens. The limit for this model is 132000 tokens."}"#,
        132_000,
        300_512,
    ),
    (
        400,
        r#"{"message":"too many tokens: size limit exceeded by 1502 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'."}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"message":"too many tokens: minimal context could not be added to prompt (size limit exceeded by 280 tokens)"}"#,
        0,
        0,
    ),
    // Bedrock, also behind LiteLLM: BerriAI/litellm#37862
    (
        400,
        r#"{"error":{"code":"validation_error","message":"prompt tokens (400007) exceed model maximum (278528) for openai.gpt-5.5","param":null,"type":"invalid_request_error"}}"#,
        278_528,
        400_007,
    ),
    (
        400,
        r#"{"error":{"message":"litellm.BadRequestError: BedrockException - {\"message\":\"prompt tokens (400007) exceed model maximum (278528) for openai.gpt-5.5\"}. Received Model Group=big","type":null,"param":null,"code":"400"}}"#,
        278_528,
        400_007,
    ),
    (
        400,
        r#"{"error":{"message":"litellm.BadRequestError: BedrockException - {\"message\":\"Malformed input request: expected maxLength: 50000, actual: 74000, please reformat your input and try again.\"}","type":null,"param":null,"code":"400"}}"#,
        0,
        0,
    ),
    (
        400,
        r#"{"message":"Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again."}"#,
        0,
        0,
    ),
    // iFlytek: its documented code, in both of its shapes; netease-youdao/LobsterAI#1023
    (
        400,
        r#"{"error":{"message":"token数量超过上限。对话历史+问题的字数太多，需要精简输入","type":"api_error","param":null,"code":"10907"}}"#,
        0,
        0,
    ),
    (
        200,
        r#"{"header":{"code":10907,"message":"token数量超过上限。对话历史+问题的字数太多，需要精简输入","sid":"cht000b34b3@dx19","status":2}}"#,
        0,
        0,
    ),
    (200, r#"{"code":10907,"message":"","sid":"cht000b34b3@dx19"}"#, 0, 0),
    (
        400,
        r#"{"error":{"type":"api_error","message":"Xunfei claude request failed with Sid: cht000b34b3@dx19 code: 10012, msg: EngineInternalError:error, status code: 400, status: 400 Bad Request, message: input token limit is 97280"}}"#,
        97_280,
        0,
    ),
    // RKLLM: NotPunchnox/rkllama#25, jaylfc/taOS#1738
    (
        400,
        r#"{"error":"prompt gather than max context (prompt: 1299 tokens, max context: 1020)"}"#,
        1_020,
        1_299,
    ),
    (
        400,
        r#"{"error":"Prompt is 11543 tokens but the model context window is 4096 tokens."}"#,
        4_096,
        11_543,
    ),
    // SambaNova: cline/cline#294, OpenHands/OpenHands#9252
    (
        400,
        r#"{"error":{"code":null,"message":"Requested generation length 1 is not possible! The provided prompt is 4309 tokens long, so generating 1 tokens requires a sequence length of 4310, but the maximum supported sequence length is just 4096!","param":null,"type":"invalid_request_error"}}"#,
        4_096,
        4_310,
    ),
    (
        400,
        r#"{"error":{"message":"The maximum context length of DeepSeek-V3-0324 is 32768. However, answering your request will take 39732 tokens. Please reduce the length of the messages or the specified max_completion_tokens value.","type":"invalid_request_error"}}"#,
        32_768,
        39_732,
    ),
    // Snowflake Cortex: posit-dev/positron#11737
    (400, r#"{"message":"max tokens of 200000 exceeded","request_id":"x"}"#, 200_000, 0),
    (
        400,
        r#"{"message":"Request failed for external function COMPLETE$V4 with remote service error: 400 '\"max tokens of 8000 exceeded\"'"}"#,
        8_000,
        0,
    ),
    // SiliconFlow names its limit after the prompt
    (
        400,
        r#"{"code":20015,"message":"number of input tokens (150019) has exceeded max_prompt_tokens (98304) limit.","data":null}"#,
        98_304,
        150_019,
    ),
    // Gemini without brackets, and its refusal by the field
    (
        400,
        r#"{"error":{"code":400,"message":"Input token count 1200000 exceeds the maximum number of tokens allowed 1048576.","status":"INVALID_ARGUMENT"}}"#,
        1_048_576,
        1_200_000,
    ),
    (
        400,
        r#"[{"error":{"code":400,"message":"Request contains text fields that are too large.","status":"INVALID_ARGUMENT"}}]"#,
        0,
        0,
    ),
    // Hugging Face, its numbers within a sentence
    (
        422,
        r#"{"error":"Input validation error: `inputs` must have less than 1024 tokens. Given: 1200, see the documentation","error_type":"validation"}"#,
        1_024,
        1_200,
    ),
    (
        400,
        r#"{"error":"Token indices sequence length is longer than the specified maximum sequence length for this model (2336 > 1512)."}"#,
        1_512,
        2_336,
    ),
    // vLLM: vllm-project/vllm#10440, its multimodal refusal and that of its Responses
    (
        400,
        r#"{"error":{"message":"Input prompt (35247 tokens) is too long and exceeds limit of 1000","code":400}}"#,
        1_000,
        35_247,
    ),
    (
        400,
        r#"{"object":"error","message":"The prompt (total length 5000) is too long to fit into the model (context length 4096). Make sure that `max_num_batched_tokens` is no smaller.","type":"BadRequestError","code":400}"#,
        4_096,
        5_000,
    ),
    (
        400,
        r#"{"error":{"message":"The engine prompt length 40000 exceeds the max_model_len 32768. Please reduce prompt.","type":"invalid_request_error","code":400}}"#,
        32_768,
        40_000,
    ),
    (
        400,
        r#"{"error":{"message":"Input length (265330) exceeds model's maximum context length (262144).","code":400}}"#,
        262_144,
        265_330,
    ),
    // watsonx
    (
        400,
        r#"{"errors":[{"code":"invalid_input_argument","message":"Invalid input argument for Model 'meta-llama/llama-2-70b-chat': the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model","more_info":"https://cloud.ibm.com/apidocs/watsonx-ai"}],"trace":"f8a0","status_code":400}"#,
        4_096,
        4_098,
    ),
    (
        400,
        r#"{"errors":[{"code":"invalid_request_entity","message":"input tokens (4096) plus prefix length (0) must be < 4096"}],"trace":"f8a0","status_code":400}"#,
        4_096,
        4_096,
    ),
    (
        400,
        r#"{"errors":[{"code":"token_quantity_exceeded","message":"input token count is above the limit"}],"status_code":400}"#,
        0,
        0,
    ),
    // A validation that failed beside an error of its own
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."},"request":{"messages":[{"role":"user","content":"maximum context length is 4096 tokens"}]}}"#,
        8_192,
        9_000,
    ),
    // Limits too small to be believed from afar
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 512 tokens. However, you requested 600 tokens."}}"#,
        0,
        600,
    ),
    // 413 in its plain forms
    (413, r#"<html><head><title>413 Request Entity Too Large</title></head></html>"#, 0, 0),
    (413, r#"{"error":"payload too large"}"#, 0, 0),
];

/// Status (0: none) and body.
const NOT_TOO_LONG: &[(u16, &str)] = &[
    // Rates
    (
        429,
        r#"{"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        429,
        r#"{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        413,
        r#"{"error":{"message":"Request too large for model `llama-3.3-70b-versatile` in organization on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Request too large: tokens per minute limit, please reduce the length of the messages","code":"rate_limit_exceeded"}}"#,
    ),
    (
        429,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute."}}"#,
    ),
    (
        400,
        r#"{"__type":"ThrottlingException","message":"Too many tokens, please wait before trying again."}"#,
    ),
    (
        429,
        r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: input_token_count, limit: 250000","status":"RESOURCE_EXHAUSTED"}}"#,
    ),
    (200, r#"{"error":{"code":429,"message":"Rate limit exceeded: free-models-per-day"}}"#),
    (200, r#"{"error":{"code":429,"message":"maximum context length is 8192 tokens"}}"#),
    (
        429,
        r#"{"error":{"code":"context_length_exceeded","message":"maximum context length is 8192 tokens"}}"#,
    ),
    (429, ""),
    (400, r#"{"error":{"message":"TPM limit exceeded for context window"}}"#),
    (400, r#"{"error":{"message":"too many requests, context length"}}"#),
    (400, r#"{"error":{"code":"1302","message":"Rate limit: too many requests"}}"#),
    (403, r#"{"error":{"message":"quota exceeded for context window tokens"}}"#),
    (200, r#"{"error":{"message":"overloaded","type":"overloaded_error"}}"#),
    (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
    (
        429,
        r#"{"error":{"message":"litellm.RateLimitError: this is a mock rate limit error\n\nLiteLLM: model group 'busy' failed with the error above. No fallback was attempted.","type":"throttling_error","param":null,"code":"429"}}"#,
    ),
    (
        500,
        r#"{"error":{"message":"litellm.APIConnectionError: litellm.ContextWindowExceededError: this is a mock context window exceeded error","type":"internal_server_error","param":null,"code":"500"}}"#,
    ),
    // The answer's own limit
    (
        400,
        r#"{"error":{"code":"InvalidParameter","message":"The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 8192 instead. Request id: 0217","param":"max_tokens","type":"BadRequest"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000","type":"invalid_request_error"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Model Parameter max_tokens should be less than or equal to 12288.0."}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"parameter check failed, max_completion_tokens range is [2, 4096]"}}"#,
    ),
    (
        400,
        r#"{"code":20015,"message":"max_tokens (40000) must be less than or equal to max_seq_len (32768)"}"#,
    ),
    (
        400,
        r#"{"code":20015,"message":"The parameter is invalid. Please check again.","data":null}"#,
    ),
    (
        400,
        r#"{"error":{"message":"max_completion_tokens is too large: 262144. This model supports at most 256000 completion tokens."}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"vision tokens exceed processor budget","type":"invalid_request_error","param":"input","code":"media_budget_exceeded"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}"#,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model","type":"invalid_request_error"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]","type":"invalid_request_error"}}"#,
    ),
    (400, r#"{"code":"InvalidParameter","message":"Range of max_tokens should be [1, 8192]"}"#),
    (
        400,
        r#"{"error":{"message":"Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 to 65537 (exclusive).","status":"INVALID_ARGUMENT"}}"#,
    ),
    (400, r#"{"error":{"message":"max_completion_tokens must be less than or equal to 32768"}}"#),
    (
        200,
        r#"{"choices":[{"finish_reason":"length","message":{"content":"x"}}],"usage":{"prompt_tokens":10}}"#,
    ),
    (200, r#"{"choices":[{"finish_reason":"length","delta":{}}]}"#),
    (200, r#"{"stop_reason":"max_tokens"}"#),
    // Time
    (500, r#"{"error":{"message":"context deadline exceeded"}}"#),
    (
        400,
        r#"{"error":"Post \"http://127.0.0.1:1/v1\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)"}"#,
    ),
    (408, r#"{"error":"request timed out: context window"}"#),
    (504, "<html>504 Gateway Time-out</html>"),
    (400, r#"{"error":{"message":"Timed out generating: context length"}}"#),
    // Other things that are too long
    (
        400,
        r#"{"error":{"message":"Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.","type":"invalid_request_error","param":"messages[1].content","code":"string_above_max_length"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64","code":"string_above_max_length"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128","code":"array_above_max_length"}}"#,
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes"}}"#,
    ),
    (400, r#"{"error":{"message":"too many images in request: context"}}"#),
    (400, r#"{"error":{"message":"tool names are too long"}}"#),
    // Memory
    (500, r#"{"error":"llama runner process has terminated: cudaMalloc failed: out of memory"}"#),
    (
        500,
        r#"{"error":"model requires more system memory (12.0 GiB) than is available (8.0 GiB)"}"#,
    ),
    (
        400,
        r#"{"error":"failed to allocate KV cache for context size 131072: insufficient memory"}"#,
    ),
    (400, r#"{"error":"CUDA error: context length too large for VRAM"}"#),
    // Keys, addresses, models
    (401, r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#),
    (401, r#"{"error":{"message":"maximum context length is 8192 tokens"}}"#),
    (403, r#"{"error":{"code":"context_length_exceeded"}}"#),
    (404, r#"{"error":{"message":"The model `gpt-9` does not exist","code":"model_not_found"}}"#),
    (404, r#"{"error":{"message":"maximum context length is 8192 tokens"}}"#),
    (404, "404 page not found"),
    (
        402,
        r#"{"error":{"message":"Insufficient credits. This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 100."}}"#,
    ),
    // Servers in trouble
    (
        500,
        r#"{"error":{"message":"maximum context length is 8192 tokens. However, you requested 9000 tokens."}}"#,
    ),
    (502, "<html>502 Bad Gateway</html>"),
    (503, r#"{"error":{"message":"The server is overloaded, context window"}}"#),
    (503, r#"{"error":{"message":"Service unavailable","code":"context_length_exceeded"}}"#),
    (503, r#"{"error":{"message":"This model's maximum context length is unknown"}}"#),
    (200, r#"{"error":{"code":500,"message":"Internal: context window exceeded"}}"#),
    // Files
    (413, r#"{"error":{"message":"File is too large"}}"#),
    (413, "File is too large. The maximum size is 20 MB."),
    (413, r#"{"detail":"The attachment is too large"}"#),
    // Chinese quotas
    (400, r#"{"error":{"message":"今日输入 token 已超过上限，请明天再试","code":"quota"}}"#),
    (400, r#"{"error":{"message":"您的输入token额度已超出，请充值后重试"}}"#),
    (400, r#"{"code":400,"message":"本月用量已超过 token 上限，请升级套餐"}"#),
    // Cohere's and SiliconFlow's own words for an answer that is too long
    (
        400,
        r#"{"error_type":"TOO_MANY_TOKENS","message":"too many tokens: max tokens must be less than or equal to 4096, the maximum output length for this model - received 1000000."}"#,
    ),
    (
        400,
        r#"{"code":20015,"message":"max_tokens (8192) have exceeded max_seq_len (8192) limit."}"#,
    ),
    // The user's text, repeated in errors of FastAPI, Mistral, vLLM, pydantic and gateways.
    (
        422,
        r#"{"detail":[{"type":"string_type","loc":["body","messages",0,"content"],"msg":"Input should be a valid string","input":[{"type":"text","text":"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."}]}]}"#,
    ),
    (
        422,
        r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","messages",0,"user","name"],"msg":"Extra inputs are not permitted","input":"prompt is too long: 215300 tokens > 200000 maximum"}]},"type":"invalid_request_error","param":null,"code":null}"#,
    ),
    (
        400,
        r#"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'messages', 0, 'id'), 'msg': 'Extra inputs are not permitted', 'input': 'why \\'prompt is too long: 9000 tokens > 8192 maximum\\'?'}, {'type': 'missing', 'loc': ('body', 'model'), 'msg': 'Field required', 'input': {'messages': [{'role': 'user', 'content': \"it's the maximum context length is 8192 tokens\"}]}}]","type":"BadRequestError","param":null,"code":400}"#,
    ),
    (
        400,
        r#"{"error":{"message":"1 validation error for ChatCompletionRequest\nmessages.0.user.name\n  Extra inputs are not permitted [type=extra_forbidden, input_value='maximum context length is 8192 tokens', input_type=str]"}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"invalid temperature"},"request":{"model":"m","messages":[{"role":"user","content":"the input length exceeds the context length"}]}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"invalid temperature"},"request_body":"{\"messages\":[{\"content\":\"prompt is too long\"}]}"}"#,
    ),
    (
        400,
        r#"{"error":{"message":"invalid temperature","body":{"model":"m","contents":[{"parts":[{"text":"prompt is too long"}]}],"prompt":"context_length_exceeded"}}}"#,
    ),
    (
        400,
        r#"{"error":{"message":"{\"detail\":[{\"msg\":\"no\",\"input\":\"prompt is too long\"}]}","code":400}}"#,
    ),
    // Ordinary faults
    (400, r#"{"error":{"message":"Invalid value for 'temperature'"}}"#),
    (
        400,
        r#"{"error":{"message":"messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"}}"#,
    ),
    (400, r#"{"error":{"message":"Unrecognized request argument supplied: context"}}"#),
    (400, r#"{"error":{"message":"unknown field stream_options"}}"#),
    (422, r#"{"detail":[{"loc":["body","messages"],"msg":"field required"}]}"#),
    (400, ""),
    (413, ""),
    (400, "400 status code (no body)"),
    (400, "{}"),
    (400, "[]"),
    (200, ""),
    (0, ""),
    (0, "connection reset by peer"),
    (
        400,
        r#"{"error":{"message":"The prompt is blocked by the content filter","code":"content_filter"}}"#,
    ),
    (400, r#"{"error":{"message":"Your credit balance is too low to access the API"}}"#),
    (
        400,
        r#"{"name":"AI_RetryError","lastError":{"statusCode":429,"message":"Rate limit reached"},"errors":[{"message":"maximum context length is 8192 tokens"}]}"#,
    ),
    (413, r#"{"error":{"message":"Too many tools in the request entity too large"}}"#),
];

fn status(status: u16) -> Option<u16> {
    Some(status).filter(|status| *status > 0)
}

fn tokens(tokens: u32) -> Option<u32> {
    Some(tokens).filter(|tokens| *tokens > 0)
}

#[test]
fn p09_at_least_150_shapes_are_told_apart() {
    assert!(TOO_LONG.len() + NOT_TOO_LONG.len() >= 150, "{}", TOO_LONG.len() + NOT_TOO_LONG.len());
    let mut wrong = Vec::new();
    for (code, body, limit, actual) in TOO_LONG {
        let found = detect_overflow(status(*code), body, REMOTE);
        let numbers = found.map(|overflow| (overflow.limit, overflow.actual));
        let expected = Some((tokens(*limit), tokens(*actual)));
        if numbers != expected {
            wrong.push(format!("{code} {body}\n  expected {expected:?}, found {numbers:?}"));
        }
    }
    for (code, body) in NOT_TOO_LONG {
        if let Some(found) = detect_overflow(status(*code), body, REMOTE) {
            wrong.push(format!("{code} {body}\n  is none, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn p09_a_mute_refusal_means_too_long_only_where_that_is_known() {
    for body in ["", "  ", "400 status code (no body)"] {
        assert!(detect_overflow(Some(400), body, MUTE).is_some());
        assert!(detect_overflow(Some(413), body, MUTE).is_some());
        assert_eq!(detect_overflow(Some(422), body, MUTE), None);
        assert_eq!(detect_overflow(Some(429), body, MUTE), None);
        assert_eq!(detect_overflow(Some(400), body, REMOTE), None);
    }
}

#[test]
fn p09_a_small_limit_is_believed_of_a_local_server_only() {
    let body = r#"{"error":{"code":400,"message":"request (600 tokens) exceeds the available context size (512 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":600,"n_ctx":512}}"#;
    assert_eq!(detect_overflow(Some(400), body, LOCAL).unwrap().limit, Some(512));
    assert_eq!(detect_overflow(Some(400), body, REMOTE).unwrap().limit, None);
}

#[test]
fn p09_where_only_the_answer_is_at_fault_it_says_how_long_one_may_be() {
    for (body, fitting) in [
        (
            "maximum context length is 8192 tokens. However, you requested 9192 tokens (5192 in the messages, 4000 in the completion)",
            Some(2_936),
        ),
        (
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
            Some(11_696),
        ),
        (
            "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`",
            Some(1_033),
        ),
        (
            "'max_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 500 input tokens",
            Some(7_628),
        ),
        (
            "maximum context length is 8192 tokens. However, you requested 9192 tokens (8100 in the messages, 1092 in the completion)",
            None,
        ),
        (
            "maximum context length is 8192 tokens. However, your messages resulted in 9331 tokens.",
            None,
        ),
        (
            "maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
            Some(64_000),
        ),
        ("Request length 60000 + 8192 is greater than max_seq_len 65536", Some(5_472)),
    ] {
        let overflow = detect_overflow(Some(400), body, REMOTE).unwrap();
        assert_eq!(overflow.fitting_output(), fitting, "{body}: {overflow:?}");
    }
}

#[test]
fn p09_what_is_wrapped_without_end_is_given_up() {
    let mut body = r#"{"message":"maximum context length is 8192 tokens"}"#.to_owned();
    for _ in 0..40 {
        body = serde_json::json!({ "error": body }).to_string();
        if body.len() > 1 << 20 {
            break;
        }
    }
    // Deeper than anything real: it ends, whatever it says.
    let _ = detect_overflow(Some(400), &body, REMOTE);
    let nested = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(detect_overflow(Some(400), &nested, REMOTE), None);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop_oneof![
        Just("maximum context length is 8192 tokens".to_owned()),
        Just("context_length_exceeded".to_owned()),
        Just("prompt is too long".to_owned()),
        Just("{\"error\":{\"code\":\"context_length_exceeded\"}}".to_owned()),
        ".{0,40}",
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<i64>().prop_map(Into::into),
        words.prop_map(Into::into),
    ];
    let names = prop_oneof![
        Just("error".to_owned()),
        Just("message".to_owned()),
        Just("code".to_owned()),
        Just("errors".to_owned()),
        Just("cause".to_owned()),
        "[a-z]{1,6}",
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((names.clone(), inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn p09_whatever_comes_it_ends(body in ".{0,400}", code in prop::option::of(100u16..600)) {
        let _ = detect_overflow(code, &body, MUTE);
    }

    #[test]
    fn p09_a_rate_limit_is_never_an_overflow(
        value in json(),
        code in prop::option::of(prop_oneof![Just(200u16), Just(400), Just(413), Just(429), Just(503)]),
        word in prop_oneof![
            Just("Rate limit reached"), Just("rate_limit_exceeded"), Just("tokens per minute"),
            Just("Too Many Requests"), Just("ThrottlingException"), Just("TPM"),
        ],
    ) {
        let body = serde_json::json!({ "message": word, "inner": value }).to_string();
        prop_assert_eq!(detect_overflow(code, &body, MUTE), None);
        let body = serde_json::json!({ "inner": value, "error": { "code": word } }).to_string();
        prop_assert_eq!(detect_overflow(code, &body, MUTE), None);
    }

    #[test]
    fn p09_only_four_statuses_may_be_an_overflow(value in json(), code in 100u16..600) {
        prop_assume!(![200, 400, 413, 422, 503].contains(&code));
        prop_assert_eq!(detect_overflow(Some(code), &value.to_string(), MUTE), None);
    }
}
