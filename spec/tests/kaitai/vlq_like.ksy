meta: { id: vlq_like, endian: be }
seq:
  - { id: groups, type: group, repeat: until, repeat-until: not _.has_next }
types:
  group:
    -webide-representation: '{value}'
    seq: [ { id: b, type: u1 } ]
    instances:
      has_next: { value: (b & 0b1000_0000) != 0 }
      value: { value: b & 0b0111_1111 }
instances:
  len: { value: groups.size }
  value:
    value: >-
      groups[len - 1].value
      + (len >= 2 ? (groups[len - 2].value << 7) : 0)
      + (len >= 3 ? (groups[len - 3].value << 14) : 0)
  sign_bit: { value: '(len == 2) ? 1 : (1 << (7 * len - 1))' }
  signed: { value: (value ^ sign_bit) - sign_bit }
