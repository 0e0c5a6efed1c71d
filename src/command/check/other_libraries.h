// CUDA libraries without a counterpart in torchada, and what to do about each.
#pragma once

#include <string>
#include <vector>

namespace torchada::check {

struct OtherLibrary {
  std::string stem;  // "libcuda" for libcuda.so.1
  std::string what;
  std::string advice;
};

// Null if the library does not belong to CUDA. A part of a library (libcudnn_graph, libnppial)
// returns the entry of the whole.
const OtherLibrary* find_other(const std::string& file_name);

// For tests: each entry is found by its own name, and none is a library of ours.
const std::vector<OtherLibrary>& other_libraries();

}  // namespace torchada::check
