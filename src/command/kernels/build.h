// torchada kernels build: images of device code from source.
#pragma once

#include <string>
#include <vector>

namespace torchada::kernels {

struct BuildRequest {
  std::vector<std::string> sources;
  std::string output;
  std::string arch;
  std::string cache;               // a folder; empty: none
  int jobs = 0;                    // compilers at a time; 0: one for each processor
  int seconds = 0;                 // how long each may compute; 0: no limit
  std::vector<std::string> flags;  // of the compiler
};

// Adds the flags that a compile_commands.json has for the sources. Without sources, all .cu files
// in it are meant. Throws UsageError if sources have different flags, Failure if the file cannot be
// read.
void add_compile_commands(const std::string& file, BuildRequest* request);

// Adds the flags that a recipe has for its sources. A source that is no file may be the name of one
// of them, such as SoftMax.cu. Throws UsageError if it is not, Failure if the recipe is malformed
// or its sources are not there.
void add_recipe(const std::string& named, BuildRequest* request);

// Both return only if the compiler cannot be started: the exit status.
int build_for_stand_in(const BuildRequest& request);
int build_with_mcc(const std::string& mcc, const BuildRequest& request);

}  // namespace torchada::kernels
