//! Bytes as people write them: hex digits with comments.

/// The bytes of `text`: pairs of hex digits, spaces anywhere, `#` to the end of a line is a
/// comment.
///
/// # Errors
/// The first line that holds something else, counted from 0.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, (usize, hex::FromHexError)> {
    let mut bytes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        bytes.extend(hex::decode(digits).map_err(|error| (number, error))?);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn comments_and_spaces_are_passed_over() {
        assert_eq!(
            bytes("54 52 # magic\n\n  0A0b # ff\n"),
            Ok(vec![0x54, 0x52, 10, 11])
        );
    }

    #[test]
    fn the_wrong_line_is_named() {
        assert_eq!(
            bytes("54\n5 # half a byte").map_err(|(line, _)| line),
            Err(1)
        );
        assert_eq!(bytes("54\n\nxy").map_err(|(line, _)| line), Err(2));
    }
}
