meta: { id: located, endian: le, encoding: ASCII }
doc: Instances at a position, counted from the start, from the end, and in another stream.
seq:
  - { id: body_offset, type: u1 }
  - { id: names_size, type: u1 }
  - { id: names, size: names_size, type: names }
  - { id: data, size: 4 }
  - { id: footer, type: u2 }
instances:
  body: { pos: body_offset, size: 2 }
  ahead: { pos: _io.size - 2, type: u2, same-as: footer }
  first: { pos: 0, type: u1 }
  doubled: { value: ahead * 2 }
types:
  names:
    seq: [ { id: rest, size-eos: true } ]
    instances:
      start: { pos: 0, type: u1 }
      file_start: { pos: 0, io: _root._io, type: u1 }
      end: { pos: _io.size - 1, type: u1, if: _io.size > 0 }
