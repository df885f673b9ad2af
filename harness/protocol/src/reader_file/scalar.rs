//! Writes text as YAML, for lines that users paste into a reader file.

use std::fmt::Write as _;

use tracegauge_results::text::visible;

/// Words that YAML parsers read as a Boolean value or as null.
const RESERVED: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];

/// Returns `text` as a YAML string. The string is quoted unless every parser reads the plain text
/// as the same string, even inside a list in brackets.
pub fn yaml_text(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::from('"');
    for c in text.chars() {
        let shown = c.to_string();
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Messages show an invisible character in a notation that is not YAML.
            c if visible(&shown) != shown => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./@ ".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(is_plain)
        && !text.ends_with(' ')
        && !text.contains("  ")
        && !RESERVED.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::reader_file::ReaderFile;

    #[test]
    fn text_is_quoted_only_where_necessary() {
        for (text, expected) in [
            ("label_list_block", "label_list_block"),
            ("version 7", "version 7"),
            ("wtf-v3@doc", "wtf-v3@doc"),
            ("a, b", "\"a, b\""),
            ("Null", "\"Null\""),
            ("7", "\"7\""),
            ("event.parts[].size", "\"event.parts[].size\""),
            ("a: \"b\" #c", "\"a: \\\"b\\\" #c\""),
            ("a\u{200b}\n", "\"a\\U0000200b\\U0000000a\""),
            ("", "\"\""),
        ] {
            assert_eq!(yaml_text(text), expected);
        }
    }

    proptest! {
        #[test]
        fn reader_files_read_the_text_back(text in "(?s)[a-z,:#\\[\\]{}'\"\\\\&*!|>%@` \t\n-]{1,8}|.{1,12}") {
            let file = format!("command: [a]\nunsupported: [{}]\n", yaml_text(&text));
            let read = ReaderFile::parse(&file, Path::new("a.yaml"), Path::new("/"));
            prop_assert_eq!(read.expect("a reader file").unsupported, [text]);
        }
    }
}
