//! Equality of values, as the decoder defines it.

use super::arithmetic::nearest;
use super::evaluate::{Evaluator, Found};

impl Evaluator<'_> {
    /// Returns true if two values are equal. A list equals the bytes, or the list, that have the
    /// same elements. Structures are equal only if they are the same structure.
    pub(super) fn equal(&self, left: &Found, right: &Found) -> bool {
        match (left, right) {
            (Found::Bool(value), other) | (other, Found::Bool(value)) => {
                self.equal_to_int(other, i128::from(*value))
            }
            (Found::Int(value), other) | (other, Found::Int(value)) => {
                self.equal_to_int(other, *value)
            }
            (Found::Text(text), Found::Bytes(bytes)) | (Found::Bytes(bytes), Found::Text(text)) => {
                text.as_bytes() == bytes
            }
            (Found::Text(text), list @ (Found::List(_) | Found::Node(_)))
            | (list @ (Found::List(_) | Found::Node(_)), Found::Text(text)) => {
                self.equal_to_bytes(list, text.as_bytes())
            }
            (Found::Bytes(bytes), list @ (Found::List(_) | Found::Node(_)))
            | (list @ (Found::List(_) | Found::Node(_)), Found::Bytes(bytes)) => {
                self.equal_to_bytes(list, bytes)
            }
            (Found::Node(one), Found::Node(other)) if one == other => true,
            (Found::List(_) | Found::Node(_), Found::List(_) | Found::Node(_)) => {
                match (self.count(left), self.count(right)) {
                    (Some(one), Some(other)) if one == other => {}
                    _ => return false,
                }
                let (left, right) = (self.elements(left), self.elements(right));
                let pairs = left.iter().flatten().zip(right.iter().flatten());
                pairs.into_iter().all(|(one, other)| self.equal(one, other))
            }
            _ => left == right,
        }
    }

    fn equal_to_int(&self, found: &Found, value: i128) -> bool {
        match found {
            Found::Int(other) => *other == value,
            Found::Bool(other) => i128::from(*other) == value,
            #[expect(clippy::float_cmp, reason = "expressions compare floats exactly")]
            Found::Float(other) => *other == nearest(value),
            _ => false,
        }
    }

    fn equal_to_bytes(&self, list: &Found, bytes: &[u8]) -> bool {
        if self.count(list) != Some(bytes.len()) {
            return false;
        }
        let items = self.elements(list).unwrap_or_default();
        let mut pairs = items.iter().zip(bytes);
        pairs.all(|(item, byte)| self.equal_to_int(item, i128::from(*byte)))
    }
}
