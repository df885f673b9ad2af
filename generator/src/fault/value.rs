//! Values of expressions over the tree of a trace.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::evaluate::Scalar;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Absent,
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    /// A part of the trace, represented by its node.
    Node(NodeId),
    /// A row, represented by the node that defines it.
    Row(NodeId),
}

impl Value {
    pub(super) fn integer(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn truth(&self) -> bool {
        self.scalar().truth()
    }

    pub(super) fn of_truth(truth: bool) -> Self {
        Self::Int(i128::from(truth))
    }

    /// Returns the value as the operators of expressions see it.
    pub(super) fn scalar(&self) -> Scalar<'_> {
        match self {
            Self::Absent => Scalar::Absent,
            Self::Int(value) => Scalar::Int(*value),
            Self::Float(value) => Scalar::Float(*value),
            Self::Bytes(text) => Scalar::Bytes(text),
            Self::Node(_) | Self::Row(_) => Scalar::Part,
        }
    }

    /// Converts the result of an operator.
    pub(super) fn of(scalar: Scalar<'static>) -> Self {
        match scalar {
            Scalar::Int(value) => Self::Int(value),
            Scalar::Bool(value) => Self::of_truth(value),
            Scalar::Float(value) => Self::Float(value),
            Scalar::Absent | Scalar::Bytes(_) | Scalar::Part => Self::Absent,
        }
    }
}
