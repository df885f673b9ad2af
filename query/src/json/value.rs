//! Converts JSON to the values of nodes.

use std::fmt;

use serde_json::Value;
use tracegauge_decoder::text as encodings;
use tracegauge_decoder::tree::{Payload, Tree, UNENDED};
use tracegauge_generator::capacity;
use tracegauge_plan::{Kind, OpId, Plan};

use super::super::encoding;

/// The reasons why JSON is not a valid value of a node.
#[derive(Debug)]
pub enum ValueError {
    /// The value has the wrong type. The fields are the expected type and the actual value.
    Wanted(&'static str, String),
    /// A number is out of range. The fields are the value, the minimum and the maximum.
    Range(i128, i128, i128),
    /// A number has more bits than the float. The field is the width of the float in bits.
    Wide(u32),
    /// The encoding cannot represent the text.
    Encoding(String),
    /// Nodes with this operation have no value.
    NoValue,
    /// Values of this operation have only one encoding, so `spelling` is not allowed.
    NoForm,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wanted(wanted, found) => {
                write!(f, "`value` is {found}, expected {wanted}")
            }
            Self::Range(value, least, greatest) => write!(
                f,
                "`value` is out of range: {value}, but the field can hold {least} to {greatest}"
            ),
            Self::Wide(bits) => write!(
                f,
                "`value` is out of range: the field is a {bits}-bit float"
            ),
            Self::Encoding(encoding) => write!(f, "`value` cannot be encoded as {encoding}"),
            Self::NoValue => f.write_str(
                "unexpected `value`: this node contains other nodes and has no value of its own",
            ),
            Self::NoForm => f.write_str("invalid `spelling`: the field has only one encoding"),
        }
    }
}

/// Converts a JSON value to the payload of a node. The bytes of the value are stored in `tree`.
pub fn payload(
    plan: &Plan,
    op: OpId,
    value: &Value,
    tree: &mut Tree,
) -> Result<Payload, ValueError> {
    match &plan.op(op).kind {
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } => {
            let (least, greatest) = capacity::values(plan, op).unwrap_or((0, i128::from(u64::MAX)));
            let number = integer(value)?;
            if number < least || number > greatest {
                return Err(ValueError::Range(number, least, greatest));
            }
            Ok(Payload::Bits(match u64::try_from(number) {
                Ok(bits) => bits,
                Err(_) => i64::try_from(number).unwrap_or_default().cast_unsigned(),
            }))
        }
        Kind::Float { width, .. } => float(value, *width).map(Payload::Bits),
        Kind::Text(..) | Kind::Terminated(_) => match (value, encoding(plan, op)) {
            (Value::String(text), Some(encoding)) => {
                let bytes = encodings::encode(text, encoding);
                let bytes = bytes.ok_or_else(|| ValueError::Encoding(encoding.to_string()))?;
                Ok(tree.keep(&bytes))
            }
            (value, Some(_)) => bytes(value, "a string, or bytes as {\"hex\": …}", tree),
            (value, None) => bytes(value, BYTES, tree),
        },
        Kind::Guid(_) | Kind::Bytes(_) | Kind::Contents(_) | Kind::Align { .. } => {
            bytes(value, BYTES, tree)
        }
        Kind::BitRun { .. } => Err(ValueError::NoValue),
        // The node contains bytes that belong to no field.
        _ if value.get("hex").is_some() => bytes(value, BYTES, tree),
        _ => Err(ValueError::NoValue),
    }
}

const BYTES: &str = "an object {\"hex\": …} with the bytes";

/// Checks whether `spelling` is valid for a field: a number of bytes for a variable-length integer,
/// or, for a terminated field, the value that stands for a missing terminator.
pub fn spelling(plan: &Plan, op: OpId, spelling: u8) -> Result<u8, ValueError> {
    match plan.op(op).kind {
        Kind::Variable(..) => Ok(spelling),
        Kind::Terminated(_) if spelling == UNENDED => Ok(spelling),
        _ if spelling == 0 => Ok(0),
        _ => Err(ValueError::NoForm),
    }
}

/// Converts a JSON number, a string of digits or a boolean to an integer.
pub fn integer(value: &Value) -> Result<i128, ValueError> {
    let digits = match value {
        Value::Bool(value) => return Ok(i128::from(*value)),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| ValueError::Wanted("an integer", shown(value)))
}

fn float(value: &Value, width: u8) -> Result<u64, ValueError> {
    let bits = u32::from(width) * 8;
    let wanted = || {
        ValueError::Wanted(
            "a number, or an object {\"bits\": …} with the bits in hexadecimal",
            shown(value),
        )
    };
    if let Some(digits) = only(value, "bits") {
        let digits = digits.as_str().ok_or_else(wanted)?;
        let number = u64::from_str_radix(digits, 16).map_err(|_| wanted())?;
        let fits = bits >= u64::BITS || number >> bits == 0;
        return if fits {
            Ok(number)
        } else {
            Err(ValueError::Wide(bits))
        };
    }
    let Value::Number(number) = value else {
        return Err(wanted());
    };
    let digits = number.to_string();
    // Parse with the width of the field, so that the number is rounded only once.
    let (number, is_finite) = if width == 4 {
        let number: f32 = digits.parse().map_err(|_| wanted())?;
        (u64::from(number.to_bits()), number.is_finite())
    } else {
        let number: f64 = digits.parse().map_err(|_| wanted())?;
        (number.to_bits(), number.is_finite())
    };
    if is_finite {
        Ok(number)
    } else {
        Err(ValueError::Wide(bits))
    }
}

fn bytes(value: &Value, wanted: &'static str, tree: &mut Tree) -> Result<Payload, ValueError> {
    let digits = only(value, "hex").and_then(Value::as_str);
    let bytes = digits.and_then(|digits| hex::decode(digits).ok());
    let bytes = bytes.ok_or_else(|| ValueError::Wanted(wanted, shown(value)))?;
    Ok(tree.keep(&bytes))
}

/// Returns the value of the member `name`, if it is the only member of an object.
fn only<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let members = value.as_object()?;
    members.get(name).filter(|_| members.len() == 1)
}

/// Returns a JSON value for display in a message, shortened if necessary.
fn shown(value: &Value) -> String {
    const MOST: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
