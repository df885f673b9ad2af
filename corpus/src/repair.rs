//! Repairs a faulty trace that was not generated from a valid one. The repaired trace serves as the
//! twin of the faulty trace: if a reader accepts the twin and rejects the faulty trace, the fault
//! must be the reason.

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{Judgement, Span, decode_tree, judge};
use tracegauge_plan::Plan;

use crate::case::{Case, ExpectedVerdict};

/// The maximum length in bytes of a faulty value that is replaced during repair.
const WIDEST: usize = 8;

/// The maximum number of zeros appended to a trace that ends too early.
const ZEROS: usize = 64;

/// The maximum number of elements that the repair tries to remove, starting with the last.
const ELEMENTS: usize = 500;

/// Tries to make a faulty trace valid, and returns the first valid result or `None`. The function
/// first replaces the faulty value, then removes an element at or before the fault or everything
/// from that element on, and finally appends zeros.
///
/// ```
/// # use std::sync::Arc;
/// # use tracegauge_corpus::{formats::Formats, repair::repaired};
/// let formats = Formats::bundled(&["dial9-v1".to_owned()]).unwrap();
/// // A header, and a frame with an unknown tag.
/// assert_eq!(repaired(&formats.plans()[0], b"TRC\0\x01\xff").unwrap(), b"TRC\0\x01");
/// ```
pub fn repaired(plan: &Plan, bytes: &[u8]) -> Option<Vec<u8>> {
    let (verdict, tree) = decode_tree(plan, bytes);
    let span = verdict.violation()?.span;
    let taken = |candidate: &Vec<u8>| judge(plan, candidate).judgement == Judgement::Accepted;
    let without = without_elements(&tree, bytes, span);
    other_values(bytes, span)
        .chain(without)
        .chain(completed(bytes))
        .find(taken)
}

/// Returns the valid case among `cases` that differs least from `bytes`. All cases must have the
/// same format.
pub fn nearest<'c>(cases: &'c [Case], bytes: &[u8]) -> Option<&'c Case> {
    let valid = cases
        .iter()
        .filter(|case| case.expected.verdict == ExpectedVerdict::Accept);
    valid.min_by_key(|case| (differing(&case.bytes, bytes), case.bytes.len()))
}

/// Returns the length of the longer trace, excluding the prefix and suffix that the two traces
/// share.
fn differing(one: &[u8], other: &[u8]) -> usize {
    let same = |(left, right): &(&u8, &u8)| left == right;
    let shorter = one.len().min(other.len());
    let front = one.iter().zip(other).take_while(same).count();
    let back = one.iter().rev().zip(other.iter().rev());
    let back = back.take(shorter - front).take_while(same).count();
    one.len().max(other.len()) - front - back
}

fn ends(bytes: &[u8], span: Span) -> (usize, usize) {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let (start, end) = (place(span.start), place(span.end));
    (start, end.max(start))
}

fn other_values(bytes: &[u8], span: Span) -> impl Iterator<Item = Vec<u8>> {
    let (start, end) = ends(bytes, span);
    let width = end - start;
    let values = (1..=WIDEST).contains(&width).then_some(0..=255_u8);
    values.into_iter().flatten().flat_map(move |value| {
        [start, end - 1].map(|at| {
            let mut candidate = bytes.to_vec();
            candidate[start..end].fill(0);
            candidate[at] = value;
            candidate
        })
    })
}

fn without_elements(tree: &Tree, bytes: &[u8], span: Span) -> impl Iterator<Item = Vec<u8>> {
    let (fault, _) = ends(bytes, span);
    let around = tree.nodes.iter().rev().filter_map(move |node| {
        let (start, end) = ends(bytes, node.span);
        (0 < start && start <= fault).then_some((start, end))
    });
    around.take(ELEMENTS).flat_map(move |(start, end)| {
        let mut left_out = bytes[..start].to_vec();
        left_out.extend_from_slice(&bytes[end..]);
        [left_out, bytes[..start].to_vec()]
    })
}

fn completed(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (1..=ZEROS).map(|zeros| {
        let mut candidate = bytes.to_vec();
        candidate.resize(bytes.len() + zeros, 0);
        candidate
    })
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::differing;

    #[test]
    fn what_differs_stands_between_what_is_alike() {
        assert_eq!(differing(b"abcdef", b"abXYef"), 2);
        assert_eq!(differing(b"abef", b"abcdef"), 2);
        assert_eq!(differing(b"aaa", b"aa"), 1);
        assert_eq!(differing(b"", b"abc"), 3);
    }

    quickcheck! {
        fn only_equal_traces_do_not_differ(one: Vec<u8>, other: Vec<u8>) -> bool {
            (differing(&one, &other) == 0) == (one == other)
                && differing(&one, &other) == differing(&other, &one)
        }
    }
}
