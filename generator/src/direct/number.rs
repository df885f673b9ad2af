//! Chooses numbers from domains.

use super::domain::Domain;
use crate::tape::Choices;

/// The maximum value of the choice that selects a method of choosing a number. Renumbering the
/// methods would change the traces generated from all seeds.
const WAYS: u64 = 7;
/// Chooses small numbers far more often than large ones. If all choices are zero, the minimum is
/// chosen.
const BIASED: u64 = 0;
/// Chooses a value that is usual according to the description. Four of the eight choices select
/// this method.
const USUAL: std::ops::RangeInclusive<u64> = 1..=4;
/// Chooses a number at or next to a bound of the range, or next to a power of two.
const EDGE: u64 = 5;
/// Chooses uniformly.
const ANY: u64 = 6;

/// Chooses a number. `wanted` is the number in the trace that is being recorded. `odd` allows
/// values that are outside the domain but inside `wire`, the range that the field can represent.
pub fn choose<C: Choices>(
    choices: &mut C,
    domain: &Domain,
    wire: (i128, i128),
    odd: bool,
    wanted: Option<i128>,
) -> Option<i128> {
    if odd {
        let outside = wanted.is_some_and(|wanted| !domain.contains(wanted));
        if choices.choose(1, Some(u64::from(outside))) == 1 || domain.is_empty() {
            return Some(within(choices, wire, ANY, wanted));
        }
    }
    if domain.is_empty() {
        return None;
    }
    match &domain.only {
        Some(only) => listed(choices, domain, only, wanted),
        None => {
            let value = match domain.mask {
                Some(mask) => masked(choices, mask, wanted),
                None => ranged(choices, domain, wanted),
            };
            Some(allowed(domain, value))
        }
    }
}

/// Chooses some of the bits of a mask.
fn masked<C: Choices>(choices: &mut C, mask: u64, wanted: Option<i128>) -> i128 {
    let bits: Vec<u32> = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
    let wanted = wanted.and_then(|wanted| u64::try_from(wanted).ok());
    let packed = wanted.map(|wanted| {
        let set = bits.iter().enumerate();
        set.fold(0, |packed, (at, bit)| packed | (wanted >> bit & 1) << at)
    });
    let greatest = u64::MAX >> (64 - bits.len().clamp(1, 64));
    let chosen = choices.choose(greatest, packed);
    let set = bits.iter().enumerate();
    i128::from(set.fold(0, |value, (at, bit)| value | (chosen >> at & 1) << bit))
}

/// Returns `value`, or the next number that consists of available bits, matches the pattern and is
/// not excluded.
fn allowed(domain: &Domain, value: i128) -> i128 {
    let bounds = (domain.low, domain.high);
    let mut pattern = domain.pattern;
    if let Some(mask) = domain.mask {
        pattern.require_bits(!i128::from(mask), 0);
    }
    let fit = |value: i128| pattern.fit(value, bounds).unwrap_or(value);
    let mut value = fit(value);
    // Each excluded value causes at most one step.
    for _ in 0..=domain.not.len() {
        if !domain.not.contains(&value) {
            break;
        }
        value = match value >= domain.high {
            true => fit(domain.low),
            false => fit(value + 1),
        };
    }
    value
}

/// Chooses one of the listed values by weight.
fn listed<C: Choices>(
    choices: &mut C,
    domain: &Domain,
    only: &[(i128, u64)],
    wanted: Option<i128>,
) -> Option<i128> {
    let inside = |value: &&(i128, u64)| {
        (domain.low..=domain.high).contains(&value.0) && domain.pattern.contains(value.0)
    };
    let total: u64 = only.iter().filter(inside).map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut before = 0;
    let wanted = wanted.map(|wanted| {
        let earlier = only
            .iter()
            .filter(inside)
            .take_while(|(value, _)| *value != wanted);
        earlier.map(|(_, weight)| weight).sum()
    });
    let chosen = choices.choose(total - 1, wanted);
    for (value, weight) in only.iter().filter(inside) {
        before += weight;
        if chosen < before {
            return Some(*value);
        }
    }
    None
}

/// Chooses a number from the range of a domain.
fn ranged<C: Choices>(choices: &mut C, domain: &Domain, wanted: Option<i128>) -> i128 {
    let range = (domain.low, domain.high);
    let liked = || {
        let values = domain.liked.iter().copied();
        values.filter(|value| domain.contains(*value))
    };
    let way = match choices.choose(WAYS, wanted.map(|_| BIASED)) {
        way if domain.clock && !USUAL.contains(&way) => *USUAL.start(),
        // The description declares no usual values.
        way if USUAL.contains(&way) && liked().next().is_none() && domain.usual.is_none() => BIASED,
        way => way,
    };
    if USUAL.contains(&way) {
        let greatest = liked().count() as u64;
        if let Some(last) = greatest.checked_sub(1)
            && (domain.usual.is_none() || way % 2 == 0)
        {
            let chosen = choices.choose(last, None);
            let chosen = usize::try_from(chosen).unwrap_or_default();
            return liked().nth(chosen).unwrap_or(range.0);
        }
        let (low, high) = domain.usual.unwrap_or(range);
        let (low, high) = (low.max(range.0), high.min(range.1));
        return within(
            choices,
            if low <= high { (low, high) } else { range },
            ANY,
            None,
        );
    }
    within(choices, range, way, wanted)
}

/// Chooses a number from a range with the method `way`.
fn within<C: Choices>(
    choices: &mut C,
    (low, high): (i128, i128),
    way: u64,
    wanted: Option<i128>,
) -> i128 {
    let above_low = |value: i128| u64::try_from(value.saturating_sub(low)).unwrap_or(u64::MAX);
    let greatest = above_low(high);
    let offset = wanted.map(above_low);
    match way {
        BIASED => {
            let most = u64::from(64 - greatest.leading_zeros());
            let needed = offset.map(|offset| u64::from(64 - offset.leading_zeros()));
            let bits = choices.choose(most, needed);
            if bits == 0 {
                return low;
            }
            // The highest bit is set; otherwise, fewer bits would represent the same number.
            let top = 1_u64 << (bits - 1);
            let rest = choices.choose(
                (top - 1).min(greatest - top),
                offset.map(|o| o.wrapping_sub(top)),
            );
            low + i128::from(top + rest)
        }
        EDGE => edge(choices, low, high),
        _ => low + i128::from(choices.choose(greatest, offset)),
    }
}

/// Chooses a number at or next to a bound of the range, or next to a limit of a common bit width
/// such as 7, 8, 14, 16, 31 or 32.
fn edge<C: Choices>(choices: &mut C, low: i128, high: i128) -> i128 {
    const BITS: [u32; 12] = [7, 8, 14, 15, 16, 21, 28, 31, 32, 35, 53, 63];
    let chosen = choices.choose(3 + BITS.len() as u64 * 2, None);
    let value = match chosen {
        0 => high,
        1 => high.saturating_sub(1),
        2 => low.saturating_add(1),
        3 => 0,
        beyond => {
            let at = usize::try_from(beyond - 4).unwrap_or_default();
            (1_i128 << BITS[at / 2]) - i128::from(at % 2 == 0)
        }
    };
    value.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        /// Checks that flags inside bounds are chosen from the domain if it has a value.
        fn bits_stay_between_the_bounds(
            mask: u8,
            bounds: (u8, u8),
            excluded: Vec<u8>,
            value: u8
        ) -> bool {
            let (low, high) = (bounds.0.min(bounds.1).into(), bounds.0.max(bounds.1).into());
            let domain = Domain {
                mask: Some(u64::from(mask)),
                not: excluded.into_iter().map(i128::from).collect(),
                ..Domain::range(low, high)
            };
            let value = i128::from(value & mask);
            let chosen = allowed(&domain, value);
            match domain.contains(value) {
                true => chosen == value,
                false => domain.contains(chosen) || !(low..=high).any(|it| domain.contains(it)),
            }
        }
    }
}
