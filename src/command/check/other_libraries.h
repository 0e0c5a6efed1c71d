// CUDA libraries without a counterpart in torchada, and what to do about each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchada::check {

struct OtherLibrary {
  std::string stem;  // "libcuda" for libcuda.so.1
  std::string what;
  std::string advice;
  // Its functions: this prefix, then a capital letter. Empty if no prefix tells.
  std::string prefix;
  // Base names of its headers. "cudnn*" stands for all that begin so.
  std::vector<std::string> headers;
};

// Null if the library does not belong to CUDA. A part of a library (libcudnn_graph, libnppial)
// returns the entry of the whole.
const OtherLibrary* find_other(const std::string& file_name);

// The library that has a function of this name, decided by its prefix. Null if none has.
const OtherLibrary* find_other_by_function(std::string_view name);

// The library that an #include of this header is about. Null if none.
const OtherLibrary* find_other_by_header(std::string_view header);

// CUDA's driver: what opens it does so before everything else and ends without it, whereas
// programs go on without the other libraries.
bool is_driver(const OtherLibrary& library);

// For tests: each entry is found by its own name, and none is a library of ours.
const std::vector<OtherLibrary>& other_libraries();

}  // namespace torchada::check
