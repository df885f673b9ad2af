meta:
  id: idioms
  title: What .ksy files do
  file-extension: dat
  endian: le
  encoding: ASCII
  ks-opaque-types: false
seq:
  - id: magic
    contents: [0x89, PNG, 13, 10]
  - id: header
    type: header
  - id: chunks
    type: chunk
    repeat: until
    repeat-until: _.type == "IEND" or _io.eof
  - id: palette
    type: rgb
    repeat: expr
    repeat-expr: header.palette_size
    if: header.has_palette and header.depth.to_i <= 8
  - id: offsets
    type: u4
    repeat: expr
    repeat-expr: header.num_entries
  - id: names
    type: strz
    size: 16
    repeat: expr
    repeat-expr: '(header.version >= 2) ? header.num_entries : 0'
  - id: trailer
    size-eos: true
instances:
  image_size:
    value: header.width * header.height * (header.bpp / 8)
  first_entry:
    pos: offsets[0]
    type: entry(1)
    if: header.num_entries > 0
  last_offset: { value: offsets.last }
  num_offsets: { value: offsets.size }
  string_table:
    pos: header.ofs_names
    size: header.len_names
    type: string_table
  magic_str: { value: 'magic[1] == 0x50 ? "png" : "other"' }
  is_new: { value: 'header.version > 1 and not header.old' }
  name_of_first: { value: 'string_table.entries[0].name.length', if: header.len_names != 0 }
  combined: { value: '(header.flags & 0x0f) << 4 | header.version' }
  mask: { value: header.flags & 0b0000_0111 }
  negated: { value: -header.version + ~header.flags }
  weird: { value: '[1, 2, 3]' }
  bytes: { value: '[0x01, 0x02].as<bytes>' }
  max_off: { value: offsets.max }
  text_number: { value: 'header.digits.to_i + header.digits.substring(0, 1).to_i(16)' }
  joined: { value: 'header.digits + "!" + header.version.to_s' }
  body_of_first: { value: 'chunks[0].body.as<ihdr>.width' }
  real: { value: header.scale * 2.5 + header.version }
  truncated: { value: header.scale.to_i }
types:
  header:
    seq:
      - { id: version, type: u1, valid: { any-of: [1, 2, 3] } }
      - { id: flags, type: u1 }
      - { id: width, type: u4, valid: { min: 1 } }
      - { id: height, type: u4 }
      - { id: bpp, type: u1 }
      - { id: depth, type: u1, enum: depth }
      - { id: has_palette, type: b1 }
      - { id: old, type: b1 }
      - { id: unused, type: b6 }
      - { id: palette_size, type: u2 }
      - { id: num_entries, type: u2 }
      - { id: ofs_names, type: u4 }
      - { id: len_names, type: u4 }
      - { id: digits, type: str, size: 4, encoding: UTF-8 }
      - { id: scale, type: f4 }
      - { id: zero, contents: [0] }
    instances:
      is_zip: { value: "flags == 0x10" }
      depth_value: { value: depth.to_i }
  chunk:
    seq:
      - { id: len, type: u4be }
      - { id: type, type: str, size: 4, encoding: UTF-8 }
      - id: body
        size: len
        type:
          switch-on: type
          cases:
            '"IHDR"': ihdr
            '"tEXt"': text
            '"sub"': sub
      - { id: crc, size: 4 }
  ihdr:
    seq:
      - { id: width, type: u4be }
      - { id: height, type: u4be }
      - { id: interlace, type: u1, enum: depth, valid: depth::eight }
  text:
    seq:
      - { id: keyword, type: strz }
      - { id: text, type: str, size-eos: true }
  sub:
    seq:
      - { id: count, type: u1 }
      - { id: items, type: item, repeat: expr, repeat-expr: count }
      - id: rest
        size: _parent.len - items.size - 1
        if: not _io.eof
      - id: padding
        size: '(4 - _io.pos) % 4'
    types:
      item:
        seq:
          - { id: kind, type: u1, enum: item::kind }
          - id: value
            type:
              switch-on: kind
              cases:
                kind::a: u1
                kind::b: strz
                _: f8
          - { id: more, type: u1, if: kind == kind::a or kind == item::kind::b }
          - { id: up, size: _parent.count, if: _parent._parent.len > 4 and _root.header.version == 1 }
        enums:
          kind: { 0: a, 1: b }
  entry:
    params: [ { id: level, type: u4 } ]
    seq:
      - { id: count, type: u1 }
      - { id: children, type: entry(level + 1), repeat: expr, repeat-expr: count, if: level < 5 }
  rgb: { seq: [ { id: r, type: u1 }, { id: g, type: u1 }, { id: b, type: u1 } ] }
  string_table:
    seq:
      - { id: entries, type: named(_index), repeat: eos }
  named:
    params: [ { id: i, type: s4 } ]
    seq:
      - { id: name, type: strz, eos-error: false }
enums:
  depth:
    1: one
    8: eight
    16: { id: sixteen, doc: wide }
