//! Combines the sources of a model's properties by their rank (law 5).

use skein_domain::model::{ModelSpec, SourcedValue, ValueSource};
use skein_domain::provider_config::ModelOverride;
use skein_providers::ListedModel;
use skein_store::LearnedModel;

/// The value of the strongest source for each property (law 5: [`ModelSpec::learn`]).
pub(super) fn combine(
    personal: Option<ModelOverride>,
    learned: &LearnedModel,
    listed: Option<&ListedModel>,
    mut known: ModelSpec,
) -> ModelSpec {
    let spec_of = |source, window: Option<u32>, max_input: Option<u32>, max_output: Option<u32>| {
        let from = |value| SourcedValue { value, source };
        ModelSpec {
            window: window.map(from),
            max_input: max_input.map(from),
            max_output: max_output.map(from),
            ..ModelSpec::default()
        }
    };
    known.merge_newer(&spec_of(ValueSource::Learned, learned.window, None, None));
    if let Some(it) = listed {
        known.merge_newer(&spec_of(ValueSource::Loaded, it.loaded_window, None, None));
        known.merge_newer(&spec_of(ValueSource::Provider, it.window, it.max_input, it.max_output));
    }
    if let Some(it) = personal {
        known.merge_newer(&spec_of(ValueSource::Person, it.window, None, it.max_output));
        known.limits = it.limits;
    }
    known
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use skein_domain::ids::ProviderId;
    use skein_domain::model::ModelRef;

    use super::*;

    const fn of(value: u32, source: ValueSource) -> Option<SourcedValue<u32>> {
        Some(SourcedValue { value, source })
    }

    /// All sources of a window, strongest first, each with another window.
    const TELLERS: [(ValueSource, u32); 5] = [
        (ValueSource::Person, 1),
        (ValueSource::Learned, 2),
        (ValueSource::Loaded, 3),
        (ValueSource::Provider, 4),
        (ValueSource::CataloguePrefix, 5),
    ];

    fn listed(max_input: Option<u32>) -> ListedModel {
        let id = "m".to_owned();
        let (name, window, loaded_window, max_output) = (None, None, None, None);
        ListedModel { id, name, window, loaded_window, max_input, max_output }
    }

    /// The combined properties if only some sources have a value.
    fn combined_spec(speaks: impl Fn(ValueSource) -> bool) -> ModelSpec {
        let says = |source| TELLERS.into_iter().find(|it| it.0 == source).map(|it| it.1);
        let says = |source| says(source).filter(|_| speaks(source));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let window = says(ValueSource::Person);
        let personal = ModelOverride { window, ..ModelOverride::named("m".into()) };
        let learned = LearnedModel { model, window: says(ValueSource::Learned), calibration: None };
        let listed = ListedModel {
            loaded_window: says(ValueSource::Loaded),
            window: says(ValueSource::Provider),
            ..listed(None)
        };
        let source = ValueSource::CataloguePrefix;
        let window = says(source).map(|value| SourcedValue { value, source });
        let known = ModelSpec { window, ..ModelSpec::default() };
        combine(Some(personal), &learned, Some(&listed), known)
    }

    #[test]
    fn law_05_the_strongest_of_those_who_speak_is_believed() {
        for speaking in 0..1_u32 << TELLERS.len() {
            let order = |source| TELLERS.iter().position(|it| it.0 == source).unwrap();
            let spec = combined_spec(|source| speaking & (1 << order(source)) != 0);
            let strongest = TELLERS.into_iter().find(|it| speaking & (1 << order(it.0)) != 0);
            let window = strongest.map(|(source, value)| SourcedValue { value, source });
            assert_eq!(spec, ModelSpec { window, ..ModelSpec::default() }, "{speaking:05b}");
        }
    }

    #[test]
    fn law_05_a_longest_prompt_does_not_narrow_a_window_that_is_known_better() {
        let known = ModelSpec {
            window: of(400_000, ValueSource::Catalogue),
            max_input: of(272_000, ValueSource::Catalogue),
            max_output: of(128_000, ValueSource::Catalogue),
            tools: Some(true),
            ..ModelSpec::default()
        };
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let learned = |window| LearnedModel { model: model.clone(), window, calibration: None };
        assert_eq!(combine(None, &learned(None), None, known.clone()), known);
        let listed = listed(Some(90_000));
        let refused = combine(None, &learned(Some(300_000)), Some(&listed), known.clone());
        let window = of(300_000, ValueSource::Learned);
        assert_eq!(refused, ModelSpec { window, max_input: None, ..known });
    }
}
