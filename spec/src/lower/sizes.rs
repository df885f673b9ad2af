//! Computes `sizeof<type>`, the size of a type whose size is constant.

use hashbrown::HashMap;

use super::Lowering;
use super::scope::ScopeId;
use crate::schema::{
    Elements, Field, FieldRole, FieldSource, Scalar, ScalarKind, Size, TypeBody, TypeRef,
};

/// The maximum nesting depth; a type that exceeds it is assumed to contain itself.
const DEEPEST: usize = 64;

impl<'s> Lowering<'s> {
    /// Returns the size of a type in bytes. The type is given by its name as seen from `scope`.
    pub(super) fn size_of_type(&mut self, name: &str, scope: ScopeId) -> Option<i128> {
        let bits = match number_bits(name) {
            Some(bits) => bits,
            None => {
                let own = self.type_of(scope).name.clone();
                let wanted = format!("::{name}");
                let known = |full: &str| full == name || full == format!("{own}{wanted}");
                let types = self.schema.types.iter();
                let exact = types.clone().position(|described| known(&described.name));
                let inner = || {
                    self.schema
                        .types
                        .iter()
                        .position(|described| described.name.ends_with(&wanted))
                };
                let index = exact.or_else(inner)?;
                self.type_bits(index, scope, (0, &mut HashMap::new()))?
            }
        };
        Some(i128::from(bits.div_ceil(8)))
    }

    /// Returns the size of a type in bits. `known` contains the sizes of the types that have been
    /// measured, because a type may be used many times.
    fn type_bits(
        &mut self,
        index: usize,
        scope: ScopeId,
        (depth, known): (usize, &mut HashMap<usize, u64>),
    ) -> Option<u64> {
        if let Some(bits) = known.get(&index) {
            return Some(*bits);
        }
        if depth > DEEPEST {
            return None;
        }
        let schema: &'s crate::schema::Schema = self.schema;
        let fields: &[Field] = match &schema.types[index].body {
            TypeBody::Structure(fields) => fields,
            TypeBody::Alias(field) => std::slice::from_ref(field),
        };
        let mut total = 0_u64;
        for field in fields {
            let (bits, partial) = match &field.role {
                FieldRole::Wire(source) => self.field_bits(source, scope, (depth, known))?,
                FieldRole::Check(_) => (0, false),
                FieldRole::Align(_) => return None,
            };
            // Only bit fields can start in the middle of a byte.
            let start = if partial {
                total
            } else {
                total.checked_next_multiple_of(8)?
            };
            total = start.checked_add(bits)?;
        }
        known.insert(index, total);
        Some(total)
    }

    fn field_bits(
        &mut self,
        source: &'s FieldSource,
        scope: ScopeId,
        (depth, known): (usize, &mut HashMap<usize, u64>),
    ) -> Option<(u64, bool)> {
        if source.condition.is_some() || source.terminator.is_some() && !sized(source) {
            return None;
        }
        let count = match source.repeat.as_ref().map(|repeat| &repeat.elements) {
            None => 1,
            Some(Elements::Count(expr)) => {
                let code = self.compile(expr, scope, None);
                u64::try_from(self.known_int(code)?).ok()?
            }
            Some(_) => return None,
        };
        let (bits, partial) = match (&source.size, &source.contents, &source.target) {
            (Size::Bytes(size), ..) => {
                let code = self.compile(size, scope, None);
                let bytes = u64::try_from(self.known_int(code)?).ok()?;
                (bytes.checked_mul(8)?, false)
            }
            (Size::ToEnd, ..) => return None,
            (_, Some(bytes), _) => (bytes.len() as u64 * 8, false),
            (_, _, TypeRef::Scalar(scalar)) => scalar_bits(scalar)?,
            (_, _, TypeRef::Named { id, .. }) => {
                let bits = self.type_bits(id.index(), scope, (depth + 1, known))?;
                (bits.checked_next_multiple_of(8)?, false)
            }
            _ => return None,
        };
        Some((bits.checked_mul(count)?, partial))
    }
}

fn sized(source: &FieldSource) -> bool {
    matches!(source.size, Size::Bytes(_))
}

fn scalar_bits(scalar: &Scalar) -> Option<(u64, bool)> {
    Some(match scalar.kind {
        ScalarKind::Unsigned(width) | ScalarKind::Signed(width) | ScalarKind::Float(width) => {
            (u64::from(width) * 8, false)
        }
        ScalarKind::Bits(bits, _) => (u64::from(bits), true),
        ScalarKind::Guid(_) => (128, false),
        ScalarKind::Variable(..) => return None,
    })
}

/// Returns the number of bits of a number type, by its Kaitai name.
fn number_bits(name: &str) -> Option<u64> {
    let plain = name.trim_end_matches("le").trim_end_matches("be");
    let (kind, width) = plain.split_at_checked(1)?;
    let width: u64 = width.parse().ok()?;
    match kind {
        "u" | "s" if matches!(width, 1 | 2 | 4 | 8) => Some(width * 8),
        "f" if matches!(width, 4 | 8) => Some(width * 8),
        "b" if (1..=64).contains(&width) => Some(width),
        _ => None,
    }
}
