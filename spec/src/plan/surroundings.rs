//! Whether operations stand in the file itself or in parts of it.

use super::{Extent, Kind, Plan};
use crate::schema::FaultKind;

/// In what an operation stands: both where it is used in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The file itself, whose end comes as a surprise.
    pub file: bool,
    /// A part, of which all bytes are known to be there when it starts.
    pub part: bool,
}

impl Around {
    /// Something may end too early in this way.
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
    /// In what each operation stands.
    pub fn surroundings(&self) -> Vec<Around> {
        let plan = self;
        let mut around = vec![Around::default(); plan.ops.len()];
        if let Some(root) = around.first_mut() {
            root.file = true;
        }
        // What is called again may stand in more than where it is written.
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
                    // Somewhere else: in the file, or in a part.
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
