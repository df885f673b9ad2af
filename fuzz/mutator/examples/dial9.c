/* A typical hand-written reader of dial9 traces, version 1. It makes one pass over the bytes and
 * keeps schemas and pooled texts in growing tables. */
#include "dial9.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum frame { FRAME_SCHEMA = 1, FRAME_EVENT = 2, FRAME_POOL = 3, FRAME_RESET = 5 };

enum type {
  TYPE_I64 = 1,
  TYPE_F64 = 2,
  TYPE_BOOL = 3,
  TYPE_STRING = 4,
  TYPE_BYTES = 5,
  TYPE_POOLED = 7,
  TYPE_STACK = 8,
  TYPE_VARINT = 9,
  TYPE_MAP = 10,
  TYPE_U8 = 11,
  TYPE_U16 = 12,
  TYPE_U32 = 13
};

/* The bytes that have not been read yet. */
struct cursor {
  const uint8_t *at;
  const uint8_t *end;
};

struct slice {
  const uint8_t *data;
  size_t size;
};

struct schema {
  uint16_t id;
  bool timed;
  uint16_t fields;
  struct slice body;   /* everything after the id, for comparison */
  struct slice layout; /* the definitions of the fields */
};

struct entry {
  uint32_t id;
  struct slice text;
};

struct reader {
  struct cursor in;
  struct schema *schemas;
  size_t schema_room;
  struct entry *pool;
  size_t pool_count;
  size_t pool_room;
  uint64_t base;
  struct dial9_summary *summary;
};

#define TRY(call)                                   \
  do {                                              \
    enum dial9_result result_ = (call);             \
    if (result_ != DIAL9_OK) return result_;        \
  } while (0)

static size_t left(const struct cursor *in) { return (size_t)(in->end - in->at); }

static enum dial9_result take(struct cursor *in, size_t size, struct slice *out) {
  if (left(in) < size) return DIAL9_CUT_SHORT;
  out->data = in->at;
  out->size = size;
  in->at += size;
  return DIAL9_OK;
}

/* Reads a little-endian number of `width` bytes. */
static enum dial9_result number(struct cursor *in, size_t width, uint64_t *out) {
  struct slice raw;
  TRY(take(in, width, &raw));
  *out = 0;
  for (size_t i = width; i-- > 0;) *out = *out << 8 | raw.data[i];
  return DIAL9_OK;
}

static enum dial9_result varint(struct cursor *in, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint64_t byte;
    TRY(number(in, 1, &byte));
    if (shift == 63 && byte > 1) return DIAL9_NUMBER;
    *out |= (byte & 0x7f) << shift;
    if (byte < 0x80) return DIAL9_OK;
  }
}

/* Reads bytes that are preceded by their length, a number of `width` bytes. */
static enum dial9_result prefixed(struct cursor *in, size_t width, struct slice *out) {
  uint64_t size;
  TRY(number(in, width, &size));
  return take(in, (size_t)size, out);
}

/* Returns the number of bytes that follow `first` in a character, or -1 if no character begins with
 * it. */
static int following(uint8_t first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  if (first >= 0xf0 && first <= 0xf4) return 3;
  return -1;
}

static bool is_utf8(struct slice text) {
  for (size_t i = 0; i < text.size;) {
    uint8_t first = text.data[i++];
    int more = following(first);
    if (more < 0 || text.size - i < (size_t)more) return false;
    if (more > 0) {
      uint8_t second = text.data[i];
      if (first == 0xe0 && second < 0xa0) return false;
      if (first == 0xed && second > 0x9f) return false;
      if (first == 0xf0 && second < 0x90) return false;
      if (first == 0xf4 && second > 0x8f) return false;
    }
    while (more-- > 0)
      if ((text.data[i++] & 0xc0) != 0x80) return false;
  }
  return true;
}

/* Makes room for one more element and returns the array. */
static void *grown(void *array, size_t count, size_t *room, size_t width) {
  if (count < *room) return array;
  size_t wanted = *room ? *room * 2 : 8;
  void *moved = realloc(array, wanted * width);
  if (moved) *room = wanted;
  return moved;
}

static struct schema *find_schema(struct reader *reader, uint16_t id) {
  for (size_t i = 0; i < reader->summary->schemas; i++)
    if (reader->schemas[i].id == id) return &reader->schemas[i];
  return NULL;
}

/* Returns the latest text with this id. */
static const struct entry *find_entry(const struct reader *reader, uint32_t id) {
  for (size_t i = reader->pool_count; i-- > 0;)
    if (reader->pool[i].id == id) return &reader->pool[i];
  return NULL;
}

static bool is_type(uint64_t type) {
  return type >= TYPE_I64 && type <= TYPE_U32 && type != 6;
}

static bool same(struct slice one, struct slice other) {
  return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
}

static enum dial9_result read_schema(struct reader *reader) {
  struct cursor *in = &reader->in;
  struct schema schema = {0};
  struct slice name;
  uint64_t value;
  TRY(number(in, 2, &value));
  schema.id = (uint16_t)value;
  schema.body.data = in->at;
  TRY(prefixed(in, 2, &name));
  if (!is_utf8(name)) return DIAL9_TEXT;
  TRY(number(in, 1, &value));
  if (value > 1) return DIAL9_NUMBER;
  schema.timed = value == 1;
  TRY(number(in, 2, &value));
  schema.fields = (uint16_t)value;
  schema.layout.data = in->at;
  for (unsigned i = 0; i < schema.fields; i++) {
    TRY(prefixed(in, 2, &name));
    if (!is_utf8(name)) return DIAL9_TEXT;
    TRY(number(in, 1, &value));
    if (!is_type(value)) return DIAL9_FIELD_TYPE;
  }
  schema.layout.size = (size_t)(in->at - schema.layout.data);
  schema.body.size = (size_t)(in->at - schema.body.data);

  const struct schema *known = find_schema(reader, schema.id);
  if (known) return same(known->body, schema.body) ? DIAL9_OK : DIAL9_SCHEMA_CHANGED;
  struct schema *room = grown(reader->schemas, reader->summary->schemas, &reader->schema_room,
                              sizeof *room);
  if (!room) return DIAL9_MEMORY;
  reader->schemas = room;
  reader->schemas[reader->summary->schemas++] = schema;
  return DIAL9_OK;
}

static enum dial9_result read_text(struct reader *reader) {
  struct slice text;
  TRY(prefixed(&reader->in, 4, &text));
  if (!is_utf8(text)) return DIAL9_TEXT;
  reader->summary->sum += text.size;
  return DIAL9_OK;
}

static enum dial9_result read_map(struct reader *reader) {
  uint64_t count;
  TRY(number(&reader->in, 4, &count));
  while (count-- > 0) {
    TRY(read_text(reader));
    TRY(read_text(reader));
    reader->summary->pairs++;
  }
  return DIAL9_OK;
}

static enum dial9_result read_stack(struct reader *reader) {
  uint64_t count, address;
  TRY(number(&reader->in, 4, &count));
  if (count > left(&reader->in) / 8) return DIAL9_CUT_SHORT;
  while (count-- > 0) {
    TRY(number(&reader->in, 8, &address));
    reader->summary->addresses++;
    reader->summary->sum ^= address;
  }
  return DIAL9_OK;
}

static enum dial9_result read_double(struct reader *reader) {
  uint64_t bits;
  double value;
  TRY(number(&reader->in, 8, &bits));
  memcpy(&value, &bits, sizeof value);
  if (value != value) return DIAL9_OK; /* not a number, which is a value */
  if (value >= 0 && value < 1e9) reader->summary->sum += (uint64_t)value;
  return DIAL9_OK;
}

static enum dial9_result read_value(struct reader *reader, uint8_t type) {
  struct cursor *in = &reader->in;
  struct slice bytes;
  uint64_t value = 0;
  switch (type) {
    case TYPE_I64:
      TRY(number(in, 8, &value));
      if ((int64_t)value < 0) value = 0 - value;
      break;
    case TYPE_F64:
      return read_double(reader);
    case TYPE_BOOL:
      TRY(number(in, 1, &value));
      value = value != 0;
      break;
    case TYPE_STRING:
      return read_text(reader);
    case TYPE_BYTES:
      TRY(prefixed(in, 4, &bytes));
      value = bytes.size;
      break;
    case TYPE_POOLED: {
      TRY(number(in, 4, &value));
      const struct entry *entry = find_entry(reader, (uint32_t)value);
      if (!entry) reader->summary->unresolved++;
      value = entry ? entry->text.size : 0;
      break;
    }
    case TYPE_STACK:
      return read_stack(reader);
    case TYPE_VARINT:
      TRY(varint(in, &value));
      break;
    case TYPE_MAP:
      return read_map(reader);
    case TYPE_U8:
      TRY(number(in, 1, &value));
      break;
    case TYPE_U16:
      TRY(number(in, 2, &value));
      break;
    case TYPE_U32:
      TRY(number(in, 4, &value));
      break;
    default:
      return DIAL9_FIELD_TYPE;
  }
  reader->summary->sum += value;
  return DIAL9_OK;
}

static enum dial9_result read_event(struct reader *reader) {
  uint64_t value;
  TRY(number(&reader->in, 2, &value));
  const struct schema *schema = find_schema(reader, (uint16_t)value);
  if (!schema) return DIAL9_UNKNOWN_TYPE;
  if (schema->timed) {
    TRY(number(&reader->in, 3, &value));
    if (value > UINT64_MAX - reader->base) return DIAL9_TIME;
    reader->base += value;
    reader->summary->last_time = reader->base;
  }
  struct cursor layout = {schema->layout.data, schema->layout.data + schema->layout.size};
  for (unsigned i = 0; i < schema->fields; i++) {
    struct slice name;
    TRY(prefixed(&layout, 2, &name));
    TRY(number(&layout, 1, &value));
    TRY(read_value(reader, (uint8_t)value));
  }
  reader->summary->events++;
  return DIAL9_OK;
}

static enum dial9_result read_pool(struct reader *reader) {
  uint64_t count, id;
  TRY(number(&reader->in, 4, &count));
  while (count-- > 0) {
    struct slice text;
    TRY(number(&reader->in, 4, &id));
    TRY(prefixed(&reader->in, 4, &text));
    if (!is_utf8(text)) return DIAL9_TEXT;
    struct entry *room = grown(reader->pool, reader->pool_count, &reader->pool_room, sizeof *room);
    if (!room) return DIAL9_MEMORY;
    reader->pool = room;
    reader->pool[reader->pool_count].id = (uint32_t)id;
    reader->pool[reader->pool_count++].text = text;
    reader->summary->texts++;
  }
  return DIAL9_OK;
}

static enum dial9_result read_frame(struct reader *reader) {
  uint64_t tag;
  TRY(number(&reader->in, 1, &tag));
  switch (tag) {
    case FRAME_SCHEMA:
      return read_schema(reader);
    case FRAME_EVENT:
      return read_event(reader);
    case FRAME_POOL:
      return read_pool(reader);
    case FRAME_RESET:
      return number(&reader->in, 8, &reader->base);
    default:
      return DIAL9_UNKNOWN_FRAME;
  }
}

static enum dial9_result read_header(struct cursor *in) {
  struct slice magic;
  uint64_t version;
  if (take(in, 4, &magic) != DIAL9_OK || memcmp(magic.data, "TRC", 4) != 0)
    return DIAL9_NOT_A_TRACE;
  TRY(number(in, 1, &version));
  return version == 1 ? DIAL9_OK : DIAL9_VERSION;
}

enum dial9_result dial9_read(const uint8_t *data, size_t size, struct dial9_summary *summary) {
  memset(summary, 0, sizeof *summary);
  if (size == 0) return DIAL9_NOT_A_TRACE;
  struct reader reader = {.in = {data, data + size}, .summary = summary};
  enum dial9_result result = read_header(&reader.in);
  while (result == DIAL9_OK && left(&reader.in) > 0) result = read_frame(&reader);
  free(reader.schemas);
  free(reader.pool);
  return result;
}
