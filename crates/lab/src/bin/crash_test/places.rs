//! The places where a fault is tried: a work, the number of a file operation, and the fault.

use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use faulty_disk::StepFault;
use skein_lab::random::Random;

use super::work::Work;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub work: Work,
    /// Counted from 1.
    pub operation: u32,
    pub fault: StepFault,
}

/// The places that the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Empty: all of them.
    pub works: Vec<Work>,
    /// Empty: every operation.
    pub operations: Vec<u32>,
    /// The number of places to draw; `None`: all.
    pub sample: Option<usize>,
    pub seed: u64,
}

impl Selection {
    /// Reads the command line.
    ///
    /// # Errors
    /// A word that is neither a work, a number nor an option.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut selection = Self { seed: seed_of_now(), ..Self::default() };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--sample" => selection.sample = Some(number(words.next())?),
                "--seed" => selection.seed = number(words.next())?,
                word => match (word.parse(), Work::named(word)) {
                    (Ok(operation), _) => selection.operations.push(operation),
                    (Err(_), Some(work)) if Work::TRIED.contains(&work) => {
                        selection.works.push(work)
                    }
                    (Err(_), _) => return Err(usage(word)),
                },
            }
        }
        if selection.works.is_empty() {
            selection.works = Work::TRIED.to_vec();
        }
        Ok(selection)
    }

    /// The chosen places of works with these numbers of operations.
    pub fn places(&self, works: &[(Work, u32)]) -> Vec<Place> {
        let mut places: Vec<Place> = works.iter().flat_map(|of| self.places_of(*of)).collect();
        if let Some(sample) = self.sample {
            Random::new(self.seed).shuffle(&mut places);
            places.truncate(sample);
        }
        places
    }

    fn places_of(&self, (work, operations): (Work, u32)) -> impl Iterator<Item = Place> {
        let is_chosen = |at: &u32| self.operations.is_empty() || self.operations.contains(at);
        let chosen = (1..=operations).filter(is_chosen);
        chosen.flat_map(move |operation| {
            StepFault::ALL.into_iter().map(move |fault| Place { work, operation, fault })
        })
    }
}

fn number<T: FromStr>(word: Option<&String>) -> Result<T, String> {
    let word = word.map_or("", String::as_str);
    word.parse().map_err(|_| usage(word))
}

fn usage(word: &str) -> String {
    let works = Work::TRIED.map(Work::name).join(", ");
    let form = "crash-test [work] [N…] [--sample COUNT] [--seed SEED]";
    format!("\"{word}\" is not understood: {form}; works: {works}")
}

fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
