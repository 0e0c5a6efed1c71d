#include "src/command/verify/anonymous.h"

#include <unistd.h>

#include <regex>

namespace torchada::verify {
namespace {

constexpr std::size_t kShortestName = 3;  // A shorter host name is part of many words.

}  // namespace

std::string without_word(const std::string& text, const std::string& word, const char* by) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (at < from || (at > 0 && in_word(text[at - 1])) ||
        (end < text.size() && in_word(text[end]))) {
      continue;
    }
    out += text.substr(from, at - from) + by;
    from = end;
  }
  return out + text.substr(from);
}

std::string anonymous(const std::string& text, const std::string& host_name) {
  // A path starts where a word starts, and its folders may have any name without a space.
  static const std::regex kPath("(^|[^A-Za-z0-9_.~/-])(~|\\.{1,2})?/(?=\\S)([^\\s/:;,'\"]+/)*");
  static const std::regex kUuid(
      "[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|\\b[0-9A-Fa-f]{32}\\b");
  std::string out = std::regex_replace(text, kPath, "$1");
  out = std::regex_replace(out, kUuid, "(uuid)");
  if (host_name.size() < kShortestName || host_name == "localhost") return out;
  return without_word(out, host_name, "(host)");
}

std::string own_host_name() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0) return "";
  return name;
}

}  // namespace torchada::verify
