// A call that is recorded, from before it is made until it has ended.
#pragma once

#include <string>
#include <vector>

#include "allocations.h"
#include "calls.h"
#include "traced.h"

namespace torchada::trace {

class Recording {
 public:
  // Before a call; `frame` is the address of the stack frame that makes it. Null where memory has
  // run out. Keeps errno.
  static Recording* begin(const Traced& traced, void* result, void** arguments, const void* frame);
  static Recording* begin(const Callback& callback, void* result, void** arguments,
                          const void* frame);

  // What the callee gets, by parameter: where each argument lies.
  void** passed() { return passed_; }

  // After the call: writes its record. The object is gone then. Keeps errno.
  void end();

  // Writes records of calls of this thread that were left by an exception or its end.
  static void abandon_all();

 private:
  Recording(const Traced* traced, const Callback* callback, void* result, void** arguments,
            const void* frame);
  static Recording* begin(const Traced* traced, const Callback* callback, void* result,
                          void** arguments, const void* frame);
  void keep_arguments();
  void prepare();
  void finish();
  void write();
  void give_back_callbacks();
  void abandon();

  const Traced* const traced_;      // Null for a call of a callback.
  const Callback* const callback_;  // Null for the others.
  void* const result_;
  void** const arguments_;
  const void* const frame_;
  Recording* const outer_;  // The call of this thread around it.
  bool is_abandoned_ = false;
  std::vector<std::uint64_t> values_;
  void* kept_[kMostParameters] = {};  // Where each argument lies in `values_`.
  void* passed_[kMostParameters] = {};
  void* callbacks_[kMostParameters] = {};
  Call call_;
  std::vector<std::string> before_;
  Allocations::Pending pending_;
  std::uint64_t caller_ = 0;
};

// Whether a call returned a status that tells of a failure.
bool has_failed(const Traced& traced, const void* result);

// Adds the time of a call that has ended.
void count_time(Counters* counters, std::int64_t duration, bool failed);

}  // namespace torchada::trace
