// A line of a file, for messages.
#pragma once

#include <string>

namespace torchada {

struct Place {
  std::string file;
  int line = 0;
};

}  // namespace torchada
