//! Stores properties of a plan that the emitter (which writes the values of a trace) needs, so that
//! they are computed only once. Many of these properties are keyed by slot, the storage location of
//! a value that expressions read.

use hashbrown::{HashMap, HashSet};
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::{ReaderDuty, RuleId, TableId};
use tracegauge_plan::{
    CheckKind, Code, CodeId, Count, DefinePlan, Derived, EffectsPlan, Extent, Kind, Measure, OpId,
    Plan, RowSource, Scale, Slot, SwitchId, each_code, flags,
};

use super::dense::{DenseMap, DenseSet};
use super::domain::{Domain, wire_range};
use super::list_end::ending;
use super::main_list;
use super::only::{self, PlacedTexts};
use super::severity::{Severity, firm, strict};
use super::solve;
use crate::plain::Answers;

/// How a computed field is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written {
    /// The field stores the length of a string or byte string that follows. The length and the
    /// string are chosen together.
    Bytes(OpId),
    /// The field stores the number of elements of a list that follows. The number is chosen
    /// together with the field.
    Count(OpId),
    /// The field is filled in once the value that it measures is complete.
    Late,
}

/// A field that is the key of a row.
#[derive(Clone, Copy, Debug)]
pub struct KeyOf {
    /// The index of the table.
    pub table: TableId,
    /// Whether an existing key may be redefined with different contents.
    pub again: bool,
}

/// Properties of a plan that the emitter needs.
#[derive(Debug)]
pub struct Index {
    /// How computed fields are written.
    pub written: DenseMap<OpId, Written>,
    /// Parts of the trace whose size or element count is stored in a field.
    pub measured: DenseSet<OpId>,
    /// For each field of a list element that can end the list, the value that ends the list.
    pub endings: DenseMap<OpId, i128>,
    /// Lists that continue until the trace is large enough.
    pub main_lists: DenseSet<OpId>,
    /// Fields that are keys of rows.
    pub keys: DenseMap<OpId, KeyOf>,
    /// For each table, the maximum key that fits in every field that refers to the table's rows.
    pub key_limits: DenseMap<TableId, i128>,
    /// For each structure that defines rows and may be repeated unchanged, the table and the rule
    /// that permits the repetition.
    pub repeatable: DenseMap<OpId, (TableId, Option<RuleId>)>,
    /// For each field whose values must be unique, the list that contains the values or, for fields
    /// of rows, the root.
    pub unique: DenseMap<OpId, OpId>,
    /// Maps the slot of a field to the switches that depend on the field.
    pub decides: HashMap<Slot, Vec<OpId>>,
    /// Maps the slot of each field that decides whether an element defines a row to the value that
    /// makes it do so and to the row's table.
    pub defining: HashMap<Slot, (i128, TableId)>,
    /// For each field whose tests allow only certain strings, those strings.
    pub texts: DenseMap<OpId, Vec<Vec<u8>>>,
    /// For each field whose strings depend on the position of an element in its list, the possible
    /// strings in the first and last elements.
    pub placed_texts: DenseMap<OpId, Vec<PlacedTexts>>,
    /// Maps each operation to the tables that must contain a row before the operation can be
    /// written.
    pub needs: DenseMap<OpId, Vec<TableId>>,
    /// Maps each arm of a switch to the tables that the arm may add rows to.
    pub grows: DenseMap<OpId, Vec<TableId>>,
    /// For each field that refers to a row to be removed, the row's table.
    pub removed: DenseMap<OpId, TableId>,
    /// Maps the slot of a field to the carried fields whose presence the field controls.
    pub guards: HashMap<Slot, Vec<OpId>>,
    /// Maps each field of a date and time to its range.
    pub dates: DenseMap<OpId, (i128, i128)>,
    /// Computed fields that may have a wrong value because readers tolerate wrong values in them.
    pub loose: DenseSet<OpId>,
    /// Whether a tolerated violation may make readers stop.
    pub stops: bool,
    /// For each field that must differ between elements, the exceptions: values that may be
    /// repeated.
    pub excepted: DenseMap<OpId, Vec<CodeId>>,
    /// Fields that encode the location of a value ("words").
    pub words: DenseSet<OpId>,
    /// Fields of described types that store an element count.
    pub counts: DenseSet<OpId>,
    /// For each structure that describes a type, and each type code, the way to compute the size of
    /// the type.
    pub forms: HashMap<(OpId, i128), super::form::Form>,
    /// Lists whose elements describe types.
    pub describing: DenseSet<OpId>,
    /// For each sized part followed by padding that some reader may reject, the alignment, and
    /// whether the alignment is relative to the start of the file.
    pub aligned: DenseMap<OpId, (u64, bool)>,
    /// For each sized part whose size is stored in words, how it is stored.
    pub whole_words: DenseMap<OpId, Scale>,
    /// Restrictions that later values impose on fields.
    pub lookahead: super::lookahead::Lookahead,
    /// For each text field whose contents are parsed by a test, that test.
    pub inside: DenseMap<OpId, CheckKind>,
    /// For each field that can indicate null, the text field that is omitted in that case.
    pub null_texts: DenseMap<OpId, OpId>,
    /// Text fields that are never empty, because an empty string would mean null.
    pub filled: DenseSet<OpId>,
    /// For each list inside a recursive structure whose elements may contain the structure again, the
    /// nesting depth at which the list gets no more elements.
    pub recursive: DenseMap<OpId, u64>,
    /// Fields that must be greater than an earlier value, and for which the description states no
    /// usual values.
    pub ascending: DenseSet<OpId>,
    /// Fields that never indicate null.
    pub never_null: DenseSet<OpId>,
    /// Maps each structure that defines rows of a table to that table, if the description contains
    /// sample rows for it.
    pub samples: DenseMap<OpId, TableId>,
    /// For the slot of each field that refers to a row, the switch that selects an arm by the kind
    /// of that row.
    pub kinds: HashMap<Slot, SwitchId>,
    /// Whether nothing can be appended to a complete trace, because fields extend to its end.
    pub is_open_ended: bool,
    /// The fields and parts whose size, and the lists whose length, depends on where the enclosing
    /// stream ends.
    pub to_stream_end: HashSet<OpId>,
    /// The fields and parts whose size is what a total size leaves of the sizes of other contents.
    pub of_total: DenseSet<OpId>,
    /// The slots of fields that store the size or count of the contents that follow.
    pub sizes: HashSet<Slot>,
    /// The plain answer of each field, which is the set of values that typical writers write.
    pub answers: Answers,
    /// For each operation, its domain (the values that may be written), if the domain is the same in
    /// every context. It is filled in after everything else, because it depends on the rest.
    pub fixed: Vec<Option<Domain>>,
}

impl Index {
    /// Analyzes `plan`.
    pub fn new(plan: &Plan) -> Self {
        let mut index = Self {
            written: DenseMap::new(),
            measured: DenseSet::new(),
            endings: DenseMap::new(),
            main_lists: main_list::find(plan),
            keys: DenseMap::new(),
            key_limits: DenseMap::new(),
            repeatable: DenseMap::new(),
            unique: DenseMap::new(),
            decides: HashMap::new(),
            defining: HashMap::new(),
            texts: DenseMap::new(),
            placed_texts: DenseMap::new(),
            needs: DenseMap::new(),
            grows: DenseMap::new(),
            removed: DenseMap::new(),
            guards: HashMap::new(),
            dates: plan
                .dates(|rule| firm(plan, rule) != Severity::Not)
                .into_iter()
                .collect(),
            excepted: DenseMap::new(),
            loose: DenseSet::new(),
            stops: plan
                .rules
                .iter()
                .any(|rule| matches!(rule.duty, ReaderDuty::Accept | ReaderDuty::Either)),
            words: DenseSet::new(),
            counts: DenseSet::new(),
            forms: HashMap::new(),
            describing: DenseSet::new(),
            aligned: DenseMap::new(),
            whole_words: DenseMap::new(),
            lookahead: super::lookahead::Lookahead::new(plan),
            inside: DenseMap::new(),
            null_texts: DenseMap::new(),
            filled: DenseSet::new(),
            recursive: DenseMap::new(),
            ascending: DenseSet::new(),
            never_null: DenseSet::new(),
            samples: DenseMap::new(),
            kinds: HashMap::new(),
            to_stream_end: HashSet::new(),
            of_total: DenseSet::new(),
            is_open_ended: super::placement::is_open_ended(plan),
            sizes: plan.sizes().into_iter().collect(),
            answers: Answers::new(plan),
            fixed: Vec::new(),
        };
        for number in 0..plan.ops.len() {
            let id = OpId::from(number);
            index.look_at(plan, id);
        }
        for id in (0..plan.ops.len()).map(OpId::from) {
            if is_rest_of_total(plan, id) {
                index.of_total.insert(id);
            }
        }
        index.free_parts(plan);
        index.look_at_types(plan);
        index
    }

    fn look_at(&mut self, plan: &Plan, id: OpId) {
        let (op, info) = (plan.op(id), plan.info(id));
        if ascends(plan, id) {
            self.ascending.insert(id);
        }
        self.look_inside(plan, id);
        self.look_at_rows(plan, id);
        if let Some(refs) = info.refs {
            let (_, greatest) = wire_range(&op.kind);
            let table = plan.refs[refs].table;
            let limit = self.key_limits.get_or_insert(table, greatest);
            *limit = greatest.min(*limit);
        }
        if let Some(derived) = &info.derived {
            self.written.insert(id, written(plan, id, derived));
            if let Derived::Measured { of, scale, .. } = derived {
                self.measured.insert(*of);
                if scale.divisor > 1 && matches!(plan.op(*of).kind, Kind::Sized(_)) {
                    self.whole_words.insert(*of, *scale);
                }
            }
        }
        if let Some(measure) = plan.measure(op)
            && super::placement::reads_end(plan, measure)
        {
            self.to_stream_end.insert(id);
        }
        for (field, placed) in only::placed_texts(plan, id) {
            self.placed_texts
                .get_or_insert(field, Vec::new())
                .push(placed);
        }
        match op.kind {
            Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_) | Kind::Guid(_) => {
                self.texts
                    .extend(only::texts(plan, id).map(|texts| (id, texts)));
            }
            Kind::Switch(switch) => {
                if let Code::Slot(slot) = plan.codes[plan.switches[switch].on.index()] {
                    self.decides.entry(slot).or_default().push(id);
                }
                if let Code::RowKind(_, RowSource::Slot(slot)) =
                    plan.codes[plan.switches[switch].on.index()]
                {
                    self.kinds.insert(slot, switch);
                }
                for arm in plan.children(id) {
                    self.needs.insert(arm, needs(plan, arm));
                    let grows = grows(plan, arm);
                    if !grows.is_empty() {
                        self.grows.insert(arm, grows);
                    }
                }
            }
            Kind::Repeat(repeat) => {
                let element = OpId(id.0 + 1);
                self.needs.insert(element, needs(plan, element));
                if let Some(define) = &plan.repeats[repeat].defines {
                    self.numbered(plan, id, define);
                }
                self.endings.extend(ending(plan, id, repeat));
                for unique in &plan.repeats[repeat].unique {
                    if strict(plan, unique.rule)
                        && let Some(field) = unique_field(plan, id, unique.by)
                    {
                        self.unique.insert(field, id);
                        self.excepted.insert(field, unique.except.clone());
                    }
                }
            }
            Kind::Call(target) => {
                let deepest = deepest(plan, target);
                let around = std::iter::successors(info.parent, |op| plan.info(*op).parent);
                for list in around.take_while(|op| *op > target) {
                    if let Kind::Repeat(_) = plan.op(list).kind {
                        let known = self.recursive.get_or_insert(list, deepest);
                        *known = deepest.min(*known);
                    }
                }
            }
            Kind::Align { to, from_file, .. } => {
                let shown = info.obeys.iter();
                let unwelcome = shown
                    .clone()
                    .any(|(rule, when)| when.is_some() && strict(plan, Some(*rule)));
                let around = info.parent.map(|parent| plan.children(parent));
                let before = around
                    .into_iter()
                    .flatten()
                    .take_while(|child| *child < id)
                    .last();
                let part = before.filter(|part| matches!(plan.op(*part).kind, Kind::Sized(_)));
                if let (true, Some(part)) = (unwelcome, part) {
                    self.aligned.insert(part, (to, from_file));
                }
            }
            _ => {}
        }
        if info
            .carry
            .is_some_and(|carry| plan.carries[carry].previous.is_some())
            && op.flags & flags::GUARD != 0
            && let Code::Slot(slot) = plan.codes[op.guard.index()]
        {
            self.guards.entry(slot).or_default().push(id);
        }
        if let Some(effects) = info.effects {
            self.effects(plan, id, &plan.effects[effects]);
        }
        let defines = info
            .effects
            .and_then(|effects| plan.effects[effects].defines.as_ref());
        if let Some(define) = defines {
            if let Some(condition) = define.condition
                && let Code::Binary(BinaryOperator::Equal, left, right) =
                    plan.codes[condition.index()]
                && let (Code::Slot(slot), Code::Int(value)) =
                    (&plan.codes[left.index()], &plan.codes[right.index()])
            {
                self.defining.insert(*slot, (*value, define.table));
            }
            let again = define.again.as_ref();
            let keys = define.key.map(|key| plan.sources_of(id, key));
            for field in keys.into_iter().flatten() {
                let again = again.is_none_or(|again| !strict(plan, again.other));
                self.keys.insert(
                    field,
                    KeyOf {
                        table: define.table,
                        again,
                    },
                );
            }
            let same = again.is_some_and(|again| again.bytes && !strict(plan, again.same));
            if same && plan.tables[define.table].keeps_bytes && !may_dangle(plan, id) {
                let rule = again.and_then(|again| again.same);
                self.repeatable.insert(id, (define.table, rule));
            }
            for unique in &define.unique {
                if strict(plan, unique.rule)
                    && let Some(field) = unique_field(plan, id, unique.by)
                {
                    self.unique.insert(field, OpId(0));
                }
            }
        }
    }
}

/// Returns the field inside `id` that determines a value that must be unique: the field with this
/// value, or a reference to the row with this value.
fn unique_field(plan: &Plan, id: OpId, by: CodeId) -> Option<OpId> {
    let Code::Column(row, _) = plan.codes[by.index()] else {
        return plan.field_of(id, by);
    };
    match row {
        RowSource::Lookup { key, .. } => plan.field_of(id, key),
        RowSource::Slot(slot) => {
            let mut inside = (id.0..plan.op(id).end).map(OpId);
            inside.find(|inside| {
                let refs = plan.info(*inside).refs.map(|refs| &plan.refs[refs]);
                refs.is_some_and(|refs| refs.row_slot == Some(slot))
            })
        }
        RowSource::Register(_) => None,
    }
}

impl Index {
    /// Collects the properties that follow from the effects and tests at the end of a structure.
    fn effects(&mut self, plan: &Plan, id: OpId, effects: &EffectsPlan) {
        if let Some(remove) = &effects.removes
            && strict(plan, remove.dangling)
            && let Some(field) = plan.field_of(id, remove.key)
        {
            self.removed.insert(field, remove.table);
        }
        for check in &effects.checks {
            let rule = check.rule.map(|rule| plan.rules[rule].duty);
            if let Some(blamed) = check.blame
                && plan.info(blamed).derived.is_some()
                && rule.is_some_and(|duty| duty != ReaderDuty::Reject)
            {
                self.loose.insert(blamed);
            }
        }
    }

    /// Finds parts whose size depends on fields that are read ahead. While a trace is being
    /// written, nothing can be read ahead, so the size of such a part is the size of its contents.
    fn free_parts(&mut self, plan: &Plan) {
        let early = plan.ops.iter().enumerate();
        let early = early.filter(|(_, op)| matches!(op.kind, Kind::At(_)));
        let inside = early.flat_map(|(at, op)| plan.ops.get(at..op.end as usize));
        let read: HashSet<u32> = inside
            .flatten()
            .filter(|op| op.flags & flags::SLOT != 0)
            .map(|op| op.slot.0)
            .collect();
        for (at, op) in plan.ops.iter().enumerate() {
            let Kind::Sized(Extent::Computed(size)) = op.kind else {
                continue;
            };
            let mut is_early = false;
            each_code(plan, size, &mut |code| match code {
                Code::Slot(slot) => is_early |= read.contains(&slot.0),
                Code::Between(start, end) => {
                    is_early |= read.contains(&start.0) || read.contains(&end.0);
                }
                _ => {}
            });
            if is_early {
                self.measured.insert(OpId::from(at));
            }
        }
    }

    /// Finds the field that stores the key of the first row, if a list numbers its rows.
    fn numbered(&mut self, plan: &Plan, list: OpId, define: &DefinePlan) {
        let Some(Code::Binary(BinaryOperator::Add, first, _)) =
            define.key.map(|key| &plan.codes[key.index()])
        else {
            return;
        };
        let around = plan.info(list).parent.unwrap_or(OpId(0));
        if let Some(field) = plan.field_of(around, *first) {
            let again = define.again.as_ref();
            let again = again.is_none_or(|again| !strict(plan, again.other));
            let table = define.table;
            self.keys.insert(field, KeyOf { table, again });
        }
    }
}

/// Returns whether the size of `id` depends on an earlier field that a writer computes from this size
/// and others, as in `total - header_size`.
fn is_rest_of_total(plan: &Plan, id: OpId) -> bool {
    let (Kind::Sized(_) | Kind::Bytes(_) | Kind::Text(..)) = plan.op(id).kind else {
        return false;
    };
    let Some((span, size)) = plan.info(id).span_slots.zip(plan.measure(plan.op(id))) else {
        return false;
    };
    let siblings = plan.info(id).parent.map(|parent| plan.children(parent));
    let mut earlier = siblings.into_iter().flatten().take_while(|op| *op < id);
    earlier.any(|total| match plan.info(total).derived {
        Some(Derived::Computed(code)) => {
            let is_read = solve::mentions(plan, size, plan.op(total).slot);
            let mut counts_it = false;
            each_code(plan, code, &mut |code| {
                counts_it |= *code == Code::Between(span.0, span.1);
            });
            is_read && counts_it
        }
        _ => false,
    })
}

fn written(plan: &Plan, id: OpId, derived: &Derived) -> Written {
    let Derived::Measured { of, measure, .. } = derived else {
        return Written::Late;
    };
    // If another field says where the value ends, the value is chosen at that field.
    if !ends(plan, id, *of)
        && plan.infos.iter().enumerate().any(|(other, info)| {
            matches!(info.derived, Some(Derived::Measured { of: measured, .. }) if measured == *of)
                && ends(plan, OpId::from(other), *of)
        })
    {
        return Written::Late;
    }
    match (&plan.op(*of).kind, measure) {
        (Kind::Text(Extent::Computed(_), _) | Kind::Bytes(Extent::Computed(_)), Measure::Size) => {
            Written::Bytes(*of)
        }
        (Kind::Repeat(repeat), Measure::Count)
            if matches!(plan.repeats[*repeat].count, Count::Computed(_)) =>
        {
            Written::Count(*of)
        }
        _ => Written::Late,
    }
}

/// Returns whether the size or the number of elements of `of` is read from a field.
fn ends(plan: &Plan, field: OpId, of: OpId) -> bool {
    let slot = plan.op(field).slot;
    let measure = plan.measure(plan.op(of));
    measure.is_some_and(|code| solve::mentions(plan, code, slot))
}

/// Returns the tables that must contain a row before an operation can be written, whatever values
/// are chosen.
fn needs(plan: &Plan, id: OpId) -> Vec<TableId> {
    let mut tables = Vec::new();
    need(plan, id, 0, &mut tables);
    tables
}

/// Returns the tables that `id` may add rows to.
fn grows(plan: &Plan, id: OpId) -> Vec<TableId> {
    let mut tables = Vec::new();
    let mut open = vec![(id, 0)];
    while let Some((id, depth)) = open.pop() {
        let effects = plan.info(id).effects.map(|it| &plan.effects[it]);
        let own = effects.and_then(|effects| effects.defines.as_ref());
        let listed = match plan.op(id).kind {
            Kind::Repeat(repeat) => plan.repeats[repeat].defines.as_deref(),
            _ => None,
        };
        for define in own.into_iter().chain(listed) {
            if !tables.contains(&define.table) {
                tables.push(define.table);
            }
        }
        if depth < DEEPEST {
            open.extend(plan.children(id).map(|child| (child, depth + 1)));
        }
    }
    tables
}

/// Returns whether a field must be greater than an earlier value, and the description states no usual
/// values.
fn ascends(plan: &Plan, field: OpId) -> bool {
    let hints = &plan.info(field).hints;
    let has_hints = hints.range.is_some()
        || hints.moving.is_some()
        || hints.construct.is_some()
        || !hints.weights.is_empty()
        || !hints.integers.is_empty();
    let varies = |code: CodeId| !matches!(plan.codes[code.index()], Code::Int(_));
    let is_above = |check: &CheckKind| match check {
        CheckKind::Min(code) => match plan.codes[code.index()] {
            Code::Binary(BinaryOperator::Add, earlier, step) => varies(earlier) && !varies(step),
            _ => false,
        },
        CheckKind::Holds(code) => match plan.codes[code.index()] {
            Code::Binary(BinaryOperator::Greater, this, earlier) => {
                plan.codes[this.index()] == Code::This && varies(earlier)
            }
            _ => false,
        },
        _ => false,
    };
    let mut tests = plan.tests_of(field).iter();
    !has_hints && tests.any(|test| strict(plan, test.rule) && is_above(&test.kind))
}

/// Returns whether a structure refers to rows that the trace may remove, so that a copy of it may
/// refer to a missing row.
fn may_dangle(plan: &Plan, structure: OpId) -> bool {
    let end = plan.op(structure).end.max(structure.0 + 1);
    let mut inside = (structure.0..end).map(OpId);
    inside.any(|op| {
        let Some(refs) = plan.info(op).refs else {
            return false;
        };
        let table = plan.refs[refs].table;
        plan.effects.iter().any(|effects| {
            let mut clears = effects.clears.iter();
            let removes = effects.removes.as_ref();
            clears.any(|clear| clear.table.is_none_or(|cleared| cleared == table))
                || removes.is_some_and(|remove| remove.table == table)
        })
    })
}

/// The nesting depth at which the generator stops nesting a recursive structure.
const DEEP: u64 = 4;

/// Returns the nesting depth at which the generator stops nesting a recursive structure: a small
/// number that every reader must accept.
fn deepest(plan: &Plan, target: OpId) -> u64 {
    match plan.info(target).depth {
        Some((promised, enforced, _)) => {
            let least = if promised == 0 { enforced } else { promised };
            least.min(DEEP)
        }
        None => DEEP,
    }
}

/// The maximum depth of the search through nested lists.
const DEEPEST: u32 = 16;

fn need(plan: &Plan, id: OpId, depth: u32, tables: &mut Vec<TableId>) {
    if depth > DEEPEST {
        return;
    }
    let (op, info) = (plan.op(id), plan.info(id));
    if depth > 0 && op.flags & flags::GUARD != 0 && info.carry.is_none() {
        return;
    }
    let mut add = |table: TableId| {
        if !tables.contains(&table) {
            tables.push(table);
        }
    };
    if let Some(refs) = info.refs {
        let refs = &plan.refs[refs];
        let avoidable = refs.none.is_some()
            || refs.later.is_some()
            || refs.condition.is_some()
            || !strict(plan, refs.dangling);
        if !avoidable {
            add(refs.table);
        }
    }
    let effects = info.effects.map(|effects| &plan.effects[effects]);
    if let Some(remove) = effects.and_then(|effects| effects.removes.as_ref())
        && strict(plan, remove.dangling)
    {
        add(remove.table);
    }
    match op.kind {
        Kind::Layout(_) => {}
        Kind::Repeat(repeat) => {
            let repeat = &plan.repeats[repeat];
            let filled = matches!(repeat.at_least, Some((1.., rule)) if strict(plan, rule));
            if filled || matches!(repeat.count, Count::Until(_)) {
                need(plan, OpId(id.0 + 1), depth + 1, tables);
            }
        }
        Kind::Switch(_) => {
            let mut arms = plan.children(id).map(|arm| {
                let mut tables = Vec::new();
                need(plan, arm, depth + 1, &mut tables);
                tables
            });
            let mut common = arms.next().unwrap_or_default();
            for arm in arms {
                common.retain(|table| arm.contains(table));
            }
            for table in common {
                if !tables.contains(&table) {
                    tables.push(table);
                }
            }
        }
        _ => {
            for child in plan.children(id) {
                need(plan, child, depth + 1, tables);
            }
        }
    }
}
