#include "tests/recording/application.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <stdexcept>

#include "tests/recording/child.h"

namespace recording {

Application::Application(const std::string& replacement, const std::string& musa_root) {
  // Only what is set here may decide where a call goes. Thousands of refusals with a line each
  // would bury the report.
  for (const char* name : {"TORCHADA_DISABLE", "TORCHADA_OVERRIDE", "TORCHADA_STRICT"}) {
    unsetenv(name);
  }
  setenv("TORCHADA_LOG", "off", 1);
  setenv("TORCHADA_MUSA_PATH", musa_root.c_str(), 1);
  handle_ = dlopen(replacement.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) throw std::runtime_error(dlerror());
}

Invocation Application::call(const std::string& cuda, unsigned round,
                             std::string* complaints) const {
  Invocation out = invocation_of(cuda.c_str(), round);
  void* address = dlsym(handle_, cuda.c_str());
  if (!address) {
    *complaints += cuda + ": not exported\n";
    return out;
  }
  announce(cuda);
  recording_invoke(address, &out);
  if (memcmp(out.saved_before, out.saved_after, sizeof out.saved_before) != 0) {
    *complaints += cuda + ": a register that a callee preserves came back changed\n";
  }
  if (out.stack_moved != 0) *complaints += cuda + ": the stack pointer came back changed\n";
  return out;
}

void Application::call_direct(const Decision& decision, unsigned round, CallLog* log,
                              std::string* complaints) const {
  const Invocation done = call(decision.cuda, round, complaints);
  log->push_back({decision.cuda, decision.musa, done.exchange});
}

}  // namespace recording
