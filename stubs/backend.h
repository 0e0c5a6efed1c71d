// What the opened MUSA exports.
#pragma once

#include "table.h"

namespace torchada {

struct Lookup {
  enum Result { kFound, kMissing, kNoBackend } result;
  void* address;
  const char* file;  // The library that was searched; with kNoBackend the folder of an opened MUSA
                     // that lacks it, or null where there is no MUSA at all.
  const Target* target;  // The spelling that was found, null otherwise.
  bool settled;  // False while a library is being opened on this thread or another one races
                 // to publish the first backend: the answer may be used, not kept.
};

// Finds the first of `count` spellings that the opened SDK has, opening MUSA if this is the first
// use in the process. Takes no lock: the loader's own lock orders concurrent openings, and both
// get the same handle. Keeps errno.
Lookup find_in_backend(BackendLibrary library, const Target* targets, unsigned count,
                       const char* strings);

// `name` in the library named by TORCHADA_OVERRIDE, or null.
void* find_in_override(const char* name);

}  // namespace torchada
