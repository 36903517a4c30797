//! Paths in a command line of Windows.

/// A path as an argument of a command line of Windows, where no path has a quotation mark.
pub fn quote_for_windows(path: &str) -> String {
    // A backslash before the quotation mark would make it a part of the path.
    let trailing = path.len() - path.trim_end_matches('\\').len();
    format!("\"{path}{}\"", "\\".repeat(trailing))
}

#[cfg(test)]
mod tests {
    use super::quote_for_windows;

    #[test]
    fn a_path_is_one_argument_on_windows() {
        assert_eq!(
            quote_for_windows(r"C:\Program Files\skein.exe"),
            r#""C:\Program Files\skein.exe""#
        );
        assert_eq!(quote_for_windows(r"D:\"), r#""D:\\""#);
    }
}
