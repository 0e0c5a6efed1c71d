// The application's side: opens a shim, calls its exports, keeps its own log.
#pragma once

#include <string>

#include "call_log.h"
#include "decisions.h"
#include "invocation.h"

namespace recording {

class Application {
 public:
  // Opens the shim so that it finds the backend below `musa_root`. Throws std::runtime_error.
  Application(const std::string& shim, const std::string& musa_root);

  // Calls `cuda` with the arguments of `round` and returns what came back. Adds to `complaints`
  // whatever no callee may do.
  Invocation call(const std::string& cuda, unsigned round, std::string* complaints) const;

  // As call, for a symbol that is direct; the call goes to `log`.
  void call_direct(const Decision& decision, unsigned round, CallLog* log,
                   std::string* complaints) const;

 private:
  void* handle_;
};

}  // namespace recording
