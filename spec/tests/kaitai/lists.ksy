meta: { id: lists, endian: le, encoding: UTF-8 }
seq:
  - { id: n, type: u4 }
  - { id: tree, type: node }
  - { id: dir, type: dir_entry, repeat: eos }
types:
  node:
    seq:
      - { id: tag, type: u1 }
      - id: value
        type:
          switch-on: tag
          cases: { 0: u4, 1: node_list, 2: str_value, 3: f4, 4: 'sub(tag)' }
  sub:
    params: [ {id: t, type: u1} ]
    seq: [ { id: x, size: t } ]
  node_list:
    seq:
      - { id: count, type: u4 }
      - { id: items, type: node, repeat: expr, repeat-expr: count }
  str_value: { seq: [ { id: len, type: u1 }, { id: v, type: str, size: len } ] }
  dir_entry:
    seq:
      - { id: ofs, type: s4 }
      - { id: len, type: s4 }
      - { id: flags, type: flags }
    instances:
      body: { io: _root._io, pos: ofs, size: len, type: body, if: ofs > 0 }
      compressed: { value: flags.compressed }
  flags:
    seq:
      - { id: compressed, type: b1 }
      - { id: pad, type: b31 }
  body:
    seq:
      - { id: d, size-eos: true, if: _parent.compressed }
      - { id: e, size-eos: true, if: not _parent.flags.compressed }
