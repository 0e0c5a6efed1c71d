// The tracing state of this process.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "src/companion/trace/allocations.h"
#include "src/companion/trace/callbacks.h"
#include "src/companion/trace/options.h"
#include "src/companion/trace/output.h"
#include "src/companion/trace/record.h"

namespace torchada::trace {

class Tracer {
 public:
  // Created at the first use and never destroyed: calls may come until the very end.
  static Tracer& get();

  // What shall be called instead of `address`: a function that records, or `address` itself if
  // calls of the function are not traced. `handler` gets the calls, with a Traced.
  void* wrap(const char* library, const char* function, void* address, Handler handler);

  const Options& options() const { return options_; }
  Allocations& allocations() { return allocations_; }
  Callbacks& callbacks() { return callbacks_; }

  // Writes a record that describes this process, once.
  void announce();
  // Writes a record, after the one that describes the process.
  void write(const Buffer& record);

  // Writes the summary and the memory report, once.
  void finish();

 private:
  struct Count {
    const char* library = nullptr;
    const char* function = nullptr;
    Counters counters;
  };

  Tracer();
  bool is_asked_for(const char* function) const;
  std::unique_ptr<Traced> describe(const char* library, const FunctionPrototype& prototype,
                                   void* address);
  void remark(const std::string& text);
  void write_report(const Buffer& report);
  static void before_fork();
  static void after_fork(bool is_child);

  const Options options_;
  Output output_;
  Allocations allocations_;
  Callbacks callbacks_;
  std::atomic<bool> has_told_process_{false};
  std::atomic<bool> is_finished_{false};
  std::mutex mutex_;
  std::map<std::pair<const FunctionPrototype*, void*>, void*> wrapped_;
  std::map<const FunctionPrototype*, std::unique_ptr<Count>> counts_;
};

}  // namespace torchada::trace
