//! Describes the bugs of mutants in words.

use super::Mutant;

/// A mutation operator, and the bug that it plants.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The first part of a mutant's name, such as `size-one-more`.
    pub name: &'static str,
    /// The detail of the mutants that the description applies to, or `None` for all others.
    pub detail: Option<&'static str>,
    /// The behavior of a reader with this bug, as a clause that follows "a reader that". `{}`
    /// stands for the detail of a mutant.
    pub words: &'static str,
}

/// The operators that change one part of a plan, such as its lists.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The part, in the plural: "Lists".
    pub title: &'static str,
    /// The operators. Those for certain details precede the one for all other details.
    pub operators: &'static [Operator],
}

/// All mutation operators. The operators that mutate rules are listed separately.
pub const OPERATORS: &[Group] = &[
    Group {
        title: "Numbers",
        operators: NUMBERS,
    },
    Group {
        title: "Strings and bytes",
        operators: TEXT,
    },
    Group {
        title: "Parts and conditions",
        operators: PARTS,
    },
    Group {
        title: "Checks",
        operators: TESTS,
    },
    Group {
        title: "Switches",
        operators: SWITCHES,
    },
    Group {
        title: "Lists",
        operators: LISTS,
    },
    Group {
        title: "Tables and registers",
        operators: STATE,
    },
    Group {
        title: "Type codes and field descriptions",
        operators: LAYOUTS,
    },
    Group {
        title: "Enumerations and records",
        operators: MEANING,
    },
    Group {
        title: "JSON",
        operators: JSON,
    },
    Group {
        title: "Expressions",
        operators: EXPRESSIONS,
    },
];

impl Mutant {
    /// Describes the behavior of a reader with this bug, as a clause that follows "a reader that".
    pub fn in_words(&self) -> String {
        let is_this = |it: &&Operator| {
            it.name == self.operator && it.detail.is_none_or(|detail| detail == self.detail)
        };
        let mut operators = OPERATORS.iter().flat_map(|group| group.operators);
        let text = operators.find(is_this).map_or(self.operator, |it| it.words);
        let text = match self.detail.as_str() {
            "" => text.replace(" ({})", ""),
            _ => text.to_owned(),
        };
        text.replace("{}", &self.detail)
    }
}

/// Lists operators: the name, the detail if the description applies only to mutants with this detail,
/// and the description.
macro_rules! operators {
    ($($name:literal $(/ $detail:literal)? => $words:literal,)*) => {
        [$(Operator { name: $name, detail: operators!(@ $($detail)?), words: $words },)*]
    };
    (@ $detail:literal) => { Some($detail) };
    (@) => { None };
}

const NUMBERS: &[Operator] = &operators! {
    "other-width" => "reads the number with a width of {} bits",
    "other-sign" => "reads a signed number as unsigned, or vice versa",
    "other-byte-order" => "reads the number in the opposite byte order",
    "words-not-swapped" => "does not swap the words that make up the number",
    "cut" => "truncates the value to {} bits",
    "other-code" => "decodes a variable-length number as {}",
    "one-byte-only" => "reads only one byte of a variable-length number",
    "float-as-integer" => "reads a float as an integer",
    "bits-shifted" => "extracts the wrong bits",
    "bits-counted" => "extracts one bit too many or too few",
    "carry-forgotten" => "does not combine the number with the previous value",
    "carry-replaces" => "uses the number itself instead of adding it to the previous value",
    "carry-adds" => "adds the number to the previous value instead of replacing it",
    "step-forgotten" => "omits an amount that must be added to the value",
    "wrap-forgotten" => "does not wrap the sum around at the end of its range",
    "wraps-early" => "wraps the sum around at {} bits",
    "overflow-taken" => "accepts a sum that exceeds the maximum",
    "greatest-one-less" => "rejects the maximum",
    "carry-stays" => "does not update the value to which the next number is added",
    "register-forgotten" => "does not store the value to which later numbers are added",
    "carry-not-reset" => "does not reset the running value at the start of each list",
};

const TEXT: &[Operator] = &operators! {
    "other-encoding" => "decodes the text as {}",
    "ill-formed-text-taken" => "accepts ill-formed text",
    "other-terminator" / "required" => "rejects text without a terminator",
    "other-terminator" / "not-required" => "accepts text without its terminator",
    "other-terminator" / "consumed" => "consumes the terminator, which belongs to the next field",
    "other-terminator" / "left" => "does not skip the terminator after the text",
    "other-terminator" / "included" => "includes the terminator in the text",
    "other-terminator" / "left-out" => "excludes the terminator from the text",
    "other-terminator" => "keeps the padding in the text",
    "contents-not-compared" => "does not check that constant bytes have the required values",
    "contents-hardly-compared" => "checks only one of the constant bytes",
};

const PARTS: &[Operator] = &operators! {
    "always-there" => "reads the field even if the trace does not contain it",
    "never-there" => "never reads the field",
    "condition-turned" => "inverts the condition that decides whether the field is present",
    "size-one-more" => "reads one byte too many",
    "size-one-less" => "reads one byte too few",
    "part-not-bounded" => "reads past the end of the sized part",
    "read-in-place" => "reads the value in place instead of at its offset",
    "other-stream" =>
        "measures the offset from the start of the file instead of the start of the enclosing part, or vice versa",
    "aligned-to" => "aligns to {} bytes",
    "aligned-from" => "measures the alignment from the start of the {}",
    "padding-not-compared" => "does not check the values of the padding bytes",
    "rest-wanted" => "requires trailing fields that are optional",
    "nests-one-more" => "allows one nesting level too many",
    "nests-one-less" => "rejects data with the maximum allowed nesting depth",
    "nests-too-little" => "rejects nesting beyond half the allowed depth",
    "nests-without-bound" => "does not limit the nesting depth",
};

const TESTS: &[Operator] = &operators! {
    "fault-taken" / "eof" => "accepts a trace that ends inside the field",
    "fault-taken" / "missing" => "accepts a trace that ends before the last element of a list",
    "fault-taken" / "trailing" => "accepts extra bytes after the end of the data",
    "fault-taken" / "past" => "accepts a size or position past the end of the enclosing part",
    "fault-taken" / "short" => "accepts a part that is too small for its fields",
    "fault-taken" / "rest" => "accepts a part that is larger than its fields",
    "fault-taken" / "negative" => "accepts a negative size or count",
    "fault-taken" / "half" => "accepts half a surrogate pair",
    "fault-taken" / "terminator" => "accepts text without a terminator",
    "fault-taken" / "overlong" => "accepts a number with redundant bytes",
    "fault-taken" / "long" => "accepts a number with more bytes than its width allows",
    "fault-taken" / "wide" => "accepts a number that does not fit in its width",
    "fault-taken" / "depth" => "accepts data that is nested too deeply",
    "fault-taken" => "accepts a fault: {}",
    "tolerance-refused" / "eof" =>
        "rejects a trace that ends early even where traces may end early",
    "tolerance-refused" / "missing" =>
        "rejects a trace that ends early even where traces may end early",
    "tolerance-refused" / "short" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" / "rest" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" / "trailing" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" => "rejects a trace because of a violation that readers must tolerate ({})",
    "not-tested" / "" => "does not check the value",
    "not-tested" => "accepts a violation of a rule ({})",
    "tested-always" / "" => "checks the value even where the check does not apply",
    "tested-always" => "enforces a rule even where the rule does not apply ({})",
    "bound-one-more" => "compares a value with a bound that is one too large ({})",
    "bound-one-less" => "compares a value with a bound that is one too small ({})",
    "value-forgotten" => "rejects one of the allowed values ({})",
};

const SWITCHES: &[Operator] = &operators! {
    "arm-lost" => "does not handle one of the values listed in the description ({})",
    "arm-also-for" => "handles the value {} as if the description listed it",
    "arms-swapped" => "confuses two of the values listed in the description ({})",
    "default-lost" => "does not handle values that the description does not list",
    "default-as-first" =>
        "handles an unlisted value like the first value listed in the description",
    "unknown-kind-as-first" =>
        "handles an unlisted value like the first value listed in the description",
    "unknown-kind-passed-over" => "skips a value that the description does not list",
};

const LISTS: &[Operator] = &operators! {
    "list-to-the-end" => "reads elements to the end of the data instead of counting them",
    "least-number-not-tested" => "accepts a list with too few elements",
    "least-number-one-more" => "rejects a list with the minimum number of elements",
    "least-number-one-less" => "accepts a list with one element too few",
    "may-come-again" => "accepts the repetition of an element that may occur only once",
    "keys-not-compared" => "accepts two elements with the same key",
    "exception-forgotten" => "rejects duplicate keys where they are allowed",
    "stays-over-elements" =>
        "reuses the value of the previous element for an element without a value",
    "element-before-forgotten" => "does not remember the previous element",
    "any-element-asked" => "considers all elements of the list instead of only the matching ones",
    "other-element-asked" => "uses the wrong element of the list",
    "element-not-asked" => "does not search the list for the required element",
};

const STATE: &[Operator] = &operators! {
    "unknown-row-refused" =>
        "rejects a reference to a missing row of the table `{}` even where rows may be missing",
    "unknown-row-taken" => "accepts a reference to a missing row of the table `{}`",
    "row-wanted-before" => "requires the row of the table `{}` to precede the reference",
    "always-a-row" => "looks up a row of the table `{}` even if the field refers to none",
    "none-forgotten" => "treats the null key as a reference to a row of the table `{}`",
    "other-table" => "looks up the row in the wrong table, `{}`",
    "row-not-defined" => "does not store the row in the table `{}`",
    "row-always-defined" => "stores a row in the table `{}` even if the trace does not define one",
    "rows-not-compared" =>
        "accepts two rows of the table `{}` with the same value although the values must differ",
    "kind-of-row-forgotten" => "does not store which kind of data a table row describes",
    "column-not-kept" => "does not store `{}`",
    "other-row-kept" =>
        "keeps the wrong one of two rows of the table `{}` with the same key: the second instead of the first, or vice versa",
    "same-row-refused" =>
        "rejects the redefinition of a row of the table `{}` with the same contents",
    "other-row-refused" =>
        "rejects the redefinition of a row of the table `{}` with different contents",
    "same-row-taken-again" =>
        "accepts the redefinition of a row of the table `{}` with the same contents",
    "other-row-taken" =>
        "accepts the redefinition of a row of the table `{}` with different contents",
    "same-row-as-other" =>
        "treats an unchanged row of the table `{}` as changed when the row is defined again",
    "other-row-as-same" => "treats a changed row of the table `{}` as unchanged",
    "alike-row-as-other" =>
        "treats a row of the table `{}` as changed although the compared fields are unchanged",
    "row-not-removed" => "does not remove a row of the table `{}`",
    "no-row-removed" => "accepts the removal of a nonexistent row from the table `{}`",
    "never-cleared" => "never clears `{}`",
    "always-cleared" => "clears stored rows (`{}`) even where they must be kept",
    "all-cleared" => "clears all tables instead of only the table `{}`",
    "cleared-too-often" => "clears the table `{}` with each element of a list",
    "not-set" => "does not store a value that is needed later",
    "always-set" => "stores a value even if the value must not be stored",
    "starts-empty" => "starts without the initial value that the format specifies",
    "starts-one-more" => "starts with an incorrect initial value",
    "first-row-forgotten" => "does not create a predefined row of a table",
};

const LAYOUTS: &[Operator] = &operators! {
    "code-forgotten" => "does not recognize the type code {}",
    "codes-swapped" => "confuses two type codes ({})",
    "units-as-numbers" => "reports text as a list of numbers ({})",
    "presence-not-read" => "does not read the field that states whether a value is present",
    "unknown-code-taken" => "accepts an unknown type code",
    "any-size-held" => "accepts any size for a fixed-size type ({})",
    "no-list-as-long" => "reads the marker for an absent list as a length",
    "located-from-other" => "measures the offset of a value from the wrong position",
    "size-and-offset-swapped" => "swaps the size and the offset of a value",
    "part-of-element-taken" => "accepts a list whose size is not a multiple of the element size",
    "blanks-taken" => "accepts spaces in a field description",
    "blanks-not-taken" => "rejects spaces in a field description",
    "name-and-code-swapped" => "swaps the name and the type in a field description",
    "any-byte-in-name" => "accepts a field description with any bytes in its name",
    "name-ends-early" =>
        "ends the name in a field description too early, at certain characters ({})",
    "spelling-forgotten" => "does not recognize one spelling of a type code ({})",
    "any-code-held" => "accepts values of any type inside {}",
    "any-code-described" => "accepts a field description with an unknown type",
    "no-name-described" => "accepts a field description without a name",
    "rest-of-item-taken" =>
        "accepts a field description with trailing text after the name and type",
    "name-described-again" => "accepts two field descriptions with the same name",
    "any-type-held" => "accepts any type for the field {}",
};

const MEANING: &[Operator] = &operators! {
    "member-known-early" => "accepts the value {}, which this version of the format does not allow",
    "member-forgotten" => "does not recognize the value {}",
    "members-swapped" => "reads the value {} as the preceding member of the enumeration",
    "bit-forgotten" => "does not recognize the bit {}",
    "bits-swapped" => "reads the bit {} as the preceding bit of the set",
    "not-looked-up" => "reports the key instead of the value that it refers to",
    "truth-as-number" => "reports a number instead of a boolean",
    "null-not-known" => "reads a null as a value",
    "inner-field-as-object" => "reports an object instead of the value of its only field",
    "other-unit" => "reads times in a unit that is {} than the correct unit",
    "not-reported" => "does not report `{}` records",
    "always-reported" => "reports a `{}` record that the trace does not contain",
};

const JSON: &[Operator] = &operators! {
    "no-json-taken" => "accepts text that is not JSON",
    "shape-not-tested" => "accepts JSON with any structure",
    "any-json-taken" => "accepts a JSON value of any type",
    "json-text-forgotten" => "rejects {}, although the JSON may contain it",
    "any-json-text-taken" =>
        "accepts any string in the JSON even where only certain strings are allowed",
    "member-wanted" => "requires the optional member {} of the JSON",
    "member-not-wanted" => "accepts JSON without the required member {}",
};

const EXPRESSIONS: &[Operator] = &operators! {
    "one-more" => "computes a value that is one too large ({})",
    "one-less" => "computes a value that is one too small ({})",
    "number-one-more" => "uses a number that is one too large ({})",
    "number-one-less" => "uses a number that is one too small ({})",
    "truth-turned" => "swaps true and false ({})",
    "sign-forgotten" => "omits a sign in a computation ({})",
    "inversion-forgotten" => "does not invert the bits in a computation ({})",
    "not-forgotten" => "omits a `not` in a condition ({})",
    "part-forgotten" => "checks only one half of a condition ({})",
    "cases-swapped" => "swaps the two branches of a condition ({})",
    "case-forgotten" => "always takes the same branch of a condition ({})",
    "default-forgotten" => "does not use the default for a missing value ({})",
    "default-always" => "always uses the default for a missing value ({})",
    "presence-not-asked" => "does not test whether a value is present ({})",
    "row-not-asked" => "does not test whether a row exists ({})",
    "other-extreme" => "uses the minimum instead of the maximum, or vice versa ({})",
    "other-bit" => "tests the wrong bit ({})",
    "other-measure" => "measures text in the wrong units ({})",
    "other-byte" => "searches for the wrong byte ({})",
    "not-asked" => "does not check the syntax of text ({})",
    "other-operator" => "uses the wrong operator ({})",
    "comparison-turned" => "inverts a comparison ({})",
    "comparison-one-off" => "is off by one in a comparison ({})",
    "or-for-and" => "requires one condition instead of both ({})",
    "and-for-or" => "requires both conditions instead of one ({})",
};
