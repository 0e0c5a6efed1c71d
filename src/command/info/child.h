// The part of torchada info that runs in the child process.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace torchada::info {

// Opens the libraries below `root` and asks them. Throws nothing: errors go into the member
// "error".
nlohmann::json ask_libraries(const std::string& root);

}  // namespace torchada::info
