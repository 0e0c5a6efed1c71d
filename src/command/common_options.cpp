#include "src/command/common_options.h"

#include "src/shared/split.h"

namespace torchada {

Option format_option(std::string* storage, const std::vector<std::string>& formats) {
  *storage = formats.front();
  return {"format", Kind::kChoice, "", "output format", storage, formats};
}

Option abi_option(std::string* storage, const std::string& help) {
  return {"abi", Kind::kChoice, "", help, storage, split(TORCHADA_ABIS, ",")};
}

Option library_option(std::string* storage, const std::string& help) {
  return {"library", Kind::kChoice, "", help, storage, split(TORCHADA_LIBRARY_NAMES, ",")};
}

}  // namespace torchada
