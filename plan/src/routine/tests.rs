//! Tests that steps compile to the expected instructions.

use super::{Addition, Instruction, Origin, Routine, Source};
use crate::formula::{Layout, NumberId, number};
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
            Instruction::Variable(VariableKind::Unsigned, 32, layout.this()),
            Instruction::Sum(Addition {
                to: NumberId(1),
                base: NumberId(0),
                wire: layout.this(),
                then: zero,
                bits: 32,
            }),
            Instruction::Among(6, NumberId(1)),
            Instruction::Note(NumberId(3)),
            Instruction::Copy(NumberId(3), NumberId(1)),
        ]
    );
    let notes: Vec<u8> = routine.origins.iter().map(|origin| origin.notes).collect();
    assert_eq!(notes, [0, 0, 1, 1, 2]);
    let origin = Origin {
        source: Source::Steps(0, 1),
        notes: 0,
        reads: true,
        next: 5,
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
