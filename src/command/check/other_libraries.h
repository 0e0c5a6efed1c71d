// Libraries of CUDA that torchada has no counterpart of: what to do about each.
#pragma once

#include <string>
#include <vector>

namespace torchada::check {

struct OtherLibrary {
  std::string stem;  // "libcuda" of libcuda.so.1
  std::string what;
  std::string advice;
};

// Null for a library that is no business of CUDA's. Of libraries in parts (libcudnn_graph,
// libnppial) the entry of the whole.
const OtherLibrary* find_other(const std::string& file_name);

// For tests: every one is found by its own name, and none is one of ours.
const std::vector<OtherLibrary>& other_libraries();

}  // namespace torchada::check
