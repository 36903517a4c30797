use super::*;

fn windowed(window: u32) -> CatalogModel {
    CatalogModel { window: Some(window), ..CatalogModel::default() }
}

fn catalog(rows: &[(&str, &[(&str, u32)])]) -> Catalog {
    let row = |models: &[(&str, u32)]| CatalogProvider {
        fast_model: None,
        models: models.iter().map(|(id, window)| ((*id).to_owned(), windowed(*window))).collect(),
    };
    Catalog::from_providers(
        rows.iter().map(|(id, models)| ((*id).to_owned(), row(models))).collect(),
    )
}

#[test]
fn fr_3_5_the_exact_id_then_the_longest_prefix_that_ends_at_a_separator_then_unknown() {
    let catalog = catalog(&[
        ("openai", &[("gpt-4", 8_192), ("gpt-4-turbo", 128_000), ("gpt-4.1", 1_000_000)]),
        ("proxy", &[("gpt-4", 4_096), ("acme/gpt-4-turbo", 64_000), ("house-model", 10_000)]),
    ]);
    for (provider, model, expected) in [
        ("openai", "gpt-4", Some((CatalogMatchKind::ExactInProvider, 8_192))),
        ("openai", "gpt-4-turbo-2024-04-09", Some((CatalogMatchKind::PrefixInProvider, 128_000))),
        ("openai", "gpt-4.1-mini", Some((CatalogMatchKind::PrefixInProvider, 1_000_000))),
        ("openai", "gpt-4:latest", Some((CatalogMatchKind::PrefixInProvider, 8_192))),
        ("openai", "gpt-4@2024", Some((CatalogMatchKind::PrefixInProvider, 8_192))),
        ("openai", "gpt-4o", None),
        ("openai", "gpt", None),
        ("proxy", "gpt-4", Some((CatalogMatchKind::ExactInProvider, 4_096))),
        ("proxy", "gpt-4.1", Some((CatalogMatchKind::ExactElsewhere, 1_000_000))),
        ("proxy", "gpt-4-0613", Some((CatalogMatchKind::PrefixInProvider, 4_096))),
        ("proxy", "gpt-4.1-nano", Some((CatalogMatchKind::PrefixElsewhere, 1_000_000))),
        ("proxy", "house-model", Some((CatalogMatchKind::ExactInProvider, 10_000))),
        ("", "gpt-4-turbo", Some((CatalogMatchKind::ExactElsewhere, 128_000))),
        ("", "OpenAI/GPT-4-Turbo", Some((CatalogMatchKind::ExactElsewhere, 128_000))),
        ("", "house-model/v2", None),
        ("", "", None),
    ] {
        let found = catalog.find(provider, model);
        let found = found.map(|found| (found.kind, found.model.window.unwrap_or_default()));
        assert_eq!(found, expected, "{provider} {model}");
    }
}

#[test]
fn fr_3_5_without_a_maker_the_smallest_window_is_believed() {
    let catalog =
        catalog(&[("one", &[("open-model", 64_000)]), ("two", &[("x/Open-Model", 32_000)])]);
    assert_eq!(catalog.find("", "open-model").and_then(|found| found.model.window), Some(32_000));
}

#[test]
fn a_prefix_says_so_and_keeps_its_abilities_to_itself() {
    let known = CatalogModel { tools: Some(true), max_output: Some(9), ..windowed(100_000) };
    let spec = |how| CatalogMatch { model: &known, id: "known", kind: how }.spec();
    let sourced = |value, source| Some(SourcedValue { value, source });
    assert_eq!(
        spec(CatalogMatchKind::ExactInProvider),
        ModelSpec {
            window: sourced(100_000, ValueSource::Catalogue),
            max_output: sourced(9, ValueSource::Catalogue),
            tools: Some(true),
            ..ModelSpec::default()
        }
    );
    assert_eq!(
        spec(CatalogMatchKind::PrefixElsewhere),
        ModelSpec {
            window: sourced(100_000, ValueSource::CataloguePrefix),
            max_output: sourced(9, ValueSource::CataloguePrefix),
            ..ModelSpec::default()
        }
    );
}

#[test]
fn models_dev_is_read_leniently() {
    let json = br#"{
        "acme": { "id": "acme", "name": "Acme", "models": {
            "a/b": { "limit": { "context": 200000, "input": 150000, "output": 8000.0 },
                     "tool_call": { "parallel": true }, "reasoning": false,
                     "modalities": { "input": ["text", "image"], "output": ["text"] },
                     "release_date": "2026-01" },
            "zero": { "limit": { "context": 0, "output": -1 }, "tool_call": "yes" },
            "bare": {},
            "easel": { "modalities": { "input": ["text"], "output": ["image"] } },
            "ear": { "modalities": { "input": ["audio"], "output": ["text"] } },
            "broken": 7
        } },
        "empty": { "models": [] },
        "note": "hello"
    }"#;
    let catalog = Catalog::parse_models_dev(json).unwrap_or_default();
    let full = CatalogModel {
        window: Some(200_000),
        max_input: Some(150_000),
        max_output: Some(8_000),
        tools: Some(true),
        images: Some(true),
        reasoning: Some(false),
        text_to_text: Some(true),
        released: Some("2026-01".to_owned()),
    };
    let empty = CatalogModel::default;
    let wordless = || CatalogModel {
        images: Some(false),
        text_to_text: Some(false),
        ..CatalogModel::default()
    };
    let (ear, easel) = (("ear", wordless()), ("easel", wordless()));
    let models = [("a/b", full), ("bare", empty()), ear, easel, ("zero", empty())]
        .map(|(id, model)| (id.to_owned(), model));
    let acme = CatalogProvider { fast_model: None, models: models.into() };
    assert_eq!(catalog.providers(), &BTreeMap::from([("acme".to_owned(), acme)]));
}

#[test]
fn what_is_no_catalogue_is_none() {
    for bytes in [&b""[..], b"<html>", b"[]", b"{}", b"{\"a\":{\"models\":{}}}", b"\xff\xfe"] {
        assert!(Catalog::parse_models_dev(bytes).is_none(), "{bytes:?}");
    }
}

#[test]
fn fr_3_2_a_refresh_adds_and_corrects_but_forgets_nothing() {
    let old = CatalogModel { tools: Some(true), ..windowed(8_000) };
    let mut shipped =
        catalog(&[("acme", &[("kept", 1_000), ("corrected", 0)]), ("gone", &[("x", 5)])]);
    if let Some(row) = shipped.providers.get_mut("acme") {
        row.fast_model = Some("kept".to_owned());
        row.models.insert("corrected".to_owned(), old);
    }
    let merged = shipped.merge(catalog(&[("acme", &[("corrected", 16_000), ("new", 2_000)])]));
    assert_eq!(merged.fast_model("acme"), Some("kept"));
    let models = |provider: &str| merged.providers.get(provider).map(|row| row.models.clone());
    let expected = [
        ("corrected", CatalogModel { tools: Some(true), ..windowed(16_000) }),
        ("kept", windowed(1_000)),
        ("new", windowed(2_000)),
    ];
    assert_eq!(models("acme"), Some(expected.map(|(id, model)| (id.to_owned(), model)).into()));
    assert_eq!(models("gone"), Some([("x".to_owned(), windowed(5))].into()));
}

#[test]
fn fr_3_1_the_shipped_snapshot_has_the_models_of_today() {
    let catalog = Catalog::built_in();
    assert!(catalog.len() > 3_000, "{}", catalog.len());
    for (provider, row) in catalog.providers() {
        for (id, model) in &row.models {
            assert!(
                model.window.or(model.max_input).or(model.max_output).is_some(),
                "{provider} {id}"
            );
            assert!(
                model.max_input.is_none_or(|input| Some(input) < model.window),
                "{provider} {id}"
            );
        }
        let fast = row.fast_model.as_ref();
        assert!(fast.is_none_or(|fast| row.models.contains_key(fast)), "{provider} {fast:?}");
    }
}

/// Window, input and output limits as their makers publish them, looked up by hand.
#[test]
fn fr_3_1_well_known_models_have_their_published_windows() {
    for (provider, model, window, input, output) in PUBLISHED {
        let found = Catalog::built_in().find(provider, model);
        let found = found.map(|found| {
            (found.kind, found.model.window, found.model.max_input, found.model.max_output)
        });
        assert_eq!(
            found,
            Some((CatalogMatchKind::ExactInProvider, Some(*window), *input, *output)),
            "{provider} {model}"
        );
    }
}

type Published = (&'static str, &'static str, u32, Option<u32>, Option<u32>);

const PUBLISHED: &[Published] = &[
    ("openai", "gpt-5", 400_000, Some(272_000), Some(128_000)),
    ("openai", "gpt-5-mini", 400_000, Some(272_000), Some(128_000)),
    ("openai", "gpt-5-nano", 400_000, Some(272_000), Some(128_000)),
    ("openai", "gpt-5.4", 1_050_000, None, Some(128_000)),
    ("openai", "gpt-4.1", 1_047_576, None, Some(32_768)),
    ("openai", "gpt-4o", 128_000, None, Some(16_384)),
    ("openai", "gpt-4o-mini", 128_000, None, Some(16_384)),
    ("openai", "o3", 200_000, None, Some(100_000)),
    ("openai", "o4-mini", 200_000, None, Some(100_000)),
    ("openai", "gpt-3.5-turbo", 16_385, None, Some(4_096)),
    ("anthropic", "claude-sonnet-4-5", 200_000, None, Some(64_000)),
    ("anthropic", "claude-haiku-4-5", 200_000, None, Some(64_000)),
    ("anthropic", "claude-sonnet-4-20250514", 200_000, None, Some(64_000)),
    ("anthropic", "claude-3-5-haiku-20241022", 200_000, None, Some(8_192)),
    ("anthropic", "claude-opus-4-6", 1_000_000, None, Some(128_000)),
    ("google", "gemini-2.5-pro", 1_048_576, None, Some(65_536)),
    ("google", "gemini-2.5-flash", 1_048_576, None, Some(65_536)),
    ("google", "gemini-2.0-flash", 1_048_576, None, Some(8_192)),
    ("google", "gemini-3-flash-preview", 1_048_576, None, Some(65_536)),
    ("deepseek", "deepseek-chat", 131_072, None, Some(8_192)),
    ("deepseek", "deepseek-v4-pro", 1_000_000, None, Some(393_216)),
    ("moonshotai", "kimi-k2-0905-preview", 262_144, None, Some(262_144)),
    ("moonshotai", "moonshot-v1-8k", 8_192, None, Some(8_192)),
    ("moonshotai-cn", "moonshot-v1-128k", 131_072, None, Some(131_072)),
    ("zai", "glm-4.6", 200_000, None, Some(128_000)),
    ("zhipuai", "glm-4.5-flash", 131_072, None, Some(98_304)),
    ("xai", "grok-4", 256_000, None, Some(64_000)),
    ("mistral", "mistral-large-latest", 262_144, None, Some(262_144)),
    ("groq", "llama-3.3-70b-versatile", 131_072, None, Some(32_768)),
    ("groq", "openai/gpt-oss-120b", 131_072, None, Some(65_536)),
    ("cerebras", "gpt-oss-120b", 131_072, None, Some(32_768)),
    ("azure", "gpt-5", 400_000, Some(272_000), Some(128_000)),
];
