// Makes images of what a program asks for, and remembers them. For any number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "src/command/kernel_libraries.h"
#include "src/command/recipes/compiler.h"
#include "src/command/recipes/kept.h"
#include "src/command/recipes/recipe.h"
#include "src/command/recipes/source_list.h"

namespace torchada::recipes {

struct Wanted {
  std::string source;  // as names of kernels tell it: SoftMax_cu
  std::string kind;    // "kernel" or "variable"
  std::string name;    // as registered
};

struct Answer {
  enum Kind { kImage, kNone, kFailed } kind = kNone;
  std::string text;  // the image's path, or why there is none
  bool was_kept = false;
};

// What has to happen around the time that a program waits, and in it around a compilation.
struct Around {
  std::function<void()> wait = [] {};
  std::function<void()> waited = [] {};
  // `is_first`: the compiler has not read the source yet, so it takes longer.
  std::function<void(const std::string& source, bool is_first)> begin = [](auto&&...) {};
  std::function<void(const std::string& source, const Outcome& outcome)> end = [](auto&&...) {};
};

class Maker {
 public:
  // Throws Failure if the folder of what is made cannot be used.
  Maker(const Recipe& recipe, const std::string& arch);

  const SourceList& sources() const { return sources_; }
  const std::string& why_no_compiler() const { return compiler_.missing(); }
  Answer make(const Wanted& wanted, const Around& around);
  // All of one source. `kernels`: only these, as registered; empty: everything.
  Answer make_all(const std::string& source, const std::vector<std::string>& kernels,
                  std::atomic<int>* child);
  // Has the compiler read a source, so that its images take less time. False if there was nothing
  // to do.
  bool read_ahead(const std::string& source, std::atomic<int>* child);

 private:
  struct State {
    std::mutex busy;        // of the thread that compiles
    bool is_known = false;  // the record below was looked for
    bool is_read = false;   // there is one, so that the compiler has read the source
    Record record;
  };

  State& state_of(const std::string& source);
  void look_again(const std::string& source, State* state);
  std::string kept_image(const std::string& source, const Wanted& wanted, bool is_only);
  bool has_kernel(const std::string& image, const Wanted& wanted);
  Answer make_of(const std::string& source, const Wanted& wanted, bool is_only,
                 const Around& around);
  Answer compile(const std::string& source, Order order, const Around& around,
                 std::atomic<int>* child);
  Answer keep_made(const std::string& source, const Order& order, const Outcome& outcome,
                   const timespec& begin);
  Answer failed(const std::string& source, const Outcome& outcome);
  std::string why_no_source(const std::string& told) const;
  std::string new_file(const std::string& source);

  const Recipe recipe_;
  SourceList sources_;
  const Compiler compiler_;
  const Keeper keeper_;
  std::mutex mutex_;  // of what follows, never held for long
  std::map<std::string, std::unique_ptr<State>> states_;
  std::map<std::string, std::unique_ptr<KernelLibraries>> whole_;  // by path
  int made_files_ = 0;
};

}  // namespace torchada::recipes
