// MUSA's libraries, opened by dlopen. For child processes: what drivers do to a process is theirs.
#pragma once

#include <map>
#include <string>

#include "facts.h"
#include "musa_files.h"

namespace torchada::verify {

class Libraries {
 public:
  // `files` outlives this. libmusart is opened first, the others when they are asked for.
  Libraries(const MusaFiles& files, const Facts& facts) : files_(files), facts_(facts) {}

  // Null where the library is not there or cannot be opened; `error` says which.
  void* open(const std::string& library, std::string* error);
  // Address of a function of the tables; null where it is not exported.
  void* function(const Fact& symbol, std::string* error);

 private:
  const MusaFiles& files_;
  const Facts& facts_;
  std::map<std::string, void*> handles_;
};

}  // namespace torchada::verify
