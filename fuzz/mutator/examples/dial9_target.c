/* The reader as a fuzz target: libFuzzer and AFL++ call this function with each input. */
#include "dial9.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct dial9_summary summary;
  dial9_read(data, size, &summary);
  return 0;
}
