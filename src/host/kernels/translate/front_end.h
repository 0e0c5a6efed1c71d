// clang's part: from a source to LLVM bitcode.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/host/kernels/translate/request.h"

namespace kernels {

struct FrontEnd {
  std::string bitcode;                 // the file
  std::string log;                     // what clang says, in our words where they say more
  std::vector<std::string> files;      // that were read, without ours
  std::vector<std::string> own_files;  // and without those of the system
  bool success = false;
  std::set<std::size_t> wrong_names;  // expressions of the request in which clang finds errors
  bool only_names_are_wrong = false;  // all of its errors
};

// `folder`: for temporary files.
FrontEnd run_front_end(const Request& request, const std::string& source,
                       const std::string& folder);

// The words with which clang begins: TORCHADA_CLANG, or clang++-19.
std::vector<std::string> clang_words();

// What is said of a source behind its name.
std::string too_long(unsigned int seconds);

std::string content_of(const std::string& file);

// Runs a program; its output goes to the file. Returns its status as waitpid() gives it. Prints why
// it cannot be started.
int run_program(const std::vector<std::string>& words, const std::string& output_file);

}  // namespace kernels
