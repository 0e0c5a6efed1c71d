#include "src/audit/said_names.h"

#include <string.h>
#include <unistd.h>

#include "src/audit/messages.h"

namespace torchada {

bool SaidNames::is_first(const char* name) {
  const int process = getpid();
  if (process != process_) count_ = 0;
  process_ = process;
  for (int i = 0; i < count_; ++i) {
    if (strcmp(names_[i].c_str(), name) == 0) return false;
  }
  if (count_ == kMost) return false;
  names_[count_].clear();
  names_[count_++] << name;
  return true;
}

void SaidNames::print(const char* what) const {
  if (count_ == 0 || getpid() != process_) return;
  Text<2048> line;
  line << "summary of process " << static_cast<int64_t>(process_) << ": " << int64_t{count_}
       << (count_ == 1 ? " library was " : " libraries were ") << what;
  say_always(line);
  for (int i = 0; i < count_; ++i) {
    line.clear();
    line << "  " << names_[i].c_str();
    say_always(line);
  }
}

}  // namespace torchada
