// Reads compile_commands.json, as CMake writes it.
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "src/command/command.h"
#include "src/command/kernels/build.h"
#include "src/inspect/mapped_file.h"

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

// nvcc's architectures, as it defines them: CUB's and Thrust's names, and so those of their
// kernels, have them inside.
std::string architectures_in(const std::vector<std::string>& words) {
  static const std::regex form("^(-arch|--gpu-architecture|-gencode|--generate-code)(=.*|)$");
  static const std::regex number("(compute|sm)_([0-9]+)");
  std::set<int> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(words[i], match, form)) continue;
    const bool is_next = match[2].length() == 0 && i + 1 < words.size();
    const std::string value = is_next ? words[i + 1] : words[i];
    if (std::regex_search(value, match, number)) all.insert(std::stoi(match[2].str().substr(0, 4)));
  }
  std::string list;
  for (const int each : all) list += (list.empty() ? "" : ",") + std::to_string(each * 10);
  return list.empty() ? "" : "-D__CUDA_ARCH_LIST__=" + list;
}

// What matters for device code: where headers are, what is defined, which C++, and whether a
// product and a sum may become one operation. nvcc takes values behind a "=" as well.
std::vector<std::string> flags_in(const std::vector<std::string>& words, const fs::path& folder) {
  constexpr std::array kPaths = {"-I", "-isystem", "-include"};
  constexpr std::array kNames = {"-D", "-U"};
  constexpr std::array kStandards = {"-std", "--std"};
  constexpr std::array kProductsAndSums = {"-fmad", "--fmad"};
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto take = [&](const std::string& option, std::string* value) {
      if (words[i].compare(0, option.size(), option) != 0) return false;
      if (words[i].size() > option.size()) {
        *value = words[i].substr(option.size());
      } else if (i + 1 < words.size()) {
        *value = words[++i];
      }
      if (value->starts_with("=")) value->erase(0, 1);
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
    for (const char* const option : kStandards) {
      if (done || !take(option, &value)) continue;
      flags.push_back("-std=" + (value.starts_with("gnu") ? "c" + value.substr(3) : value));
      done = true;
    }
    for (const char* const option : kProductsAndSums) {
      if (done || !take(option, &value)) continue;
      flags.push_back(std::string("-ffp-contract=") + (value == "false" ? "off" : "fast"));
      done = true;
    }
    if (!done && words[i].starts_with("-ffp-contract=")) flags.push_back(words[i]);
  }
  const std::string architectures = architectures_in(words);
  if (!architectures.empty()) flags.insert(flags.begin(), architectures);
  return flags;
}

struct Entry {
  std::string source;
  std::vector<std::string> flags;
};

Entry read_entry(const nlohmann::json& entry) {
  const fs::path folder = entry.value("directory", ".");
  const auto words = entry.contains("arguments")
                         ? entry.at("arguments").get<std::vector<std::string>>()
                         : split_command(entry.value("command", ""));
  return {(folder / entry.at("file").get<std::string>()).lexically_normal().string(),
          flags_in(words, folder)};
}

std::vector<Entry> read_entries(const std::string& file) {
  const auto entries = [&] {
    try {
      const MappedFile read(file);
      return nlohmann::json::parse(read.bytes(), nullptr, false);
    } catch (const std::runtime_error& error) {
      throw Failure(file + ": cannot be read: " + error.what());
    }
  }();
  if (!entries.is_array()) {
    throw Failure(file +
                  ": not a list of compile commands; expected what CMake writes with "
                  "CMAKE_EXPORT_COMPILE_COMMANDS=ON");
  }
  std::vector<Entry> out;
  try {
    for (const auto& entry : entries) out.push_back(read_entry(entry));
  } catch (const nlohmann::json::exception&) {
    throw Failure(file + ": entry " + std::to_string(out.size() + 1) +
                  " is no compile command; expected an object with directory, file, and arguments "
                  "or command");
  }
  return out;
}

}  // namespace

void add_compile_commands(const std::string& file, BuildRequest* request) {
  const bool all = request->sources.empty();
  std::string first;
  std::vector<std::string> flags;
  std::vector<std::string> found;
  for (const Entry& entry : read_entries(file)) {
    bool meant = all && fs::path(entry.source).extension() == ".cu";
    for (const std::string& wanted : request->sources) {
      meant = meant || fs::absolute(wanted).lexically_normal() == fs::path(entry.source);
    }
    if (!meant) continue;
    if (first.empty()) {
      first = entry.source;
      flags = entry.flags;
    } else if (entry.flags != flags) {
      throw UsageError(file + " has other flags for " + entry.source + " than for " + first +
                       "; build an image for each");
    }
    found.push_back(entry.source);
  }
  if (found.size() < std::max<std::size_t>(request->sources.size(), 1)) {
    throw UsageError(file + " has no entry for " +
                     (all ? "a .cu file" : "some of the sources that were given"));
  }
  request->sources = found;
  request->flags.insert(request->flags.begin(), flags.begin(), flags.end());
}

}  // namespace torchada::kernels
