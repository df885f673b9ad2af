//! Describes the bug of a mutant in words.

use super::Mutant;

impl Mutant {
    /// Describes the behavior of a reader with this bug, as a clause that follows "a reader that".
    pub fn in_words(&self) -> String {
        let text = told(self.operator, &self.detail).unwrap_or(self.operator);
        let text = match self.detail.as_str() {
            "" => text.replace(" ({})", ""),
            _ => text.to_owned(),
        };
        text.replace("{}", &self.detail)
    }
}

/// Returns the description of the bug that an operator plants. `{}` is a placeholder for the
/// detail.
fn told(operator: &str, detail: &str) -> Option<&'static str> {
    number(operator)
        .or_else(|| text(operator, detail))
        .or_else(|| part(operator))
        .or_else(|| test(operator, detail))
        .or_else(|| switch(operator))
        .or_else(|| list(operator))
        .or_else(|| state(operator))
        .or_else(|| layout(operator))
        .or_else(|| meaning(operator))
        .or_else(|| json(operator))
        .or_else(|| expression(operator))
}

fn number(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "other-width" => "reads the number with a width of {} bits",
        "other-sign" => "reads a signed number as unsigned, or vice versa",
        "other-byte-order" => "reads the number in the opposite byte order",
        "words-not-swapped" => "does not swap the words of the number",
        "cut" => "truncates the value to {} bits",
        "other-code" => "decodes a variable-length number as {}",
        "one-byte-only" => "reads only one byte of a variable-length number",
        "float-as-integer" => "reads a float as an integer",
        "bits-shifted" => "extracts the wrong bits",
        "bits-counted" => "extracts one bit too many or too few",
        "carry-forgotten" => "does not combine the number with the previous value",
        "carry-replaces" => "uses the number itself instead of adding it to the previous value",
        "carry-adds" => "adds the number to the previous value instead of replacing it",
        "step-forgotten" => "does not add the further amount (`then`) to the value",
        "wrap-forgotten" => "does not let the value wrap around",
        "wraps-early" => "wraps the sum at {} bits",
        "overflow-taken" => "accepts a sum that exceeds the maximum",
        "greatest-one-less" => "rejects the maximum",
        "carry-stays" => "does not update the value to which the next number is added",
        "register-forgotten" => "does not store the value for later numbers",
        "carry-not-reset" => "does not reset the value at the start of each list",
        _ => return None,
    })
}

fn text(operator: &str, detail: &str) -> Option<&'static str> {
    Some(match (operator, detail) {
        ("other-encoding", _) => "decodes the text as {}",
        ("ill-formed-text-taken", _) => "accepts ill-formed text",
        ("other-terminator", "required") => "rejects text without a terminator",
        ("other-terminator", "not-required") => "accepts text without its terminator",
        ("other-terminator", "consumed") => {
            "consumes the terminator, which belongs to the next field"
        }
        ("other-terminator", "left") => "does not consume the terminator",
        ("other-terminator", "included") => "includes the terminator in the text",
        ("other-terminator", "left-out") => "excludes the terminator from the text",
        ("other-terminator", _) => "keeps the padding in the text",
        ("contents-not-compared", _) => "does not compare constant bytes",
        ("contents-hardly-compared", _) => "compares only one of the constant bytes",
        _ => return None,
    })
}

fn part(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "always-there" => "reads the field even if the trace does not contain it",
        "never-there" => "never reads the field",
        "condition-turned" => "inverts the condition for the presence of the field",
        "size-one-more" => "reads one byte too many",
        "size-one-less" => "reads one byte too few",
        "part-not-bounded" => "reads past the end of the sized part",
        "read-in-place" => "reads the value in place instead of at its offset",
        "other-stream" => {
            "measures the offset from the start of the file instead of the start of the part, or \
             vice versa"
        }
        "aligned-to" => "aligns to {} bytes",
        "aligned-from" => "aligns from the start of the {}",
        "padding-not-compared" => "does not compare the padding",
        "rest-wanted" => "requires trailing fields that are optional",
        "nests-one-more" => "allows one nesting level too many",
        "nests-one-less" => "rejects the maximum nesting depth that is allowed",
        "nests-too-little" => "rejects nesting beyond half the allowed depth",
        "nests-without-bound" => "does not limit the nesting depth",
        _ => return None,
    })
}

fn test(operator: &str, detail: &str) -> Option<&'static str> {
    Some(match (operator, detail) {
        ("fault-taken", "eof") => "accepts a trace that ends inside the field",
        ("fault-taken", "missing") => "accepts a trace that ends before the last element of a list",
        ("fault-taken", "trailing") => "accepts bytes after the end",
        ("fault-taken", "past") => "accepts a size or position past the end of the enclosing part",
        ("fault-taken", "short") => "accepts a part that is too small for its fields",
        ("fault-taken", "rest") => "accepts a part that is larger than its fields",
        ("fault-taken", "negative") => "accepts a negative size or count",
        ("fault-taken", "half") => "accepts half a surrogate pair",
        ("fault-taken", "terminator") => "accepts text without a terminator",
        ("fault-taken", "overlong") => "accepts a number with redundant bytes",
        ("fault-taken", "long") => "accepts a number with more bytes than its width allows",
        ("fault-taken", "wide") => "accepts a number that does not fit in its width",
        ("fault-taken", "depth") => "accepts data that is nested too deeply",
        ("fault-taken", _) => "accepts a fault: {}",
        ("tolerance-refused", "eof" | "missing") => {
            "rejects a trace that ends early even where this is allowed"
        }
        ("tolerance-refused", "short" | "rest" | "trailing") => {
            "rejects a size that does not match the fields, even where this is allowed"
        }
        ("tolerance-refused", _) => "rejects a violation that must be tolerated ({})",
        ("not-tested", "") => "does not check the value",
        ("not-tested", _) => "accepts a violation of a rule ({})",
        ("tested-always", "") => "checks the value even if the check does not apply",
        ("tested-always", _) => "checks a rule even if the rule does not apply ({})",
        ("bound-one-more", _) => "uses a bound that is one too large ({})",
        ("bound-one-less", _) => "uses a bound that is one too small ({})",
        ("value-forgotten", _) => "rejects one of the allowed values ({})",
        _ => return None,
    })
}

fn switch(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "arm-lost" => "does not handle one of the listed values ({})",
        "arm-also-for" => "handles the value {} as if it were one of the listed values",
        "arms-swapped" => "confuses two of the listed values ({})",
        "default-lost" => "does not handle values that are not listed",
        "default-as-first" | "unknown-kind-as-first" => {
            "handles an unlisted value like the first listed value"
        }
        "unknown-kind-passed-over" => "skips an unlisted value",
        _ => return None,
    })
}

fn list(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "list-to-the-end" => "reads elements up to the end instead of counting them",
        "least-number-not-tested" => "accepts a list with too few elements",
        "least-number-one-more" => "rejects a list with the minimum number of elements",
        "least-number-one-less" => "accepts a list with one element too few",
        "may-come-again" => "accepts the repetition of an element that may occur only once",
        "keys-not-compared" => "accepts two elements with the same key",
        "exception-forgotten" => "rejects duplicate keys where they are allowed",
        "stays-over-elements" => {
            "reuses the value of an element for the next element if that element has no value"
        }
        "element-before-forgotten" => "does not remember the previous element",
        "any-element-asked" => "considers all elements instead of only the matching ones",
        "other-element-asked" => "uses a different element of the list",
        "element-not-asked" => "does not search the elements of the list",
        _ => return None,
    })
}

fn state(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "unknown-row-refused" => {
            "rejects a reference to a missing row of `{}` even where this is allowed"
        }
        "unknown-row-taken" => "accepts a reference to a missing row of `{}`",
        "row-wanted-before" => "requires the row of `{}` to precede the reference",
        "always-a-row" => "looks up a row of `{}` even if none is referenced",
        "none-forgotten" => "treats the null key as a reference to a row of `{}`",
        "other-table" => "looks up the row in the wrong table, `{}`",
        "row-not-defined" => "does not store the row in `{}`",
        "row-always-defined" => "stores a row in `{}` even if the trace does not define one",
        "rows-not-compared" => "accepts two rows of `{}` that must differ",
        "kind-of-row-forgotten" => "does not store the kind of a row",
        "column-not-kept" => "does not store `{}`",
        "other-row-kept" => {
            "keeps the wrong one of two rows of `{}` with the same key: the second instead of the \
             first, or vice versa"
        }
        "same-row-refused" => "rejects the redefinition of a row of `{}` with the same contents",
        "other-row-refused" => "rejects the redefinition of a row of `{}` with different contents",
        "same-row-taken-again" => {
            "accepts the redefinition of a row of `{}` with the same \
            contents"
        }
        "other-row-taken" => "accepts the redefinition of a row of `{}` with different contents",
        "same-row-as-other" => {
            "treats an unchanged row of `{}` as changed when it is defined \
            again"
        }
        "other-row-as-same" => "treats a changed row of `{}` as unchanged",
        "alike-row-as-other" => {
            "treats a row of `{}` as changed although the compared fields are unchanged"
        }
        "row-not-removed" => "does not remove a row of `{}`",
        "no-row-removed" => "accepts the removal of a row of `{}` that does not exist",
        "never-cleared" => "never clears `{}`",
        "always-cleared" => "clears `{}` even if its contents must be kept",
        "all-cleared" => "clears all tables instead of `{}`",
        "cleared-too-often" => "clears `{}` with each element",
        "not-set" => "does not store a value that is needed later",
        "always-set" => "stores a value even if the value must not be stored",
        "starts-empty" => "starts without an initial value",
        "starts-one-more" => "starts with the wrong initial value",
        "first-row-forgotten" => "does not create a predefined row",
        _ => return None,
    })
}

fn layout(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "code-forgotten" => "does not recognize the type code {}",
        "codes-swapped" => "confuses two type codes ({})",
        "units-as-numbers" => "reports text as a list of numbers ({})",
        "presence-not-read" => "does not read the field that states whether a value is present",
        "unknown-code-taken" => "accepts an unknown type code",
        "any-size-held" => "accepts any size for a fixed-size type ({})",
        "no-list-as-long" => "reads the marker for an absent list as a length",
        "located-from-other" => "measures the offset of a value from the wrong position",
        "size-and-offset-swapped" => "swaps the size and the offset of a value",
        "part-of-element-taken" => {
            "accepts a list whose size is not a multiple of the element \
            size"
        }
        "blanks-taken" => "accepts spaces in a field description",
        "blanks-not-taken" => "rejects spaces in a field description",
        "name-and-code-swapped" => "swaps the name and the type in a field description",
        "any-byte-in-name" => "accepts any byte in the name in a field description",
        "spelling-forgotten" => "does not recognize one form of a type code ({})",
        "any-code-held" => "accepts any type inside {}",
        "any-code-described" => "accepts a field description with an unknown type",
        "no-name-described" => "accepts a field description without a name",
        "rest-of-item-taken" => {
            "accepts a field description with trailing text after the name and type"
        }
        "name-described-again" => "accepts two field descriptions with the same name",
        "any-type-held" => "accepts a field {} of any type",
        _ => return None,
    })
}

fn meaning(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "member-known-early" => "accepts the value {}, which this version does not allow",
        "member-forgotten" => "does not recognize the value {}",
        "members-swapped" => "reads the value {} as the preceding member of the enumeration",
        "bit-forgotten" => "does not recognize the bit {}",
        "bits-swapped" => "reads the bit {} as the preceding bit of the set",
        "not-looked-up" => "reports the key instead of the value that it refers to",
        "truth-as-number" => "reports a number instead of a boolean",
        "null-not-known" => "reads a null as a value",
        "inner-field-as-object" => "reports an object instead of the value of its only field",
        "other-unit" => "reads times in a unit that is {} than the correct one",
        "not-reported" => "does not report `{}`",
        "always-reported" => "reports a `{}` that does not exist",
        _ => return None,
    })
}

fn json(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "no-json-taken" => "accepts text that is not JSON",
        "shape-not-tested" => "accepts JSON of any shape",
        "any-json-taken" => "accepts a JSON value of any type",
        "json-text-forgotten" => "rejects {}, which the JSON may contain",
        "any-json-text-taken" => {
            "accepts any string in the JSON even where only certain strings \
            are allowed"
        }
        "member-wanted" => "requires the optional member {} of the JSON",
        "member-not-wanted" => "accepts JSON without its member {}",
        _ => return None,
    })
}

fn expression(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "one-more" => "computes a value that is one too large ({})",
        "one-less" => "computes a value that is one too small ({})",
        "number-one-more" => "uses a number that is one too large ({})",
        "number-one-less" => "uses a number that is one too small ({})",
        "truth-turned" => "swaps true and false ({})",
        "sign-forgotten" => "omits a sign in a computation ({})",
        "inversion-forgotten" => "does not invert the bits in a computation ({})",
        "not-forgotten" => "omits a `not` in a condition ({})",
        "part-forgotten" => "omits one half of a condition ({})",
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
        _ => return None,
    })
}
