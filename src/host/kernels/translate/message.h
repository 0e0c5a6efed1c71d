// What a reader is told about a source.
#pragma once

#include <string>

namespace kernels {

struct Place {
  std::string file;
  unsigned int line = 0, column = 0;  // 0: not known
};

struct Message {
  Place place;
  std::string text;
};

}  // namespace kernels
