//! Writes a record as a line of the reader protocol. No owned [`Record`](crate::record::Record) is
//! created, because a single record can have a hundred thousand values.
//!
//! The line can be passed to the caller in parts. A trace may name a field once and use it many
//! times, so the line of a record may be thousands of times longer than the record's bytes in the
//! trace.

use tracegauge_plan::{MemberPlan, MemberSource};

use super::{Item, RecordView};
use crate::record::{write_hex, write_integer, write_name, write_utf8, write_value};

/// The minimum size, in bytes, of each part of a line that is passed to the caller, except for the
/// last part.
const PART: usize = 1 << 16;

/// A function that receives the parts of a line and removes the received bytes from the buffer.
type Receive<'r> = &'r mut dyn FnMut(&mut Vec<u8>);

impl RecordView<'_> {
    /// Appends the same text as [`crate::record::write_record`] for the result of
    /// [`Self::to_record`].
    pub fn write(&self, out: &mut Vec<u8>) {
        self.write_in_parts(out, &mut |_| {});
    }

    /// Appends the same text as [`Self::write`]. Whenever `out` holds more than 64 KiB, the
    /// contents are passed to `receive`, which may remove them from `out`. The last part remains in
    /// `out`.
    pub fn write_in_parts(&self, out: &mut Vec<u8>, receive: Receive<'_>) {
        out.extend_from_slice(b"{\"record\":");
        write_name(&self.record.kind, out);
        let mut starts = self.buffer.starts.iter().copied();
        self.write_members(&self.record.members, &mut starts, (out, receive), b",");
        out.push(b'}');
    }

    /// Writes the members that have a value, preceded by `before`. Returns `false` if no member has
    /// a value.
    fn write_members(
        &self,
        plans: &[MemberPlan],
        starts: &mut impl Iterator<Item = u32>,
        (out, receive): (&mut Vec<u8>, Receive<'_>),
        before: &[u8],
    ) -> bool {
        let mut any = false;
        for plan in plans {
            // Parts are passed on only while a value is written, so if this member has no value,
            // its name is still in `out`.
            let length = out.len();
            out.extend_from_slice(if any { b"," } else { before });
            write_name(&plan.name, out);
            out.push(b':');
            let present = match &plan.source {
                MemberSource::Value(..) | MemberSource::Named(..) => {
                    starts.next().is_some_and(|start| {
                        let at = &mut (start as usize);
                        let present = !self.is_absent(*at);
                        self.write_item(at, out, receive);
                        present
                    })
                }
                MemberSource::Object(inner) => {
                    let present = self.write_members(inner, starts, (out, receive), b"{");
                    out.push(b'}');
                    present
                }
            };
            if present {
                any = true;
            } else {
                out.truncate(length);
            }
        }
        any
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
            Item::Text { start, end }
            | Item::Guid { start, end }
            | Item::DateTime { start, end } => {
                write_utf8(self.buffer.slice(start, end), out);
            }
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
