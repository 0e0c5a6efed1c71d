// Measurements in separate processes.
#pragma once

#include <string>
#include <vector>

namespace bench {

// Runs a program and returns the `count` doubles that it writes to stdout. Throws
// std::runtime_error if the program fails.
std::vector<double> numbers_from(const std::vector<std::string>& command, std::size_t count);

}  // namespace bench
