//! Lowers numbers, strings and byte strings, with their byte order and encoding.

use super::faults::FaultContext;
use super::field::{Layers, layered};
use super::scope::{Inner, ScopeId};
use super::{Lowering, NameId, OpId};
use crate::schema::{
    BitOrder, Encoding, Endian, EndianChoice, FaultKind, Scalar, ScalarKind, Schema, Size,
    Terminator, TypeRef,
};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Ending, Extent, Integer, Kind, flags};

impl<'s> Lowering<'s> {
    /// Adds a number.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn scalar(
        &mut self,
        layers: &Layers<'s>,
        scalar: &Scalar,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let context = layered(context, layers);
        let wire = layers
            .fields
            .iter()
            .find_map(|field| field.carry.as_ref()?.wire.clone());
        let kind = self.scalar_kind(wire.as_ref().unwrap_or(scalar), scope, span);
        let faults = self.fault_rules(&context);
        let op = self.open(kind, name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.close(op);
        self.leaf(op, layers, scalar, scope, &context);
        (op, Inner::Leaf)
    }

    /// Returns the operation kind that reads a number.
    pub(super) fn scalar_kind(
        &mut self,
        scalar: &Scalar,
        scope: ScopeId,
        span: SourceSpan,
    ) -> Kind {
        let endian = scalar
            .endian
            .unwrap_or_else(|| self.endian(scope, scalar, span));
        let word = words_apart(scalar.words, endian);
        if word != 0 && !matches!(scalar.kind, ScalarKind::Unsigned(_) | ScalarKind::Signed(_)) {
            self.error(
                span,
                "`words` is not supported yet for types that are not integers",
            );
        }
        match scalar.kind {
            ScalarKind::Unsigned(width) => Kind::Integer(Integer {
                width,
                signed: false,
                endian,
                word,
            }),
            ScalarKind::Signed(width) => Kind::Integer(Integer {
                width,
                signed: true,
                endian,
                word,
            }),
            ScalarKind::Float(width) => Kind::Float { width, endian },
            ScalarKind::Variable(kind, bits) => Kind::Variable(kind, bits),
            ScalarKind::Guid(endian) => Kind::Guid(endian),
            ScalarKind::Bits(bits, order) => {
                let order = order.unwrap_or(self.bit_order(scope));
                if bits % 8 != 0 {
                    self.error(
                        span,
                        "a conditional or repeated bit field must occupy a whole number of bytes; \
                         other widths are not supported yet",
                    );
                }
                let endian = match order {
                    BitOrder::Little => Endian::Little,
                    BitOrder::Big => Endian::Big,
                };
                Kind::Integer(Integer {
                    width: bits.div_ceil(8),
                    signed: false,
                    endian,
                    word: 0,
                })
            }
        }
    }

    /// Returns the default byte order at a use of a type.
    fn endian(&mut self, scope: ScopeId, scalar: &Scalar, span: SourceSpan) -> Endian {
        let schema: &'s Schema = self.schema;
        let mut at = Some(scope);
        while let Some(scope) = at {
            let described = &schema.types[self.scopes[scope.0].type_id.index()];
            if let Some(order) = self.scopes[scope.0].order {
                return order;
            }
            if let Some(choice) = &described.endian {
                return self.chosen_endian(choice, scope, span);
            }
            at = self.scopes[scope.0].parent;
        }
        match &schema.meta.endian {
            Some(choice) => self.chosen_endian(choice, ScopeId(0), span),
            // The checker requires a byte order in at least one file, but a file does not have the
            // byte order of the files that it imports.
            None => {
                if has_order(scalar) {
                    let message = "no byte order is defined for this number in this file; set \
                                   `endian` in `meta`, or write the byte order after the type, as \
                                   in `u4le`";
                    self.error(span, message);
                }
                Endian::Little
            }
        }
    }

    fn chosen_endian(&mut self, choice: &EndianChoice, scope: ScopeId, span: SourceSpan) -> Endian {
        let (on, cases) = match choice {
            EndianChoice::Fixed(endian) => return *endian,
            EndianChoice::Switch { on, cases } => (on, cases),
        };
        let on = self.compile(on, scope, None);
        for (label, endian) in cases {
            let Some(label) = label else { return *endian };
            let label = self.compile(label, scope, None);
            if self.known_int(on).is_some() && self.known_int(on) == self.known_int(label) {
                return *endian;
            }
        }
        self.error(
            span,
            "here, the byte order must be fixed for each dialect; a `switch-on` over other values is \
             not supported yet",
        );
        Endian::Little
    }

    pub(super) fn bit_order(&self, scope: ScopeId) -> BitOrder {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(order) = self.type_of(scope).bit_endian {
                return order;
            }
            at = self.scope(scope).parent;
        }
        self.schema.meta.bit_endian
    }

    pub(super) fn encoding(&self, layers: &Layers<'s>, scope: ScopeId) -> Encoding {
        let own = layers.fields.iter().find_map(|field| field.encoding);
        let mut at = Some(scope);
        let mut outer = layers.aliases.iter().find_map(|(_, alias)| alias.encoding);
        while let (None, Some(scope)) = (outer, at) {
            outer = self.type_of(scope).encoding;
            at = self.scope(scope).parent;
        }
        let around = self.switch_source.filter(|_| layers.in_switch);
        own.or(around.and_then(|switch| switch.encoding))
            .or(outer)
            .or(self.schema.meta.encoding)
            .unwrap_or(Encoding::Utf8)
    }

    /// Adds a string or byte string.
    pub(super) fn text_or_bytes(
        &mut self,
        layers: &Layers<'s>,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let context = layered(context, layers);
        let is_text = matches!(layers.target, TypeRef::Text);
        let encoding = self.encoding(layers, scope);
        let size = layers.fields.iter().map(|field| &field.size);
        let mut size = size;
        let size = size.rfind(|size| !matches!(size, Size::Natural));
        let extent = size.and_then(|size| self.extent_of(size, scope));
        let switch = self.switch_source.filter(|_| layers.in_switch);
        // A case of a switch is read in the part of the switch field, which already has the size.
        let part_of_switch = switch.filter(|switch| !matches!(switch.size, Size::Natural));
        let extent = extent.or(part_of_switch.map(|_| Extent::ToEnd));
        let contents = layers
            .fields
            .iter()
            .find_map(|field| field.contents.clone());
        let mut ends = layers.fields.iter().copied().chain(switch);
        let terminator = ends.clone().find_map(|field| field.terminator.clone());
        let pad = ends.find_map(|field| field.pad_right);
        let part = extent.filter(|_| contents.is_none() && (terminator.is_some() || pad.is_some()));
        let ending = |terminator: Option<&Terminator>| Ending {
            terminator: terminator.map(|end| end.byte),
            encoding: is_text.then_some(encoding),
            // In a part with its own size, the value may fill the part without a terminator, as in
            // Kaitai.
            required: part.is_none() && terminator.is_some_and(|end| end.required),
            consume: terminator.is_none_or(|end| end.consume),
            include: terminator.is_some_and(|end| end.include),
            pad: pad.filter(|_| part.is_some()),
        };
        let kind = match (contents, extent, &terminator) {
            (Some(bytes), _, _) => Kind::Contents(self.constant(&bytes)),
            (None, _, _) if part.is_some() => Kind::Terminated(ending(terminator.as_ref())),
            (None, Some(extent), _) if is_text => Kind::Text(extent, encoding),
            (None, Some(extent), _) => Kind::Bytes(extent),
            (None, None, Some(end)) => Kind::Terminated(ending(Some(end))),
            (None, None, None) => {
                self.error(
                    span,
                    "text and bytes require a size, a terminator or contents",
                );
                Kind::Bytes(Extent::Fixed(0))
            }
        };
        let around = part.map(|extent| {
            // The bytes after the value in its own part are ignored, even if a rule covers the
            // unclaimed bytes of other parts.
            let faults = self.fault_rules(&context.without(FaultKind::Rest));
            let op = self.open(Kind::Sized(extent), name, label, faults, span);
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
            op
        });
        let name = name.filter(|_| around.is_none());
        let faults = self.fault_rules(&context);
        let op = self.open(kind, name, label, faults, span);
        if layers.fields.iter().all(|field| field.contents.is_none()) {
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
        }
        self.close(op);
        self.text_leaf(op, layers, scope, &context);
        if let Some(around) = around {
            self.close(around);
            return (around, Inner::Leaf);
        }
        (op, Inner::Leaf)
    }
}

/// Returns whether the byte order of a number matters.
fn has_order(scalar: &Scalar) -> bool {
    match scalar.kind {
        ScalarKind::Unsigned(width) | ScalarKind::Signed(width) | ScalarKind::Float(width) => {
            width > 1
        }
        ScalarKind::Variable(..) | ScalarKind::Guid(_) | ScalarKind::Bits(..) => false,
    }
}

/// Returns the word size in bytes if the words of a number are ordered differently from the bytes
/// within each word, otherwise 0.
fn words_apart(words: Option<(u8, bool)>, endian: Endian) -> u8 {
    match (words, endian) {
        (Some((size, false)), Endian::Little) | (Some((size, true)), Endian::Big) => size,
        _ => 0,
    }
}
