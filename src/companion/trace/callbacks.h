// Functions of the program that CUDA calls: the wrapper that is passed on records each call.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "src/companion/trace/closure.h"
#include "src/companion/trace/traced.h"

namespace torchada::trace {

class Callbacks {
 public:
  // What the callee gets for `function`, which the program passes as parameter `index` of `giver`.
  // `handler` gets the calls, with a Callback. Returns `function` itself if it cannot be wrapped.
  void* wrap(const Traced& giver, std::uint32_t index, void* function, Handler handler);

  // The program's function behind a result of wrap(); any other `function` is returned unchanged.
  void* unwrap(void* function);

  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::map<std::tuple<const FunctionPrototype*, std::uint32_t, void*>, void*> wrapped_;
  std::map<void*, void*> originals_;
};

}  // namespace torchada::trace
