// Calls with arguments that a test gives as words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/recording/application.h"
#include "tests/recording/call_log.h"

namespace recording {

constexpr std::size_t kArguments = 24;  // The words given, followed by zeros.
using Words = std::vector<std::uint64_t>;

// Calls `name` of an opened library and returns its status, or -1 if it has no such name. Clears
// the backend's log first.
int call_with(void* library, const std::string& name, const Words& words);

// A replacement library, opened with the backend below `musa_root`.
class Library {
 public:
  // `file` is its path in the folder of the replacement libraries. Throws std::runtime_error.
  Library(const std::string& file, const std::string& musa_root);

  // See call_with.
  int call(const std::string& name, const Words& words) const {
    return call_with(handle_, name, words);
  }

 private:
  Application application_;
  void* handle_;
};

// An argument of a received call.
std::uint64_t received(const LoggedCall& call, std::size_t index);

}  // namespace recording
