//! Builds records in one flat buffer, which is reused for each record.

mod buffer;
mod described;
mod format;
mod member;
mod nodes;
mod present;
mod view;
mod whole;
mod written;

pub(crate) use buffer::Standing;
pub use buffer::{Item, RecordBuffer};
pub use described::field_nodes;
pub(crate) use format::guid;
pub(crate) use nodes::is_null;
pub(crate) use present::write_text;
pub use view::{ReadFrom, RecordView};
pub use written::LineWriter;
