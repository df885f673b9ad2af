meta: { id: endings, endian: le, encoding: ASCII }
doc: Every way in which a text or bytes end.
seq:
  - { id: plain, type: strz }
  - { id: slash, terminator: 0x2f, include: true }
  - { id: kept, type: str, terminator: 0x3b, consume: false }
  - { id: semicolon, type: u1 }
  - { id: sized, type: str, size: 6, terminator: 0 }
  - { id: padded, type: str, size: 5, pad-right: 0x20 }
  - { id: both, type: str, size: 8, terminator: 0x40, pad-right: 0x20 }
  - { id: zeros, type: str, size: 6, terminator: 0, pad-right: 0 }
  - { id: wide, type: strz, encoding: UTF-16LE }
  - { id: part, type: inner, size: 4 }
  - { id: last, type: strz, eos-error: false }
types:
  inner:
    seq: [ { id: text, type: str, size-eos: true, terminator: 0x2e, pad-right: 0x5f } ]
