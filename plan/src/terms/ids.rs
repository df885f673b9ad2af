//! Indexes of the elements of a schema.

use crate::arena::id;

id!(/** A type of the description. */ TypeId);
id!(/** An enumeration. */ EnumId);
id!(/** A set of named bits. */ FlagsId);
id!(/** A normative rule. */ RuleId);
id!(/** A table of rows that the file defines. */ TableId);
id!(/** A column of a table. */ ColumnId);
id!(/** A register of the reader's state. */ RegisterId);
id!(/** A layout set, which defines how the values of each type code are read. */ LayoutId);
id!(/** A kind of record. */ RecordId);
id!(/** A schema for JSON inside the format. */ JsonId);
