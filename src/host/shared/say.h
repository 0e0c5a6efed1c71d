// Lines of the stand-in on stderr.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace host {

inline void say(const std::string& text) {
  const char* const log = secure_getenv("TORCHADA_LOG");
  if (log != nullptr && std::strcmp(log, "off") == 0) return;
  std::string line = "torchada host: ";
  // Names come from files, and may hold anything.
  for (const char c : text) line += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace host
