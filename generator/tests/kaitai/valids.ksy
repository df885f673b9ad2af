meta: { id: valids, endian: le, encoding: ASCII }
doc: Every form of `valid`.
seq:
  - { id: equal, type: u1, valid: 7 }
  - { id: least, type: s2, valid: { min: -5 } }
  - { id: range, type: u2, valid: { min: 10, max: 20 } }
  - { id: listed, type: u1, valid: { any-of: [1, 3, 5] } }
  - { id: scale, type: f4, valid: { min: 0.5, max: 2 } }
  - { id: even, type: u1, valid: { expr: _ % 2 == 0 }, gen: { construct: range / 2 * 2 } }
  - { id: text, type: str, size: 3, valid: { any-of: ["'abc'", "'xyz'"] } }
  - { id: known, type: u1, enum: colour, valid: { any-of: ["colour::red", "colour::blue"] } }
  - { id: relative, type: u2, valid: { min: range } }
enums: { colour: { 0: red, 2: blue } }
