#include "src/command/recipes/program_check.h"

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

}  // namespace

std::string wrong_file(const Recipe& recipe, const std::string& path) {
  const Program& program = recipe.program;
  if (program.file.empty() || program.version_file.empty() || !path.ends_with("/" + program.file)) {
    return "";
  }
  const std::string file = path.substr(0, path.size() - program.file.size()) + program.version_file;
  std::string text;
  if (!host::read_file(file, &text) || text.find(program.version_text) != std::string::npos) {
    return "";
  }
  return "recipe " + recipe.name + " is for " + program.name + ", and " + file + " says " +
         line_like(text, program.version_text);
}

std::string wrong_program(const Recipe& recipe, pid_t process) {
  if (recipe.program.file.empty()) return "";
  for (const std::string& path : mapped_by(process)) {
    if (const std::string why = wrong_file(recipe, path); !why.empty()) return why;
  }
  return "";
}

}  // namespace torchada::recipes
