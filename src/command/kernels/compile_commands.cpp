// Reads compile_commands.json, as CMake writes it.
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "src/command/command.h"
#include "src/command/kernels/build.h"

namespace torchada::kernels {
namespace {

namespace fs = std::filesystem;

// A command line as a shell splits it: quotes and backslashes, nothing else.
std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return words;
}

// What matters for device code: where headers are, what is defined, which C++.
std::vector<std::string> flags_in(const std::vector<std::string>& words, const fs::path& folder) {
  constexpr std::array kPaths = {"-I", "-isystem", "-include"};
  constexpr std::array kNames = {"-D", "-U"};
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto take = [&](const std::string& option, std::string* value) {
      if (words[i].compare(0, option.size(), option) != 0) return false;
      if (words[i].size() > option.size()) {
        *value = words[i].substr(option.size());
      } else if (i + 1 < words.size()) {
        *value = words[++i];
      }
      return true;
    };
    std::string value;
    bool done = false;
    for (const char* const option : kPaths) {
      if (done || !take(option, &value)) continue;
      flags.insert(flags.end(), {option, (folder / value).lexically_normal().string()});
      done = true;
    }
    for (const char* const option : kNames) {
      if (done || !take(option, &value)) continue;
      flags.push_back(option + value);
      done = true;
    }
    if (!done && words[i].starts_with("-std=")) {
      const std::string name = words[i].substr(5);
      flags.push_back("-std=" + (name.starts_with("gnu") ? "c" + name.substr(3) : name));
    }
  }
  return flags;
}

}  // namespace

void add_compile_commands(const std::string& file, BuildRequest* request) {
  std::ifstream in(file);
  const auto entries = nlohmann::json::parse(in, nullptr, false);
  if (!entries.is_array()) {
    throw Failure(file +
                  ": not a list of compile commands; expected what CMake writes with "
                  "CMAKE_EXPORT_COMPILE_COMMANDS=ON");
  }
  const bool all = request->sources.empty();
  std::string first;
  std::vector<std::string> flags;
  std::vector<std::string> found;
  for (const auto& entry : entries) {
    const fs::path folder = entry.value("directory", ".");
    const std::string source = (folder / entry.value("file", "")).lexically_normal().string();
    bool meant = all && fs::path(source).extension() == ".cu";
    for (const std::string& wanted : request->sources) {
      meant = meant || fs::absolute(wanted).lexically_normal() == fs::path(source);
    }
    if (!meant) continue;
    const auto words = entry.contains("arguments")
                           ? entry["arguments"].get<std::vector<std::string>>()
                           : split_command(entry.value("command", ""));
    const std::vector<std::string> own = flags_in(words, folder);
    if (first.empty()) {
      first = source;
      flags = own;
    } else if (own != flags) {
      throw UsageError(file + " has other flags for " + source + " than for " + first +
                       "; build an image for each");
    }
    found.push_back(source);
  }
  if (found.size() < std::max<std::size_t>(request->sources.size(), 1)) {
    throw UsageError(file + " has no entry for " +
                     (all ? "a .cu file" : "some of the sources that were given"));
  }
  request->sources = found;
  request->flags.insert(request->flags.begin(), flags.begin(), flags.end());
}

}  // namespace torchada::kernels
