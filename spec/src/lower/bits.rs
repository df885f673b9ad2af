//! Lowers bit fields that share an integer.

use super::Lowering;
use super::faults::FaultContext;
use super::field::layered;
use super::scope::{Binding, Inner, ScopeId};
use crate::schema::{BitOrder, Field, FieldRole, Scalar, ScalarKind, TypeRef};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Kind, flags};

impl<'s> Lowering<'s> {
    /// Returns the number of fields at the start of `fields` that are bit fields and share an
    /// integer.
    pub(super) fn bit_run(&self, fields: &'s [Field]) -> usize {
        let mut bits = 0_u32;
        let mut count = 0;
        for field in fields {
            let FieldRole::Wire(source) = &field.role else {
                break;
            };
            let layers = self.layers(source);
            let TypeRef::Scalar(Scalar {
                kind: ScalarKind::Bits(width, _),
                ..
            }) = *layers.target
            else {
                break;
            };
            if source.condition.is_some() || source.repeat.is_some() {
                break;
            }
            if bits + u32::from(width) > 64 {
                break;
            }
            bits += u32::from(width);
            count += 1;
            if bits.is_multiple_of(8) && count == 1 {
                // If the first field consists of whole bytes, it is read as an ordinary integer.
                return 0;
            }
            if bits.is_multiple_of(8) {
                return count;
            }
        }
        if bits.is_multiple_of(8) { 0 } else { count }
    }

    pub(super) fn is_bits(&self, field: &'s Field) -> bool {
        let FieldRole::Wire(source) = &field.role else {
            return false;
        };
        let target = self.layers(source).target;
        matches!(
            target,
            TypeRef::Scalar(Scalar {
                kind: ScalarKind::Bits(..),
                ..
            })
        )
    }

    /// Adds bit fields that share an integer. Returns whether the bit fields fill a whole number of
    /// bytes.
    pub(super) fn bits(
        &mut self,
        fields: &'s [Field],
        shown: Option<&str>,
        scope: ScopeId,
        context: &FaultContext,
    ) -> bool {
        let widths: Vec<(u8, BitOrder)> = fields
            .iter()
            .filter_map(|field| {
                let FieldRole::Wire(source) = &field.role else {
                    return None;
                };
                match self.layers(source).target {
                    TypeRef::Scalar(Scalar {
                        kind: ScalarKind::Bits(width, order),
                        ..
                    }) => Some((*width, order.unwrap_or(self.bit_order(scope)))),
                    _ => None,
                }
            })
            .collect();
        let total: u32 = widths.iter().map(|(width, _)| u32::from(*width)).sum();
        let bytes = u8::try_from(total.div_ceil(8)).unwrap_or(8);
        let order = widths.first().map_or(BitOrder::Big, |(_, order)| *order);
        let span = fields[0].span;
        let faults = self.fault_rules(context);
        let run = self.open(
            Kind::BitRun {
                width: bytes,
                order,
            },
            None,
            None,
            faults,
            span,
        );
        let mut used = 0_u8;
        for (field, (width, _)) in fields.iter().zip(widths) {
            let FieldRole::Wire(source) = &field.role else {
                continue;
            };
            let shift = match order {
                BitOrder::Little => used,
                BitOrder::Big => bytes * 8 - used - width,
            };
            used += width;
            let label = field
                .id
                .clone()
                .unwrap_or_else(|| format!("unnamed{shift}"));
            let name = (shown != Some(label.as_str())).then(|| self.intern(&label));
            let label_id = self.intern(&label);
            let layers = self.layers(source);
            let context = layered(&context.enter(&source.faults), &layers);
            let faults = self.fault_rules(&context);
            let kind = Kind::Bits { shift, width };
            let op = self.open(kind, name, Some(label_id), faults, field.span);
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
            self.close(op);
            let scalar = Scalar {
                kind: ScalarKind::Bits(width, None),
                endian: None,
                words: None,
            };
            self.leaf(op, &layers, &scalar, scope, &context);
            self.bind(
                scope,
                &label,
                Binding::Op {
                    op,
                    inner: Inner::Leaf,
                },
            );
        }
        self.spare_bits(bytes * 8 - used, order, used, span);
        self.close(run);
        total.is_multiple_of(8)
    }

    /// Adds the bits of the last byte that belong to no field. Readers skip these bits, but a
    /// decoded trace keeps them, so that it can be written again unchanged.
    fn spare_bits(&mut self, width: u8, order: BitOrder, used: u8, span: SourceSpan) {
        if width == 0 {
            return;
        }
        let shift = match order {
            BitOrder::Little => used,
            BitOrder::Big => 0,
        };
        let kind = Kind::Bits { shift, width };
        let faults = self.fault_rules(&FaultContext::default());
        let op = self.open(kind, None, None, faults, span);
        self.close(op);
    }
}
