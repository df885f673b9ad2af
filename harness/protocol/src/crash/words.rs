//! Normalizes messages by removing the parts that vary between traces.

/// The minimum number of digits of a bare hexadecimal number, such as an address.
const ADDRESS: usize = 6;

/// Replaces numbers with `#` and removes the content of quoted texts, because both depend on the
/// trace, and one bug would otherwise look like many.
pub fn without_values(text: &str) -> String {
    let mut shown = String::new();
    let mut quote = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(end) = quote {
            if c == end {
                quote = None;
                shown.push(c);
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let word = &rest[..word.unwrap_or(rest.len())];
        if word.is_empty() {
            if matches!(c, '"' | '`') {
                quote = Some(c);
            }
            shown.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            push_word(&mut shown, word);
            rest = &rest[word.len()..];
        }
    }
    shown
}

fn push_word(shown: &mut String, word: &str) {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = word.strip_prefix("0x").or(word.strip_prefix("0X"));
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_address = word.len() >= ADDRESS && has_digit && is_hex(word);
    if digits.is_some_and(is_hex) || is_address {
        return push_number(shown);
    }
    for c in word.chars() {
        match c {
            '0'..='9' => push_number(shown),
            c => shown.push(c),
        }
    }
}

fn push_number(shown: &mut String) {
    if !shown.ends_with('#') {
        shown.push('#');
    }
}

#[cfg(test)]
mod tests {
    use super::without_values;

    #[test]
    fn words_have_no_values() {
        for (text, expected) in [
            (
                "at byte 0x1f2: \"ab\\n\" is 17 too long",
                "at byte #: \"\" is # too long",
            ),
            ("at 602000000018 and 7ffd9c3e", "at # and #"),
            ("a decade of utf8", "a decade of utf#"),
            ("read16le failed: é`x`", "read#le failed: é``"),
        ] {
            assert_eq!(without_values(text), expected);
        }
    }
}
