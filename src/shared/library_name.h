// Parses the file names of shared libraries.
#pragma once

#include <stddef.h>

namespace torchada {

// libcudart-1a2b3c4d.so.12.4.127: `stem` libcudart, `renamed`, `version` 12.4.127, `major` 12.
// Points into the parsed name.
struct LibraryName {
  const char* stem = nullptr;
  size_t stem_length = 0;
  bool renamed = false;           // Has the hash that a wheel's copies get.
  const char* version = nullptr;  // What follows ".so."; null for unversioned names.
  size_t major_length = 0;        // Length of the first number of `version`.

  bool stem_is(const char* text) const;
  bool same_major(const LibraryName& other) const;
};

const char* base_name(const char* path);

// False if `base` is not the name of a shared library: no "lib", no ".so", or a version with
// anything but numbers.
bool parse_library_name(const char* base, LibraryName* out);

}  // namespace torchada
