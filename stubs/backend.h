// Opening MUSA: which installation, which file of it, and what it exports.
#pragma once

#include "table.h"

namespace torchada {

// One opened MUSA installation. Immutable once published.
struct Backend {
  void* musart = nullptr;
  char folder[4096] = {};  // Where libmusart lies; its siblings are taken from there. May be empty.
  char path[4096] = {};    // The file that was opened, for messages.
};

struct Lookup {
  enum Result { kFound, kMissing, kNoBackend } result;
  void* address;
  const char* file;  // The library that was searched, null with kNoBackend.
  const char* name;  // The spelling that was found, null otherwise.
  bool settled;      // False while a library is being opened on this thread or another one races
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
