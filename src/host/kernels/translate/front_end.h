// clang's part: from a source to LLVM bitcode.
#pragma once

#include <sys/resource.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/host/kernels/translate/request.h"
#include "src/host/shared/compile_cache.h"

namespace kernels {

struct FrontEnd {
  std::string bitcode;
  std::string log;                 // what clang says, in our words where they say more
  std::vector<std::string> files;  // that were read, without ours
  std::optional<std::vector<host::ReadFile>> as_read;  // the same, for the cache
  bool success = false;
  std::set<std::size_t> wrong_names;  // expressions of the request in which clang finds errors
  bool only_names_are_wrong = false;  // all of its errors
};

// `folder`: for temporary files.
FrontEnd run_front_end(const Request& request, const std::string& source,
                       const std::string& folder);

// What is said, behind its name, of a source whose compiler was ended for its limit of time. Empty
// if it used less than half of the limit: then another reason killed it.
std::string too_long(int status, const rusage& used, unsigned int seconds);

// Empty if it cannot be read.
std::string content_of(const std::string& file);

// Runs a program; its output goes to the file. Returns its status as waitpid() gives it. Prints why
// it cannot be started.
int run_program(const std::vector<std::string>& words, const std::string& output_file);

}  // namespace kernels
