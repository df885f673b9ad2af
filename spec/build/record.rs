//! Records the events of a YAML file. `src/yaml/recorded` describes and reads the recordings.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::kind::{FORM_BITS, Form, Kind};
use crate::position::Positions;

/// Returns the recording of the events in `text`. Returns `None` if the library must parse the text
/// itself, because of an error or because of something that recordings cannot express.
pub(crate) fn events(text: &str) -> Option<Vec<u8>> {
    let positions = Positions::new(text);
    let mut recording = Recording::default();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let range = positions.range(span.start.index()..span.end.index());
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) if documents == 0 => documents = 1,
            Event::Scalar(value, style, 0, None) => {
                recording.scalar(text, &value, style, &range)?;
            }
            Event::SequenceStart(0, None) => recording.event(Kind::Sequence, Form::Span, &range)?,
            Event::MappingStart(0, None) => recording.event(Kind::Mapping, Form::Span, &range)?,
            Event::SequenceEnd | Event::MappingEnd => {
                recording.event(Kind::End, Form::Span, &range)?;
            }
            _ => return None,
        }
    }
    Some(recording.bytes)
}

#[derive(Default)]
struct Recording {
    bytes: Vec<u8>,
    /// The start of the previous event.
    start: u32,
}

impl Recording {
    fn scalar(
        &mut self,
        text: &str,
        value: &str,
        style: ScalarStyle,
        range: &Range<u32>,
    ) -> Option<()> {
        let kind = match style {
            ScalarStyle::Plain => Kind::Plain,
            ScalarStyle::SingleQuoted => Kind::SingleQuoted,
            ScalarStyle::DoubleQuoted => Kind::DoubleQuoted,
            ScalarStyle::Literal | ScalarStyle::Folded => Kind::Block,
        };
        let span = text.get(range.start as usize..range.end as usize)?;
        let inside = span.get(1..span.len().saturating_sub(1));
        if span.trim_end() == value {
            self.event(kind, Form::Span, range)
        } else if inside == Some(value) {
            self.event(kind, Form::Inside, range)
        } else {
            self.event(kind, Form::Stored, range)?;
            self.number(u32::try_from(value.len()).ok()?);
            self.bytes.extend(value.as_bytes());
            Some(())
        }
    }

    fn event(&mut self, kind: Kind, form: Form, range: &Range<u32>) -> Option<()> {
        self.bytes.push((kind as u8) << FORM_BITS | form as u8);
        self.number(range.start.checked_sub(self.start)?);
        self.number(range.end.checked_sub(range.start)?);
        self.start = range.start;
        Some(())
    }

    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }
}
