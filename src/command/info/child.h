// The part of torchada info that runs in the child process.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace torchada::info {

// Opens the libraries below `root` and asks them. Nothing is thrown: what goes wrong is "error".
nlohmann::json ask_libraries(const std::string& root);

}  // namespace torchada::info
