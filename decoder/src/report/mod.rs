//! Records as the decoder builds them: one flat buffer, used again for each record.

mod buffer;
mod present;
mod view;

pub use buffer::{Item, RecordBuffer};
pub use view::RecordView;
