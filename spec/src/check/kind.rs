//! The kinds of values.

use super::uses::UseId;
use crate::schema::{EnumId, FlagsId, LayoutId, TableId};
use tracegauge_plan::evaluate::interval::Interval;

/// A kind of value. Names are resolved separately for each use of a type, so a structure is
/// represented by a use of its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Any kind, because an error has already been reported or the context is unknown.
    Unknown,
    /// The literal `absent`.
    Nothing,
    /// A Boolean.
    Bool,
    /// An integer.
    Int(Interval),
    /// A member of an enumeration.
    Enum(EnumId, Interval),
    /// An integer with named bits.
    Flags(FlagsId, Interval),
    /// A float.
    Float,
    /// A string.
    Text,
    /// A string that describes fields.
    Signature(LayoutId),
    /// Bytes.
    Bytes,
    /// A GUID.
    Guid,
    /// A list.
    List(Box<Kind>),
    /// The elements selected by `list.all(…)`. Accessing a member of the selection accesses the
    /// member in each element.
    Picked(Box<Kind>),
    /// A use of a type.
    Structure(UseId),
    /// One of several kinds, depending on a switch.
    Union(Vec<Kind>),
    /// A row of a table.
    Row(TableId),
    /// A table.
    Table(TableId),
    /// A value whose type is declared in the trace itself.
    Described,
    /// The stream `_io`.
    Stream,
    /// The `state` object, whose members are the registers.
    State,
}

/// A kind, and whether the value can be absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) kind: Kind,
    pub(super) absent: bool,
}

impl Value {
    pub(super) const UNKNOWN: Self = Self {
        kind: Kind::Unknown,
        absent: false,
    };

    pub(super) fn of(kind: Kind) -> Self {
        Self {
            kind,
            absent: false,
        }
    }

    pub(super) fn int(range: Interval) -> Self {
        Self::of(Kind::Int(range))
    }

    pub(super) fn or_absent(mut self, absent: bool) -> Self {
        self.absent |= absent;
        self
    }
}

impl Kind {
    /// Returns the range of a number.
    pub(super) fn range(&self) -> Option<Interval> {
        match self {
            Self::Int(range) | Self::Flags(_, range) => Some(*range),
            _ => None,
        }
    }

    /// Returns the kind of a value that may have either of two kinds, or `None` if the kinds are
    /// incompatible.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        use Kind as K;
        Some(match (self, other) {
            (a, b) if a == b => a,
            (K::Unknown, _) | (_, K::Unknown) => K::Unknown,
            (K::Nothing, other) | (other, K::Nothing) => other,
            (K::Int(a), K::Int(b)) => K::Int(a.join(b)),
            (K::Int(a) | K::Flags(_, a), K::Int(b) | K::Flags(_, b)) => K::Int(a.join(b)),
            (K::Enum(a, first), K::Enum(b, second)) if a == b => K::Enum(a, first.join(second)),
            (K::Int(_) | K::Flags(..), K::Float) | (K::Float, K::Int(_) | K::Flags(..)) => K::Float,
            (K::Text, K::Signature(_)) | (K::Signature(_), K::Text) => K::Text,
            (K::List(a), K::List(b)) => K::List(Box::new(a.join(*b)?)),
            (K::Structure(a), K::Structure(b)) => K::Union(vec![K::Structure(a), K::Structure(b)]),
            (K::Union(arms), other) | (other, K::Union(arms)) => joined_arms(arms, other),
            (K::Described, _) | (_, K::Described) => K::Described,
            (K::Bytes, K::List(item)) | (K::List(item), K::Bytes)
                if matches!(*item, K::Int(_) | K::Unknown | K::Nothing) =>
            {
                K::Bytes
            }
            _ => return None,
        })
    }
}

/// The maximum number of kinds in a union. If the cases of a switch exceed this limit, the kind of
/// the switch is unknown.
const MOST_ARMS: usize = 64;

fn joined_arms(mut arms: Vec<Kind>, other: Kind) -> Kind {
    let others = match other {
        Kind::Union(others) => others,
        other => vec![other],
    };
    for other in others {
        if !arms.contains(&other) {
            arms.push(other);
        }
    }
    if arms.len() > MOST_ARMS {
        return Kind::Unknown;
    }
    Kind::Union(arms)
}
