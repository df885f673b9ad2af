//! Compiles properties of strings, and converts string constants to the encoding of the strings
//! that they are compared with.

use super::place::Place;
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::Expr;
use crate::schema::Encoding;
use tracegauge_plan::{Code, Kind, TextPart};

impl Lowering<'_> {
    /// Returns the encoding of an expression. Returns `None` if the expression is neither text nor
    /// bytes, and `Some(None)` if it is bytes.
    pub(super) fn text_of(&self, code: CodeId) -> Option<Option<Encoding>> {
        match self.plan.codes[code.index()] {
            Code::Text(_) => Some(Some(Encoding::Utf8)),
            Code::Slot(slot) => self.text_in(self.slot_owner(slot)?),
            Code::This => self.text_in(self.this_op?),
            Code::Else(first, _) | Code::Conditional(_, first, _) => self.text_of(first),
            _ => None,
        }
    }

    fn text_in(&self, op: OpId) -> Option<Option<Encoding>> {
        match self.plan.ops[self.shown(op).index()].kind {
            Kind::Text(_, encoding) => Some(Some(encoding)),
            Kind::Terminated(ending) => Some(ending.encoding),
            Kind::Bytes(_) | Kind::Contents(_) | Kind::Guid(_) => Some(None),
            _ => None,
        }
    }

    /// Returns the encoding of an expression that reads text from the file.
    pub(super) fn text_encoding(&self, code: CodeId) -> Option<Encoding> {
        match self.plan.codes[code.index()] {
            Code::Text(_) => None,
            _ => self.text_of(code).flatten(),
        }
    }

    /// Converts a string constant to its bytes in an encoding.
    pub(super) fn as_encoded(&mut self, code: CodeId, encoding: Option<Encoding>) -> CodeId {
        let Code::Text(constant) = self.plan.codes[code.index()] else {
            return code;
        };
        let bytes = &self.plan.constants[constant];
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|t| !t.is_empty()) else {
            return code;
        };
        let units = text.encode_utf16();
        let encoded: Vec<u8> = match encoding {
            Some(Encoding::Utf16Le) => units.flat_map(u16::to_le_bytes).collect(),
            Some(Encoding::Utf16Be) => units.flat_map(u16::to_be_bytes).collect(),
            // Latin-1 cannot represent every character. If the constant contains such a character,
            // no text equals it, so leave the constant unchanged.
            Some(Encoding::Latin1) => {
                let bytes: Option<Vec<u8>> = text
                    .chars()
                    .map(|character| u8::try_from(u32::from(character)).ok())
                    .collect();
                match bytes {
                    Some(bytes) => bytes,
                    None => return code,
                }
            }
            _ => return code,
        };
        let constant = self.constant(&encoded);
        self.code(Code::Text(constant))
    }

    /// Prepares two operands of a comparison. A string constant is converted to the encoding of the
    /// other operand.
    pub(super) fn compared(&mut self, left: CodeId, right: CodeId) -> (CodeId, CodeId) {
        let (first, second) = (self.text_encoding(left), self.text_encoding(right));
        (self.as_encoded(left, second), self.as_encoded(right, first))
    }

    /// Compiles a property that every value of a type has, such as `length`.
    pub(super) fn property(&mut self, code: CodeId, name: &str, expr: &Expr) -> Resolved<Place> {
        // The size and the position of the value under test are those of its field.
        if let (Code::This, Some(op)) = (&self.plan.codes[code.index()], self.this_op)
            && super::member::is_extent(name)
        {
            return Ok(self.extent(op, name));
        }
        let part = match (name, self.text_of(code)) {
            ("length", Some(Some(_))) => TextPart::Length,
            ("length" | "size", Some(_)) => TextPart::Size,
            ("units16", Some(Some(_))) => TextPart::Units16,
            ("is_decimal", Some(Some(_))) => TextPart::IsDecimal,
            ("to_i", Some(Some(_))) => TextPart::Number(10),
            ("is_decimal", None) => return Ok(Place::Value(self.code(Code::IsDecimal(code)))),
            ("to_i", None) if !self.is_float(code) => return Ok(Place::Value(code)),
            _ => {
                let message = format!("`.{name}` on this value is not supported yet");
                return Err(LowerError::new(expr.span, message));
            }
        };
        let encoding = self.text_of(code).flatten();
        Ok(Place::Value(self.code(Code::OfText(part, code, encoding))))
    }

    /// Compiles `text.to_i(radix)`.
    pub(super) fn number_of(&mut self, code: CodeId, radix: i128) -> Option<CodeId> {
        let encoding = self.text_of(code)?;
        let radix = u8::try_from(radix).ok().filter(|r| (2..=36).contains(r))?;
        Some(self.code(Code::OfText(TextPart::Number(radix), code, encoding)))
    }

    fn is_float(&self, code: CodeId) -> bool {
        match self.plan.codes[code.index()] {
            Code::Float(_) => true,
            Code::Slot(slot) => self
                .slot_owner(slot)
                .is_some_and(|op| matches!(self.plan.ops[op.index()].kind, Kind::Float { .. })),
            _ => false,
        }
    }
}
