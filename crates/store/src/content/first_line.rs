//! The first line of a stored text, read block by block: the text may have megabytes.

use rusqlite::Connection;
use rusqlite::blob::Blob;

/// The limit of a first line, in characters: several times the width of a list.
const MAX_CHARS: usize = 1_000;

/// Bytes read at once.
const BLOCK: usize = 4 * 1_024;

/// The first line of a part that is not blank; empty if there is none.
pub(crate) fn first_line_of_part(tx: &Connection, part: i64) -> rusqlite::Result<String> {
    read_line(&tx.blob_open("main", "parts", "text", part, true)?)
}

fn read_line(text: &Blob) -> rusqlite::Result<String> {
    let (mut bytes, mut block, mut at) = (Vec::new(), [0; BLOCK], 0);
    loop {
        let read = text.read_at(&mut block, at)?;
        at += read;
        bytes.extend(block.iter().take(read));
        let text = String::from_utf8_lossy(&bytes);
        let line = first_line(&text);
        let ends = read == 0 || line.len() < text.trim_start().len();
        if ends || line.chars().count() > MAX_CHARS {
            return Ok(shortened(line));
        }
        if line.is_empty() {
            bytes.clear();
        }
    }
}

/// The first line that is not blank.
pub(crate) fn first_line(words: &str) -> &str {
    words.trim_start().split('\n').next().unwrap_or_default()
}

/// At most 1,000 characters of a line, with an ellipsis if more follow.
pub(crate) fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line of a text that is stored and read from the database.
    fn begins(text: &str) -> String {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE parts (text TEXT NOT NULL)").unwrap();
        connection.execute("INSERT INTO parts VALUES (?1)", [text]).unwrap();
        read_line(&connection.blob_open("main", "parts", "text", 1, true).unwrap()).unwrap()
    }

    #[test]
    fn a_text_begins_with_its_first_line_wherever_a_block_ends() {
        let cases = [
            (String::new(), String::new()),
            (" \n ".into(), String::new()),
            ("one line".into(), "one line".into()),
            ("\n\n  the first \r\nthe second".into(), "the first".into()),
            (format!("{}late\nlater", " ".repeat(BLOCK - 2)), "late".into()),
            (format!("{}晚了\n", "\n".repeat(BLOCK - 1)), "晚了".into()),
            (" ".repeat(3 * BLOCK), String::new()),
            ("字".repeat(MAX_CHARS), "字".repeat(MAX_CHARS)),
            ("字".repeat(2_000_000), format!("{}…", "字".repeat(MAX_CHARS))),
        ];
        for (text, beginning) in cases {
            assert_eq!(begins(&text), beginning);
        }
    }
}
