#include "src/command/program.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "src/command/offered_libraries.h"
#include "src/inspect/elf_file.h"
#include "src/inspect/mapped_file.h"
#include "src/shared/library_name.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr int kMostInterpreters =
    4;  // The kernel's limit: a script's interpreter may itself be a script.

// Names without version: python3.11 and lua5.4 match too.
constexpr std::array<std::string_view, 45> kRunOthers = {
    "python", "pypy",       "perl",    "ruby",    "node",    "julia",  "lua",     "luajit",
    "php",    "tclsh",      "sh",      "bash",    "dash",    "zsh",    "ksh",     "fish",
    "tcsh",   "csh",        "busybox", "env",     "nice",    "ionice", "nohup",   "timeout",
    "time",   "setsid",     "stdbuf",  "numactl", "taskset", "mpirun", "mpiexec", "orterun",
    "srun",   "xargs",      "make",    "ninja",   "strace",  "chrt",   "uv",      "conda",
    "mamba",  "micromamba", "poetry",  "pipenv",  "pdm"};

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The words after "#!"; empty for anything else, in particular ELF files.
std::vector<std::string> interpreter_line(const std::string& path) {
  const std::string start = beginning_of(path);
  std::vector<std::string> words;
  if (!start.starts_with("#!")) return words;
  std::istringstream rest(start.substr(2, start.find('\n') - 2));
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}

// For example, "/usr/bin/env -S NAME=value python3 -u" starts python3.
std::string find_interpreter(const std::vector<std::string>& words) {
  if (fs::path(words[0]).filename() != "env") return words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool option = words[i][0] == '-' || words[i].find('=') != std::string::npos;
    if (!option) return find_program(words[i]);
  }
  return words[0];
}

// Our file for a name, or an empty string.
std::string soname_of(const LibraryName& name, const std::string& base, const fs::path& libraries) {
  const std::string stem(name.stem, name.stem_length);
  const std::string major(name.version ? name.version : "", name.major_length);
  for (const std::string& file : {stem + ".so." + major, stem + ".so." + major + ".0", base}) {
    if (!offered_file(file, libraries).empty()) return file;
  }
  return "";
}

// The major, if only its directory has the file. cuRAND and NCCL are in all of them.
std::string major_of(const std::string& soname, const fs::path& libraries) {
  std::string found;
  for (const fs::directory_entry& entry : fs::directory_iterator(libraries)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("cu") || !fs::exists(entry.path() / soname)) continue;
    if (!found.empty()) return "";
    found = name.substr(2);
  }
  return found;
}

void examine_elf(const std::string& path, const fs::path& libraries, Program* program) {
  ElfFile elf;
  try {
    elf = read_elf_file(path);
  } catch (const ElfError&) {
    return;  // The kernel decides whether the file can run.
  }
  program->dynamic = !elf.interpreter.empty();
  program->search_path_wins = elf.rpath && !elf.runpath;
  bool agreed = true;
  for (const std::string& needed : elf.needed) {
    LibraryName name;
    const std::string base = base_name(needed.c_str());
    if (!parse_library_name(base.c_str(), &name)) continue;
    const std::string soname = soname_of(name, base, libraries);
    if (soname.empty()) continue;
    program->needed.push_back(needed);
    if (offered_file(needed, libraries).empty() || needed != base) program->unknown_names = true;
    const std::string major = major_of(soname, libraries);
    if (major.empty()) continue;
    if (!program->major.empty() && major != program->major) agreed = false;
    program->major = major;
  }
  if (!agreed) program->major.clear();
}

bool is_elf(const std::string& path) { return beginning_of(path).starts_with("\177ELF"); }

}  // namespace

bool runs_others(const fs::path& path) {
  const std::string name = path.filename();
  const auto end = std::find_if_not(name.begin(), name.end(),
                                    [](unsigned char c) { return std::isalpha(c) != 0; });
  const std::string letters(name.begin(), end);
  return std::find(kRunOthers.begin(), kRunOthers.end(), letters) != kRunOthers.end();
}

std::string find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_program(word) ? word : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / word;
    if (is_program(candidate)) return candidate;
  }
  return "";
}

std::string interpreter_of_program(const std::string& path) {
  if (is_elf(path)) return "";
  const std::vector<std::string> line = interpreter_line(path);
  // execvp gives a file without a #! line to the shell.
  return line.empty() ? "/bin/sh" : find_interpreter(line);
}

Program examine_program(const std::string& word, const fs::path& libraries) {
  Program program;
  program.path = find_program(word);
  std::string path = program.path;
  for (int i = 0; i < kMostInterpreters && !path.empty() && !is_elf(path); ++i) {
    path = interpreter_of_program(path);
    program.interpreter = path;
  }
  if (path.empty()) return program;
  program.runs_others = !program.interpreter.empty() || runs_others(path);
  examine_elf(path, libraries, &program);
  return program;
}

}  // namespace torchada
