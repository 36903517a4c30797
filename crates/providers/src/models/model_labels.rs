//! Short names for models whose id is the path of a file.

use std::collections::HashMap;

/// The folder prefix in the cache of Hugging Face: `models--Qwen--Qwen3-8B/snapshots/…`.
const HUB_FOLDER: &str = "models--";

/// A short name for each model, in their order. Names stay unique: if files in two folders have the
/// same name, both keep their paths.
pub fn labels<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let mut uses: HashMap<String, usize> = HashMap::new();
    for name in &names {
        *uses.entry(label(name)).or_default() += 1;
    }
    let unique = |name: &&str| {
        let label = label(name);
        if uses.get(&label) == Some(&1) { label } else { (*name).to_owned() }
    };
    names.iter().map(unique).collect()
}

fn label(name: &str) -> String {
    let slashes = ['/', '\\'];
    let is_file = name.to_ascii_lowercase().ends_with(".gguf");
    if !is_file && !is_path(name) {
        return name.to_owned();
    }
    let mut folders = name.split(slashes);
    if let Some(hub) = folders.find_map(|folder| folder.strip_prefix(HUB_FOLDER)) {
        return hub.replace("--", "/");
    }
    let last = name.trim_end_matches(slashes).rsplit(slashes).next().unwrap_or(name);
    let stem = match last.rsplit_once('.') {
        Some((stem, _)) if is_file => without_part_number(stem),
        _ => last,
    };
    if stem.is_empty() { name.to_owned() } else { stem.to_owned() }
}

/// True if a name is an absolute path or begins with a folder; false for `owner/model`.
fn is_path(name: &str) -> bool {
    let drive = name.chars().skip(1).take(2).collect::<String>();
    let starts = ["/", "./", "../", "~/", "\\", ".\\", "..\\"];
    matches!(&*drive, ":\\" | ":/") || starts.iter().any(|start| name.starts_with(start))
}

/// The stem without the part number of a split file: `-00001-of-00003`.
fn without_part_number(stem: &str) -> &str {
    let is_number =
        |digits: &str| digits.len() == 5 && digits.bytes().all(|it| it.is_ascii_digit());
    stem.rsplit_once("-of-")
        .filter(|(_, all)| is_number(all))
        .and_then(|(rest, _)| rest.rsplit_once('-'))
        .filter(|(_, piece)| is_number(piece))
        .map_or(stem, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_a_file_is_called_by_the_name_of_the_file() {
        for (name, expected) in [
            ("/models/qwen2.5-0.5b-instruct-q4_k_m.gguf", "qwen2.5-0.5b-instruct-q4_k_m"),
            ("C:\\Models\\loom-7b.Q8_0.GGUF", "loom-7b.Q8_0"),
            ("./loom-00001-of-00003.gguf", "loom"),
            ("loom.gguf", "loom"),
            ("unsloth/loom-GGUF/loom-Q4.gguf", "loom-Q4"),
            ("/data/models/Loom-7B/", "Loom-7B"),
            ("~/models/loom", "loom"),
            ("/root/.cache/huggingface/hub/models--Loom--Loom-7B/snapshots/0a1b", "Loom/Loom-7B"),
            // Ids, not paths.
            ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
            ("accounts/loom/models/weft-1", "accounts/loom/models/weft-1"),
            ("loom:7b-q4", "loom:7b-q4"),
            ("gpt-5.4", "gpt-5.4"),
            ("/", "/"),
            ("", ""),
        ] {
            assert_eq!(label(name), expected, "{name}");
        }
    }

    #[test]
    fn two_files_of_one_name_keep_their_paths() {
        let names = ["/a/loom.gguf", "/b/loom.gguf", "/b/weft.gguf"];
        assert_eq!(labels(names.into_iter()), ["/a/loom.gguf", "/b/loom.gguf", "weft"]);
    }
}
