// CUDA libraries without a counterpart in torchada, and what to do about each: `others` in
// mappings/libraries.yaml. Also compiled into the audit module, which needs libc alone.
#pragma once

namespace torchada {

struct OtherLibrary {
  const char* stem;         // "libcudnn" for libcudnn.so.9
  const char* what;         // What the library is, in a few words.
  const char* advice = "";  // What a user can do without it.
  // Its functions: this prefix, then a capital letter or an underscore. Empty if no prefix tells.
  const char* prefix = "";
  // Base names of its headers, separated by spaces. "cudnn*" stands for all that begin so.
  const char* headers = "";
  const char* parts = "";  // What follows the stem in a part's name: one of these characters.
  // Of `torchada run`, which offers the library. Null if torchada has no counterpart.
  const char* option = nullptr;
};

constexpr int kMostOtherLibraries = 64;

// Null if the file does not belong to CUDA, or if torchada replaces it. A part of a library
// (libcudnn_graph, libnppial) returns the entry of the whole. Takes a path or a file name.
const OtherLibrary* find_other(const char* file_name);

// The same, also for a library that torchada offers on request only: programs that do not find it
// may need the option.
const OtherLibrary* find_missing(const char* file_name);

// The number of an entry, at least 0 and below kMostOtherLibraries.
int index_of(const OtherLibrary* library);

// The reverse of index_of. Null past the last entry.
const OtherLibrary* other_library(int index);

}  // namespace torchada
