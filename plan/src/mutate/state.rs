//! Bugs in tables and registers: state is never cleared, cleared too often, set under the wrong
//! key, or not looked up.

use super::Collector;
use super::roots::{Stored, set_is_read};
use super::words::{Operator, operators};
use crate::operator::BinaryOperator;
use crate::terms::{Keeps, RegisterId, RuleId, TableId};
use crate::{
    AgainPlan, ClearPlan, Code, DefinePlan, EffectsId, Kind, OpId, Plan, RefsId, RepeatId,
    SetTargetPlan, flags,
};

/// The operators for tables and registers.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "unknown-row-refused" =>
        "rejects a reference to a missing row of the table `{}` even where rows may be missing",
    "unknown-row-taken" => "accepts a reference to a missing row of the table `{}`",
    "row-wanted-before" => "requires the row of the table `{}` to precede the reference",
    "always-a-row" => "looks up a row of the table `{}` even if the field refers to none",
    "none-forgotten" => "treats the null key as a reference to a row of the table `{}`",
    "other-table" => "looks up the row in the wrong table, `{}`",
    "row-not-defined" => "does not store the row in the table `{}`",
    "row-always-defined" => "stores a row in the table `{}` even if the trace does not define one",
    "rows-not-compared" =>
        "accepts two rows of the table `{}` with the same value although the values must differ",
    "kind-of-row-forgotten" => "does not store which kind of data a table row describes",
    "column-not-kept" => "does not store `{}`",
    "other-row-kept" =>
        "keeps the wrong one of two rows of the table `{}` with the same key: the second instead of the first, or vice versa",
    "same-row-refused" =>
        "rejects the redefinition of a row of the table `{}` with the same contents",
    "other-row-refused" =>
        "rejects the redefinition of a row of the table `{}` with different contents",
    "same-row-taken-again" =>
        "accepts the redefinition of a row of the table `{}` with the same contents",
    "other-row-taken" =>
        "accepts the redefinition of a row of the table `{}` with different contents",
    "same-row-as-other" =>
        "treats an unchanged row of the table `{}` as changed when the row is defined again",
    "other-row-as-same" => "treats a changed row of the table `{}` as unchanged",
    "alike-row-as-other" =>
        "treats a row of the table `{}` as changed although the compared fields are unchanged",
    "row-not-removed" => "does not remove a row of the table `{}`",
    "no-row-removed" => "accepts the removal of a nonexistent row from the table `{}`",
    "never-cleared" => "never clears `{}`",
    "always-cleared" => "clears stored rows (`{}`) even where they must be kept",
    "all-cleared" => "clears all tables instead of only the table `{}`",
    "cleared-too-often" => "clears the table `{}` with each element of a list",
    "not-set" => "does not store a value that is needed later",
    "counted-instead" => "counts instead of storing the value in `{}`",
    "never-lowered" => "keeps the value of `{}` if the new value is smaller",
    "always-set" => "stores a value even if the value must not be stored",
    "starts-empty" => "starts without the initial value that the format specifies",
    "starts-one-more" => "starts with an incorrect initial value",
    "first-row-forgotten" => "does not create a predefined row of a table",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        if out.plan.op(id).flags & flags::REFS != 0
            && let Some(refs) = out.plan.info(id).refs
        {
            let known = &out.plan.refs[refs];
            let rule = known.dangling.or(known.later);
            out.under(rule, |out| references(out, id, refs));
        }
        if let Some(effects) = out.plan.info(id).effects {
            let known = &out.plan.effects[effects];
            if let Some(define) = known.defines.clone() {
                defines(out, id, Site::End(effects), &define);
                clears_too_often(out, id, define.table);
            }
            let rule = out.plan.effects[effects].removes.as_ref();
            let rule = rule.and_then(|removes| removes.rule.or(removes.dangling));
            out.under(rule, |out| removes(out, id, effects));
            clears(out, id, effects);
            sets(out, id, effects);
        }
        if let Kind::Repeat(repeat) = out.plan.op(id).kind
            && let Some(define) = out.plan.repeats[repeat].defines.clone()
        {
            defines(out, id, Site::List(repeat), &define);
            clears_too_often(out, id, define.table);
        }
    }
    registers(out);
    rows_before(out);
}

/// The part of the plan that defines a row.
#[derive(Clone, Copy, Debug)]
enum Site {
    /// The effects at the end of a structure.
    End(EffectsId),
    /// A list whose elements are rows.
    List(RepeatId),
}

impl Site {
    fn with(self, plan: &mut Plan, change: impl FnOnce(&mut DefinePlan)) {
        match self {
            Self::End(effects) => plan.effects[effects].defines.as_mut().map(change),
            Self::List(repeat) => plan.repeats[repeat].defines.as_deref_mut().map(change),
        };
    }
}

fn references(out: &mut Collector<'_>, id: OpId, refs: RefsId) {
    let known = out.plan.refs[refs].clone();
    let table = out.plan.tables[known.table].name.clone();
    if out.plan.accepts(known.dangling) {
        out.add("unknown-row-refused", id, &table, move |plan: &mut Plan| {
            let rule = plan.strict_rule();
            plan.refs[refs].dangling = Some(rule);
        });
    }
    if known.dangling.is_some() && out.plan.rejects(known.dangling) {
        out.add("unknown-row-taken", id, &table, move |plan: &mut Plan| {
            let rule = plan.tolerant_rule();
            let refs = &mut plan.refs[refs];
            refs.dangling = Some(rule);
            refs.later = None;
        });
    }
    let later = out.plan.accepts(known.later);
    if later && out.plan.rejects(known.dangling) {
        out.add("row-wanted-before", id, &table, move |plan: &mut Plan| {
            plan.refs[refs].later = None;
        });
    }
    if known.condition.is_some() {
        out.add("always-a-row", id, &table, move |plan: &mut Plan| {
            plan.refs[refs].condition = None;
        });
    }
    if known.none.is_some() {
        out.add("none-forgotten", id, &table, move |plan: &mut Plan| {
            plan.refs[refs].none = None;
        });
    }
    // If an unknown key is not a fault and the row is not used, it does not matter in which table
    // the key is looked up.
    let row = known.row_slot.is_some_and(|slot| out.live.has_slot(slot));
    if !row && !out.plan.rejects(known.dangling) {
        return;
    }
    for (other, described) in out.plan.tables.entries() {
        if other != known.table {
            let name = described.name.clone();
            out.add("other-table", id, name, move |plan: &mut Plan| {
                plan.refs[refs].table = other;
            });
        }
    }
}

fn defines(out: &mut Collector<'_>, id: OpId, site: Site, known: &DefinePlan) {
    let table = out.plan.tables[known.table].name.clone();
    out.add("row-not-defined", id, &table, move |plan: &mut Plan| {
        let never = plan.new_code(Code::Bool(false));
        site.with(plan, |define| define.condition = Some(never));
    });
    if known.condition.is_some() {
        out.add("row-always-defined", id, &table, move |plan: &mut Plan| {
            site.with(plan, |define| define.condition = None);
        });
    }
    if let Some(again) = &known.again {
        defined_again(out, id, site, &table, again);
    }
    for (number, unique) in known.unique.iter().enumerate() {
        if !out.plan.rejects(unique.rule) {
            continue;
        }
        out.under(unique.rule, |out| {
            out.add("rows-not-compared", id, &table, move |plan: &mut Plan| {
                site.with(plan, |define| {
                    define.unique.remove(number);
                });
            });
        });
    }
    for number in 0..known.kinds.len() {
        out.add(
            "kind-of-row-forgotten",
            id,
            number,
            move |plan: &mut Plan| {
                site.with(plan, |define| {
                    define.kinds.remove(number);
                });
            },
        );
    }
    for (kept, column) in out.plan.tables[known.table].columns.entries() {
        if !out.live.has_column(known.table, kept) {
            continue;
        }
        let name = format!("{table}.{}", column.path);
        out.add("column-not-kept", id, name, move |plan: &mut Plan| {
            let absent = plan.new_code(Code::Absent);
            site.with(plan, |define| {
                if let Some(column) = define.columns.get_mut(kept) {
                    *column = absent;
                }
            });
        });
    }
}

/// A change to how a second definition of a row is handled. The first id belongs to a rule whose
/// violations are tolerated, and the second to a rule that is enforced.
type Redefine = fn(&mut AgainPlan, RuleId, RuleId);

fn defined_again(out: &mut Collector<'_>, id: OpId, site: Site, table: &str, again: &AgainPlan) {
    let change = |out: &mut Collector<'_>, operator, rule, change: Redefine| {
        out.under(rule, |out| {
            out.add(operator, id, table, move |plan: &mut Plan| {
                let (tolerant, strict) = (plan.tolerant_rule(), plan.strict_rule());
                site.with(plan, |define| {
                    if let Some(again) = &mut define.again {
                        change(again, tolerant, strict);
                    }
                });
            });
        });
    };
    let plan = out.plan;
    let rejects = |rule: Option<RuleId>| rule.is_some() && plan.rejects(rule);
    let alike = again.alike.as_ref().map(|(_, rule)| *rule);
    let mut taken = [again.other].into_iter().chain(alike);
    if taken.any(|rule| rule.is_none() || plan.accepts(rule)) {
        change(out, "other-row-kept", again.other, |again, _, _| {
            again.keeps = match again.keeps {
                Keeps::First => Keeps::Last,
                Keeps::Last => Keeps::First,
            };
        });
    }
    if plan.accepts(again.same) {
        change(out, "same-row-refused", again.same, |again, _, strict| {
            again.same = Some(strict);
        });
    }
    if plan.accepts(again.other) {
        change(out, "other-row-refused", again.other, |again, _, strict| {
            again.other = Some(strict);
        });
    }
    if rejects(again.same) {
        change(out, "same-row-taken-again", again.same, |again, rule, _| {
            again.same = Some(rule);
        });
    }
    if rejects(again.other) {
        change(out, "other-row-taken", again.other, |again, rule, _| {
            again.other = Some(rule);
        });
    }
    if rejects(again.same) != rejects(again.other) {
        change(out, "same-row-as-other", again.same, |again, _, _| {
            again.same = again.other
        });
        change(out, "other-row-as-same", again.other, |again, _, _| {
            again.other = again.same
        });
    }
    if alike.is_some_and(|rule| rejects(rule) != rejects(again.other)) {
        change(out, "alike-row-as-other", alike.flatten(), |again, _, _| {
            again.alike = None
        });
    }
}

fn removes(out: &mut Collector<'_>, id: OpId, effects: EffectsId) {
    let Some(known) = out.plan.effects[effects].removes.clone() else {
        return;
    };
    let table = out.plan.tables[known.table].name.clone();
    out.add("row-not-removed", id, &table, move |plan: &mut Plan| {
        plan.effects[effects].removes = None;
    });
    if known.dangling.is_some() && out.plan.rejects(known.dangling) {
        out.add("no-row-removed", id, &table, move |plan: &mut Plan| {
            let rule = plan.tolerant_rule();
            if let Some(removes) = &mut plan.effects[effects].removes {
                removes.dangling = Some(rule);
            }
        });
    }
}

fn clears(out: &mut Collector<'_>, id: OpId, effects: EffectsId) {
    for (number, clear) in out.plan.effects[effects].clears.iter().enumerate() {
        let table = clear.table.map(|table| &out.plan.tables[table].name);
        let name = table.map_or("everything", String::as_str).to_owned();
        let (one, conditional) = (clear.table.is_some(), clear.condition.is_some());
        out.under(clear.rule, |out| {
            out.add("never-cleared", id, &name, move |plan: &mut Plan| {
                plan.effects[effects].clears.remove(number);
            });
            if conditional {
                out.add("always-cleared", id, &name, move |plan: &mut Plan| {
                    plan.effects[effects].clears[number].condition = None;
                });
            }
            if one {
                out.add("all-cleared", id, &name, move |plan: &mut Plan| {
                    plan.effects[effects].clears[number].table = None;
                });
            }
        });
    }
}

/// For each list that contains the definition of a table's rows, adds a mutant that clears the
/// table after each element.
fn clears_too_often(out: &mut Collector<'_>, id: OpId, table: TableId) {
    let mut at = Some(id);
    while let Some(inside) = at {
        let parent = out.plan.info(inside).parent;
        let element = parent.is_some_and(|list| matches!(out.plan.op(list).kind, Kind::Repeat(_)));
        if element && out.plan.op(inside).kind == Kind::Structure {
            let name = out.plan.tables[table].name.clone();
            out.add("cleared-too-often", inside, name, move |plan: &mut Plan| {
                plan.effects_of(inside).clears.push(ClearPlan {
                    table: Some(table),
                    condition: None,
                    rule: None,
                });
            });
        }
        at = parent;
    }
}

fn sets(out: &mut Collector<'_>, id: OpId, effects: EffectsId) {
    for (number, set) in out.plan.effects[effects].sets.iter().enumerate() {
        if !set_is_read(set, &out.live) {
            continue;
        }
        let conditional = set.condition.is_some();
        out.serving(Stored::by(set), |out| {
            out.add("not-set", id, number, move |plan: &mut Plan| {
                plan.effects[effects].sets.remove(number);
            });
            if conditional {
                out.add("always-set", id, number, move |plan: &mut Plan| {
                    plan.effects[effects].sets[number].condition = None;
                });
            }
            if let SetTargetPlan::Register(register) = set.target {
                set_otherwise(out, id, (effects, number), register);
            }
        });
    }
}

/// Adds mutants that combine the value that they set a register to with the earlier value.
fn set_otherwise(
    out: &mut Collector<'_>,
    id: OpId,
    (effects, number): (EffectsId, usize),
    register: RegisterId,
) {
    let value = out.plan.effects[effects].sets[number].value;
    let mut parts = out.plan.expressions_in(value);
    // A value that is computed from the earlier one has mutants of its own, and a constant resets the
    // register.
    let is_constant = matches!(out.plan.codes[value.index()], Code::Int(_));
    let is_row = out.plan.registers[register].table.is_some();
    if is_row || is_constant || parts.any(|code| *code == Code::Register(register)) {
        return;
    }
    let name = out.plan.registers[register].name.clone();
    let set = move |plan: &mut Plan, code: Code| {
        plan.effects[effects].sets[number].value = plan.new_code(code);
    };
    out.add("counted-instead", id, &name, move |plan: &mut Plan| {
        let before = plan.new_code(Code::Register(register));
        let one = plan.new_code(Code::Int(1));
        set(plan, Code::Binary(BinaryOperator::Add, before, one));
    });
    out.add("never-lowered", id, &name, move |plan: &mut Plan| {
        let before = plan.new_code(Code::Register(register));
        let zero = plan.new_code(Code::Int(0));
        let left = plan.new_code(Code::Else(before, zero));
        set(
            plan,
            Code::Extreme {
                greatest: true,
                left,
                right: value,
            },
        );
    });
}

fn registers(out: &mut Collector<'_>) {
    for (id, register) in out.plan.registers.entries() {
        let read = out.live.has_register(id);
        if register.table.is_some() || !read {
            continue;
        }
        let place = out.plan.place_of_register(id);
        out.at(place, |out| {
            out.serving(Stored::Register(id), |out| starts(out, id))
        });
    }
}

/// Adds mutants with a wrong initial value of a register.
fn starts(out: &mut Collector<'_>, id: RegisterId) {
    let register = &out.plan.registers[id];
    let initial = register.initial;
    // A register without a value is treated as 0.
    if initial.is_some_and(|initial| initial != 0) {
        out.add_named(
            "starts-empty",
            &register.name,
            "",
            move |plan: &mut Plan| {
                plan.registers[id].initial = None;
            },
        );
    }
    out.add_named(
        "starts-one-more",
        &register.name,
        "",
        move |plan: &mut Plan| {
            let initial = plan.registers[id].initial.unwrap_or(0);
            plan.registers[id].initial = Some(initial + 1);
        },
    );
}

/// Adds mutants with bugs in predefined rows.
fn rows_before(out: &mut Collector<'_>) {
    for (table, known) in out.plan.tables.entries() {
        let about = out.plan.place_of_table(table);
        for (number, row) in known.initial.iter().enumerate() {
            let place = format!("{}[{}]", known.name, row.key);
            out.at(about, |out| {
                out.add_named("first-row-forgotten", &place, "", move |plan: &mut Plan| {
                    plan.tables[table].initial.remove(number);
                });
            });
        }
    }
}
