meta: { id: bits_le, endian: le, bit-endian: le }
doc: Bit fields from the least significant bit; a bit field with a test.
seq:
  - { id: low, type: b4 }
  - { id: high, type: b4, valid: { max: 9 } }
  - { id: ready, type: b1 }
  - { id: level, type: b10 }
  - { id: mode, type: b5 }
  - { id: pair, type: b16 }
  - { id: tail, type: b5 }
