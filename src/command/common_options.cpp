#include "common_options.h"

#include <sstream>

namespace torchada {

Option format_option(std::string* storage, const std::vector<std::string>& formats) {
  *storage = formats.front();
  return {"format", Kind::kChoice, "", "how the answer is written", storage, formats};
}

Option abi_option(std::string* storage, const std::string& help) {
  std::vector<std::string> majors;
  std::istringstream in(TORCHADA_ABIS);  // Of the libraries that are built.
  for (std::string major; std::getline(in, major, ',');) majors.push_back(major);
  return {"abi", Kind::kChoice, "", help, storage, majors};
}

}  // namespace torchada
