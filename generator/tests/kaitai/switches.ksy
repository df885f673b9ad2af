meta: { id: switches, endian: be }
doc: >-
  Switches on an enumeration, on a number, on a text, directly inside a switch, and with a label
  that is no constant.
seq:
  - { id: special, type: u1, valid: { max: 99 } }
  - { id: items, type: item, repeat: expr, repeat-expr: 6 }
types:
  item:
    seq:
      - { id: kind, type: u1, enum: kind, valid: { any-of: ["kind::number", "kind::text", "kind::nested", "kind::marked"] } }
      - { id: width, type: u1, valid: { min: 1, max: 3 } }
      - id: body
        type:
          switch-on: kind
          cases:
            'kind::number':
              switch-on: width
              cases: { 1: u1, 2: u2, _: u4 }
            'kind::text': text
            'kind::nested': nested(width)
            _: marked
  text:
    seq:
      - { id: tag, type: str, size: 2, encoding: ASCII, valid: { any-of: ["'ab'", "'cd'"] } }
      - id: value
        type: { switch-on: tag, cases: { "'ab'": u1, "'cd'": u2 } }
  nested:
    params: [ { id: depth, type: u1 } ]
    seq: [ { id: bytes, size: depth } ]
  marked:
    seq:
      - { id: mark, type: u1 }
      - id: found
        type: { switch-on: mark, cases: { _root.special: u2, 100: u4, _: u1 } }
enums: { kind: { 1: number, 2: text, 3: nested, 4: marked } }
