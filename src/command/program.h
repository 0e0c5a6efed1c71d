// What is known about a program before its start.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada {

struct Program {
  std::string path;          // As execvp would find it. Empty if it would not.
  std::string interpreter;   // For scripts: the program of their #! line, or the shell.
  bool dynamic = false;      // The kernel starts an ELF file that uses the loader.
  bool runs_others = false;  // An interpreter, or a program that only starts another.

  // From the program's own ELF file:
  std::vector<std::string> needed;  // The DT_NEEDED entries that are names of our libraries.
  bool search_path_wins = false;    // It has DT_RPATH, which is searched before LD_LIBRARY_PATH.
  bool unknown_names = false;       // Some names are not our file names: renamed files, or paths.
  std::string major;                // The CUDA major on which they agree, or empty.
};

// As execvp would find it. Empty if it would not.
std::string find_program(const std::string& word);
// For a script: the program of its #! line, or the shell. Empty for ELF files.
std::string interpreter_of_program(const std::string& path);
// Whether it is an interpreter, or a program that only starts another, by its name.
bool runs_others(const std::filesystem::path& path);

// `libraries` is our library directory, which has a subdirectory for each CUDA major.
Program examine_program(const std::string& word, const std::filesystem::path& libraries);

}  // namespace torchada
