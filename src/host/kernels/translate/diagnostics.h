// What a reader is told about a source; what clang says, in our words where they say more.
#pragma once

#include <set>
#include <string>

#include "src/host/kernels/translate/request.h"

namespace kernels {

struct Place {
  std::string file;
  unsigned int line = 0, column = 0;  // 0: not known
};

struct Message {
  Place place;
  std::string text;
};

// FILE:LINE:COLUMN: KIND: TEXT and a new line.
std::string line_of(const Message& message, const std::string& kind);

// What the stand-in cannot do.
Message refusal(Place place, const std::string& what);

// Launches from device code are named, and errors in a line of a name expression name the
// expression, whose number goes to `wrong_names`. `only_names`: there are no other errors.
std::string in_our_words(const std::string& log, const Request& request, const std::string& source,
                         std::set<std::size_t>* wrong_names, bool* only_names);

}  // namespace kernels
