//! Chooses strings and byte strings.

use tracegauge_decoder::text as encodings;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::{Encoding, FaultKind};
use tracegauge_plan::{CheckKind, Code, CodeId, Kind, OpId, Plan, TextPart};

use super::severity::strict;
use super::solve::is_field;
use crate::plain::{Answer, is_plain_text};
use crate::tape::Choices;

/// The constraints on the string or byte string of a field.
#[derive(Clone, Copy, Debug)]
pub struct TextRoom<'p> {
    /// The encoding, or `None` for byte strings.
    pub encoding: Option<Encoding>,
    /// Preferred strings.
    pub samples: &'p [String],
    /// The only allowed values, if tests restrict the field.
    pub only: Option<&'p [Vec<u8>]>,
    /// The maximum number of bytes.
    pub most: u64,
    /// The minimum number of bytes that a target requires. This minimum takes precedence over
    /// `most`.
    pub least: u64,
    /// Whether the value must not be empty.
    pub filled: bool,
    /// Whether the value must be a decimal number.
    pub decimal: bool,
    /// The plain answer of the field, if the value must be one that typical writers write.
    pub plain: Option<&'p Answer>,
}

/// Returns the constraints on the string or byte string of field `op`.
pub fn room(plan: &Plan, op: OpId, most: u64) -> TextRoom<'_> {
    let encoding = match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    };
    let empty = plan.faults[plan.op(op).faults].of(FaultKind::Empty);
    let filled = plan.op(op).checks.1 > 0 && empty.is_some_and(|rule| strict(plan, Some(rule)));
    TextRoom {
        encoding,
        samples: &plan.info(op).hints.texts,
        only: None,
        most,
        least: 0,
        filled,
        decimal: plan.tests_of(op).iter().any(|check| {
            let is_firm = strict(plan, check.rule) && check.condition.is_none();
            is_firm
                && matches!(check.kind, CheckKind::Holds(code) if requires_decimal(plan, op, code))
        }),
        plain: None,
    }
}

/// Returns whether a condition holds only if the value of a field is a decimal number.
fn requires_decimal(plan: &Plan, op: OpId, code: CodeId) -> bool {
    match plan.codes[code.index()] {
        Code::IsDecimal(text) | Code::OfText(TextPart::IsDecimal, text, _) => {
            is_field(plan, text, plan.op(op).slot)
        }
        Code::Binary(BinaryOperator::And, left, right) => {
            requires_decimal(plan, op, left) || requires_decimal(plan, op, right)
        }
        _ => false,
    }
}

/// Returns constraints that allow any byte string of at most `most` bytes.
pub fn bytes_up_to(most: u64) -> TextRoom<'static> {
    TextRoom {
        encoding: None,
        samples: &[],
        only: None,
        most,
        least: 0,
        filled: false,
        decimal: false,
        plain: None,
    }
}

/// The maximum value of the choice that selects a method of choosing a string. Renumbering the
/// methods would change the traces generated from all seeds.
const WAYS: u64 = 7;
/// Chooses a sample.
const SAMPLE: std::ops::RangeInclusive<u64> = 1..=4;
/// Chooses from all characters.
const ANY: u64 = 6;
/// Chooses raw bytes. Used for recorded traces whose bytes are not valid text.
const RAW: u64 = 7;

/// Chooses a string or byte string.
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
    if let (Some(answer), false) = (room.plain, odd) {
        return plain(choices, room, answer);
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
    if room.decimal && !odd && wanted.is_none() {
        return digits(choices, room);
    }
    characters(choices, room, encoding, (way, odd), text.as_deref())
}

/// The maximum number of digits of a decimal number, which may be the number of elements of a list.
const MOST_DIGITS: u64 = 3;

/// Chooses a decimal number.
fn digits<C: Choices>(choices: &mut C, room: TextRoom<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..=choices.choose(MOST_DIGITS - 1, None) {
        let digit = u8::try_from(choices.choose(9, None)).unwrap_or_default();
        let digit = encoded(room.encoding, char::from(b'0' + digit));
        if !bytes.is_empty() && (bytes.len() + digit.len()) as u64 > room.most {
            break;
        }
        bytes.extend_from_slice(&digit);
    }
    bytes
}

/// The number of characters in a plain string or of bytes in a plain byte string.
const PLAIN: std::ops::RangeInclusive<u64> = 3..=8;

/// Chooses a plain string or byte string: a value that the description lists as usual, or a few
/// letters.
fn plain<C: Choices>(choices: &mut C, room: TextRoom<'_>, answer: &Answer) -> Vec<u8> {
    let encode = |text: &String| encodings::encode(text, room.encoding?);
    let fits = |bytes: &Vec<u8>| bytes.len() as u64 <= room.most;
    let usual: Vec<Vec<u8>> = match answer {
        Answer::Texts(texts) => texts.iter().filter_map(encode).filter(fits).collect(),
        _ => {
            let samples = room.samples.iter().filter(|sample| is_plain_text(sample));
            samples.filter_map(encode).filter(fits).collect()
        }
    };
    if let Some(last) = (usual.len() as u64).checked_sub(1) {
        let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
        return usual.into_iter().nth(chosen).unwrap_or_default();
    }
    if room.decimal {
        return digits(choices, room);
    }
    let more = choices.choose(PLAIN.end() - PLAIN.start(), None);
    let mut bytes = Vec::new();
    for _ in 0..PLAIN.start() + more {
        let letter = u8::try_from(choices.choose(25, None)).unwrap_or_default();
        let letter = encoded(room.encoding, char::from(b'a' + letter));
        if (bytes.len() + letter.len()) as u64 > room.most {
            break;
        }
        bytes.extend_from_slice(&letter);
    }
    bytes
}

/// Chooses one of the values that the tests of a field allow. Returns `None` if the recorded trace
/// has a different value.
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

/// Chooses a string character by character, either from letters only or from all characters.
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
        // The limit applies to a chosen string, but not to a recorded one.
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

/// Appends a character and returns whether the encoding can represent it.
fn push(character: char, encoding: Encoding, bytes: &mut Vec<u8>) -> bool {
    let is_short = matches!(encoding, Encoding::Utf8 | Encoding::Ascii);
    if is_short && let Ok(byte @ ..0x80) = u8::try_from(u32::from(character)) {
        bytes.push(byte);
        return true;
    }
    let mut spelt = [0; 4];
    let text = &*character.encode_utf8(&mut spelt);
    // Avoid allocations for the most common encoding.
    if encoding == Encoding::Utf8 {
        bytes.extend_from_slice(text.as_bytes());
        return true;
    }
    let more = encodings::encode(text, encoding);
    bytes.extend(more.iter().flatten());
    more.is_some()
}

/// Chooses any character, preferring those with short encodings.
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

/// Encodes a character. Returns a single space if there is no encoding or the encoding cannot
/// represent the character.
pub fn encoded(encoding: Option<Encoding>, character: char) -> Vec<u8> {
    let text = character.to_string();
    let encoded = encoding.and_then(|encoding| encodings::encode(&text, encoding));
    encoded.unwrap_or_else(|| vec![b' '])
}

/// Appends letters until a string has at least `least` bytes.
pub fn fill(bytes: &mut Vec<u8>, encoding: Option<Encoding>, least: u64) {
    if bytes.len() as u64 >= least {
        return;
    }
    let letter = encoded(encoding, 'a');
    while (bytes.len() as u64) < least {
        bytes.extend_from_slice(&letter);
    }
}

/// Chooses raw bytes.
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

/// Chooses the number of characters or bytes. Each character or byte consumes part of the tape (the
/// sequence of choices). The number is limited to the bytes left on the tape, because a mutated
/// tape may request gigabytes. A tape that was recorded from a trace needs no other limit, because
/// it contains the choices for every character that it requests.
fn recorded_length<C: Choices>(choices: &mut C, odd: bool, wanted: Option<u64>) -> u64 {
    let length = length(choices, odd, wanted);
    match choices.left() {
        Some(left) if odd => length.min(left),
        _ => length,
    }
}

/// The upper bound of most chosen lengths.
const SHORT: u64 = 24;

/// Chooses a number of elements, characters or bytes, which is usually small and occasionally
/// large. `odd` removes the limit.
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
    // Long strings are rare anyway, and lengths of gigabytes would only take time.
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
        // The byte 255 selects a long string, and 33 bits a length of gigabytes, which the rest of
        // the tape limits.
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
