//! Writes a record as a line of the reader protocol. No owned [`Record`](crate::record::Record) is
//! created, because a single record can have a hundred thousand values.
//!
//! The line can be passed to the caller in parts. A trace may name a field once and use it many
//! times, so the line of a record may be thousands of times longer than the record's bytes in the
//! trace.

use std::slice;

use tracegauge_plan::{MemberPlan, MemberSource, RecordPlan};

use super::{Item, RecordView};
use crate::record::{write_hex, write_integer, write_name, write_quoted, write_utf8, write_value};

/// The minimum size, in bytes, of each part of a line that is passed to the caller, except for the
/// last part.
const PART: usize = 1 << 16;

/// The maximum size, in bytes, of the text of a value that is remembered.
const MOST_REMEMBERED: usize = 1 << 12;

/// A function that receives the parts of a line and removes the received bytes from the buffer.
type Receive<'r> = &'r mut dyn FnMut(&mut Vec<u8>);

/// Writes the records of one trace as lines. The writer remembers the text of names, and of values
/// that many records contain.
#[derive(Debug, Default)]
pub struct LineWriter {
    /// The names in each record, by the index of its plan.
    names: Vec<Option<Names>>,
    remembered: Remembered,
}

/// The text of a record that does not depend on its values.
#[derive(Debug)]
struct Names {
    /// The text before the members.
    kind: Vec<u8>,
    /// For each member, in the order in which members are written, a comma, the name and a colon.
    members: Vec<Box<[u8]>>,
}

impl Names {
    fn of(record: &RecordPlan) -> Self {
        let mut kind = b"{\"record\":".to_vec();
        write_name(&record.kind, &mut kind);
        let mut names = Self {
            kind,
            members: Vec::new(),
        };
        names.add(&record.members);
        names
    }

    fn add(&mut self, members: &[MemberPlan]) {
        for member in members {
            let mut name = b",".to_vec();
            write_name(&member.name, &mut name);
            name.push(b':');
            self.members.push(name.into());
            if let MemberSource::Object(inner) = &member.source {
                self.add(inner);
            }
        }
    }
}

/// The text of values that stand in the buffer of records.
#[derive(Debug, Default)]
struct Remembered {
    /// The number of what stands in the buffer.
    number: u64,
    /// For each item that stands, the start and end of the text of its name and value, which is empty
    /// if it is not known.
    ranges: Vec<(usize, usize)>,
    text: Vec<u8>,
}

impl Remembered {
    /// Forgets values that no longer stand.
    fn renew(&mut self, record: &RecordView<'_>) {
        let (number, items) = record.buffer.standing();
        if number != self.number {
            self.number = number;
            self.ranges.clear();
            self.text.clear();
        }
        if self.ranges.len() < items {
            self.ranges.resize(items, (0, 0));
        }
    }

    fn keep(&mut self, at: usize, text: &[u8]) {
        if text.len() <= MOST_REMEMBERED
            && let Some(range) = self.ranges.get_mut(at)
        {
            let start = self.text.len();
            self.text.extend_from_slice(text);
            *range = (start, self.text.len());
        }
    }
}

impl LineWriter {
    /// Appends the same text as [`crate::record::write_record`] for the result of
    /// [`RecordView::to_record`]. Whenever `out` holds more than 64 KiB, the contents are passed to
    /// `receive`, which may remove them from `out`. The last part remains in `out`.
    pub fn write(&mut self, record: &RecordView<'_>, out: &mut Vec<u8>, receive: Receive<'_>) {
        let index = record.index.index();
        if self.names.len() <= index {
            self.names.resize_with(index + 1, || None);
        }
        let names = self.names[index].get_or_insert_with(|| Names::of(record.record));
        self.remembered.renew(record);
        out.extend_from_slice(&names.kind);
        let mut line = Line {
            record,
            names: names.members.iter(),
            starts: record.buffer.starts.iter(),
            remembered: &mut self.remembered,
            owed: (0, 0),
        };
        line.write_members(&record.record.members, (out, receive), true);
        out.push(b'}');
    }
}

/// A line that is being written.
struct Line<'l> {
    record: &'l RecordView<'l>,
    /// The names of the members that follow.
    names: slice::Iter<'l, Box<[u8]>>,
    /// The first items of the members that follow.
    starts: slice::Iter<'l, u32>,
    remembered: &'l mut Remembered,
    /// The start and end of remembered text that must be written before anything else. The members of
    /// a row are often remembered together, and then copied together.
    owed: (usize, usize),
}

impl Line<'_> {
    /// Writes the members that have a value, and opens the object that contains them unless it is
    /// open. Returns `false` if no member has a value.
    fn write_members(
        &mut self,
        plans: &[MemberPlan],
        (out, receive): (&mut Vec<u8>, Receive<'_>),
        is_open: bool,
    ) -> bool {
        let mut any = false;
        for plan in plans {
            let name = self.names.next().map(|name| &**name).unwrap_or_default();
            let is_first = !any && !is_open;
            match &plan.source {
                MemberSource::Value(..) | MemberSource::Named(..) => {
                    let Some(start) = self.starts.next().map(|start| *start as usize) else {
                        continue;
                    };
                    if !self.record.is_absent(start) {
                        self.write_member((name, is_first), start, out, receive);
                        any = true;
                    }
                }
                MemberSource::Object(inner) => {
                    self.pay(out);
                    let length = out.len();
                    write_key(name, is_first, out);
                    if self.write_members(inner, (out, receive), false) {
                        out.push(b'}');
                        any = true;
                    } else {
                        // Parts are passed on only while a value is written, so the name is still
                        // there.
                        out.truncate(length);
                    }
                }
            }
        }
        self.pay(out);
        any
    }

    /// Writes a member with its name.
    fn write_member(
        &mut self,
        (name, is_first): (&[u8], bool),
        start: usize,
        out: &mut Vec<u8>,
        receive: Receive<'_>,
    ) {
        let known = self.remembered.ranges.get(start).copied();
        match known {
            Some((from, to)) if from < to && from == self.owed.1 && !is_first => self.owed.1 = to,
            Some((from, to)) if from < to => {
                self.pay(out);
                if is_first {
                    write_key(&self.remembered.text[from..to], true, out);
                } else {
                    self.owed = (from, to);
                }
            }
            _ => {
                self.pay(out);
                let (from, mut is_whole) = (out.len(), true);
                write_key(name, is_first, out);
                self.record.write_item(&mut { start }, out, &mut |part| {
                    is_whole = false;
                    receive(part);
                });
                if is_whole && !is_first && known.is_some() {
                    self.remembered.keep(start, &out[from..]);
                }
            }
        }
    }

    /// Writes the remembered text that is owed.
    fn pay(&mut self, out: &mut Vec<u8>) {
        let (from, to) = std::mem::take(&mut self.owed);
        if let Some(text) = self.remembered.text.get(from..to) {
            out.extend_from_slice(text);
        }
    }
}

/// Writes the name of a member with the comma in front of it. The first member follows a brace
/// instead.
fn write_key(name: &[u8], is_first: bool, out: &mut Vec<u8>) {
    let from = out.len();
    out.extend_from_slice(name);
    if is_first && let Some(comma) = out.get_mut(from) {
        *comma = b'{';
    }
}

impl RecordView<'_> {
    /// Appends a line for a single record. A [`LineWriter`] writes many records faster.
    pub fn write(&self, out: &mut Vec<u8>) {
        LineWriter::default().write(self, out, &mut |_| {});
    }

    fn is_absent(&self, at: usize) -> bool {
        matches!(self.buffer.items.get(at), None | Some(Item::Absent))
    }

    /// Writes the item at `at` and everything inside it, and advances `at` to the next item.
    fn write_item(&self, at: &mut usize, out: &mut Vec<u8>, receive: Receive<'_>) {
        match self.buffer.items.get(*at) {
            Some(Item::List(end)) => {
                *at += 1;
                self.write_list(at, *end, (out, receive), Self::write_item);
            }
            Some(Item::Pairs(end)) => {
                *at += 1;
                self.write_list(at, *end, (out, receive), Self::write_pair);
            }
            Some(Item::Object(end)) => {
                *at += 1;
                self.write_object(at, *end, out, receive);
            }
            Some(item) => self.write_scalar(*item, at, out),
            None => write_value(&self.value(at), out),
        }
    }

    /// Writes an item without other items inside it. The frequent kinds are written without a copy.
    fn write_scalar(&self, item: Item, at: &mut usize, out: &mut Vec<u8>) {
        match item {
            Item::Unsigned(value) => write_integer(value, out),
            Item::Signed(value) => write_integer(value, out),
            Item::Text { start, end } => write_utf8(self.buffer.slice(start, end), out),
            Item::Guid { start, end } | Item::DateTime { start, end } => {
                write_quoted(self.buffer.slice(start, end), out);
            }
            Item::Bool(true) => out.extend_from_slice(b"true"),
            Item::Bool(false) => out.extend_from_slice(b"false"),
            Item::IllFormed { start, end } | Item::Bytes { start, end } => {
                write_hex(self.buffer.slice(start, end), out);
            }
            Item::Name(name) => write_name(self.name(name), out),
            _ => return write_value(&self.value(at), out),
        }
        *at += 1;
    }

    /// Returns a name of the plan.
    pub(super) fn name(&self, name: u32) -> &str {
        self.plan
            .names
            .get(name as usize)
            .map_or("", String::as_str)
    }

    fn write_list(
        &self,
        at: &mut usize,
        end: u32,
        (out, receive): (&mut Vec<u8>, Receive<'_>),
        each: impl Fn(&Self, &mut usize, &mut Vec<u8>, Receive<'_>),
    ) {
        out.push(b'[');
        let first = *at;
        while *at < end as usize {
            if *at > first {
                out.push(b',');
            }
            each(self, at, out, receive);
            if out.len() >= PART {
                receive(out);
            }
        }
        out.push(b']');
    }

    fn write_pair(&self, at: &mut usize, out: &mut Vec<u8>, receive: Receive<'_>) {
        if let Some(Item::Code(..)) = self.buffer.items.get(*at) {
            *at += 1;
        }
        out.push(b'[');
        self.write_item(at, out, receive);
        out.push(b',');
        self.write_item(at, out, receive);
        out.push(b']');
    }

    fn write_object(&self, at: &mut usize, end: u32, out: &mut Vec<u8>, receive: Receive<'_>) {
        out.push(b'{');
        let mut any = false;
        while *at < end as usize {
            let name = *at;
            *at += 1;
            if self.is_absent(*at) {
                *at += 1;
                continue;
            }
            if any {
                out.push(b',');
            }
            any = true;
            self.write_item(&mut { name }, out, receive);
            out.push(b':');
            self.write_item(at, out, receive);
            if out.len() >= PART {
                receive(out);
            }
        }
        out.push(b'}');
    }
}
