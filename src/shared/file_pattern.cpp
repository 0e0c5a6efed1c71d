#include "src/shared/file_pattern.h"

#include <unistd.h>

namespace torchada {
namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace

std::string expanded(std::string_view pattern) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char next = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (next == 'p') {
      out += std::to_string(getpid());
    } else if (next == 'h') {
      out += host_name();
    } else {
      out += pattern[at];
      if (next != '%') continue;
    }
    ++at;
  }
  return out;
}

bool names_process(std::string_view pattern) {
  for (std::size_t at = pattern.find('%'); at != pattern.npos; at = pattern.find('%', at + 2)) {
    if (pattern.substr(at + 1, 1) == "p") return true;
  }
  return false;
}

}  // namespace torchada
