// A list of words, as exec() and posix_spawn() take it.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// Ends in null. Valid as long as the words stay; who gets it does not write to them.
inline std::vector<char*> word_pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace torchada
