/* What stands in lib/stubs: the driver's names, for linkers. A program that loads this file by
   mistake is told so, at the first call and by every status. */
#include <stdio.h>

enum { kStubLibrary = 34 }; /* MUSA_ERROR_STUB_LIBRARY */

static int refuse(const char* name) {
  static int said;
  if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) {
    fprintf(
        stderr,
        "libmusa: %s was called in the link stub of an SDK (lib/stubs/libmusa.so), which drives no "
        "device. Expected the driver's library: remove the folder lib/stubs from "
        "LD_LIBRARY_PATH.\n",
        name);
  }
  return kStubLibrary;
}

#define STUB(name)                                       \
  __attribute__((visibility("default"))) int name(void); \
  int name(void) { return refuse(#name); }
#include "generated/stub_names.inc"
