//! Writes Markdown.

use std::fmt::Write as _;

/// A Markdown page under construction.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
}

impl Page {
    /// Adds a heading. `level` is the number of `#` characters.
    pub fn heading(&mut self, level: usize, title: &str) {
        let _ = writeln!(self.text, "{} {title}\n", "#".repeat(level));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}\n", text.trim_end());
    }

    /// Adds a fenced code block. `language` is the info string of the code block.
    pub fn code(&mut self, language: &str, text: &str) {
        let _ = writeln!(self.text, "```{language}\n{text}\n```\n");
    }

    /// Adds a bulleted list.
    pub fn list(&mut self, points: &[String]) {
        for point in points {
            let _ = writeln!(self.text, "- {point}");
        }
        self.text.push('\n');
    }

    /// Adds a table, without the columns that are empty in every row.
    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        if rows.is_empty() {
            return;
        }
        let used: Vec<usize> = (0..head.len())
            .filter(|&at| {
                rows.iter()
                    .any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()))
            })
            .collect();
        self.row(used.iter().map(|&at| head[at].to_owned()));
        self.row(used.iter().map(|_| "---".to_owned()));
        for row in &rows {
            self.row(
                used.iter()
                    .map(|&at| cell(row.get(at).map_or("", String::as_str))),
            );
        }
        self.text.push('\n');
    }

    fn row(&mut self, cells: impl Iterator<Item = String>) {
        self.text.push('|');
        for cell in cells {
            let _ = write!(self.text, " {cell} |");
        }
        self.text.push('\n');
    }

    /// Returns the text of the page.
    pub fn finish(self) -> String {
        let mut text = self.text.trim_end().to_owned();
        text.push('\n');
        text
    }
}

/// Escapes a table cell. Vertical bars are escaped because they would end the cell, and line breaks
/// are replaced because a row must be on one line.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Formats bytes as hexadecimal numbers, for example `4e 65`.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// Returns the anchor that GitHub and mdBook generate for a heading.
pub fn anchor(title: &str) -> String {
    let kept = title.to_lowercase();
    kept.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_column_is_left_out_and_bars_do_not_end_a_cell() {
        let mut page = Page::default();
        let rows = vec![
            vec!["a|b".to_owned(), String::new(), "two\nlines".to_owned()],
            vec!["c".to_owned()],
        ];
        page.table(&["one", "two", "three"], rows);
        let wanted = "| one | three |\n| --- | --- |\n| a\\|b | two lines |\n| c |  |\n";
        assert_eq!(page.finish(), wanted);
    }

    #[test]
    fn anchors_are_those_of_the_usual_renderers() {
        assert_eq!(anchor("outer::inner part"), "outerinner-part");
    }
}
