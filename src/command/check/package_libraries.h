// The shared libraries that Python packages bring, found by reading directories.
#pragma once

#include <map>
#include <string>

#include "src/command/check/standings.h"

namespace torchada::check {

// Remembers what it has read. Not for several threads.
class PackageLibraries {
 public:
  // Base name: path, of the files with ".so" in their names below a directory.
  const std::map<std::string, std::string>& libraries_below(const std::string& folder);

  // For the file of a module: a library of its package that is linked with a library of CUDA, and
  // with which, as the end of a sentence. Empty if there is none, or the module is in no package.
  const std::string& library_with_cuda(const std::string& module, const Standings& standings,
                                       int abi);

 private:
  std::map<std::string, std::map<std::string, std::string>> below_;
  std::map<std::string, std::string> with_cuda_;  // By package.
};

}  // namespace torchada::check
