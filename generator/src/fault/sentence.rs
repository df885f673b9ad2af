//! Describes the operators in reports.

/// The effect of each operator on a valid trace, keyed by the operator's name. Reports append the
/// field, as in "A number is one too large: `header.version`."
const SENTENCES: &[(&str, &str)] = &[
    (
        "above-maximum",
        "A character is beyond the last code point of Unicode",
    ),
    ("all-ones", "All bits of the field are set"),
    (
        "another-first",
        "A different element comes before the one that must come first",
    ),
    (
        "another-last",
        "A different element comes after the one that must come last",
    ),
    ("applied", "A value uses an undeclared type code"),
    (
        "before-file-different",
        "A predefined table row is defined again with different contents",
    ),
    (
        "before-file-same",
        "A predefined table row is defined again with the same contents",
    ),
    ("bit-flipped", "One bit of the field is flipped"),
    ("blank-before", "A field description is preceded by a space"),
    ("blank-behind", "A field description is followed by a space"),
    (
        "blank-between",
        "A field description has a space between its parts",
    ),
    ("blank-in-code", "A type code contains a space"),
    (
        "byte-fe",
        "Text contains the byte FE, which is never valid in UTF-8",
    ),
    (
        "byte-ff",
        "Text contains the byte FF, which is never valid in UTF-8",
    ),
    (
        "byte-swapped",
        "The bytes of the field are in reverse order",
    ),
    ("byte-wrong", "One byte of the field is wrong"),
    ("case-wrong", "A letter has the wrong case"),
    (
        "claims-most",
        "A size or count is the largest that can be encoded",
    ),
    ("claims-negative", "A size or count is negative"),
    (
        "claims-none",
        "A size or count is zero although data follows",
    ),
    (
        "claims-past-end",
        "A size or count extends one byte or element past the end of the enclosing part",
    ),
    (
        "claims-to-end",
        "A size or count extends to the end of the enclosing part",
    ),
    (
        "claims-wraps",
        "A size or count is correct only after truncation to fewer bits",
    ),
    (
        "cleared-before",
        "A reference points to a table row that was cleared earlier",
    ),
    ("cut-before", "The file ends before this field"),
    ("cut-inside", "The file ends inside this field"),
    (
        "defined-later",
        "A reference points to a table row that is defined later",
    ),
    ("empty", "A value that must not be empty is empty"),
    (
        "empty-item",
        "A textual list of field descriptions has an empty item",
    ),
    ("end-missing", "The end marker of a list is missing"),
    (
        "extra-byte",
        "A sized part is one byte larger than its fields",
    ),
    (
        "extra-bytes",
        "A sized part is many bytes larger than its fields",
    ),
    ("fill-last-wrong", "The last padding byte is wrong"),
    ("fill-wrong", "The first padding byte is wrong"),
    (
        "first-missing",
        "The element that must come first is missing",
    ),
    (
        "five-bytes",
        "A character is encoded in five bytes, which is invalid in UTF-8",
    ),
    (
        "followed-by-copy",
        "A copy of the whole trace follows the trace",
    ),
    (
        "followed-by-ones",
        "A byte with all bits set follows the trace",
    ),
    ("followed-by-zero", "A zero byte follows the trace"),
    (
        "four-bytes",
        "A character beyond U+FFFF is encoded in four bytes, which is invalid in CESU-8",
    ),
    ("greatest", "A number is the largest that can be encoded"),
    ("high-bit", "A byte is not ASCII"),
    (
        "high-then-letter",
        "A high surrogate is followed by a letter",
    ),
    (
        "holds-other",
        "A type code contains another type code that is not allowed inside it",
    ),
    (
        "json-bad-escape",
        "JSON contains an unknown escape sequence",
    ),
    ("json-bare-name", "JSON contains a name without quotes"),
    ("json-closed-wrong", "JSON is closed by the wrong bracket"),
    (
        "json-control-character",
        "JSON contains a control character in a string",
    ),
    ("json-deep", "JSON is nested too deeply"),
    (
        "json-leading-zero",
        "JSON contains a number with a leading zero",
    ),
    ("json-nothing", "Text that must contain JSON is empty"),
    ("json-open-object", "JSON contains an unclosed object"),
    ("json-open-text", "JSON contains an unclosed string"),
    ("json-other", "A JSON value has the wrong type"),
    ("json-single-quotes", "JSON uses single quotes"),
    ("json-trailing-comma", "JSON contains a trailing comma"),
    (
        "json-two-values",
        "Text that must contain one JSON value contains two",
    ),
    (
        "json-word",
        "Text that must contain JSON contains a bare word",
    ),
    (
        "junk-behind-name",
        "Unexpected text follows the name in a field description",
    ),
    (
        "last-byte-missing",
        "The last byte of a sized part is missing",
    ),
    ("last-byte-wrong", "The last byte of the field is wrong"),
    ("least", "A number is the smallest that can be encoded"),
    (
        "letter-beyond",
        "A character does not exist in the encoding",
    ),
    (
        "lone-continuation",
        "A continuation byte occurs without a leading byte",
    ),
    (
        "lone-high-surrogate",
        "A high surrogate occurs without a low surrogate",
    ),
    (
        "lone-low-surrogate",
        "A low surrogate occurs without a high surrogate",
    ),
    ("name-twice", "Two field descriptions have the same name"),
    (
        "names-farthest",
        "A reference has the largest offset that can be encoded",
    ),
    (
        "names-other-element",
        "A reference points to a different element",
    ),
    (
        "names-part-of-element",
        "A reference covers only part of an element",
    ),
    (
        "names-past-end",
        "A reference covers one more element than the data contains",
    ),
    ("nested", "The nesting is deeper than readers must support"),
    (
        "never-defined",
        "A reference points to a table row that is never defined",
    ),
    (
        "never-defined-greatest",
        "A reference with the largest possible key points to a table row that is never defined",
    ),
    (
        "never-defined-least",
        "A reference with a negative key points to a table row that is never defined",
    ),
    (
        "never-defined-wraps",
        "A key refers to an existing table row only after truncation to fewer bits",
    ),
    (
        "no-arm",
        "A value matches none of the cases in the description",
    ),
    (
        "no-continuation",
        "A continuation byte of a character is missing",
    ),
    ("no-name", "A field description has no name"),
    ("none", "A list that must not be empty is empty"),
    ("null", "A value that must not be null is null"),
    (
        "numbers-overlap",
        "A list of table rows starts with a number that is already in use",
    ),
    (
        "occurs-twice",
        "An element that may occur only once occurs twice in succession",
    ),
    (
        "occurs-twice-late",
        "An element that may occur only once occurs again as late as possible",
    ),
    ("one-above", "A value is one above the maximum"),
    ("one-below", "A value is one below the minimum"),
    ("one-byte-more", "The field has one byte too many"),
    ("one-byte-short", "The last byte of the field is missing"),
    ("one-less", "A size or count is one too small"),
    ("one-more", "A size or count is one too large"),
    ("one-too-few", "A list has one element too few"),
    (
        "other-fields",
        "The fields that a table row describes differ from those of its kind",
    ),
    (
        "overflow-by-one",
        "A sum exceeds the range of its type by one",
    ),
    (
        "overflow-most",
        "A sum exceeds the range of its type by the largest possible amount",
    ),
    (
        "overlong",
        "A number is encoded in one more byte than it needs",
    ),
    (
        "overlong-2",
        "A character is encoded in two bytes although one is enough",
    ),
    (
        "overlong-3",
        "A character is encoded in three bytes although fewer are enough",
    ),
    (
        "overlong-4",
        "A character is encoded in four bytes although fewer are enough",
    ),
    (
        "overlong-most",
        "A number is encoded in as many bytes as its width allows",
    ),
    (
        "pair-reversed",
        "The halves of a surrogate pair are in the wrong order",
    ),
    ("part-empty", "A sized part is empty"),
    (
        "part-ends-before",
        "A sized part ends before the last field that it must contain",
    ),
    (
        "part-ends-inside",
        "A sized part ends one byte before the end of one of its fields",
    ),
    (
        "removed-before",
        "A reference points to a table row that was removed earlier",
    ),
    ("reserved-bits", "Reserved bits are set"),
    (
        "same-in-two-rows",
        "Two table rows have the same value although their values must differ",
    ),
    ("special-name", "A name is not allowed"),
    ("surrogate-high", "UTF-8 contains a high surrogate"),
    ("surrogate-low", "UTF-8 contains a low surrogate"),
    (
        "surrogate-pair",
        "UTF-8 contains a surrogate pair instead of the character",
    ),
    (
        "too-long",
        "A number is encoded in more bytes than its width allows",
    ),
    ("too-wide", "A number has a bit beyond its width"),
    (
        "too-wide-all-ones",
        "A number has the maximum number of bytes with all bits set, which exceeds its width",
    ),
    ("truncated-2", "A two-byte character is truncated"),
    ("truncated-3", "A three-byte character is truncated"),
    ("truncated-4", "A four-byte character is truncated"),
    (
        "twice-different",
        "A table row is defined again with different contents",
    ),
    ("twice-in-list", "An element occurs twice"),
    (
        "twice-same",
        "A table row is defined again with the same contents",
    ),
    ("undeclared", "A value is not declared"),
    (
        "undeclared-here",
        "A value is declared only for another dialect of the format",
    ),
    ("unknown-code", "A type code is not declared"),
    ("unterminated", "The terminator is missing"),
    ("value", "The value violates the rule"),
    (
        "variable-size",
        "A type of variable size is used where a type of fixed size is required",
    ),
    (
        "wraps",
        "A number is valid only after truncation to fewer bits",
    ),
    ("zero", "All bits of the field are zero"),
];

/// Describes the effect of an operator on a valid trace.
///
/// ```
/// use tracegauge_generator::fault::sentence;
/// assert_eq!(sentence("cut-before"), Some("The file ends before this field"));
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
