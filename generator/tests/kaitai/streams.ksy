meta: { id: streams, endian: be }
doc: Positions and sizes of streams, seen from inside parts.
seq:
  - { id: before, type: u1 }
  - { id: size, type: u1, valid: { min: 3, max: 30 } }
  - { id: part, size: size, type: part }
  - { id: tail, size-eos: true }
types:
  part:
    seq:
      - { id: here, type: u1, valid: 0 }
      - { id: length, type: u1, valid: { eq: _io.size } }
      - { id: inner, type: inner, size: 1 }
      - { id: rest, type: u1, repeat: until, repeat-until: _io.eof, if: not _io.eof }
  inner:
    seq: [ { id: byte, type: u1 } ]
    instances:
      around: { value: _parent._io.size }
      own: { value: _io.size }
