/* Selects the format for a fuzz target that is linked with the library, so that users do not
 * have to set the environment variable. libFuzzer calls this function first. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  return setenv("TRACEGAUGE_FORMAT", "dial9-v1", 0);
}
