// Functions of a test as the companion traces them, in a file of this process's own.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tracing {

// What a slot of `library` would hold for `function` if it led to `address`. Throws
// std::runtime_error where the companion is missing, or traces no such function.
void* traced_address(const std::string& library, const std::string& function, void* address);

template <typename Function>
Function* traced(const std::string& library, const std::string& name, Function* function) {
  return reinterpret_cast<Function*>(
      traced_address(library, name, reinterpret_cast<void*>(function)));
}

// The next record of a call; null where there is none.
nlohmann::json next_call();

}  // namespace tracing
