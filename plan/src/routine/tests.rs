//! Tests that steps compile to the expected instructions.

use super::join::join;
use super::{Addition, Instruction, Origin, Routine, Source};
use crate::formula::{Action, Layout, NumberId, Operation, number};
use crate::operator::BinaryOperator;
use crate::steps::{Leaf, Show, Step, Tests};
use crate::terms::{Endian, VariableKind};
use crate::{CarryId, Integer, OpId, Plan, Slot, Sum};

const BYTE: Integer = Integer {
    width: 1,
    signed: false,
    endian: Endian::Little,
    word: 0,
};

/// A plan with four slots, the constant 0, and a field that is added to its previous value.
fn plan() -> Plan {
    let sum = Sum {
        base: NumberId(0),
        then: None,
        mask: Some(u64::from(u32::MAX)),
        greatest: u64::MAX,
        moves: Some(NumberId(3)),
        is_stable: false,
    };
    Plan {
        slots: 4,
        numbers: vec![0],
        sums: [sum].into_iter().collect(),
        ..Plan::default()
    }
}

fn leaf(slot: Slot, carry: Option<CarryId>, tests: Tests) -> Leaf {
    Leaf {
        op: OpId(0),
        slot,
        tests,
        carry,
        show: Show::Mute,
    }
}

#[test]
fn a_carried_number_is_added_noted_and_moved_on() {
    let plan = plan();
    let layout = Layout::of(&plan);
    let carried = leaf(Slot(1), Some(CarryId(0)), Tests::Among(6));
    let step = Step::Variable(VariableKind::Unsigned, 32, carried);
    let routine = Routine::new(&plan, vec![step], None);
    let zero = layout.place_of(0, &plan.numbers).expect("the constant");
    assert_eq!(
        routine.instructions,
        [
            Instruction::Advance(
                32,
                Addition {
                    to: NumberId(1),
                    base: NumberId(0),
                    wire: layout.this(),
                    then: zero,
                    bits: 32,
                }
            ),
            Instruction::Among(6, NumberId(1)),
            Instruction::Note(NumberId(3)),
            Instruction::Copy(NumberId(3), NumberId(1)),
        ]
    );
    let notes: Vec<u8> = routine.origins.iter().map(|origin| origin.notes).collect();
    assert_eq!(notes, [0, 1, 1, 2]);
    let origin = Origin {
        source: Source::Steps(0, 1),
        notes: 0,
        reads: true,
        next: 4,
    };
    assert_eq!(routine.origins[0], origin);
}

#[test]
fn an_omitted_number_keeps_its_position() {
    let plan = plan();
    let carried = leaf(Slot(1), Some(CarryId(0)), Tests::None);
    let routine = Routine::new(&plan, vec![Step::Carried(carried)], None);
    assert!(matches!(
        routine.instructions.as_slice(),
        [Instruction::Sum(sum)] if sum.to == NumberId(1) && sum.base == NumberId(1)
    ));
    assert!(!routine.origins[0].reads);
}

#[test]
fn bits_of_a_known_word_are_constants() {
    let plan = plan();
    let bit = Step::Bits(1, 2, leaf(Slot(2), None, Tests::None));
    let known = Routine::new(&plan, vec![bit], Some(0b0110));
    let constant = Instruction::Store(NumberId(2), 3);
    assert_eq!(known.instructions, [constant]);
    let unknown = Routine::new(&plan, vec![bit], None);
    assert_eq!(unknown.instructions, [Instruction::Leave]);
}

#[test]
fn what_instructions_cannot_express_is_left_to_the_steps() {
    let plan = plan();
    let any = leaf(Slot(1), None, Tests::Any);
    let steps = vec![
        Step::Span(Slot(2), Slot(3), 1),
        Step::Skip(1),
        Step::Integer(BYTE, any),
        Step::Clear(Slot(1)),
        Step::Word(BYTE),
        Step::Skip(2),
    ];
    let routine = Routine::new(&plan, steps, None);
    assert_eq!(
        routine.instructions,
        [
            Instruction::Leave,
            Instruction::Store(NumberId(1), number::ABSENT),
            Instruction::Leave,
        ]
    );
    let sources: Vec<Source> = routine.origins.iter().map(|origin| origin.source).collect();
    // A step and those inside it belong together, and neighbors are left together. The steps after a
    // word depend on it.
    assert_eq!(
        sources,
        [
            Source::Steps(0, 3),
            Source::Steps(3, 1),
            Source::Steps(4, 2)
        ]
    );
}

/// Places of a plan: two slots, the result of an operation, the value under test, and constants.
struct Places {
    slots: [NumberId; 2],
    result: NumberId,
    this: NumberId,
    seven: NumberId,
    greatest: NumberId,
}

/// A plan with the constants 7 and the greatest number, and its places.
fn places() -> (Plan, Places) {
    let plan = Plan {
        numbers: vec![7, i64::MAX],
        ..plan()
    };
    let layout = Layout::of(&plan);
    let constant = |number| layout.place_of(number, &plan.numbers).expect("a constant");
    let places = Places {
        slots: [NumberId(0), NumberId(1)],
        result: NumberId(layout.variables()),
        this: layout.this(),
        seven: constant(7),
        greatest: constant(i64::MAX),
    };
    (plan, places)
}

#[test]
fn a_number_that_is_noted_and_replaced_takes_one_instruction() {
    let (plan, places) = places();
    let [slot, other] = places.slots;
    let read = Instruction::Variable(VariableKind::ZigZag, 64, slot);
    assert_eq!(
        join(&plan, vec![Instruction::Note(slot), read]),
        [Instruction::Replace(VariableKind::ZigZag, 64, slot)]
    );
    let apart = vec![Instruction::Note(other), read];
    assert_eq!(join(&plan, apart.clone()), apart);
}

#[test]
fn the_result_of_the_last_operation_is_stored_without_a_copy() {
    let (plan, places) = places();
    let [slot, other] = places.slots;
    let greater = |to| Instruction::Maximum(to, slot, other);
    let copy = Instruction::Copy(slot, places.result);
    assert_eq!(
        join(&plan, vec![greater(places.result), copy]),
        [greater(slot)]
    );
    let choose = Instruction::Choose(places.result, other, slot, other);
    assert_eq!(
        join(&plan, vec![choose, copy]),
        [Instruction::Select(slot, other, slot, other)]
    );
    // A later instruction may need the result, and a slot must keep its number.
    let more = vec![
        greater(places.result),
        copy,
        Instruction::True(places.result),
    ];
    assert_eq!(join(&plan, more.clone()), more);
    let variable = vec![greater(other), Instruction::Copy(slot, other)];
    assert_eq!(join(&plan, variable.clone()), variable);
}

#[test]
fn a_number_is_compared_with_a_constant_without_a_copy() {
    let (plan, places) = places();
    let [slot, _] = places.slots;
    let equal = Instruction::Operate(Operation {
        result: places.result,
        action: Action::Binary(BinaryOperator::Equal, places.this, places.seven),
    });
    let differs = Instruction::False(places.result);
    let copy = Instruction::Copy(places.this, slot);
    assert_eq!(
        join(&plan, vec![copy, equal, differs]),
        [Instruction::Differ(slot, places.seven)]
    );
    assert_eq!(
        join(
            &plan,
            vec![
                Instruction::Greatest(slot, places.seven),
                Instruction::Greatest(slot, places.greatest)
            ]
        ),
        [Instruction::Limit(slot, 7)]
    );
}

#[test]
fn instructions_after_a_condition_are_not_joined() {
    let (plan, places) = places();
    let [slot, other] = places.slots;
    let conditional = vec![
        Instruction::Unless(other, 2),
        Instruction::Maximum(places.result, slot, other),
        Instruction::Copy(slot, places.result),
    ];
    assert_eq!(join(&plan, conditional.clone()), conditional);
}
