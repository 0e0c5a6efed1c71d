// The JSON of torchada check, for the page.
#pragma once

#include <string>

namespace torchada::coverage {

struct CheckResult {
  std::string name;  // Of the file, without its directory.
  std::string json;  // What page/check_members.json lists, and nothing else.
};

// Throws Failure where the file cannot be read, or is not what torchada check --format=json writes.
CheckResult read_check_result(const std::string& path);

}  // namespace torchada::coverage
