//! Determines whether operations read directly from the file or from a part, which is a range of
//! bytes with a known size.

use super::{Extent, Kind, Plan};
use crate::terms::FaultKind;

/// The contexts in which an operation is used. Both fields are set if the operation is used in both
/// contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The operation reads from the file itself, whose end is not known in advance.
    pub file: bool,
    /// The operation reads from a part whose size is known when the part starts.
    pub part: bool,
}

impl Around {
    /// Returns whether the given kind of unexpected end can occur in these contexts.
    pub fn may_end(self, kind: FaultKind) -> bool {
        match kind {
            FaultKind::Eof => self.file,
            FaultKind::Short | FaultKind::Past => self.part,
            _ => true,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            file: self.file || other.file,
            part: self.part || other.part,
        }
    }
}

impl Plan {
    /// Computes the contexts in which each operation is used.
    pub fn surroundings(&self) -> Vec<Around> {
        let plan = self;
        let mut around = vec![Around::default(); plan.ops.len()];
        if let Some(root) = around.first_mut() {
            root.file = true;
        }
        // A recursive call can run its target in more contexts than the one in which the target is
        // defined, so propagate until nothing changes.
        loop {
            let before = around.clone();
            for (at, op) in plan.ops.iter().enumerate() {
                let parent = plan.infos[at].parent;
                let inherited = parent.map(|parent| match plan.op(parent).kind {
                    Kind::Sized(Extent::ToEnd) => around[parent.index()],
                    Kind::Sized(_) => Around {
                        file: false,
                        part: true,
                    },
                    // An instance at another position may read from the file or from a part.
                    Kind::At(_) => Around {
                        file: true,
                        part: true,
                    },
                    _ => around[parent.index()],
                });
                around[at] = around[at].and(inherited.unwrap_or_default());
                if let Kind::Call(target) = op.kind {
                    around[target.index()] = around[target.index()].and(around[at]);
                }
            }
            if around == before {
                return around;
            }
        }
    }
}
