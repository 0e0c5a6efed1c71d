// A recorded call, from before it is made until it has ended.
#pragma once

#include <string>
#include <vector>

#include "src/companion/trace/allocations.h"
#include "src/companion/trace/closure.h"
#include "src/companion/trace/traced.h"

namespace torchada::trace {

class Recording {
 public:
  // Called before a call; `frame` is the address of the stack frame that makes it. Null if memory
  // has run out. Keeps errno.
  static Recording* begin(const Traced& traced, void* result, void** arguments, const void* frame);
  static Recording* begin(const Callback& callback, void* result, void** arguments,
                          const void* frame);

  // What the callee gets: the address of each argument, by parameter.
  void** passed() { return passed_; }

  // Called after the call: writes its record and deletes the object. Keeps errno.
  void end();

  // Writes records of this thread's calls that an exception or the thread's end has left.
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

  const Traced* const traced_;      // Null for the call of a callback.
  const Callback* const callback_;  // Null for all other calls.
  void* const result_;
  void** const arguments_;
  const void* const frame_;
  Recording* const outer_;  // The call around it on this thread.
  bool is_abandoned_ = false;
  std::vector<std::uint64_t> values_;
  void* kept_[kMostParameters] = {};  // Address of each argument in `values_`.
  void* passed_[kMostParameters] = {};
  void* callbacks_[kMostParameters] = {};
  Call call_;
  std::vector<std::string> before_;
  Allocations::Pending pending_;
  std::uint64_t caller_ = 0;
};

// Handlers of closures: what happens when a traced function, or a callback, is called. `data` is
// the Traced, or the Callback; it passes the arguments on and counts or records the call.
void on_call(ffi_cif* interface, void* result, void** arguments, void* data);
void on_callback(ffi_cif* interface, void* result, void** arguments, void* data);

// Whether a call returned a status that means failure.
bool has_failed(const Traced& traced, const void* result);

// Adds the time of a call that has ended.
void count_time(Counters* counters, std::int64_t duration, bool failed);

}  // namespace torchada::trace
