meta: { id: sizes, endian: le }
doc: Sizes from constants, from fields, from the sizes of types, and up to the end.
seq:
  - { id: header_size, type: u1, valid: { eq: sizeof<header> } }
  - { id: header, type: header, size: sizeof<header> }
  - { id: table, type: u2, repeat: expr, repeat-expr: "header.length / sizeof<u2>" }
  - { id: bits, type: flags }
  - { id: rest, size-eos: true }
types:
  header:
    seq:
      - { id: length, type: u1, valid: { any-of: [0, 2, 4] } }
      - { id: point, type: point }
      - { id: magic, contents: [0x7f, "A"] }
  point: { seq: [ { id: x, type: s2 }, { id: y, type: s2 } ] }
  flags: { seq: [ { id: one, type: b1 }, { id: seven, type: b7 } ] }
