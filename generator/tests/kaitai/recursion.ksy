meta: { id: recursion, endian: le, encoding: UTF-8 }
doc: A type that holds itself, with lists and texts.
seq: [ { id: node, type: node } ]
types:
  node:
    seq:
      - { id: len, type: u1 }
      - { id: name, type: str, size: len }
      - { id: count, type: u1, valid: { max: 3 } }
      - { id: children, type: node, repeat: expr, repeat-expr: count }
    instances:
      leaf: { value: count == 0 }
