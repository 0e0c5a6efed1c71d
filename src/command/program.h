// What can be told of a program before it is started.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada {

struct Program {
  std::string path;          // As execvp would find it; empty where it would not.
  std::string interpreter;   // Of scripts: the program of their #! line, or the shell.
  bool dynamic = false;      // What the kernel starts is an ELF file that uses the loader.
  bool runs_others = false;  // An interpreter, or one that only starts another program.

  // Of the program's own ELF file:
  std::vector<std::string> needed;  // The DT_NEEDED entries that are names of ours.
  bool search_path_wins = false;    // DT_RPATH: searched before LD_LIBRARY_PATH.
  bool unknown_names = false;       // Some are no file names of ours: renamed, or paths.
  std::string major;                // The CUDA major that they agree on, or empty.
};

// `libraries` is the folder of our libraries with one subfolder for each CUDA major.
Program examine_program(const std::string& word, const std::filesystem::path& libraries);

}  // namespace torchada
