#include "src/command/recipes/program_check.h"

#include <unistd.h>

#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "src/host/shared/files.h"

namespace torchada::recipes {
namespace {

// The files that a process has mapped.
std::set<std::string> mapped_by(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/maps");
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos) out.insert(line.substr(path));
  }
  return out;
}

// The first line that begins as the wanted text does before its number: the version that is there.
std::string line_like(const std::string& text, const std::string& wanted) {
  const std::string start = wanted.substr(0, wanted.find_first_of("'\"0123456789"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!start.empty() && line.starts_with(start)) return line;
  }
  return "another version";
}

bool is_named(const Program& program, const std::string& path) {
  return !program.file.empty() && path.ends_with("/" + program.file);
}

std::string version_file(const Program& program, const std::string& path) {
  return path.substr(0, path.size() - program.file.size()) + program.version_file;
}

// Of the file that tells the version: its text. Nothing if there is none.
std::optional<std::string> version_of(const Program& program, const std::string& path) {
  std::string text;
  const bool is_told =
      !program.version_file.empty() && host::read_file(version_file(program, path), &text);
  return is_told ? std::optional(text) : std::nullopt;
}

bool is_wanted(const Program& program, const std::string& version) {
  return version.find(program.version_text) != std::string::npos;
}

}  // namespace

bool is_right_file(const Recipe& recipe, const std::string& path) {
  if (!is_named(recipe.program, path) || access(path.c_str(), F_OK) != 0) return false;
  const std::optional<std::string> version = version_of(recipe.program, path);
  return version ? is_wanted(recipe.program, *version) : recipe.program.version_file.empty();
}

std::string wrong_file(const Recipe& recipe, const std::string& path) {
  const Program& program = recipe.program;
  if (!is_named(program, path)) return "";
  const std::optional<std::string> version = version_of(program, path);
  if (!version || is_wanted(program, *version)) return "";
  return "recipe " + recipe.name + " is for " + program.name + ", and " +
         version_file(program, path) + " says " + line_like(*version, program.version_text);
}

std::string wrong_program(const Recipe& recipe, pid_t process) {
  if (recipe.program.file.empty()) return "";
  for (const std::string& path : mapped_by(process)) {
    if (const std::string why = wrong_file(recipe, path); !why.empty()) return why;
  }
  return "";
}

}  // namespace torchada::recipes
