//! Shows the difference between a malformed case and its twin, the valid trace that it was made
//! from.

/// Maximum number of bytes of each trace that are shown.
const SHOWN: usize = 16;

/// Returns two lines: the bytes of the twin that differ from the case, and the bytes of the case
/// that differ from the twin.
pub(super) fn difference(twin: &[u8], bytes: &[u8]) -> Vec<String> {
    let pairs = twin.iter().zip(bytes);
    let start = pairs.take_while(|(left, right)| left == right).count();
    let (left, right) = (&twin[start..], &bytes[start..]);
    let from_end = left.iter().rev().zip(right.iter().rev());
    let alike = from_end.take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[..left.len() - alike], &right[..right.len() - alike]);
    if left.is_empty() && right.is_empty() {
        return vec!["this case and its twin have the same bytes".to_owned()];
    }
    let prefix = format!("from byte {start}, the valid trace has ");
    vec![
        format!("{prefix}{}", shown(left)),
        format!(
            "{:>width$}{}",
            "this case has ",
            shown(right),
            width = prefix.len()
        ),
    ]
}

fn shown(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let hex: Vec<String> = bytes
        .iter()
        .take(SHOWN)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let more = if bytes.len() > SHOWN {
        format!(" … ({} bytes)", bytes.len())
    } else {
        String::new()
    };
    format!("{}{more}", hex.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_shown() {
        let lines = difference(b"abcdef", b"abXYef");
        assert_eq!(lines[0], "from byte 2, the valid trace has 63 64");
        assert!(lines[1].ends_with(" 58 59"), "{lines:?}");
    }

    #[test]
    fn a_cut_leaves_nothing() {
        let lines = difference(b"abcdef", b"abc");
        assert_eq!(lines[0], "from byte 3, the valid trace has 64 65 66");
        assert!(lines[1].ends_with("nothing"), "{lines:?}");
    }

    #[test]
    fn repeated_bytes_are_counted_once() {
        let lines = difference(b"aaa", b"aa");
        assert_eq!(lines[0], "from byte 2, the valid trace has 61");
    }

    #[test]
    fn much_is_cut_short() {
        let lines = difference(&[1; 100], &[]);
        assert!(lines[0].ends_with("… (100 bytes)"), "{lines:?}");
    }
}
