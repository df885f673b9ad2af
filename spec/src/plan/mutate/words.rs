//! Describes the mistake of a mutant in plain words.

use super::Mutant;

impl Mutant {
    /// Describes what a reader with this mistake does, as a clause that follows "a reader that".
    pub fn in_words(&self) -> String {
        let text = told(self.operator, &self.detail).unwrap_or(self.operator);
        let text = match self.detail.as_str() {
            "" => text.replace(" ({})", ""),
            _ => text.to_owned(),
        };
        text.replace("{}", &self.detail)
    }
}

/// The description of an operator, in which `{}` is a placeholder for the detail.
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
        "other-width" => "reads it as a number of {} bits",
        "other-sign" => "takes a signed number for an unsigned one, or the other way round",
        "other-byte-order" => "reads its bytes in the other order",
        "words-not-swapped" => "does not swap the words of the number",
        "cut" => "keeps it in {} bits",
        "other-code" => "reads a number of variable length in another code: {}",
        "one-byte-only" => "reads one byte of a number of variable length",
        "float-as-integer" => "takes a float for an integer",
        "bits-shifted" => "takes bits beside the right ones",
        "bits-counted" => "takes one bit too many or too few",
        "carry-forgotten" => "does not add it to, or take it from, the value before",
        "carry-replaces" => "takes it as it is, where it is added to the value before",
        "carry-adds" => "adds it to the value before, where it replaces that",
        "step-forgotten" => "forgets the step to the next value",
        "wrap-forgotten" => "does not let the value wrap around",
        "wraps-early" => "keeps what it adds up in {} bits",
        "overflow-taken" => "takes a sum that is past the greatest value",
        "greatest-one-less" => "refuses the greatest value",
        "carry-stays" => "does not go on from it to the next, but from where it was before",
        "register-forgotten" => "does not remember the value for later",
        "carry-not-reset" => "does not begin anew with each list",
        _ => return None,
    })
}

fn text(operator: &str, detail: &str) -> Option<&'static str> {
    Some(match (operator, detail) {
        ("other-encoding", _) => "reads the text as {}",
        ("ill-formed-text-taken", _) => "takes text that is not well-formed",
        ("other-terminator", "required") => "refuses a text without a terminator",
        ("other-terminator", "not-required") => "takes a text without its terminator",
        ("other-terminator", "consumed") => {
            "passes over the terminator, which belongs to what follows"
        }
        ("other-terminator", "left") => "leaves the terminator to what follows",
        ("other-terminator", "included") => "takes the terminator into the text",
        ("other-terminator", "left-out") => "leaves the terminator out of the text",
        ("other-terminator", _) => "keeps the padding in the text",
        ("contents-not-compared", _) => "does not look at bytes that are always the same",
        ("contents-hardly-compared", _) => "looks at one of the bytes that are always the same",
        _ => return None,
    })
}

fn part(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "always-there" => "reads it where it is not there",
        "never-there" => "never reads it",
        "condition-turned" => "reads it where it is not there, and only there",
        "size-one-more" => "takes it for a byte longer",
        "size-one-less" => "takes it for a byte shorter",
        "part-not-bounded" => "does not keep to the size of the part",
        "read-in-place" => "reads it where it stands instead of where it is told to be",
        "other-stream" => {
            "counts the place from the file instead of the part, or the other way round"
        }
        "aligned-to" => "aligns to {} bytes",
        "aligned-from" => "aligns from the beginning of the {}",
        "padding-not-compared" => "does not look at padding",
        "rest-wanted" => "wants what may be left out at the end",
        "nests-one-more" => "lets it nest one deeper than it may",
        "nests-one-less" => "refuses the deepest nesting that there may be",
        "nests-too-little" => "refuses nesting at half the depth that there may be",
        "nests-without-bound" => "lets it nest as deep as it likes",
        _ => return None,
    })
}

fn test(operator: &str, detail: &str) -> Option<&'static str> {
    Some(match (operator, detail) {
        ("fault-taken", "eof") => "takes a trace that ends in the midst of it",
        ("fault-taken", "missing") => "takes a trace that ends before the last element of a list",
        ("fault-taken", "trailing") => "takes bytes after the end",
        ("fault-taken", "past") => {
            "takes a size or place that is past the end of what is around it"
        }
        ("fault-taken", "short") => "takes a part that is too small for what stands in it",
        ("fault-taken", "rest") => "takes a part that is larger than what stands in it",
        ("fault-taken", "negative") => "takes a size or number that is below zero",
        ("fault-taken", "half") => "takes half a surrogate pair",
        ("fault-taken", "terminator") => "takes a text whose terminator is missing",
        ("fault-taken", "overlong") => "takes a number with redundant bytes",
        ("fault-taken", "long") => "takes a number with more bytes than it can need",
        ("fault-taken", "wide") => "takes a number that does not fit",
        ("fault-taken", "depth") => "takes what is nested too deep",
        ("fault-taken", _) => "takes a fault: {}",
        ("tolerance-refused", "eof" | "missing") => "refuses a trace that ends early, where it may",
        ("tolerance-refused", "short" | "rest" | "trailing") => {
            "refuses a size that is other than what stands there, where it may be"
        }
        ("tolerance-refused", _) => "refuses what a rule lets pass ({})",
        ("not-tested", "") => "does not test it",
        ("not-tested", _) => "takes what breaks a rule ({})",
        ("tested-always", "") => "tests it where nothing is asked",
        ("tested-always", _) => "tests a rule where it does not hold ({})",
        ("bound-one-more", _) => "has a bound that is one too great ({})",
        ("bound-one-less", _) => "has a bound that is one too small ({})",
        ("value-forgotten", _) => "refuses one of the values that there may be ({})",
        _ => return None,
    })
}

fn switch(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "arm-lost" => "does not know one of the kinds ({})",
        "arm-also-for" => "takes kind {} for one that it knows",
        "arms-swapped" => "takes one kind for another ({})",
        "default-lost" => "does not know what to do with other kinds",
        "default-as-first" | "unknown-kind-as-first" => "takes an unknown kind for the first one",
        "unknown-kind-passed-over" => "passes over an unknown kind",
        _ => return None,
    })
}

fn list(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "list-to-the-end" => "reads elements up to the end, whatever their number",
        "least-number-not-tested" => "takes a list with too few elements",
        "least-number-one-more" => "refuses a list with the least number of elements",
        "least-number-one-less" => "takes a list with one element too few",
        "may-come-again" => "takes an element that may come once only again",
        "keys-not-compared" => "takes two elements with one key",
        "exception-forgotten" => "refuses elements with one key where that may be",
        "stays-over-elements" => "keeps a value of an element in the next one, which has none",
        "element-before-forgotten" => "does not remember the element before",
        "any-element-asked" => "looks at all elements instead of some",
        "other-element-asked" => "looks at another element of the list",
        "element-not-asked" => "does not look at the elements of the list",
        _ => return None,
    })
}

fn state(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "unknown-row-refused" => "refuses what names nothing in `{}`, where it may",
        "unknown-row-taken" => "takes what names nothing in `{}`",
        "row-wanted-before" => "wants the row of `{}` before what names it",
        "always-a-row" => "looks for a row of `{}` where there need be none",
        "none-forgotten" => "takes the key of no row for that of a row (`{}`)",
        "other-table" => "looks it up in `{}`, which is another table",
        "row-not-defined" => "does not remember it in `{}`",
        "row-always-defined" => "remembers in `{}` what is none",
        "rows-not-compared" => "takes two rows of `{}` of which there may be one",
        "kind-of-row-forgotten" => "forgets of which kind a row is",
        "column-not-kept" => "does not remember `{}`",
        "other-row-kept" => {
            "keeps the last of two rows of `{}` instead of the first, or the other way round"
        }
        "same-row-refused" => "refuses a row of `{}` that comes again unchanged",
        "other-row-refused" => "refuses a row of `{}` that comes again changed",
        "same-row-taken-again" => "takes a row of `{}` that comes again unchanged",
        "other-row-taken" => "takes a row of `{}` that comes again changed",
        "same-row-as-other" => "treats a row of `{}` that comes again as if it were changed",
        "other-row-as-same" => "treats a changed row of `{}` as if it were the same",
        "alike-row-as-other" => {
            "treats a row of `{}` that is as good as the same as if it were changed"
        }
        "row-not-removed" => "does not remove a row of `{}`",
        "no-row-removed" => "takes the removal of a row of `{}` that is not there",
        "never-cleared" => "never clears `{}`",
        "always-cleared" => "clears `{}` where it should stay",
        "all-cleared" => "clears all tables instead of `{}`",
        "cleared-too-often" => "clears `{}` with each element",
        "not-set" => "does not remember a value for later",
        "always-set" => "remembers a value where it should not",
        "starts-empty" => "starts without a first value",
        "starts-one-more" => "starts from another first value",
        "first-row-forgotten" => "does not know a row that is there from the start",
        _ => return None,
    })
}

fn layout(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "code-forgotten" => "does not know type code {}",
        "codes-swapped" => "takes a type code for another ({})",
        "units-as-numbers" => "shows a text as a list of numbers ({})",
        "presence-not-read" => "does not read whether a value is there",
        "unknown-code-taken" => "takes an unknown type code",
        "any-size-held" => "takes any size for a type that has one only ({})",
        "no-list-as-long" => "takes what says that there is no list for the length of one",
        "located-from-other" => "counts the place of a value from elsewhere",
        "size-and-offset-swapped" => {
            "takes the size of a value for its place, and its place for its size"
        }
        "part-of-element-taken" => "takes a list whose size is no whole number of elements",
        "blanks-taken" => "takes blanks in the text that describes fields",
        "blanks-not-taken" => "refuses blanks in the text that describes fields",
        "name-and-code-swapped" => {
            "takes the name of a described field for its type, and its type for its name"
        }
        "any-byte-in-name" => "takes any byte in the name of a described field",
        "spelling-forgotten" => "does not know one spelling of a type ({})",
        "any-code-held" => "takes any type inside {}",
        "any-code-described" => "takes a described field of an unknown type",
        "no-name-described" => "takes a described field without a name",
        "rest-of-item-taken" => "takes more than name and type of a described field",
        "name-described-again" => "takes two described fields of one name",
        "any-type-held" => "takes a field {} of any type",
        _ => return None,
    })
}

fn meaning(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "member-known-early" => "takes the value {} that may not come yet",
        "member-forgotten" => "does not know the value {}",
        "members-swapped" => "takes the value {} for the one before",
        "bit-forgotten" => "does not know the bit {}",
        "bits-swapped" => "takes the bit {} for the one before",
        "not-looked-up" => "reports the key instead of what it stands for",
        "truth-as-number" => "reports a number for true and false",
        "null-not-known" => "takes what stands for nothing for a value",
        "inner-field-as-object" => "reports an object where the value of its one field is expected",
        "other-unit" => "takes times in a {} unit than theirs",
        "not-reported" => "does not report `{}`",
        "always-reported" => "reports a `{}` where there is none",
        _ => return None,
    })
}

fn json(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "no-json-taken" => "takes text that is no JSON",
        "shape-not-tested" => "takes JSON of any shape",
        "any-json-taken" => "takes a JSON value of any kind",
        "json-text-forgotten" => "refuses {}, which may stand in the JSON",
        "any-json-text-taken" => "takes any text in the JSON where a few are named",
        "member-wanted" => "wants the member {} of the JSON, which may be left out",
        "member-not-wanted" => "takes JSON without its member {}",
        _ => return None,
    })
}

fn expression(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "one-more" => "computes one too many ({})",
        "one-less" => "computes one too few ({})",
        "number-one-more" => "computes with a number that is one too great ({})",
        "number-one-less" => "computes with a number that is one too small ({})",
        "truth-turned" => "has true for false, or false for true ({})",
        "sign-forgotten" => "forgets a sign in a computation ({})",
        "inversion-forgotten" => "forgets to invert bits in a computation ({})",
        "not-forgotten" => "forgets a `not` in a condition ({})",
        "part-forgotten" => "forgets one half of a condition ({})",
        "cases-swapped" => "swaps what it does in two cases ({})",
        "case-forgotten" => "knows only one of two cases ({})",
        "default-forgotten" => "forgets what holds where there is no value ({})",
        "default-always" => "takes what holds where there is no value for always ({})",
        "presence-not-asked" => "does not ask whether a value is there ({})",
        "row-not-asked" => "does not ask whether a row is there ({})",
        "other-extreme" => "takes the least for the greatest, or the other way round ({})",
        "other-bit" => "asks for another bit ({})",
        "other-measure" => "counts a text in other units ({})",
        "other-byte" => "looks for another byte ({})",
        "not-asked" => "does not ask what a text looks like ({})",
        "other-operator" => "computes with the wrong operator ({})",
        "comparison-turned" => "has a comparison the wrong way round ({})",
        "comparison-one-off" => "has a comparison that is one off ({})",
        "or-for-and" => "wants one condition where both are asked ({})",
        "and-for-or" => "wants both conditions where one is asked ({})",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::super::mutants;
    use super::told;
    use crate::bundled;
    use crate::plan::lower;

    /// Checks that every operator that occurs in the bundled descriptions has a description.
    #[test]
    fn every_operator_is_told_in_words() {
        let mut untold = BTreeSet::new();
        let mut count = 0;
        for format in bundled::list() {
            let loaded = format.load();
            let schema = Arc::new(loaded.schema.expect("a description that is right"));
            for dialect in &format.dialects {
                let plan = lower(&schema, dialect).expect("a plan");
                for mutant in mutants(&plan) {
                    count += 1;
                    let known = told(mutant.operator, &mutant.detail);
                    if known.is_none() {
                        untold.insert(mutant.operator);
                    }
                    let words = mutant.in_words();
                    let is_whole = !words.contains("{}") && !words.contains("()");
                    assert!(is_whole, "{}: {words}", mutant.name());
                }
            }
        }
        assert!(count > 1000, "{count} mutants");
        assert!(untold.is_empty(), "{untold:?}");
    }
}
