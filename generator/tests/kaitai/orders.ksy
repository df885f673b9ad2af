meta: { id: orders, endian: be }
doc: A byte order that the data decide, and one that a type has by itself.
seq:
  - { id: mark, size: 2, valid: { any-of: ["[0x49, 0x49]", "[0x4d, 0x4d]"] } }
  - { id: count, type: u1, valid: { max: 3 } }
  - { id: body, type: body }
  - { id: fixed, type: fixed }
  - { id: after, type: u2 }
types:
  body:
    meta: { endian: { switch-on: _root.mark, cases: { '[0x49, 0x49]': le, '[0x4d, 0x4d]': be } } }
    seq:
      - { id: number, type: u2 }
      - { id: entries, type: entry, repeat: expr, repeat-expr: _root.count }
      - { id: always, type: u2be }
  entry: { seq: [ { id: value, type: s4 }, { id: scale, type: f4 } ] }
  fixed: { meta: { endian: le }, seq: [ { id: value, type: u2 } ] }
