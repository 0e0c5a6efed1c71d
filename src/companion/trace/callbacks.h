// Functions of the program's that CUDA is to call: what is handed on records each call.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "traced.h"

namespace torchada::trace {

class Callbacks {
 public:
  // What the callee gets for `function`, which the program passes as parameter `index` of `giver`.
  // `function` itself where nothing can be put in its place.
  void* wrap(const Traced& giver, std::uint32_t index, void* function);

  // The program's function behind what wrap() made; `function` itself if it is no such thing.
  void* unwrap(void* function);

  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::map<std::tuple<const FunctionPrototype*, std::uint32_t, void*>, void*> wrapped_;
  std::map<void*, void*> originals_;
};

}  // namespace torchada::trace
