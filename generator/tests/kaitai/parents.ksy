meta: { id: parents, endian: le }
doc: Nested types and enumerations, what is around them, and parameters.
seq:
  - { id: unit, type: u1, valid: { min: 1, max: 4 } }
  - { id: groups, type: group(unit), repeat: expr, repeat-expr: 2 }
types:
  group:
    params: [ { id: width, type: u1 } ]
    seq:
      - { id: kind, type: u1, enum: kind, valid: { any-of: ["kind::small", "kind::large"] } }
      - { id: cells, type: cell, repeat: expr, repeat-expr: 2 }
    enums: { kind: { 1: small, 2: large } }
    types:
      cell:
        seq:
          - { id: bytes, size: _parent.width }
          - { id: extra, type: u2, if: _parent.kind == kind::large }
          - { id: place, type: u1, valid: { expr: _ == _index + _root.unit }, value: _index + _root.unit }
        instances:
          total: { value: bytes._sizeof + (extra else 100) }
