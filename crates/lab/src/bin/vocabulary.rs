//! Writes `crates/context/data/*.merges` from the vocabularies of `tiktoken-rs`.
//!
//! A byte-pair vocabulary is completely described by its 256 single bytes and, for every further
//! token, the two earlier tokens it is merged from. That takes six bytes a token, and is the form
//! that counting needs. Run it again only when an encoding is added: published vocabularies never
//! change.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use tiktoken_rs::CoreBPE;

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../context/data");
    std::fs::write(data.join("cl100k_base.merges"), merges(&tiktoken_rs::cl100k_base()?)?)?;
    std::fs::write(data.join("o200k_base.merges"), merges(&tiktoken_rs::o200k_base()?)?)?;
    Ok(())
}

/// 256 bytes, the single-byte tokens in order of rank; then left and right half of each further
/// token, three bytes each, least significant first.
fn merges(published: &CoreBPE) -> Result<Vec<u8>, Box<dyn Error>> {
    let tokens: Vec<Vec<u8>> =
        (0..).map_while(|rank| published.decode_bytes(&[rank]).ok()).collect();
    let ranks: HashMap<&[u8], u32> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut file = Vec::with_capacity(tokens.len() * 6);
    for (token, rank) in tokens.iter().zip(0..) {
        if rank < 256 {
            let [byte] = token.as_slice() else {
                return Err(format!("token {rank} is not a single byte").into());
            };
            file.push(*byte);
        } else {
            let (left, right) = halves(token, rank, &ranks)
                .ok_or_else(|| format!("token {rank} is not merged from two earlier ones"))?;
            file.extend(left.to_le_bytes().iter().take(3));
            file.extend(right.to_le_bytes().iter().take(3));
        }
    }
    Ok(file)
}

/// The two halves to which byte-pair merging reduces `token` with the tokens ranked before it.
fn halves(token: &[u8], rank: u32, ranks: &HashMap<&[u8], u32>) -> Option<(u32, u32)> {
    let mut parts: Vec<&[u8]> = token.chunks(1).collect();
    while parts.len() > 2 {
        let merged = |pair: &[&[u8]]| ranks.get(pair.concat().as_slice()).copied();
        let (at, _) = parts
            .windows(2)
            .enumerate()
            .filter_map(|(at, pair)| merged(pair).filter(|id| *id < rank).map(|id| (at, id)))
            .min_by_key(|(_, id)| *id)?;
        let start: usize = parts.iter().take(at).map(|part| part.len()).sum();
        let length: usize = parts.iter().skip(at).take(2).map(|part| part.len()).sum();
        parts.splice(at..at + 2, [token.get(start..start + length)?]);
    }
    let [left, right] = parts.as_slice() else { return None };
    Some((*ranks.get(left)?, *ranks.get(right)?))
}
