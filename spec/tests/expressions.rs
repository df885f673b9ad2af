//! Tests the precedence of operators, and that a printed expression parses to the same expression.

use quickcheck::{Arbitrary, Gen, QuickCheck};
use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::source::{SourceId, SourceSpan};
use tracegauge_spec::expression::{Expr, ExprKind, Origin, parse};
use tracegauge_spec::yaml::{Scalar, Style};

const NOWHERE: SourceSpan = SourceSpan {
    source: SourceId(0),
    start: 0,
    end: 0,
};

fn read(text: &str) -> Result<Expr, String> {
    let scalar = Scalar {
        value: text.to_owned(),
        style: Style::Plain,
    };
    let origin = Origin::new(&scalar, NOWHERE, text);
    parse(text, &origin).map_err(|diagnostic| diagnostic.message)
}

/// Parses an expression and prints it with every operation in parentheses.
fn bound(text: &str) -> String {
    fn show(e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                format!("({} {} {})", show(left), operator.text(), show(right))
            }
            ExprKind::Unary { operator, operand } => format!("({operator:?} {})", show(operand)),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                format!(
                    "({} ? {} : {})",
                    show(condition),
                    show(then),
                    show(otherwise)
                )
            }
            ExprKind::Else { first, second } => format!("({} else {})", show(first), show(second)),
            ExprKind::IsPresent(inner) => format!("({} present)", show(inner)),
            _ => e.to_string(),
        }
    }
    read(text).map_or_else(|error| format!("error: {error}"), |e| show(&e))
}

#[test]
fn operators_bind_as_in_kaitai() {
    assert_eq!(bound("a + b * c - d"), "((a + (b * c)) - d)");
    assert_eq!(bound("a & 1 == 0"), "((a & 1) == 0)");
    assert_eq!(
        bound("not a == b and c or d"),
        "(((Not (a == b)) and c) or d)"
    );
    assert_eq!(bound("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    assert_eq!(bound("-a.b[1]"), "(Negate a.b[1])");
    assert_eq!(bound("a << 2 | b ^ c & d"), "((a << 2) | (b ^ (c & d)))");
    assert_eq!(bound("1 - 2 - 3"), "((1 - 2) - 3)");
}

#[test]
fn additions_bind_between_comparisons_and_bits() {
    assert_eq!(bound("a else b == c"), "((a else b) == c)");
    assert_eq!(
        bound("a else b | 1 else c is present"),
        "(((a else (b | 1)) else c) present)"
    );
    assert_eq!(bound("zone is present and x"), "((zone present) and x)");
}

#[test]
fn literals() {
    assert_eq!(bound("0xFF_FF"), "65535");
    assert_eq!(bound("0b101 + 0o17"), "(5 + 15)");
    assert_eq!(bound("1.5e3"), "1500.0");
    assert_eq!(bound("\"a\\n\\u0041\\101\""), "\"a\\u000aAA\"");
    assert_eq!(bound("'it\\n'"), "'it\\n'");
    assert_eq!(bound("[0x50, 1, ]"), "[80, 1]");
    assert_eq!(bound("a::b::c"), "a::b::c");
    assert_eq!(
        bound("x.as<a::b>.y + sizeof<u4>"),
        "(x.as<a::b>.y + sizeof<u4>)"
    );
    assert_eq!(bound("none"), "absent");
}

#[test]
fn mistakes() {
    for (text, message) in [
        ("a <", "expected a value, found the end of the expression"),
        ("a < b < c", "comparisons cannot be chained"),
        ("a == b == c", "comparisons cannot be chained"),
        ("1 + not a", "unexpected `not`"),
        ("a = b", "unexpected `=` in an expression"),
        ("!a", "unexpected `!` in an expression"),
        ("f\"{a}\"", "formatted strings are not supported"),
        ("12ab", "invalid number `12ab`"),
        ("'a", "unterminated string"),
        ("a b", "expected the end of the expression, found `b`"),
        ("", "expected a value, found the end of the expression"),
    ] {
        assert_eq!(
            read(text).map(|e| e.to_string()),
            Err(message.to_owned()),
            "{text}"
        );
    }
}

#[derive(Clone, Debug)]
struct Any(Expr);

impl Arbitrary for Any {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(expression(g, 4))
    }
}

fn at(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: NOWHERE,
    }
}

fn name(g: &mut Gen) -> String {
    (*g.choose(&["a", "b_1", "_root", "_parent", "size", "orchid", "island"])
        .expect("the list is not empty"))
    .to_owned()
}

fn leaf(g: &mut Gen) -> Expr {
    at(match u8::arbitrary(g) % 8 {
        0 => ExprKind::Int(u64::arbitrary(g).into()),
        1 => ExprKind::Bool(bool::arbitrary(g)),
        2 => ExprKind::Text(String::arbitrary(g)),
        3 => ExprKind::Absent,
        4 => ExprKind::This,
        5 => ExprKind::EnumMember {
            path: vec![name(g)],
            member: name(g),
        },
        6 => ExprKind::Float(f64::from(u32::arbitrary(g)) / 8.0),
        _ => ExprKind::Name(name(g)),
    })
}

fn expression(g: &mut Gen, depth: usize) -> Expr {
    if depth == 0 {
        return leaf(g);
    }
    let inner = |g: &mut Gen| Box::new(expression(g, depth - 1));
    at(match u8::arbitrary(g) % 10 {
        0 => ExprKind::Member {
            base: inner(g),
            name: name(g),
        },
        1 => ExprKind::Method {
            base: inner(g),
            name: name(g),
            arguments: vec![*inner(g)],
        },
        2 => ExprKind::Index {
            base: inner(g),
            index: inner(g),
        },
        3 => ExprKind::Unary {
            operator: UnaryOperator::Not,
            operand: inner(g),
        },
        4 => ExprKind::Unary {
            operator: UnaryOperator::Negate,
            operand: inner(g),
        },
        5 => ExprKind::Conditional {
            condition: inner(g),
            then: inner(g),
            otherwise: inner(g),
        },
        6 => ExprKind::Else {
            first: inner(g),
            second: inner(g),
        },
        7 => ExprKind::IsPresent(inner(g)),
        8 => return leaf(g),
        _ => {
            use BinaryOperator::*;
            let operators = [
                Add, Subtract, Multiply, Remainder, ShiftLeft, BitAnd, BitOr, BitXor, Equal, Less,
                And, Or,
            ];
            ExprKind::Binary {
                operator: *g.choose(&operators).expect("the list is not empty"),
                left: inner(g),
                right: inner(g),
            }
        }
    })
}

/// Returns `true` if two expressions are equal except for their locations.
fn same(a: &Expr, b: &Expr) -> bool {
    format!("{:?}", strip(a)) == format!("{:?}", strip(b))
}

fn strip(e: &Expr) -> String {
    let text = format!("{e:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("span: SourceSpan") {
        out.push_str(&rest[..at]);
        rest = rest[at..].split_once('}').map_or("", |(_, after)| after);
        rest = rest.strip_prefix('}').map_or(rest, |_| rest);
    }
    out.push_str(rest);
    out
}

#[test]
fn what_is_printed_reads_back() {
    fn holds(Any(e): Any) -> bool {
        let text = e.to_string();
        match read(&text) {
            Ok(back) => same(&e, &back),
            Err(error) => panic!("{text}: {error}"),
        }
    }
    QuickCheck::new()
        .tests(2000)
        .quickcheck(holds as fn(Any) -> bool);
}
