#include "src/command/support/private_text.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <regex>
#include <vector>

#include "src/command/files.h"
#include "src/command/verify/anonymous.h"
#include "src/shared/printable_string.h"

namespace torchada::support {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortestValue = 6;  // A shorter one is part of many words.
constexpr std::size_t kLongestQuoted = 80;
constexpr std::size_t kLongestLine = 1000;

struct Variable {
  std::string name, value;
};

// Those with a value, the longest values first: one may contain another.
std::vector<Variable> variables() {
  std::vector<Variable> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) continue;
    out.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  std::stable_sort(out.begin(), out.end(), [](const Variable& a, const Variable& b) {
    return a.value.size() > b.value.size();
  });
  return out;
}

void replace_all(std::string* text, const std::string& old, const std::string& by) {
  if (old.empty()) return;
  for (std::size_t at = text->find(old); at != std::string::npos;
       at = text->find(old, at + by.size())) {
    text->replace(at, old.size(), by);
  }
}

std::string replaced(const std::string& text, const std::regex& what,
                     const std::function<std::string(const std::smatch&)>& by) {
  std::string out;
  auto from = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), what), end; match != end; ++match) {
    out.append(from, (*match)[0].first);
    out += by(*match);
    from = (*match)[0].second;
  }
  return out.append(from, text.cend());
}

// "NAME: value" and "NAME    value" at the beginning of a line, as doctor writes it, and
// "NAME=value" anywhere.
std::string without_named_values(const std::string& line, Origin origin) {
  static const std::regex kLine(
      "^(\\s*)(PATH|HOME|USER|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PYTHON[A-Z]+)"
      "(:\\s*|\\s{2,})(\\S.*)$");
  std::smatch match;
  if (std::regex_match(line, match, kLine)) {
    const std::string value = match[4].str();
    return match[1].str() + match[2].str() + match[3].str() +
           (value == "not set" ? value : "(set)");
  }
  static const std::regex kAssigned("\\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PATH)=(\"[^\"]*\"|\\S+)");
  return replaced(line, kAssigned, [&](const std::smatch& found) {
    const bool is_advice =
        origin == Origin::kAdvice && std::getenv(found[1].str().c_str()) == nullptr;
    return is_advice ? found[0].str() : found[1].str() + "=(value)";
  });
}

// Sources of kernels, and whatever else a program passes as a long text.
std::string without_long_quotes(const std::string& line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = line[at] == '"' ? at + 1 : std::string::npos;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    if (end >= line.size()) {
      // Not a quote, or one without an end, of which the rest of the line would be a part.
      if (line[at] == '"' && line.size() - at > kLongestQuoted) return out + "(text)";
      out += line[at++];
      continue;
    }
    const std::string quoted = line.substr(at, end + 1 - at);
    const bool is_long = quoted.size() > kLongestQuoted || quoted.find("\\n") != std::string::npos;
    out += is_long ? "(text)" : quoted;
    at = end + 1;
  }
  return out;
}

// The program's words in the first line of a summary and of a trace in each format.
std::string without_command_line(const std::string& line) {
  static const std::regex kSummary("(summary of process \\d+) \\(.*\\)(?=: )");
  static const std::regex kText("^(torchada: trace: process \\d+): .*$");
  static const std::regex kJson("(\"(?:command|name)\": )\"(?:[^\"\\\\]|\\\\.)*\"(?=[^\"]*$)");
  std::string out = std::regex_replace(line, kSummary, "$1");
  out = std::regex_replace(out, kText, "$1");
  const bool tells_process = out.find("\"event\": \"process\"") != std::string::npos ||
                             out.find("\"process_name\"") != std::string::npos;
  return tells_process ? std::regex_replace(out, kJson, "$1\"(program)\"") : out;
}

// What stays of a path outside the installation: the name of a file, not of a folder, which may be
// a user's.
std::string rest_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const std::string name = base_name_of(path);
  if (fs::exists(status)) return fs::is_directory(status) ? "(folder)" : name;
  return name.find(".so") == std::string::npos ? "(path)" : name;
}

bool ends_path(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0 ||
         std::string(":;,'\"=").find(c) != std::string::npos;
}

bool is_path(const std::string& word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos || word.rfind("INSTALLED", 0) == 0) return false;
  // Words such as "and/or" are paths only if there is such a file.
  static const std::string kStart = "/~.(";
  std::error_code error;
  return kStart.find(word[0]) != std::string::npos || fs::exists(word, error);
}

std::string without_paths(const std::string& line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (ends_path(line[at]) || line[at] == '(' || line[at] == '[' || line[at] == '<') {
      out += line[at++];
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !ends_path(line[end])) ++end;
    std::string word = line.substr(at, end - at);
    std::string after;
    while (!word.empty() && std::string(")]>.").find(word.back()) != std::string::npos) {
      after.insert(0, 1, word.back());
      word.pop_back();
    }
    out += (is_path(word) ? rest_of(word) : word) + after;
    at = end;
  }
  return out;
}

// A path with a space is no one word: it is found as the value of a variable.
std::string without_spaced_paths(std::string line, const std::vector<Variable>& set) {
  for (const auto& [name, value] : set) {
    if (value.find('/') == std::string::npos || value.find(' ') == std::string::npos) continue;
    for (std::size_t at = line.find(value); at != std::string::npos; at = line.find(value, at)) {
      std::size_t end = at + value.size();
      while (end < line.size() && !ends_path(line[end])) ++end;
      line.replace(at, end - at, rest_of(line.substr(at, end - at)));
    }
  }
  return line;
}

std::string without_values(std::string line, const std::vector<Variable>& set) {
  for (const auto& [name, value] : set) {
    if (value.size() < kShortestValue) break;
    const std::string by = "(value of " + name + ")";
    if (by.find(value) != std::string::npos) continue;
    replace_all(&line, value, by);
    replace_all(&line, printable(value), by);
  }
  return line;
}

std::vector<std::string> user_names() {
  std::vector<std::string> out;
  if (const passwd* entry = getpwuid(geteuid())) out.emplace_back(entry->pw_name);
  for (const char* name : {"USER", "LOGNAME", "SUDO_USER"}) {
    if (const char* value = std::getenv(name)) out.emplace_back(value);
  }
  if (const char* home = std::getenv("HOME")) out.push_back(base_name_of(home));
  // "root" is nobody's name, and one letter is part of any text.
  out.erase(
      std::remove_if(out.begin(), out.end(),
                     [](const std::string& name) { return name.size() < 2 || name == "root"; }),
      out.end());
  return out;
}

std::string without_names(std::string text) {
  for (const std::string& name : user_names()) text = verify::without_word(text, name, "(user)");
  const std::string host = verify::own_host_name();
  text = verify::anonymous(text, host);
  const std::string short_host = host.substr(0, host.find('.'));
  if (short_host != host) text = verify::anonymous(text, short_host);
  static const std::regex kAddress("(^|[\\s(\\[@/:'\"])(\\d{1,3}\\.){3}\\d{1,3}(?![\\w.])");
  return std::regex_replace(text, kAddress, "$1(address)");
}

// Cut at a space, so that what is left of a value is not taken for another text.
std::string shortened(const std::string& line) {
  if (line.size() <= kLongestLine) return line;
  const std::size_t space = line.rfind(' ', kLongestLine);
  return (space == std::string::npos ? "" : line.substr(0, space)) + " (cut)";
}

}  // namespace

std::string without_private(const std::string& text, const std::string& installation,
                            Origin origin) {
  const std::vector<Variable> set = variables();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = shortened(text.substr(at, end - at));
    at = end + 1;
    replace_all(&line, installation + "/", "INSTALLED/");
    line = without_named_values(line, origin);
    line = without_long_quotes(without_command_line(line));
    line = without_values(without_paths(without_spaced_paths(line, set)), set);
    out += without_names(line) + "\n";
  }
  return out;
}

}  // namespace torchada::support
