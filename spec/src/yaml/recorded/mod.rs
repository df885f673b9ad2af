//! Recordings of the events of YAML files, which the build script makes of the bundled
//! descriptions. Replaying a recording takes a fraction of the time of parsing the text.
//!
//! An event is a byte with its kind and the form of its text, the distance of its start from the
//! start of the previous event, and its length; then, unless the value of a scalar is a part of the
//! text, its length and bytes. Numbers are encoded as unsigned LEB128. A file with anchors, aliases,
//! tags, errors or several documents has no recording.

mod kind;

use std::borrow::Cow;
use std::ops::Range;

use tracegauge_plan::codec;

use self::kind::{FORM_BITS, Form, Kind};
use super::Style;
use super::event::Event;

/// The events of a YAML file, recorded when the library was built.
#[derive(Clone, Copy, Debug)]
pub struct Recorded(&'static [u8]);

impl Recorded {
    /// Creates a recording from what the build script wrote. Returns `None` if the script could not
    /// record the file.
    pub(crate) fn new(bytes: &'static [u8]) -> Option<Self> {
        (!bytes.is_empty()).then_some(Self(bytes))
    }
}

/// The kinds of events, in the order of their numbers.
const KINDS: [Kind; 7] = [
    Kind::Plain,
    Kind::SingleQuoted,
    Kind::DoubleQuoted,
    Kind::Block,
    Kind::Sequence,
    Kind::Mapping,
    Kind::End,
];

/// The forms of values, in the order of their numbers.
const FORMS: [Form; 3] = [Form::Span, Form::Inside, Form::Stored];

/// An iterator over the events of a recording and their locations in the text.
pub(super) struct Replay<'t> {
    text: &'t str,
    rest: &'static [u8],
    start: u32,
}

impl<'t> Replay<'t> {
    /// Creates an iterator over the events that were recorded for `text`.
    pub(super) fn new(text: &'t str, recorded: Recorded) -> Self {
        Self {
            text,
            rest: recorded.0,
            start: 0,
        }
    }

    /// Skips the events of the next node.
    pub(super) fn skip_node(&mut self) {
        let mut depth = 0_usize;
        for (event, _) in self {
            match event {
                Event::Sequence { .. } | Event::Mapping { .. } => depth += 1,
                Event::End => depth = depth.saturating_sub(1),
                Event::Document | Event::Alias { .. } | Event::Scalar { .. } => {}
            }
            if depth == 0 {
                break;
            }
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let (number, length) = codec::groups(self.rest, u64::MAX)?;
        self.rest = self.rest.get(usize::from(length)..)?;
        u32::try_from(number).ok()
    }

    /// Returns the value of a scalar.
    fn value(&mut self, form: Form, range: &Range<u32>) -> Option<Cow<'t, str>> {
        let range = range.start as usize..range.end as usize;
        match form {
            Form::Span => Some(Cow::Borrowed(self.text.get(range)?.trim_end())),
            Form::Inside => {
                let inside = range.start + 1..range.end.checked_sub(1)?;
                self.text.get(inside).map(Cow::Borrowed)
            }
            Form::Stored => {
                let length = self.number()? as usize;
                let (value, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                std::str::from_utf8(value).ok().map(Cow::Borrowed)
            }
        }
    }
}

impl<'t> Iterator for Replay<'t> {
    type Item = (Event<'t>, Range<u32>);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.byte()?;
        let start = self.start.checked_add(self.number()?)?;
        let range = start..start.checked_add(self.number()?)?;
        self.start = start;
        let kind = KINDS.get(usize::from(first >> FORM_BITS))?;
        let form = FORMS.get(usize::from(first & ((1 << FORM_BITS) - 1)))?;
        let (anchor, is_tagged) = (0, false);
        let event = match kind {
            Kind::Sequence => Event::Sequence { anchor, is_tagged },
            Kind::Mapping => Event::Mapping { anchor, is_tagged },
            Kind::End => Event::End,
            scalar => Event::Scalar {
                value: self.value(*form, &range)?,
                style: match scalar {
                    Kind::SingleQuoted => Style::SingleQuoted,
                    Kind::DoubleQuoted => Style::DoubleQuoted,
                    Kind::Block => Style::Block,
                    _ => Style::Plain,
                },
                anchor,
                is_tagged,
            },
        };
        Some((event, range))
    }
}
