//! Compares name-value pairs. Pairs without a value may be omitted.

use serde_json::Value as Json;
use tracegauge_decoder::record::{Pair, Value};

use super::shape::{PAIR, as_pair, kind_of, odd_one, uneven};
use super::tally::{Tally, is_owed};
use super::value::{END, Mismatch, compare_inner, compare_value, cut, shown, shown_json};

/// Compares pairs in order. A pair without a value may be omitted.
pub(super) fn compare_pairs(
    expected: &Value,
    pairs: &[Pair],
    actual: &Json,
    tally: &mut Tally,
    context: &dyn Fn() -> String,
) -> Result<(), Mismatch> {
    let Json::Array(list) = actual else {
        return Err(Mismatch::of(expected, actual));
    };
    let mut at = 0;
    // Paths use the index of the expected pair, because that is its position in the trace.
    for (number, pair) in pairs.iter().enumerate() {
        let before = tally.missing.len();
        let result = match list.get(at) {
            Some(json) => compare_pair(pair, json, tally, context),
            None => Err(Mismatch::between(shown_pair(pair), END.to_owned())),
        };
        match result {
            Ok(()) => {
                tally.within(before, || format!("[{number}].value"));
                at += 1;
            }
            Err(_) if !is_owed(&pair.value) && !is_answered(pairs, number, list.get(at..)) => {
                tally.missing.truncate(before);
            }
            Err(mismatch) => return Err(uneven_pairs(pairs, list, (number, mismatch))),
        }
    }
    match list.get(at) {
        Some(json) => {
            let mismatch = Mismatch::between(END.to_owned(), shown_json(json));
            Err(uneven_pairs(pairs, list, (at, mismatch)))
        }
        None => Ok(()),
    }
}

/// Returns true if the first reported pair in `left` corresponds to the optional pair at `number`,
/// which the reader may omit. The two pairs correspond if the names match and none of the later
/// expected pairs, up to and including the next required one, is a better match for the reported
/// pair.
fn is_answered(pairs: &[Pair], number: usize, left: Option<&[Json]>) -> bool {
    let (Some([pair, later @ ..]), Some([next, after @ ..])) = (pairs.get(number..), left) else {
        return false;
    };
    let is_named = |pair: &Pair| {
        as_pair(next).is_some_and(|(name, _)| compare_value(&pair.name, name).is_ok())
    };
    if !is_named(pair) {
        return false;
    }
    let fits = |pair: &Pair| compare_pair(pair, next, &mut Tally::default(), &String::new).is_ok();
    let mut optional = later.iter().take_while(|pair| !is_owed(&pair.value));
    let mut owed = later.iter().filter(|pair| is_owed(&pair.value));
    let is_next_owed = owed.next().is_some_and(|pair| {
        // If the required pair has the same name, the reported pair is matched with the required
        // one unless the reported pairs after it are enough for all remaining required pairs.
        fits(pair) || (is_named(pair) && after.len() <= owed.count())
    });
    !is_next_owed && !optional.any(fits)
}

/// Describes a difference between lists of pairs. If the lengths differ, the extra or missing pair
/// explains all differences after it, so the result points to that pair.
fn uneven_pairs(pairs: &[Pair], list: &[Json], (at, mismatch): (usize, Mismatch)) -> Mismatch {
    let owed = pairs.iter().filter(|pair| is_owed(&pair.value)).count();
    if (owed..=pairs.len()).contains(&list.len()) {
        return mismatch.within(format!("[{at}]"));
    }
    let remark = uneven(pairs.len(), list.len());
    let Some(odd) = odd_one(pairs, list) else {
        return mismatch.with(&remark).within(format!("[{at}]"));
    };
    let expected = pairs.get(odd).map_or(END.to_owned(), shown_pair);
    let actual = match list.get(odd) {
        Some(json) if list.len() > pairs.len() => {
            format!("unexpected {}", shown_json(json))
        }
        Some(_) => "no pair with this name".to_owned(),
        None => END.to_owned(),
    };
    Mismatch::between(expected, actual)
        .with(&remark)
        .within(format!("[{odd}]"))
}

fn compare_pair(
    pair: &Pair,
    actual: &Json,
    tally: &mut Tally,
    context: &dyn Fn() -> String,
) -> Result<(), Mismatch> {
    let Some((name, value)) = as_pair(actual) else {
        return Err(Mismatch::between(
            format!("{PAIR}: {}", shown_pair(pair)),
            format!("{}: {}", kind_of(actual), shown_json(actual)),
        ));
    };
    compare_inner(&pair.name, name, tally, &String::new)
        .map_err(|mismatch| mismatch.within(".name".to_owned()))?;
    compare_inner(&pair.value, value, tally, &|| format!("{}[]", context()))
        .map_err(|mismatch| mismatch.within(".value".to_owned()))
}

fn shown_pair(pair: &Pair) -> String {
    cut(format!("[{},{}]", shown(&pair.name), shown(&pair.value)))
}
