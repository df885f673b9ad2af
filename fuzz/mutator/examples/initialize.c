/* Beside a fuzz target with the library in it: says which format the target reads, so that nobody
 * has to set the variable around it. libFuzzer calls this function first. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  return setenv("TRACEGAUGE_FORMAT", "dial9-v1", 0);
}
