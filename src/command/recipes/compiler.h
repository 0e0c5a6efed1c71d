// Runs torchada-kernels, the compiler of device code, as a child.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace torchada::recipes {

struct Order {
  std::string source;
  std::vector<std::string> kernels;    // as registered; with `variables` empty: all
  std::vector<std::string> variables;  // as registered
  bool front_end_only = false;         // no image: its next order takes less time
  std::string output;
};

struct Outcome {
  enum Kind { kMade, kHasNone, kFailed } kind = kFailed;
  std::string error;               // the first one of the compiler, for kFailed
  std::string messages;            // all
  std::vector<std::string> files;  // that were read
  bool is_whole = false;           // the image has all of the source
  double seconds = 0;
};

class Compiler {
 public:
  // `flags`: of every source. `cache`: the folder in which it keeps what it has read.
  Compiler(const std::string& arch, const std::vector<std::string>& flags,
           const std::string& cache);

  // The folder of torchada-kernels.
  const std::string& folder() const { return folder_; }
  // Why there is none; empty if there is.
  const std::string& missing() const { return missing_; }
  // Waits until it has ended. `child` is its number meanwhile.
  Outcome run(const Order& order, std::atomic<int>* child) const;

 private:
  std::vector<std::string> words_for(const Order& order) const;

  std::string folder_;
  std::string missing_;
  std::string arch_;
  std::vector<std::string> flags_;
  std::string cache_;
};

}  // namespace torchada::recipes
