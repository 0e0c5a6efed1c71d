#include "src/command/common_options.h"

#include <sstream>

namespace torchada {
namespace {

std::vector<std::string> split(const char* list) {
  std::vector<std::string> out;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) out.push_back(item);
  return out;
}

}  // namespace

Option format_option(std::string* storage, const std::vector<std::string>& formats) {
  *storage = formats.front();
  return {"format", Kind::kChoice, "", "output format", storage, formats};
}

Option abi_option(std::string* storage, const std::string& help) {
  return {"abi", Kind::kChoice, "", help, storage, split(TORCHADA_ABIS)};
}

Option library_option(std::string* storage, const std::string& help) {
  return {"library", Kind::kChoice, "", help, storage, split(TORCHADA_LIBRARY_NAMES)};
}

}  // namespace torchada
