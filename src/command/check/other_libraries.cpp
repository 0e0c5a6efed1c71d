#include "src/command/check/other_libraries.h"

#include "src/shared/other_libraries.h"

namespace torchada::check {

const std::vector<OtherLibrary>& other_libraries() {
  static const std::vector<OtherLibrary> list = [] {
    std::vector<OtherLibrary> out;
    for (int i = 0; const torchada::OtherLibrary* item = other_library(i); ++i) {
      out.push_back({item->stem, item->what, item->advice});
    }
    return out;
  }();
  return list;
}

const OtherLibrary* find_other(const std::string& file_name) {
  const torchada::OtherLibrary* found = torchada::find_other(file_name.c_str());
  return found == nullptr ? nullptr : &other_libraries()[static_cast<std::size_t>(index_of(found))];
}

}  // namespace torchada::check
