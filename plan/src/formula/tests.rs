//! Formulas compute what the evaluator of expressions computes.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{Compiler, Rows, number};
use crate::evaluate::{Domain, Scalar, TextProperty, evaluate};
use crate::operator::{BinaryOperator, UnaryOperator};
use crate::terms::{ColumnId, EnumId, FlagsId, RegisterId, TableId};
use crate::{Code, CodeId, ColumnRef, Plan, RegisterPlan, RowSource, Slot};

/// The number of slots, registers, and rows of the table, each with one column.
const MANY: u32 = 4;

/// An expression, and the values that it reads.
#[derive(Clone, Debug)]
struct Case {
    codes: Vec<Code>,
    this: Value,
    slots: Vec<Value>,
    registers: Vec<Value>,
    rows: Vec<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Value(Scalar<'static>);

/// Returns numbers at which results change: near 0, and near the limits of 63, 64 and 128 bits.
fn number(g: &mut Gen) -> i128 {
    let near = i128::from(i8::arbitrary(g) % 4);
    let at = [
        0,
        0,
        i128::from(i64::MAX),
        i128::from(i64::MIN),
        i128::from(u64::MAX),
        i128::MAX,
        i128::MIN,
    ];
    let at = *g.choose(&at).expect("there are numbers");
    match bool::arbitrary(g) {
        true => at.saturating_add(near),
        false => i128::from(u8::arbitrary(g)),
    }
}

impl Arbitrary for Value {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(match u8::arbitrary(g) % 10 {
            0 => Scalar::Absent,
            1 => Scalar::Bool(bool::arbitrary(g)),
            2 => Scalar::Float(1.5),
            3 => Scalar::Bytes(b"7"),
            4 => Scalar::Part,
            _ => Scalar::Int(number(g)),
        })
    }
}

fn below(g: &mut Gen, limit: u32) -> u32 {
    u32::arbitrary(g) % limit
}

/// Returns an expression whose operands are earlier expressions.
fn code(g: &mut Gen, earlier: u32) -> Code {
    use BinaryOperator as B;
    let kind = if earlier == 0 { 0 } else { below(g, 4) };
    if below(g, 20) == 0 {
        return Code::Index(below(g, 3));
    }
    if kind == 0 {
        let column = ColumnRef {
            table: TableId(0),
            column: ColumnId(0),
        };
        return match below(g, 8) {
            0 => Code::Int(number(g)),
            1 => Code::Bool(bool::arbitrary(g)),
            2 => Code::Absent,
            3 => Code::This,
            4 => Code::Register(RegisterId(below(g, MANY))),
            5 if earlier > 0 => {
                let (table, key) = (TableId(0), CodeId(below(g, earlier)));
                Code::Column(RowSource::Lookup { table, key }, column)
            }
            6 => Code::Column(RowSource::Slot(Slot(below(g, MANY))), column),
            _ => Code::Slot(Slot(below(g, MANY))),
        };
    }
    let mut one = || CodeId(below(g, earlier));
    let (a, b, c) = (one(), one(), one());
    match below(g, 12) {
        0 => Code::Unary(UnaryOperator::Not, a),
        1 => Code::Conditional(a, b, c),
        2 => Code::Else(a, b),
        3 => Code::IsPresent(a),
        4 => Code::HasBits(a, u64::arbitrary(g)),
        5 => Code::Extreme {
            greatest: bool::arbitrary(g),
            left: a,
            right: b,
        },
        6 => Code::Length(a),
        7 => Code::Binary(*g.choose(&[B::And, B::Or]).expect("two"), a, b),
        _ => {
            let (_, operator) = *g.choose(&B::SYMBOLS).expect("there are operators");
            Code::Binary(operator, a, b)
        }
    }
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = 1 + below(g, 8);
        let many = |g: &mut Gen| (0..MANY).map(|_| Value::arbitrary(g)).collect();
        Self {
            codes: (0..count).map(|earlier| code(g, earlier)).collect(),
            this: Value::arbitrary(g),
            slots: many(g),
            registers: many(g),
            rows: many(g),
        }
    }
}

/// Evaluates a case with the evaluator of expressions.
struct Exactly<'c> {
    case: &'c Case,
    plan: &'c Plan,
}

impl Exactly<'_> {
    fn row(&self, row: Option<i128>) -> Scalar<'static> {
        let row = row.and_then(|row| usize::try_from(row).ok());
        let row = row.and_then(|row| self.case.rows.get(row));
        row.map_or(Scalar::Absent, |value| value.0)
    }
}

impl<'c> Domain<'c> for Exactly<'c> {
    type Value = Scalar<'static>;

    fn plan(&self) -> &'c Plan {
        self.plan
    }

    fn leaf(&mut self, code: &'c Code) -> Scalar<'static> {
        match code {
            Code::Int(number) => Scalar::Int(*number),
            Code::Bool(truth) => Scalar::Bool(*truth),
            Code::This => self.case.this.0,
            Code::Index(level) => Scalar::Int(i128::from(*level)),
            Code::Slot(slot) => self.case.slots[slot.index()].0,
            Code::Register(register) => self.case.registers[register.index()].0,
            Code::Column(RowSource::Lookup { key, .. }, _) => {
                let key = self.evaluate(*key).integer();
                self.row(key)
            }
            Code::Column(RowSource::Slot(slot), _) => {
                let is_row = self.case.slots[slot.index()].0 == Scalar::Part;
                self.row(is_row.then_some(0))
            }
            _ => Scalar::Absent,
        }
    }

    fn truth(&self, value: &Scalar<'static>) -> Option<bool> {
        Some(value.truth())
    }

    fn is_present(&self, value: &Scalar<'static>) -> Option<bool> {
        Some(*value != Scalar::Absent)
    }

    fn condition(&self, truth: Option<bool>) -> Scalar<'static> {
        truth.map_or(Scalar::Absent, Scalar::Bool)
    }

    fn either(&self, one: Scalar<'static>, _: Scalar<'static>) -> Scalar<'static> {
        one
    }

    fn unary(&mut self, operator: UnaryOperator, operand: Scalar<'static>) -> Scalar<'static> {
        operand.unary(operator)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Scalar<'static>,
        right: Scalar<'static>,
    ) -> Scalar<'static> {
        left.binary(operator, right)
    }

    fn extreme(
        &self,
        greatest: bool,
        left: Scalar<'static>,
        right: Scalar<'static>,
    ) -> Scalar<'static> {
        left.extreme(greatest, right)
    }

    fn has_bits(&self, value: Scalar<'static>, mask: u64) -> Scalar<'static> {
        value.has_bits(mask)
    }

    fn of_text(&self, _: TextProperty, _: Scalar<'static>) -> Scalar<'static> {
        Scalar::Absent
    }

    fn is_date(&self, _: [Scalar<'static>; 8]) -> Scalar<'static> {
        Scalar::Absent
    }

    fn is_member(&self, _: EnumId, _: &Scalar<'static>) -> Option<bool> {
        None
    }

    fn is_known(&self, _: FlagsId, _: &Scalar<'static>) -> Option<bool> {
        None
    }

    fn is_filled(&self, _: &Scalar<'static>) -> Option<bool> {
        None
    }
}

/// Returns the number that formulas use for a value.
fn of(value: Scalar<'static>) -> i64 {
    match value {
        Scalar::Absent => number::ABSENT,
        Scalar::Bool(truth) => number::of_truth(truth),
        Scalar::Int(number) => number::of(number),
        Scalar::Float(_) | Scalar::Bytes(_) | Scalar::Part => number::OTHER,
    }
}

impl Rows for Case {
    fn column(&self, key: u64, _: ColumnRef) -> i64 {
        let row = usize::try_from(key).ok().and_then(|key| self.rows.get(key));
        row.map_or(number::ABSENT, |value| of(value.0))
    }

    fn row_column(&self, row: Slot, column: ColumnRef) -> i64 {
        // A part stands for the first row.
        match self.slots[row.index()].0 {
            Scalar::Part => self.column(0, column),
            _ => number::ABSENT,
        }
    }

    fn index(&self, level: u32) -> i64 {
        i64::from(level)
    }
}

/// Returns the results of the evaluator and of the formula for the last expression of a case.
fn results(case: &Case) -> (i64, i64) {
    let registers = case.registers.iter().map(|_| RegisterPlan {
        name: String::new(),
        initial: None,
        greatest: i128::MAX,
        least: i128::MIN,
        table: None,
    });
    let plan = Plan {
        codes: case.codes.clone(),
        slots: u32::try_from(case.slots.len()).expect("few"),
        registers: registers.collect(),
        ..Plan::default()
    };
    let last = CodeId::from(case.codes.len() - 1);
    let exact = evaluate(&mut Exactly { case, plan: &plan }, last);
    let mut compiler = Compiler::new(&plan);
    let formula = compiler.formula(&plan, last);
    let layout = compiler.layout;
    let (operations, constants) = compiler.finish();
    let mut numbers = layout.memory(&constants);
    for (at, value) in case.slots.iter().chain(&case.registers).enumerate() {
        numbers[at] = of(value.0);
    }
    numbers[layout.this().index()] = of(case.this.0);
    for operation in &operations[formula.first as usize..formula.end as usize] {
        operation.run(&mut numbers, case);
    }
    (of(exact), numbers[formula.result.index()])
}

#[test]
fn a_formula_yields_the_value_of_its_expression_or_none() {
    fn agrees(case: Case) -> bool {
        let (exact, formula) = results(&case);
        let same = |number| match number {
            number::FALSE => 0,
            number::TRUE => 1,
            other => other,
        };
        formula == number::OTHER || same(formula) == same(exact)
    }
    QuickCheck::new()
        .tests(20_000)
        .quickcheck(agrees as fn(Case) -> bool);
}

#[test]
fn formulas_combine_small_numbers_with_every_operator() {
    let operators = BinaryOperator::SYMBOLS.map(|(_, operator)| operator);
    for operator in operators
        .into_iter()
        .chain([BinaryOperator::And, BinaryOperator::Or])
    {
        for (a, b) in [(7, 2), (2, 7), (-7, 2), (0, 1), (1, 1)] {
            let slots = vec![Value(Scalar::Int(a)), Value(Scalar::Int(b))];
            let case = Case {
                codes: vec![
                    Code::Slot(Slot(0)),
                    Code::Slot(Slot(1)),
                    Code::Binary(operator, CodeId(0), CodeId(1)),
                ],
                this: Value(Scalar::Absent),
                slots,
                registers: Vec::new(),
                rows: Vec::new(),
            };
            let (exact, formula) = results(&case);
            assert_eq!(formula, exact, "{a} {operator:?} {b}");
            assert_ne!(formula, number::OTHER, "{a} {operator:?} {b}");
        }
    }
}

#[test]
fn long_expressions_have_no_formula() {
    let mut codes = vec![Code::This];
    for at in 0..20 {
        codes.push(Code::Unary(UnaryOperator::Not, CodeId(at)));
    }
    let plan = Plan {
        codes,
        ..Plan::default()
    };
    let mut compiler = Compiler::new(&plan);
    assert!(compiler.is_expressible(&plan, CodeId(8)));
    assert!(!compiler.is_expressible(&plan, CodeId(9)));
    // Only the operations of the short expression remain.
    assert_eq!(compiler.finish().0.len(), 8);
}
