//! Indexes of the elements of a schema.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Converts the id to an index into the list that it refers to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    };
}

id!(/** A type of the description. */ TypeId);
id!(/** An enumeration. */ EnumId);
id!(/** A set of named bits. */ FlagsId);
id!(/** A normative rule. */ RuleId);
id!(/** A table of rows that the file defines. */ TableId);
id!(/** A register of the reader's state. */ RegisterId);
id!(/** A layout set: type codes to layouts. */ LayoutId);
id!(/** A kind of record. */ RecordId);
id!(/** A schema for JSON inside the format. */ JsonId);
