/* A reader of dial9 traces, version 1. */
#ifndef DIAL9_H
#define DIAL9_H

#include <stddef.h>
#include <stdint.h>

enum dial9_result {
  DIAL9_OK,
  DIAL9_NOT_A_TRACE,
  DIAL9_VERSION,
  DIAL9_CUT_SHORT,
  DIAL9_UNKNOWN_FRAME,
  DIAL9_UNKNOWN_TYPE,
  DIAL9_SCHEMA_CHANGED,
  DIAL9_FIELD_TYPE,
  DIAL9_NUMBER,
  DIAL9_TEXT,
  DIAL9_TIME,
  DIAL9_MEMORY
};

/* A summary of the contents of a trace. */
struct dial9_summary {
  size_t schemas;
  size_t events;
  size_t texts;       /* entries of string pools */
  size_t unresolved;  /* references to entries that do not exist, or not yet */
  size_t pairs;       /* of string maps */
  size_t addresses;   /* of stacks */
  uint64_t last_time; /* nanoseconds */
  uint64_t sum;       /* of all numbers */
};

/* Reads a trace and summarizes it. After a fault, `summary` covers the part before the fault. */
enum dial9_result dial9_read(const uint8_t *data, size_t size, struct dial9_summary *summary);

#endif
