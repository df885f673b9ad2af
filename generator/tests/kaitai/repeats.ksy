meta: { id: repeats, endian: le }
doc: The three repetitions, their numbers, and the end of a stream as a condition.
seq:
  - { id: count, type: u1 }
  - { id: counted, type: numbered(_index), repeat: expr, repeat-expr: count }
  - { id: until, type: s2, repeat: until, repeat-until: _ < 0 }
  - { id: size, type: u1 }
  - { id: part, size: size, type: rest }
  - { id: last, type: u2, if: not _io.eof }
types:
  numbered:
    params: [ { id: number, type: s4 } ]
    seq:
      - { id: value, type: u1 }
      - { id: more, type: u1, repeat: expr, repeat-expr: number }
    instances:
      sum: { value: number + value }
  rest:
    seq: [ { id: all, type: u2be, repeat: eos } ]
