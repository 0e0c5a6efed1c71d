#include "src/command/check/other_libraries.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace torchada::check {
namespace {

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

// `rest` is what follows the library's prefix in a name.
bool begins_a_name(const OtherLibrary& library, std::string_view rest) {
  // NPP has the first letter of a part between prefix and name: nppiFilter, nppsMalloc.
  if (std::string_view(library.prefix) == "npp" && rest.size() > 1 && rest[0] >= 'a')
    rest.remove_prefix(1);
  // Shorter words are names of libraries (cusparseLt), these are types.
  constexpr std::size_t kShortest = 3;
  constexpr std::string_view kTypes[] = {"Result", "Status", "Error"};
  return rest.size() >= kShortest && is_capital(rest[0]) && !rest.ends_with("_t") &&
         std::find(std::begin(kTypes), std::end(kTypes), rest) == std::end(kTypes);
}

// A large binary has tens of thousands of words to compare with.
struct Prefix {
  std::string_view text;
  char third;  // Most begin with "cu". Null if it has no third letter.
  const OtherLibrary* library;
};

const std::vector<Prefix>& prefixes() {
  static const std::vector<Prefix> all = [] {
    std::vector<Prefix> out;
    for (int i = 0; const OtherLibrary* item = other_library(i); ++i) {
      const std::string_view prefix = item->prefix;
      if (!prefix.empty()) out.push_back({prefix, prefix.size() > 2 ? prefix[2] : '\0', item});
    }
    return out;
  }();
  return all;
}

}  // namespace

const OtherLibrary* find_other(const std::string& file_name) {
  return torchada::find_other(file_name.c_str());
}

const OtherLibrary* find_other_by_function(std::string_view name) {
  const OtherLibrary* out = nullptr;
  std::size_t longest = 0;
  const char third = name.size() > 2 ? name[2] : '\0';
  for (const Prefix& item : prefixes()) {
    if (item.third != '\0' && item.third != third) continue;
    if (item.text.size() <= longest || !name.starts_with(item.text)) continue;
    const std::string_view rest = name.substr(item.text.size());
    if (rest.empty() || !begins_a_name(*item.library, rest)) continue;
    out = item.library;
    longest = item.text.size();
  }
  return out;
}

const OtherLibrary* find_other_by_header(std::string_view header) {
  const std::string_view base = header.substr(header.rfind('/') + 1);
  for (int i = 0; const OtherLibrary* item = other_library(i); ++i) {
    std::string_view words = item->headers;
    while (!words.empty()) {
      const std::size_t space = std::min(words.find(' '), words.size());
      const std::string_view known = words.substr(0, space);
      words.remove_prefix(std::min(space + 1, words.size()));
      const bool begins = known.ends_with('*');
      if (begins ? base.starts_with(known.substr(0, known.size() - 1)) : base == known) {
        return item;
      }
    }
  }
  return nullptr;
}

}  // namespace torchada::check
