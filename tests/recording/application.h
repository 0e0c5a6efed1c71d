// The application's side: opens a replacement library, calls its exports, keeps a log of its own.
#pragma once

#include <string>

#include "tests/recording/call_log.h"
#include "tests/recording/decisions.h"
#include "tests/recording/invocation.h"

namespace recording {

class Application {
 public:
  // Opens the replacement library, with the backend below `musa_root`. Throws std::runtime_error.
  Application(const std::string& replacement, const std::string& musa_root);

  // Calls `cuda` with the arguments of `round` and returns the results. Adds to `complaints` what
  // no callee may do.
  Invocation call(const std::string& cuda, unsigned round, std::string* complaints) const;

  // Like call, for a direct symbol; adds the call to `log`.
  void call_direct(const Decision& decision, unsigned round, CallLog* log,
                   std::string* complaints) const;

 private:
  void* handle_;
};

}  // namespace recording
