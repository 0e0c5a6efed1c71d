// torchada kernels prepare: makes images before programs need them.
#pragma once

#include <string>
#include <vector>

namespace torchada::recipes {

struct PrepareRequest {
  std::string recipe;
  std::vector<std::string> programs;  // files whose kernels' sources are made
  std::string list;                   // what `run --record-kernels` has written; empty: none
  bool all = false;                   // every source of the recipe
  int jobs = 0;                       // compilers at a time; 0: one for each processor
};

// Returns the exit status.
int prepare(const PrepareRequest& request);

}  // namespace torchada::recipes
