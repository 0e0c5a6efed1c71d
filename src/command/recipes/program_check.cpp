#include "src/command/recipes/program_check.h"

#include <unistd.h>

#include <fstream>
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

// What stands in the file between the quotation marks behind the wanted text's first one: the
// version that is there.
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

}  // namespace

bool is_right_file(const Recipe& recipe, const std::string& path) {
  std::string text;
  if (!is_named(recipe.program, path) || access(path.c_str(), F_OK) != 0) return false;
  return recipe.program.version_file.empty() ||
         (host::read_file(version_file(recipe.program, path), &text) &&
          text.find(recipe.program.version_text) != std::string::npos);
}

std::string wrong_file(const Recipe& recipe, const std::string& path) {
  const Program& program = recipe.program;
  std::string text;
  if (program.version_file.empty() || !is_named(program, path) ||
      !host::read_file(version_file(program, path), &text) ||
      text.find(program.version_text) != std::string::npos) {
    return "";
  }
  return "recipe " + recipe.name + " is for " + program.name + ", and " +
         version_file(program, path) + " says " + line_like(text, program.version_text);
}

std::string wrong_program(const Recipe& recipe, pid_t process) {
  if (recipe.program.file.empty()) return "";
  for (const std::string& path : mapped_by(process)) {
    if (const std::string why = wrong_file(recipe, path); !why.empty()) return why;
  }
  return "";
}

}  // namespace torchada::recipes
