//! Writes `crates/context/data/*.merges` from the vocabularies of `tiktoken-rs`.
//!
//! A byte-pair vocabulary is completely described by its 256 single bytes and, for every further
//! token, the two earlier tokens it is merged from. That is the form that counting needs. Run it again only
//! when an encoding is added: published vocabularies never change.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiktoken_rs::CoreBPE;

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../context/data");
    std::fs::write(data.join("cl100k_base.merges"), merges(&tiktoken_rs::cl100k_base()?)?)?;
    std::fs::write(data.join("o200k_base.merges"), merges(&tiktoken_rs::o200k_base()?)?)?;
    Ok(())
}

/// Packed by zlib: 256 bytes, the single-byte tokens in order of rank; the left halves of all further tokens;
/// their right halves. Of the three bytes of each half the lowest of all come first, then the middle ones.
fn merges(published: &CoreBPE) -> Result<Vec<u8>, Box<dyn Error>> {
    let tokens: Vec<Vec<u8>> =
        (0..).map_while(|rank| published.decode_bytes(&[rank]).ok()).collect();
    let ranks: HashMap<&[u8], u32> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut singles = Vec::new();
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for (token, rank) in tokens.iter().zip(0..) {
        if rank < 256 {
            let [byte] = token.as_slice() else {
                return Err(format!("token {rank} is not a single byte").into());
            };
            singles.push(*byte);
        } else {
            let (left, right) = halves(token, rank, &ranks)
                .ok_or_else(|| format!("token {rank} is not merged from two earlier ones"))?;
            lefts.push(left);
            rights.push(right);
        }
    }
    let mut file = ZlibEncoder::new(Vec::new(), Compression::best());
    file.write_all(&singles)?;
    for halves in [lefts, rights] {
        for shift in [0, 8, 16] {
            let bytes: Vec<u8> = halves.iter().map(|half| (half >> shift) as u8).collect();
            file.write_all(&bytes)?;
        }
    }
    Ok(file.finish()?)
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
