//! Choosing texts and bytes.

use tracegauge_decoder::text as encodings;
use tracegauge_spec::plan::{Kind, OpId, Plan};
use tracegauge_spec::schema::{Encoding, FaultKind};

use super::index::strict;
use crate::tape::Choices;

/// What texts a field may have.
#[derive(Clone, Copy, Debug)]
pub struct TextRoom<'p> {
    /// The encoding; none for bytes.
    pub encoding: Option<Encoding>,
    /// Texts to prefer.
    pub samples: &'p [String],
    /// Only these, where tests say so.
    pub only: Option<&'p [Vec<u8>]>,
    /// Most bytes.
    pub most: u64,
    /// So many bytes are aimed at, whatever is most.
    pub least: u64,
    /// It must not be empty.
    pub filled: bool,
}

/// What texts field `op` may have.
pub fn room(plan: &Plan, op: OpId, most: u64) -> TextRoom<'_> {
    let encoding = match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    };
    let empty = plan.faults[plan.op(op).faults as usize].of(FaultKind::Empty);
    let filled = plan.op(op).checks.1 > 0 && empty.is_some_and(|rule| strict(plan, Some(rule)));
    TextRoom {
        encoding,
        samples: &plan.info(op).hints.texts,
        only: None,
        most,
        least: 0,
        filled,
    }
}

/// At most so many bytes, whatever they are.
pub fn bytes_up_to(most: u64) -> TextRoom<'static> {
    TextRoom {
        encoding: None,
        samples: &[],
        only: None,
        most,
        least: 0,
        filled: false,
    }
}

/// How a text is chosen. The order is part of what a tape means.
const WAYS: u64 = 7;
/// One of the samples.
const SAMPLE: std::ops::RangeInclusive<u64> = 1..=4;
/// Characters from everywhere.
const ANY: u64 = 6;
/// As bytes: what a recorded trace has that is no text.
const RAW: u64 = 7;

/// Chooses a text or bytes.
pub fn choose<C: Choices>(
    choices: &mut C,
    room: TextRoom<'_>,
    odd: bool,
    wanted: Option<&[u8]>,
) -> Vec<u8> {
    if let Some(only) = room.only
        && let Some(bytes) = listed(choices, only, odd, wanted)
    {
        return bytes;
    }
    let Some(encoding) = room.encoding else {
        return raw(choices, room, odd, wanted);
    };
    let text = wanted.and_then(|wanted| encodings::decode(wanted, encoding));
    let way = choices.choose(WAYS, wanted.map(|_| if text.is_some() { ANY } else { RAW }));
    match way {
        RAW if odd => return raw(choices, room, odd, wanted),
        way if SAMPLE.contains(&way) && !room.samples.is_empty() => {
            let chosen = choices.choose(room.samples.len() as u64 - 1, None);
            let sample = room
                .samples
                .get(usize::try_from(chosen).unwrap_or_default());
            let bytes = sample.and_then(|sample| encodings::encode(sample, encoding));
            let fits = |bytes: &Vec<u8>| {
                bytes.len() as u64 <= room.most && !(room.filled && bytes.is_empty())
            };
            if let Some(bytes) = bytes.filter(fits) {
                return bytes;
            }
        }
        _ => {}
    }
    characters(choices, room, encoding, (way, odd), text.as_deref())
}

/// One of those that the tests of a field allow; none where a recorded trace has another.
fn listed<C: Choices>(
    choices: &mut C,
    only: &[Vec<u8>],
    odd: bool,
    wanted: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let place = wanted.map(|wanted| only.iter().position(|known| known == wanted));
    if odd && choices.choose(1, place.map(|place| u64::from(place.is_none()))) == 1 {
        return None;
    }
    let last = (only.len() as u64).checked_sub(1)?;
    let chosen = choices.choose(last, place.flatten().map(|place| place as u64));
    only.get(usize::try_from(chosen).unwrap_or_default())
        .cloned()
}

/// Character by character: letters, or from everywhere.
fn characters<C: Choices>(
    choices: &mut C,
    room: TextRoom<'_>,
    encoding: Encoding,
    (way, odd): (u64, bool),
    wanted: Option<&str>,
) -> Vec<u8> {
    let count = recorded_length(choices, odd, wanted.map(|text| text.chars().count() as u64));
    let count = count.max(u64::from(room.filled));
    let mut bytes =
        Vec::with_capacity(usize::try_from(count.min(room.most).min(4096)).unwrap_or(0));
    let mut next = wanted.map(str::chars);
    for _ in 0..count {
        let wanted = next.as_mut().and_then(Iterator::next);
        let character = if way == ANY {
            anywhere(choices, wanted)
        } else {
            let letter = choices.choose(25, None);
            char::from(b'a' + u8::try_from(letter).unwrap_or_default())
        };
        let before = bytes.len();
        if !push(character, encoding, &mut bytes) {
            continue;
        }
        // A recorded text is as long as it is; a chosen one stops at the room's end.
        if bytes.len() as u64 > room.most {
            bytes.truncate(before);
            break;
        }
    }
    if room.filled && bytes.is_empty() {
        bytes = encoded(Some(encoding), 'a');
    }
    bytes
}

/// Appends a character, where the encoding has a way to write it.
fn push(character: char, encoding: Encoding, bytes: &mut Vec<u8>) -> bool {
    let mut spelt = [0; 4];
    let text = &*character.encode_utf8(&mut spelt);
    // The usual encodings need no memory of their own.
    if encoding == Encoding::Utf8 || (encoding == Encoding::Ascii && character.is_ascii()) {
        bytes.extend_from_slice(text.as_bytes());
        return true;
    }
    let more = encodings::encode(text, encoding);
    bytes.extend(more.iter().flatten());
    more.is_some()
}

/// Any character: mostly of few bytes.
fn anywhere<C: Choices>(choices: &mut C, wanted: Option<char>) -> char {
    const GREATEST: u32 = 0x10_ffff - 0x800;
    let number = wanted.map(|character| {
        let number = u32::from(character);
        if number > 0xdfff {
            number - 0x800
        } else {
            number
        }
    });
    let class = number.map(|number| match number {
        0..0x80 => 0,
        0x80..0x800 => 1,
        0x800..0xf800 => 2,
        _ => 3,
    });
    let (low, high) = match choices.choose(3, class) {
        0 => (0, 0x7f),
        1 => (0x80, 0x7ff),
        2 => (0x800, 0xf7ff),
        _ => (0xf800, GREATEST),
    };
    let offset = number.map(|number| u64::from(number.saturating_sub(low)));
    let chosen = low + u32::try_from(choices.choose(u64::from(high - low), offset)).unwrap_or(0);
    let chosen = if chosen >= 0xd800 {
        chosen + 0x800
    } else {
        chosen
    };
    char::from_u32(chosen).unwrap_or('?')
}

/// A character in an encoding; one byte where there is none.
pub fn encoded(encoding: Option<Encoding>, character: char) -> Vec<u8> {
    let text = character.to_string();
    let encoded = encoding.and_then(|encoding| encodings::encode(&text, encoding));
    encoded.unwrap_or_else(|| vec![b' '])
}

/// Puts letters after a text that is to have so many bytes at least.
pub fn fill(bytes: &mut Vec<u8>, encoding: Option<Encoding>, least: u64) {
    let letter = encoded(encoding, 'a');
    while (bytes.len() as u64) < least {
        bytes.extend_from_slice(&letter);
    }
}

/// Bytes without a meaning.
pub fn raw<C: Choices>(
    choices: &mut C,
    room: TextRoom<'_>,
    odd: bool,
    wanted: Option<&[u8]>,
) -> Vec<u8> {
    let count = recorded_length(choices, odd, wanted.map(|wanted| wanted.len() as u64));
    let count = count.max(u64::from(room.filled)).min(room.most);
    let byte = |choices: &mut C, at: u64| {
        let wanted = wanted
            .and_then(|w| w.get(usize::try_from(at).ok()?))
            .map(|b| u64::from(*b));
        u8::try_from(choices.choose(255, wanted)).unwrap_or_default()
    };
    (0..count).map(|at| byte(choices, at)).collect()
}

/// The number of characters or bytes, each of which takes a part of the tape: a tape that was
/// changed may ask for gigabytes, but a recorded one has all that it asks for.
fn recorded_length<C: Choices>(choices: &mut C, odd: bool, wanted: Option<u64>) -> u64 {
    let length = length(choices, odd, wanted);
    match choices.left() {
        Some(left) if odd => length.min(left),
        _ => length,
    }
}

/// Most lengths that are chosen are below this.
const SHORT: u64 = 24;

/// The number of elements, characters or bytes: mostly few, now and then many; `odd` lifts
/// the cap on how many.
pub fn length<C: Choices>(choices: &mut C, odd: bool, wanted: Option<u64>) -> u64 {
    let first = choices.choose(
        255,
        wanted.map(|wanted| if wanted < SHORT { wanted } else { 255 }),
    );
    if first < 255 {
        return first % SHORT;
    }
    let bits = choices.choose(
        33,
        wanted.map(|wanted| u64::from(64 - wanted.leading_zeros())),
    );
    // Long texts are rare already; lengths of gigabytes would be nothing but a wait.
    let bits = if odd { bits } else { bits % 12 };
    if bits == 0 {
        return 0;
    }
    let top = 1_u64 << (bits - 1);
    top + choices.choose(top - 1, wanted.map(|wanted| wanted.wrapping_sub(top)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::{Player, Recorder, Tape};

    #[test]
    fn a_changed_tape_has_no_endless_text_and_a_recorded_one_all_of_it() {
        // 255: long; 33 bits: gigabytes; then what is left of the tape.
        let tape = Tape::new([255, 33, 0, 0, 0, 0, 1, 2, 3]);
        let made = raw(&mut Player::new(&tape), bytes_up_to(u64::MAX), true, None);
        assert!(made.len() < 10, "{}", made.len());
        let long = vec![7; 100_000];
        let mut recorder = Recorder::default();
        raw(&mut recorder, bytes_up_to(u64::MAX), true, Some(&long));
        let tape = Tape::new(recorder.bytes);
        let made = raw(&mut Player::new(&tape), bytes_up_to(u64::MAX), true, None);
        assert_eq!(made, long);
    }
}
