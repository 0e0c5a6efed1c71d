// The profiler of this process: what the program wants to see, and what it gets.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/companion/profiler/buffers.h"
#include "src/companion/profiler/function.h"
#include "src/companion/profiler/numbering.h"
#include "src/companion/profiler/work.h"
#include "src/companion/trace/closure.h"

namespace torchada::profiler {

// The function of the program that is called for its calls.
struct Subscriber {
  Callback callback;
  void* data;
};

class Profiler {
 public:
  // The first caller's facts count. Null for those of another CUDA major.
  static Profiler* begin(const Facts& facts);
  // Null before begin().
  static Profiler* known();

  // What the slot of a function shall hold; `address` itself if its calls are not seen. `handler`
  // gets the calls, with a Function.
  void* wrap(const char* library, const char* function, void* address, trace::Handler handler);

  const Facts& facts() const { return facts_; }
  Buffers& buffers() { return buffers_; }
  Works& works() { return works_; }
  Numbering& contexts() { return contexts_; }
  Numbering& streams() { return streams_; }
  Numbering& graphs() { return graphs_; }
  Numbering& events() { return events_; }

  bool wants(Kind kind) const { return kinds_[kind].load(std::memory_order_relaxed); }
  // Of launches, both kinds of records.
  bool wants_kernels() const { return wants(kKernel) || wants(kConcurrentKernel); }
  bool wants_call(Domain domain, std::uint32_t id) const;
  // Null if the program has none, or does not want these calls.
  const Subscriber* subscriber_of(std::uint32_t domain, std::uint32_t id) const;
  std::uint32_t next_correlation() { return correlation_.fetch_add(1) + 1; }

  Outcome subscribe(void** subscriber, Callback callback, void* data);
  Outcome unsubscribe(const void* subscriber);
  Outcome enable_callback(bool on, const void* subscriber, std::uint32_t domain, std::uint32_t id);
  Outcome enable_domain(bool on, const void* subscriber, std::uint32_t domain);
  Outcome enable_all_domains(bool on, const void* subscriber);
  Outcome callback_state(std::uint32_t* on, const void* subscriber, std::uint32_t domain,
                         std::uint32_t id) const;
  Outcome callback_name(std::uint32_t domain, std::uint32_t id, const char** name) const;
  Outcome enable_kind(bool on, std::uint32_t kind);
  Outcome enable_api(bool on, std::uint32_t domain, std::uint32_t id);
  Outcome flush();
  Outcome finalize();
  // True for the first caller since records of contexts were asked for.
  bool is_untold(const void* context);
  // Names of kernels live as long as the process: records hold them.
  const char* keep(const std::string& name);

  std::atomic<bool> thread_ids_of_system{false};

 private:
  using Wants = std::vector<std::atomic<std::uint8_t>>;  // By id.

  explicit Profiler(const Facts& facts);
  int domain_of(std::uint32_t domain) const;  // Its place in callbacks_; -1 for none.
  bool is_subscribed(const void* subscriber) const;
  void add_devices();
  static void fill(Wants* wants, bool on);
  // Nobody is subscribed, and wants anything.
  void forget_wishes();
  // Lets the calls be seen if anything of them is wanted.
  void observe();
  static std::uint32_t size_of(std::uint32_t kind);
  static void before_fork();
  static void after_fork(bool is_child);

  const Facts facts_;
  Buffers buffers_;
  Works works_;
  Numbering contexts_, streams_, graphs_, events_;
  std::map<std::string, std::uint32_t> ids_[2];  // By function, of driver and runtime.
  std::atomic<bool> kinds_[kKindCount]{};
  Wants callbacks_[kDomainCount];
  Wants calls_[2];  // Which records of calls are wanted without their kind.
  std::atomic<const Subscriber*> subscriber_{nullptr};
  std::atomic<std::uint32_t> correlation_{0};
  std::mutex mutex_;  // Guards what follows.
  bool is_observing_ = false;
  std::map<std::pair<const FunctionPrototype*, void*>, void*> wrapped_;
  std::map<std::string, std::unique_ptr<const std::string>> names_;
  std::set<const void*> told_;  // Contexts that have a record.
};

}  // namespace torchada::profiler
