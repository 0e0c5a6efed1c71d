#include "tests/recording/words.h"

#include <dlfcn.h>

#include "tests/recording/child.h"
#include "tests/recording/invocation.h"

namespace recording {

int call_with(void* library, const std::string& name, const Words& words) {
  announce(name);
  void* address = dlsym(library, name.c_str());
  if (address == nullptr) return -1;
  Invocation invocation = invocation_of(name.c_str(), 0);
  recording_arguments& arguments = invocation.exchange.arguments;
  for (std::size_t i = 0; i < kArguments; ++i) {
    (i < 6 ? arguments.integers[i] : arguments.stack[i - 6]) = i < words.size() ? words[i] : 0;
  }
  recording_reset();
  recording_invoke(address, &invocation);
  return static_cast<int>(invocation.exchange.results.rax);
}

Library::Library(const std::string& file, const std::string& musa_root)
    : application_(REPLACEMENT_FOLDER "/" + file, musa_root),
      handle_(dlopen((REPLACEMENT_FOLDER "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL)) {}

std::uint64_t received(const LoggedCall& call, std::size_t index) {
  const recording_arguments& arguments = call.exchange.arguments;
  return index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
}

}  // namespace recording
