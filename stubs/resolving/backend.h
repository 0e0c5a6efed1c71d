// Looks up functions in the opened MUSA.
#pragma once

#include "stubs/table.h"

namespace torchada {

struct Lookup {
  enum Result { kFound, kMissing, kNoBackend } result;
  void* address;
  // The library searched. With kNoBackend: the libmusart beside which the library is missing, or
  // null without any MUSA.
  const char* file;
  const Target* target;  // The spelling that was found, null otherwise.
  // False if the library is not known to be constructed, because this thread is opening one, and
  // while another thread races to publish the first backend. Then use the answer, but do not keep
  // it.
  bool settled;
};

// Finds the first of `count` spellings that the opened SDK has, opening MUSA if this is the first
// use in the process. Takes no lock: the loader's own lock orders concurrent openings, and both
// get the same handle. Keeps errno.
Lookup find_in_backend(BackendLibrary library, const Target* targets, unsigned count,
                       const char* strings);

// Whether the opened SDK, by its version (major*10000+minor*100+patch), is older than `sdk`. True
// if it does not tell its version.
bool sdk_is_before(int32_t sdk);

// `name` in the library named by TORCHADA_OVERRIDE: kFound, or kMissing.
Lookup find_in_override(const char* name);

}  // namespace torchada
