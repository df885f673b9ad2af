//! Patterns of numbers: numbers with certain bits, or with a certain remainder.

/// The bits and the remainder that numbers must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// A mask, and the value that its bits must have.
    bits: Option<(i128, i128)>,
    /// A modulus, which is positive, and the remainder that the numbers must have.
    remainder: Option<(i128, i128)>,
}

/// The number of candidates to try if numbers must have both certain bits and a certain remainder.
const TRIES: i128 = 4096;

impl Pattern {
    /// Returns whether every number matches.
    pub fn is_any(self) -> bool {
        self == Self::default()
    }

    /// Requires `number & mask == bits`.
    pub fn require_bits(&mut self, mask: i128, bits: i128) {
        let (known, value) = self.bits.unwrap_or_default();
        self.bits = Some((known | mask, value & !mask | bits));
    }

    /// Requires `number % modulus == remainder`. Replaces an earlier requirement of this kind.
    pub fn require_remainder(&mut self, modulus: i128, remainder: i128) {
        self.remainder = (modulus > 0).then_some((modulus, remainder));
    }

    /// Returns whether a number matches.
    pub fn contains(self, number: i128) -> bool {
        self.bits.is_none_or(|(mask, bits)| number & mask == bits)
            && self
                .remainder
                .is_none_or(|(modulus, rest)| number.rem_euclid(modulus) == rest)
    }

    /// Returns a number between two bounds that matches: `number` itself if it matches, otherwise
    /// preferably a greater one. Returns `None` if no such number is found.
    pub fn fit(self, number: i128, (low, high): (i128, i128)) -> Option<i128> {
        if self.is_any() {
            return Some(number.clamp(low, high));
        }
        let from = |least: i128| self.at_least(least).filter(|found| *found <= high);
        from(number.clamp(low, high)).or_else(|| from(low))
    }

    /// Returns a number that matches and is not less than `least`.
    fn at_least(self, least: i128) -> Option<i128> {
        let Some((modulus, rest)) = self.remainder else {
            return self.with_bits(least);
        };
        let first = least.checked_add((rest - least).rem_euclid(modulus))?;
        let mut candidates = (0..TRIES).map_while(|step| first.checked_add(modulus * step));
        candidates.find(|number| self.contains(*number))
    }

    /// Returns the least number that has the bits and is not less than `least`.
    fn with_bits(self, least: i128) -> Option<i128> {
        let Some((mask, bits)) = self.bits.filter(|(mask, bits)| least & mask != *bits) else {
            return Some(least);
        };
        // A greater number agrees with `least` up to some bit, which it has in addition. The bits
        // below are as small as possible.
        (0..i128::BITS - 1).find_map(|bit| {
            let above = (least >> bit).checked_add(1)?.checked_mul(1 << bit)?;
            let low = (1 << bit) - 1;
            (above & mask & !low == bits & !low).then_some(above | bits & low)
        })
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn pattern(mask: Option<(u8, u8)>, modulus: Option<(u8, u8)>) -> Pattern {
        let mut pattern = Pattern::default();
        if let Some((mask, bits)) = mask {
            pattern.require_bits(i128::from(mask), i128::from(mask & bits));
        }
        if let Some((modulus, rest)) = modulus.filter(|(modulus, _)| *modulus > 0) {
            pattern.require_remainder(i128::from(modulus), i128::from(rest % modulus));
        }
        pattern
    }

    quickcheck! {
        /// Checks that a number is found exactly if there is one.
        fn a_number_is_found_if_there_is_one(
            mask: Option<(u8, u8)>,
            modulus: Option<(u8, u8)>,
            number: u8,
            bounds: (u8, u8)
        ) -> bool {
            let pattern = pattern(mask, modulus);
            let (low, high) = (bounds.0.min(bounds.1).into(), bounds.0.max(bounds.1).into());
            match pattern.fit(number.into(), (low, high)) {
                Some(found) => pattern.contains(found) && (low..=high).contains(&found),
                None => !(low..=high).any(|number| pattern.contains(number)),
            }
        }

        fn a_number_that_matches_stays(mask: (u8, u8), number: u8) -> bool {
            let pattern = pattern(Some(mask), None);
            let number = i128::from(number);
            !pattern.contains(number) || pattern.fit(number, (0, 255)) == Some(number)
        }
    }
}
