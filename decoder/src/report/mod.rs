//! Records as the decoder builds them: one flat buffer, used again for each record.

mod buffer;
mod present;
mod view;

pub use buffer::{Item, RecordBuffer};
pub(crate) use present::{guid, write_text};
pub use view::RecordView;
