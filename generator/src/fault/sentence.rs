//! Descriptions of the operators for reports.

/// The effect of each operator on a valid trace, by the operator's name. The field is appended: "A
/// number is one too large: `header.version`."
const SENTENCES: &[(&str, &str)] = &[
    (
        "above-maximum",
        "A character beyond the last that Unicode has",
    ),
    ("all-ones", "All bits are set"),
    (
        "another-first",
        "Something else stands before what must come first",
    ),
    (
        "another-last",
        "Something else stands after what must come last",
    ),
    (
        "applied",
        "A type code that is not declared is used by a value",
    ),
    (
        "before-file-different",
        "A row that is there before the file is defined otherwise",
    ),
    (
        "before-file-same",
        "A row that is there before the file is defined again",
    ),
    ("bit-flipped", "One bit is flipped"),
    (
        "blank-before",
        "A blank stands before a description in text",
    ),
    (
        "blank-behind",
        "A blank stands behind a description in text",
    ),
    (
        "blank-between",
        "A blank stands between the parts of a description in text",
    ),
    ("blank-in-code", "A blank stands within a type code"),
    ("byte-fe", "A text has the byte FE, which UTF-8 never has"),
    ("byte-ff", "A text has the byte FF, which UTF-8 never has"),
    ("byte-swapped", "The bytes stand in the wrong order"),
    ("byte-wrong", "One byte is another"),
    ("case-wrong", "A letter is of the other case"),
    (
        "claims-most",
        "A size or count is the greatest that can be written",
    ),
    ("claims-negative", "A size or count is below zero"),
    (
        "claims-none",
        "A size or count is zero, though something is there",
    ),
    (
        "claims-past-end",
        "A size or count reaches one past the end of what is around it",
    ),
    (
        "claims-to-end",
        "A size or count reaches to the end of what is around it",
    ),
    (
        "claims-wraps",
        "A size or count is right only in fewer bits than it has",
    ),
    (
        "cleared-before",
        "A reference to a row that was cleared away before",
    ),
    ("cut-before", "The file ends before this"),
    ("cut-inside", "The file ends inside this"),
    (
        "defined-later",
        "A reference to a row that is defined only later",
    ),
    ("empty", "NoCase is there where something must be"),
    (
        "empty-item",
        "A description in text has an item without anything",
    ),
    ("end-missing", "The end mark of a list never comes"),
    ("extra-byte", "A sized part has a byte more than its fields"),
    (
        "extra-bytes",
        "A sized part has many bytes more than its fields",
    ),
    ("fill-last-wrong", "The last byte of padding is another"),
    ("fill-wrong", "The first byte of padding is another"),
    ("first-missing", "What must come first is not there"),
    (
        "five-bytes",
        "A character is written in five bytes, which UTF-8 does not do",
    ),
    (
        "followed-by-copy",
        "The whole file follows once more after its end",
    ),
    ("followed-by-ones", "A byte of ones follows after the end"),
    ("followed-by-zero", "A byte of zero follows after the end"),
    (
        "four-bytes",
        "A character beyond 16 bits is written in four bytes, which CESU-8 does not do",
    ),
    ("greatest", "The greatest number that can be written"),
    ("high-bit", "A byte beyond ASCII"),
    (
        "high-then-letter",
        "Half of a surrogate pair, and then a letter",
    ),
    ("holds-other", "A type code holds one that it cannot hold"),
    ("json-bad-escape", "JSON with an escape that there is not"),
    ("json-bare-name", "JSON with a name without quotes"),
    (
        "json-closed-wrong",
        "JSON that is closed by the wrong bracket",
    ),
    (
        "json-control-character",
        "JSON with a control character in a text",
    ),
    ("json-deep", "JSON that is nested deep"),
    ("json-leading-zero", "JSON with a zero before a number"),
    ("json-nothing", "NoCase where JSON must be"),
    ("json-open-object", "JSON with an object that is not closed"),
    ("json-open-text", "JSON with a text that is not closed"),
    ("json-other", "JSON that is not what it must be"),
    ("json-single-quotes", "JSON with single quotes"),
    ("json-trailing-comma", "JSON with a comma behind the last"),
    ("json-two-values", "Two values of JSON where one must be"),
    ("json-word", "A word that is no JSON"),
    (
        "junk-behind-name",
        "Something stands behind a name in a description in text",
    ),
    (
        "last-byte-missing",
        "The last byte of a sized part is not there",
    ),
    ("last-byte-wrong", "The last byte is another"),
    ("least", "The least number that can be written"),
    ("letter-beyond", "A letter that the encoding does not have"),
    (
        "lone-continuation",
        "A continuation byte without a character that it belongs to",
    ),
    (
        "lone-high-surrogate",
        "The first half of a surrogate pair alone",
    ),
    (
        "lone-low-surrogate",
        "The second half of a surrogate pair alone",
    ),
    ("name-twice", "A name stands twice in a description in text"),
    (
        "names-farthest",
        "A reference as far away as can be written",
    ),
    (
        "names-other-element",
        "A reference to where something else stands",
    ),
    (
        "names-part-of-element",
        "A reference to less than whole elements",
    ),
    (
        "names-past-end",
        "A reference to one element more than there is room for",
    ),
    ("nested", "Nested deeper than a reader must take"),
    (
        "never-defined",
        "A reference to a row that is never defined",
    ),
    (
        "never-defined-greatest",
        "A reference to a row that is never defined, by the greatest number",
    ),
    (
        "never-defined-least",
        "A reference to a row that is never defined, by a number below zero",
    ),
    (
        "never-defined-wraps",
        "A key of a row that is not there is that of one in fewer bits",
    ),
    ("no-arm", "A kind that nothing is declared for"),
    (
        "no-continuation",
        "A character whose further bytes do not follow",
    ),
    ("no-name", "A name is missing in a description in text"),
    (
        "none",
        "A list without any of the elements that it must have",
    ),
    ("null", "Null where a value is wanted"),
    (
        "numbers-overlap",
        "A list numbers its rows from a number that is taken",
    ),
    (
        "occurs-twice",
        "What occurs once stands twice, one right after the other",
    ),
    (
        "occurs-twice-late",
        "What occurs once stands twice, the second as late as can be",
    ),
    ("one-above", "One more than allowed"),
    ("one-below", "One less than allowed"),
    ("one-byte-more", "One byte more than there must be"),
    ("one-byte-short", "The last byte is left out"),
    ("one-less", "A size or count is one too small"),
    ("one-more", "A size or count is one too large"),
    ("one-too-few", "A list has one element too few"),
    (
        "other-fields",
        "A row of a known kind describes other fields than that kind has",
    ),
    ("overflow-by-one", "A sum is one beyond what its type holds"),
    (
        "overflow-most",
        "A sum is as far beyond what its type holds as can be written",
    ),
    (
        "overlong",
        "A number is written in one byte more than it needs",
    ),
    (
        "overlong-2",
        "A character is written in two bytes, though one is enough",
    ),
    (
        "overlong-3",
        "A character is written in three bytes, though fewer are enough",
    ),
    (
        "overlong-4",
        "A character is written in four bytes, though fewer are enough",
    ),
    (
        "overlong-most",
        "A number is written in as many bytes as its width allows",
    ),
    (
        "pair-reversed",
        "The halves of a surrogate pair stand in the wrong order",
    ),
    ("part-empty", "A sized part has nothing in it"),
    (
        "part-ends-inside",
        "A part ends one byte before one of its fields does",
    ),
    (
        "removed-before",
        "A reference to a row that was removed before",
    ),
    ("reserved-bits", "Bits are set that have no meaning"),
    (
        "same-in-two-rows",
        "Two rows have the same where they must differ",
    ),
    ("special-name", "A name that is not allowed"),
    (
        "surrogate-high",
        "UTF-8 with the first half of a surrogate pair",
    ),
    (
        "surrogate-low",
        "UTF-8 with the second half of a surrogate pair",
    ),
    (
        "surrogate-pair",
        "UTF-8 with a surrogate pair in place of its character",
    ),
    (
        "too-long",
        "A number is written in more bytes than its width allows",
    ),
    ("too-wide", "A number has a bit beyond its width"),
    (
        "too-wide-all-ones",
        "A number has every bit set in as many bytes as its width allows",
    ),
    ("truncated-2", "A character of two bytes is cut off"),
    ("truncated-3", "A character of three bytes is cut off"),
    ("truncated-4", "A character of four bytes is cut off"),
    (
        "twice-different",
        "A row comes a second time, and is another",
    ),
    ("twice-in-list", "An element stands twice"),
    ("twice-same", "A row comes a second time, unchanged"),
    ("undeclared", "A value that is not declared"),
    (
        "undeclared-here",
        "A value that is declared for another dialect alone",
    ),
    ("unknown-code", "A type code that is not declared"),
    ("unterminated", "The end of this never comes"),
    ("value", "A value that the rule speaks of"),
    (
        "variable-size",
        "A type without a fixed size where one with a fixed size must be",
    ),
    (
        "wraps",
        "A number is one of those allowed only in fewer bits than it has",
    ),
    ("zero", "All bits are zero"),
];

/// Describes the effect of an operator on a valid trace.
///
/// ```
/// use tracegauge_generator::fault::sentence;
/// assert_eq!(sentence("cut-before"), Some("The file ends before this"));
/// ```
pub fn sentence(operator: &str) -> Option<&'static str> {
    let found = SENTENCES.binary_search_by_key(&operator, |(name, _)| name);
    found.ok().map(|place| SENTENCES[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(SENTENCES.is_sorted_by(|one, two| one.0 < two.0));
    }
}
