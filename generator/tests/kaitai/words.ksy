meta: { id: words, endian: le }
doc: Numbers in words whose order is not that of their bytes.
seq:
  - { id: middle, type: u4, words: { size: 2, first: high } }
  - { id: big, type: u4be, words: { size: 2, first: low } }
  - { id: long, type: s8, words: { size: 4, first: high } }
  - { id: plain, type: u4, words: { size: 2, first: low } }
