// Traces functions of a test with the companion, into a file for this process.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tracing {

// What a slot of `library` would hold for `function` if it led to `address`. Throws
// std::runtime_error if the companion is missing or does not trace the function.
void* traced_address(const std::string& library, const std::string& function, void* address);

template <typename Function>
Function* traced(const std::string& library, const std::string& name, Function* function) {
  return reinterpret_cast<Function*>(
      traced_address(library, name, reinterpret_cast<void*>(function)));
}

// The next record of a call; null if there is none.
nlohmann::json next_call();

}  // namespace tracing
