//! Sizes and counts that differ from the actual size or count.

mod claim;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Count, Derived, Extent, Kind, Measure, OpId, Plan, flags};

use super::{Plant, Words, changes};
use crate::fault::apply::Attack;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::twin::Twin;

changes! {
    /// Wrong sizes and counts.
    pub enum ExtentChange {
        OneLess = "one-less": "A size or count is one too small",
        OneMore = "one-more": "A size or count is one too large",
        Zero = "claims-none": "A size or count is zero although data follows",
        ToEnd = "claims-to-end": "A size or count extends to the end of the enclosing part",
        PastEnd = "claims-past-end":
            "A size or count extends one byte or element past the end of the enclosing part",
        Greatest = "claims-most": "A size or count is the largest that can be encoded",
        Wraps = "claims-wraps": "A size or count is correct only after truncation to fewer bits",
        Negative = "claims-negative": "A size or count is negative",
    }
}

impl Plant for ExtentChange {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let derived = &finder.plan.info(id).derived;
        if !matches!(derived, Some(Derived::Measured { .. })) || finder.early.is_read(id) {
            return;
        }
        let changes = [
            Self::OneLess,
            Self::OneMore,
            Self::Zero,
            Self::ToEnd,
            Self::PastEnd,
            Self::Greatest,
            Self::Wraps,
            Self::Negative,
        ];
        for change in changes {
            finder.add_undetermined(id, change);
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        claim::plant(twin, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        reasons.extent(site.op, *self)
    }

    fn is_minor(&self, _: &Plan, _: &Site) -> bool {
        matches!(self, Self::Greatest | Self::Wraps | Self::ToEnd)
    }

    fn is_followed(&self, twin: &Twin<'_>, node: NodeId) -> bool {
        !matches!(self, Self::OneMore | Self::PastEnd) || claim::is_followed(twin, node)
    }
}

impl Reasons<'_> {
    /// Returns the reason why nothing contradicts a wrong size or count.
    fn extent(&self, field: OpId, change: ExtentChange) -> Option<Infeasibility> {
        use ExtentChange as E;
        let derived = self.plan.info(field).derived.as_ref()?;
        let Derived::Measured { of, measure, scale } = *derived else {
            return None;
        };
        if !self.decides(field, of, measure) {
            return Some(Infeasibility::DecidesNothing);
        }
        if let Some((least, greatest)) = self.range(field) {
            let amount = match change {
                E::Wraps => {
                    let wrap = number::wrap(&self.plan.op(field).kind);
                    let fits = wrap.is_some_and(|wrap| {
                        least.max(scale.add) + wrap <= greatest && wrap % scale.factor == 0
                    });
                    return (!fits).then_some(Infeasibility::OutOfRange);
                }
                E::Negative => scale.below_zero(),
                E::Greatest => scale.measure(greatest),
                E::Zero => Some(0),
                _ => None,
            };
            if let Some(amount) = amount {
                let value = scale.value(amount)?;
                let negative = change == E::Negative;
                if scale.up(amount) != Some(amount)
                    || !(least..=greatest).contains(&value)
                    || (amount < 0) != negative
                {
                    return Some(Infeasibility::OutOfRange);
                }
                if let Some(stopped) = self.stopped(field, value, usize::MAX) {
                    return Some(stopped);
                }
            }
        }
        match change {
            E::ToEnd | E::PastEnd if measure == Measure::Count => {
                self.has_no_width(of).then_some(Infeasibility::NoWidth)
            }
            E::OneLess | E::Zero => {
                let is_part = matches!(self.plan.op(of).kind, Kind::Sized(_));
                if is_part || self.is_tested_next(of) {
                    return None;
                }
                let alone = !self.around[of.index()].part;
                alone
                    .then_some(Infeasibility::NoPart)
                    .or_else(|| self.goes_on(of))
            }
            _ => None,
        }
    }

    /// Returns whether the field controls how many bytes or elements of `of` are read.
    fn decides(&self, field: OpId, of: OpId, measure: Measure) -> bool {
        let computed = match self.plan.op(of).kind {
            Kind::Sized(extent) | Kind::Bytes(extent) | Kind::Text(extent, _) => {
                measure == Measure::Size && matches!(extent, Extent::Computed(_))
            }
            Kind::Repeat(index) => {
                let count = self.plan.repeats[index].count;
                measure == Measure::Count && matches!(count, Count::Computed(_))
            }
            _ => false,
        };
        computed && self.slots.steers(self.plan, field)
    }

    /// Returns whether a test directly follows `of`. Such a test may require that no bytes are
    /// left.
    fn is_tested_next(&self, of: OpId) -> bool {
        let Some(around) = self.plan.info(of).parent else {
            return false;
        };
        let mut after = self.plan.children(around);
        let next = after.find(|child| *child > of);
        next.is_some_and(|next| matches!(self.plan.op(next).kind, Kind::Check))
    }

    /// Returns whether every element of the list consists of several values or of one value without
    /// a fixed width.
    fn has_no_width(&self, list: OpId) -> bool {
        let mut inside = self.plan.children(list);
        let all = inside.all(|element| self.is_wide(element));
        all && self.plan.children(list).next().is_some()
    }

    fn is_wide(&self, element: OpId) -> bool {
        let op = self.plan.op(element);
        let tested = flags::CHECKS | flags::REFS | flags::CARRY | flags::GUARD;
        match op.kind {
            Kind::Integer(_) | Kind::Float { .. } | Kind::Guid(_) => op.flags & tested != 0,
            Kind::Structure => {
                let always = self.plan.children(element).filter(|child| {
                    let child = self.plan.op(*child);
                    let reads = !matches!(child.kind, Kind::Check | Kind::Bind(_));
                    reads && child.flags & flags::GUARD == 0
                });
                let all: Vec<OpId> = self.plan.children(element).collect();
                always.count() > 1 || !all.is_empty() && all.iter().all(|one| self.is_wide(*one))
            }
            Kind::Switch(_) => self.plan.children(element).all(|arm| self.is_wide(arm)),
            Kind::Variable(..)
            | Kind::Bytes(_)
            | Kind::Text(..)
            | Kind::Terminated(_)
            | Kind::Contents(_)
            | Kind::BitRun { .. } => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExtentChange;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_size_is_wrong() {
        let cases = planted::<ExtentChange>(
            r#"seq: [ { id: n, type: u1, value: part._sizeof }, { id: part, size: n } ]"#,
            "020505",
        );
        assert_eq!(
            cases,
            ["R/one-more/n 030505 @1", "R/claims-most/n ff0505 @1"]
        );
    }
}
