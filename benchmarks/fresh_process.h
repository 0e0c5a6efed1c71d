// Measurements that are made in processes of their own.
#pragma once

#include <string>
#include <vector>

namespace bench {

// Runs a program and returns the `count` doubles that it writes to stdout. Throws
// std::runtime_error where it fails.
std::vector<double> numbers_from(const std::vector<std::string>& command, std::size_t count);

}  // namespace bench
