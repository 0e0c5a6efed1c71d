#include <sys/stat.h>

#include <filesystem>
#include <sstream>

#include "src/command/command.h"
#include "src/command/doctor/prepare.h"
#include "src/command/doctor/search.h"
#include "src/command/installation.h"
#include "src/inspect/mapped_file.h"

namespace torchada::doctor {
namespace {

constexpr const char* kPath[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                 "/usr/bin",        "/sbin",          "/bin"};
constexpr int kMostInterpreters = 4;

bool executable(const Subject& subject, const std::string& path) {
  struct stat status {};
  const std::string place = subject.files.here(path);
  return !place.empty() && stat(place.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         (status.st_mode & 0111) != 0;
}

std::string find_program(const Subject& subject, const std::string& word) {
  if (word.find('/') != std::string::npos) {
    const std::string path = word[0] == '/' ? word : "/" + word;
    return executable(subject, path) ? path : "";
  }
  for (const char* folder : kPath) {
    const std::string path = std::string(folder) + "/" + word;
    if (executable(subject, path)) return path;
  }
  return "";
}

// The interpreter in a "#!" line. Empty if the file has none.
std::string interpreter_of(const Subject& subject, const std::string& path) {
  const std::string start = beginning_of(subject.files.here(path));
  if (!start.starts_with("#!")) return "";
  std::istringstream rest(start.substr(2, start.find('\n') - 2));
  std::string first;
  std::string second;
  rest >> first >> second;
  const bool env = base_name_of(first) == "env" && !second.empty() && second[0] != '-';
  return find_program(subject, env ? second : first);
}

}  // namespace

void prepare_root(const std::string& root, const std::vector<std::string>& program,
                  Subject* subject) {
  std::error_code error;
  const std::string place = std::filesystem::canonical(root, error);
  if (error || !std::filesystem::is_directory(place)) {
    throw UsageError("--root=" + root + ": not a directory");
  }
  subject->mode = Mode::kRoot;
  subject->files = Files(place == "/" ? "" : place);
  subject->knows_environment = false;
  // The path of this installation, if it exists in the tree; otherwise the usual paths.
  for (const std::string& folder :
       {installation_root(), std::string("/opt/torchada"), std::string("/usr/lib/torchada")}) {
    if (subject->installation.empty() && subject->files.has(folder + "/lib")) {
      subject->installation = folder;
    }
  }
  if (program.empty()) return;
  subject->has_program = true;
  subject->word = program.front();
  subject->program = find_program(*subject, subject->word);
  subject->started = subject->program;
  for (int i = 0; i < kMostInterpreters && !subject->started.empty(); ++i) {
    const std::string next = interpreter_of(*subject, subject->started);
    if (next.empty()) break;
    subject->started = next;
  }
  if (!subject->started.empty()) search_all(subject, subject->started);
}

}  // namespace torchada::doctor
