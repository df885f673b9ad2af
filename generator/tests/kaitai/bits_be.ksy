meta: { id: bits_be, endian: be, bit-endian: be }
doc: Bit fields from the most significant bit, in runs that fill bytes and in one that does not.
seq:
  - { id: version, type: b4 }
  - { id: flag, type: b1 }
  - { id: kind, type: b3, enum: kind }
  - { id: wide, type: b12 }
  - { id: rest, type: b4 }
  - { id: whole, type: b16 }
  - { id: some, type: b3 }
  - { id: after, type: u1 }
enums: { kind: { 0: none_yet, 1: one, 5: five } }
instances:
  both: { value: version * 16 + rest }
