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

const fn any(name: &'static str, words: &'static str) -> Operator {
    Operator {
        name,
        detail: None,
        words,
    }
}

const fn only(name: &'static str, detail: &'static str, words: &'static str) -> Operator {
    Operator {
        name,
        detail: Some(detail),
        words,
    }
}

const NUMBERS: &[Operator] = &[
    any("other-width", "reads the number with a width of {} bits"),
    any(
        "other-sign",
        "reads a signed number as unsigned, or vice versa",
    ),
    any(
        "other-byte-order",
        "reads the number in the opposite byte order",
    ),
    any(
        "words-not-swapped",
        "does not swap the words that make up the number",
    ),
    any("cut", "truncates the value to {} bits"),
    any("other-code", "decodes a variable-length number as {}"),
    any(
        "one-byte-only",
        "reads only one byte of a variable-length number",
    ),
    any("float-as-integer", "reads a float as an integer"),
    any("bits-shifted", "extracts the wrong bits"),
    any("bits-counted", "extracts one bit too many or too few"),
    any(
        "carry-forgotten",
        "does not combine the number with the previous value",
    ),
    any(
        "carry-replaces",
        "uses the number itself instead of adding it to the previous value",
    ),
    any(
        "carry-adds",
        "adds the number to the previous value instead of replacing it",
    ),
    any(
        "step-forgotten",
        "omits an amount that must be added to the value",
    ),
    any(
        "wrap-forgotten",
        "does not wrap the sum around at the end of its range",
    ),
    any("wraps-early", "wraps the sum around at {} bits"),
    any("overflow-taken", "accepts a sum that exceeds the maximum"),
    any("greatest-one-less", "rejects the maximum"),
    any(
        "carry-stays",
        "does not update the value to which the next number is added",
    ),
    any(
        "register-forgotten",
        "does not store the value to which later numbers are added",
    ),
    any(
        "carry-not-reset",
        "does not reset the running value at the start of each list",
    ),
];

const TEXT: &[Operator] = &[
    any("other-encoding", "decodes the text as {}"),
    any("ill-formed-text-taken", "accepts ill-formed text"),
    only(
        "other-terminator",
        "required",
        "rejects text without a terminator",
    ),
    only(
        "other-terminator",
        "not-required",
        "accepts text without its terminator",
    ),
    only(
        "other-terminator",
        "consumed",
        "consumes the terminator, which belongs to the next field",
    ),
    only(
        "other-terminator",
        "left",
        "does not skip the terminator after the text",
    ),
    only(
        "other-terminator",
        "included",
        "includes the terminator in the text",
    ),
    only(
        "other-terminator",
        "left-out",
        "excludes the terminator from the text",
    ),
    any("other-terminator", "keeps the padding in the text"),
    any(
        "contents-not-compared",
        "does not check that constant bytes have the required values",
    ),
    any(
        "contents-hardly-compared",
        "checks only one of the constant bytes",
    ),
];

const PARTS: &[Operator] = &[
    any(
        "always-there",
        "reads the field even if the trace does not contain it",
    ),
    any("never-there", "never reads the field"),
    any(
        "condition-turned",
        "inverts the condition that decides whether the field is present",
    ),
    any("size-one-more", "reads one byte too many"),
    any("size-one-less", "reads one byte too few"),
    any("part-not-bounded", "reads past the end of the sized part"),
    any(
        "read-in-place",
        "reads the value in place instead of at its offset",
    ),
    any(
        "other-stream",
        "measures the offset from the start of the file instead of the start of the enclosing \
             part, or vice versa",
    ),
    any("aligned-to", "aligns to {} bytes"),
    any(
        "aligned-from",
        "measures the alignment from the start of the {}",
    ),
    any(
        "padding-not-compared",
        "does not check the values of the padding bytes",
    ),
    any("rest-wanted", "requires trailing fields that are optional"),
    any("nests-one-more", "allows one nesting level too many"),
    any(
        "nests-one-less",
        "rejects data with the maximum allowed nesting depth",
    ),
    any(
        "nests-too-little",
        "rejects nesting beyond half the allowed depth",
    ),
    any("nests-without-bound", "does not limit the nesting depth"),
];

const TESTS: &[Operator] = &[
    only(
        "fault-taken",
        "eof",
        "accepts a trace that ends inside the field",
    ),
    only(
        "fault-taken",
        "missing",
        "accepts a trace that ends before the last element of a list",
    ),
    only(
        "fault-taken",
        "trailing",
        "accepts extra bytes after the end of the data",
    ),
    only(
        "fault-taken",
        "past",
        "accepts a size or position past the end of the enclosing part",
    ),
    only(
        "fault-taken",
        "short",
        "accepts a part that is too small for its fields",
    ),
    only(
        "fault-taken",
        "rest",
        "accepts a part that is larger than its fields",
    ),
    only(
        "fault-taken",
        "negative",
        "accepts a negative size or count",
    ),
    only("fault-taken", "half", "accepts half a surrogate pair"),
    only(
        "fault-taken",
        "terminator",
        "accepts text without a terminator",
    ),
    only(
        "fault-taken",
        "overlong",
        "accepts a number with redundant bytes",
    ),
    only(
        "fault-taken",
        "long",
        "accepts a number with more bytes than its width allows",
    ),
    only(
        "fault-taken",
        "wide",
        "accepts a number that does not fit in its width",
    ),
    only(
        "fault-taken",
        "depth",
        "accepts data that is nested too deeply",
    ),
    any("fault-taken", "accepts a fault: {}"),
    only(
        "tolerance-refused",
        "eof",
        "rejects a trace that ends early even where traces may end early",
    ),
    only(
        "tolerance-refused",
        "missing",
        "rejects a trace that ends early even where traces may end early",
    ),
    only(
        "tolerance-refused",
        "short",
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    ),
    only(
        "tolerance-refused",
        "rest",
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    ),
    only(
        "tolerance-refused",
        "trailing",
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    ),
    any(
        "tolerance-refused",
        "rejects a trace because of a violation that readers must tolerate ({})",
    ),
    only("not-tested", "", "does not check the value"),
    any("not-tested", "accepts a violation of a rule ({})"),
    only(
        "tested-always",
        "",
        "checks the value even where the check does not apply",
    ),
    any(
        "tested-always",
        "enforces a rule even where the rule does not apply ({})",
    ),
    any(
        "bound-one-more",
        "compares a value with a bound that is one too large ({})",
    ),
    any(
        "bound-one-less",
        "compares a value with a bound that is one too small ({})",
    ),
    any("value-forgotten", "rejects one of the allowed values ({})"),
];

const SWITCHES: &[Operator] = &[
    any(
        "arm-lost",
        "does not handle one of the values listed in the description ({})",
    ),
    any(
        "arm-also-for",
        "handles the value {} as if the description listed it",
    ),
    any(
        "arms-swapped",
        "confuses two of the values listed in the description ({})",
    ),
    any(
        "default-lost",
        "does not handle values that the description does not list",
    ),
    any(
        "default-as-first",
        "handles an unlisted value like the first value listed in the description",
    ),
    any(
        "unknown-kind-as-first",
        "handles an unlisted value like the first value listed in the description",
    ),
    any(
        "unknown-kind-passed-over",
        "skips a value that the description does not list",
    ),
];

const LISTS: &[Operator] = &[
    any(
        "list-to-the-end",
        "reads elements to the end of the data instead of counting them",
    ),
    any(
        "least-number-not-tested",
        "accepts a list with too few elements",
    ),
    any(
        "least-number-one-more",
        "rejects a list with the minimum number of elements",
    ),
    any(
        "least-number-one-less",
        "accepts a list with one element too few",
    ),
    any(
        "may-come-again",
        "accepts the repetition of an element that may occur only once",
    ),
    any(
        "keys-not-compared",
        "accepts two elements with the same key",
    ),
    any(
        "exception-forgotten",
        "rejects duplicate keys where they are allowed",
    ),
    any(
        "stays-over-elements",
        "reuses the value of the previous element for an element without a value",
    ),
    any(
        "element-before-forgotten",
        "does not remember the previous element",
    ),
    any(
        "any-element-asked",
        "considers all elements of the list instead of only the matching ones",
    ),
    any("other-element-asked", "uses the wrong element of the list"),
    any(
        "element-not-asked",
        "does not search the list for the required element",
    ),
];

const STATE: &[Operator] = &[
    any(
        "unknown-row-refused",
        "rejects a reference to a missing row of the table `{}` even where rows may be missing",
    ),
    any(
        "unknown-row-taken",
        "accepts a reference to a missing row of the table `{}`",
    ),
    any(
        "row-wanted-before",
        "requires the row of the table `{}` to precede the reference",
    ),
    any(
        "always-a-row",
        "looks up a row of the table `{}` even if the field refers to none",
    ),
    any(
        "none-forgotten",
        "treats the null key as a reference to a row of the table `{}`",
    ),
    any("other-table", "looks up the row in the wrong table, `{}`"),
    any(
        "row-not-defined",
        "does not store the row in the table `{}`",
    ),
    any(
        "row-always-defined",
        "stores a row in the table `{}` even if the trace does not define one",
    ),
    any(
        "rows-not-compared",
        "accepts two rows of the table `{}` with the same value although the values must differ",
    ),
    any(
        "kind-of-row-forgotten",
        "does not store which kind of data a table row describes",
    ),
    any("column-not-kept", "does not store `{}`"),
    any(
        "other-row-kept",
        "keeps the wrong one of two rows of the table `{}` with the same key: the second \
             instead of the first, or vice versa",
    ),
    any(
        "same-row-refused",
        "rejects the redefinition of a row of the table `{}` with the same contents",
    ),
    any(
        "other-row-refused",
        "rejects the redefinition of a row of the table `{}` with different contents",
    ),
    any(
        "same-row-taken-again",
        "accepts the redefinition of a row of the table `{}` with the same contents",
    ),
    any(
        "other-row-taken",
        "accepts the redefinition of a row of the table `{}` with different contents",
    ),
    any(
        "same-row-as-other",
        "treats an unchanged row of the table `{}` as changed when the row is defined again",
    ),
    any(
        "other-row-as-same",
        "treats a changed row of the table `{}` as unchanged",
    ),
    any(
        "alike-row-as-other",
        "treats a row of the table `{}` as changed although the compared fields are unchanged",
    ),
    any("row-not-removed", "does not remove a row of the table `{}`"),
    any(
        "no-row-removed",
        "accepts the removal of a nonexistent row from the table `{}`",
    ),
    any("never-cleared", "never clears `{}`"),
    any(
        "always-cleared",
        "clears stored rows (`{}`) even where they must be kept",
    ),
    any(
        "all-cleared",
        "clears all tables instead of only the table `{}`",
    ),
    any(
        "cleared-too-often",
        "clears the table `{}` with each element of a list",
    ),
    any("not-set", "does not store a value that is needed later"),
    any(
        "always-set",
        "stores a value even if the value must not be stored",
    ),
    any(
        "starts-empty",
        "starts without the initial value that the format specifies",
    ),
    any("starts-one-more", "starts with an incorrect initial value"),
    any(
        "first-row-forgotten",
        "does not create a predefined row of a table",
    ),
];

const LAYOUTS: &[Operator] = &[
    any("code-forgotten", "does not recognize the type code {}"),
    any("codes-swapped", "confuses two type codes ({})"),
    any("units-as-numbers", "reports text as a list of numbers ({})"),
    any(
        "presence-not-read",
        "does not read the field that states whether a value is present",
    ),
    any("unknown-code-taken", "accepts an unknown type code"),
    any(
        "any-size-held",
        "accepts any size for a fixed-size type ({})",
    ),
    any(
        "no-list-as-long",
        "reads the marker for an absent list as a length",
    ),
    any(
        "located-from-other",
        "measures the offset of a value from the wrong position",
    ),
    any(
        "size-and-offset-swapped",
        "swaps the size and the offset of a value",
    ),
    any(
        "part-of-element-taken",
        "accepts a list whose size is not a multiple of the element \
            size",
    ),
    any("blanks-taken", "accepts spaces in a field description"),
    any("blanks-not-taken", "rejects spaces in a field description"),
    any(
        "name-and-code-swapped",
        "swaps the name and the type in a field description",
    ),
    any(
        "any-byte-in-name",
        "accepts a field description with any bytes in its name",
    ),
    any(
        "name-ends-early",
        "ends the name in a field description too early, at certain characters ({})",
    ),
    any(
        "spelling-forgotten",
        "does not recognize one spelling of a type code ({})",
    ),
    any("any-code-held", "accepts values of any type inside {}"),
    any(
        "any-code-described",
        "accepts a field description with an unknown type",
    ),
    any(
        "no-name-described",
        "accepts a field description without a name",
    ),
    any(
        "rest-of-item-taken",
        "accepts a field description with trailing text after the name and type",
    ),
    any(
        "name-described-again",
        "accepts two field descriptions with the same name",
    ),
    any("any-type-held", "accepts any type for the field {}"),
];

const MEANING: &[Operator] = &[
    any(
        "member-known-early",
        "accepts the value {}, which this version of the format does not allow",
    ),
    any("member-forgotten", "does not recognize the value {}"),
    any(
        "members-swapped",
        "reads the value {} as the preceding member of the enumeration",
    ),
    any("bit-forgotten", "does not recognize the bit {}"),
    any(
        "bits-swapped",
        "reads the bit {} as the preceding bit of the set",
    ),
    any(
        "not-looked-up",
        "reports the key instead of the value that it refers to",
    ),
    any("truth-as-number", "reports a number instead of a boolean"),
    any("null-not-known", "reads a null as a value"),
    any(
        "inner-field-as-object",
        "reports an object instead of the value of its only field",
    ),
    any(
        "other-unit",
        "reads times in a unit that is {} than the correct unit",
    ),
    any("not-reported", "does not report `{}` records"),
    any(
        "always-reported",
        "reports a `{}` record that the trace does not contain",
    ),
];

const JSON: &[Operator] = &[
    any("no-json-taken", "accepts text that is not JSON"),
    any("shape-not-tested", "accepts JSON with any structure"),
    any("any-json-taken", "accepts a JSON value of any type"),
    any(
        "json-text-forgotten",
        "rejects {}, although the JSON may contain it",
    ),
    any(
        "any-json-text-taken",
        "accepts any string in the JSON even where only certain strings \
            are allowed",
    ),
    any(
        "member-wanted",
        "requires the optional member {} of the JSON",
    ),
    any(
        "member-not-wanted",
        "accepts JSON without the required member {}",
    ),
];

const EXPRESSIONS: &[Operator] = &[
    any("one-more", "computes a value that is one too large ({})"),
    any("one-less", "computes a value that is one too small ({})"),
    any(
        "number-one-more",
        "uses a number that is one too large ({})",
    ),
    any(
        "number-one-less",
        "uses a number that is one too small ({})",
    ),
    any("truth-turned", "swaps true and false ({})"),
    any("sign-forgotten", "omits a sign in a computation ({})"),
    any(
        "inversion-forgotten",
        "does not invert the bits in a computation ({})",
    ),
    any("not-forgotten", "omits a `not` in a condition ({})"),
    any("part-forgotten", "checks only one half of a condition ({})"),
    any(
        "cases-swapped",
        "swaps the two branches of a condition ({})",
    ),
    any(
        "case-forgotten",
        "always takes the same branch of a condition ({})",
    ),
    any(
        "default-forgotten",
        "does not use the default for a missing value ({})",
    ),
    any(
        "default-always",
        "always uses the default for a missing value ({})",
    ),
    any(
        "presence-not-asked",
        "does not test whether a value is present ({})",
    ),
    any("row-not-asked", "does not test whether a row exists ({})"),
    any(
        "other-extreme",
        "uses the minimum instead of the maximum, or vice versa ({})",
    ),
    any("other-bit", "tests the wrong bit ({})"),
    any("other-measure", "measures text in the wrong units ({})"),
    any("other-byte", "searches for the wrong byte ({})"),
    any("not-asked", "does not check the syntax of text ({})"),
    any("other-operator", "uses the wrong operator ({})"),
    any("comparison-turned", "inverts a comparison ({})"),
    any("comparison-one-off", "is off by one in a comparison ({})"),
    any("or-for-and", "requires one condition instead of both ({})"),
    any("and-for-or", "requires both conditions instead of one ({})"),
];
