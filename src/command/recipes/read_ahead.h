// Has sources read by the compiler before a program needs them, on processors that are idle while
// it waits for others.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "src/command/recipes/cores.h"
#include "src/command/recipes/maker.h"

namespace torchada::recipes {

class ReadAhead {
 public:
  // One thread for each processor, until the process ends.
  ReadAhead(Maker* maker, Cores* cores, unsigned threads);

  // A program has asked for this one: the next ones are those that follow it.
  void go_on_from(const std::string& source);

 private:
  void work();
  std::string next();

  Maker* const maker_;
  Cores* const cores_;
  std::mutex mutex_;
  std::size_t place_ = 0;  // in the list of usual ones
  std::set<std::string> done_;
};

}  // namespace torchada::recipes
