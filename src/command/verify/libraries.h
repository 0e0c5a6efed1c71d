// Opens MUSA's libraries with dlopen. Only for child processes, because drivers may damage their
// process.
#pragma once

#include <map>
#include <string>

#include "src/command/musa_files.h"
#include "src/command/verify/facts.h"

namespace torchada::verify {

class Libraries {
 public:
  // `files` must outlive this object. libmusart is opened first, the others on demand.
  Libraries(const MusaFiles& files, const Facts& facts) : files_(files), facts_(facts) {}

  // Null if the library does not exist or cannot be opened; `error` then says which.
  void* open(const std::string& library, std::string* error);
  // The address of a function of the tables. Null if it is not exported.
  void* function(const Fact& symbol, std::string* error);

 private:
  const MusaFiles& files_;
  const Facts& facts_;
  std::map<std::string, void*> handles_;
};

}  // namespace torchada::verify
