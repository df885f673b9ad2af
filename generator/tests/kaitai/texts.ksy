meta: { id: texts, endian: le, encoding: UTF-8 }
doc: Encodings, and what is asked of texts.
seq:
  - { id: chars, type: u1, value: utf8.length }
  - { id: units, type: u1, value: utf16.units16 }
  - { id: bytes, type: u1, value: utf8._sizeof }
  - { id: utf8, type: str, size: bytes }
  - { id: utf16, type: strz, encoding: UTF-16BE }
  - { id: latin, type: strz, encoding: ISO-8859-1 }
  - { id: ascii, type: strz, encoding: ASCII }
  - { id: marker, type: str, size: 4, encoding: UTF-16LE, valid: { eq: "'né'" } }
instances:
  is_number: { value: ascii.is_decimal }
  number: { value: "ascii.is_decimal ? ascii.to_i : -1" }
faults: { encoding: TEXT }
rules:
  TEXT: { level: must, section: Texts, says: Texts are well-formed., reader: reject }
