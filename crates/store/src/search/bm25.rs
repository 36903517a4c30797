//! Ranks texts by BM25, computed on the texts themselves, each read once.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
//! the constants of FTS5. The mean length is that of the ranked texts.

use super::search_index::TextSource;
use super::term_counter::TermCounter;

/// BM25's `k1`: how quickly further occurrences of a word stop counting.
const SATURATION: f64 = 1.2;
/// BM25's `b`: how much long texts are penalised.
const LENGTH: f64 = 0.75;
/// The minimum weight of a word, for words that most texts contain.
const MIN_WEIGHT: f64 = 1e-6;

/// Inverse document frequency of a word that `holding` of `texts` texts contain.
pub(crate) fn idf(holding: f64, texts: f64) -> f64 {
    ((texts - holding + 0.5) / (holding + 0.5)).max(1.0).ln().max(MIN_WEIGHT)
}

/// Occurrences of each word in one text, before document frequencies are known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TermFrequencies {
    source: TextSource,
    /// Occurrences of each long word.
    times: Vec<f64>,
    length: f64,
}

impl TermFrequencies {
    /// `text` is case-folded.
    pub(crate) fn of(source: TextSource, text: &str, words: &TermCounter) -> Self {
        let times = words.count(text).into_iter().map(f64::from).collect();
        Self { source, times, length: text.len() as f64 }
    }

    fn fit(&self, weights: &[f64], mean: f64) -> f64 {
        let length = 1.0 - LENGTH + LENGTH * self.length / mean.max(1.0);
        let fit = |(times, weight): (&f64, &f64)| {
            weight * times * (SATURATION + 1.0) / (times + SATURATION * length)
        };
        self.times.iter().zip(weights).map(fit).sum()
    }
}

/// The sources by descending score; equal ones keep their order. `weights` are those of the long
/// words.
pub(crate) fn rank(texts: &[TermFrequencies], weights: &[f64]) -> Vec<TextSource> {
    let mean = texts.iter().map(|text| text.length).sum::<f64>() / (texts.len().max(1) as f64);
    let mut ranked: Vec<_> =
        texts.iter().map(|text| (text.fit(weights, mean), text.source)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, source)| source).collect()
}
