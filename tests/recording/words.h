// Calls whose arguments a test writes out, as words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "application.h"
#include "call_log.h"

namespace recording {

constexpr std::size_t kArguments = 24;  // That such a call has: zeros after those written out.
using Words = std::vector<std::uint64_t>;

// The status of `name` of an opened library, or -1 where it has no such name. The log of the
// backend begins anew.
int call_with(void* library, const std::string& name, const Words& words);

// A shim that was opened so that it finds the backend below `musa_root`.
class Library {
 public:
  // `file` is its name in the folder of the shims. Throws std::runtime_error.
  Library(const std::string& file, const std::string& musa_root);

  // As call_with.
  int call(const std::string& name, const Words& words) const {
    return call_with(handle_, name, words);
  }

 private:
  Application application_;
  void* handle_;
};

// An argument of a call that arrived.
std::uint64_t received(const LoggedCall& call, std::size_t index);

}  // namespace recording
