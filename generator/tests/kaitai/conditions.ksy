meta: { id: conditions, endian: le }
doc: Fields with conditions, what stands in for those that are absent, and arithmetic.
seq:
  - { id: flags, type: u1, flags: parts }
  - { id: small, type: u1, if: flags.small }
  - { id: large, type: u4, if: flags.large }
  - { id: count, type: u1, valid: { max: 5 }, if: small is present and large is present }
  - { id: values, type: s1, repeat: expr, repeat-expr: count else 1 }
flags: { parts: { small: 1, large: 2 } }
instances:
  size: { value: large else small else 0 }
  quotient: { value: "-7 / 2" }
  remainder: { value: "-7 % 3" }
  shifted: { value: "(1 << 10 | 0b101) ^ 1_000" }
  chosen: { value: "flags & 3 == 3 ? 0xFF : 1", if: flags != 0 }
