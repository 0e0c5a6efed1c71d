#include "src/companion/profiler/profiler.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "src/companion/trace/ffi_types.h"

namespace torchada::profiler {
namespace {

constexpr std::int32_t kMostIds = 4096;

std::atomic<Profiler*> made{nullptr};

// "cudaMalloc_v3020" is cudaMalloc as it is since CUDA 3.2.
std::string without_version(std::string name) {
  const std::size_t mark = name.rfind("_v");
  const bool is_version = mark != name.npos && mark + 4 < name.size() &&
                          name.find_first_not_of("0123456789", mark + 2) == name.npos;
  if (is_version) name.resize(mark);
  return name;
}

std::string function_of(const char* enumerator, const char* prefix) {
  const std::size_t length = std::strlen(prefix);
  return std::strncmp(enumerator, prefix, length) == 0 ? enumerator + length : "";
}

}  // namespace

Profiler* Profiler::known() { return made.load(std::memory_order_acquire); }

Profiler* Profiler::begin(const Facts& facts) {
  static Profiler* const profiler = [&] {
    auto* const out = new Profiler(facts);
    made.store(out, std::memory_order_release);
    pthread_atfork(
        before_fork, [] { after_fork(false); }, [] { after_fork(true); });
    return out;
  }();
  return profiler->facts_.abi == facts.abi ? profiler : nullptr;
}

Profiler::Profiler(const Facts& facts) : facts_(facts), buffers_(size_of), works_(facts_) {
  std::size_t counts[kDomainCount] = {0, 0, facts.numbers.resource_count, facts.numbers.sync_count};
  for (std::int32_t id = 1; id < kMostIds; ++id) {
    if (const char* const name = facts.driver_name(id)) {
      const std::string function = function_of(name, facts.driver_prefix);
      if (function == "SIZE") counts[kDriverDomain] = static_cast<std::size_t>(id);
      ids_[kDriverDomain].emplace(function, id);
    }
    if (const char* const name = facts.runtime_name(id)) {
      const std::string function = function_of(name, facts.runtime_prefix);
      if (function == "SIZE") counts[kRuntimeDomain] = static_cast<std::size_t>(id);
      ids_[kRuntimeDomain].emplace(without_version(function), id);
    }
  }
  for (std::uint32_t i = 0; i < kDomainCount; ++i) callbacks_[i] = Wants(counts[i]);
  for (std::uint32_t i = 0; i < 2; ++i) calls_[i] = Wants(counts[i]);
}

void* Profiler::wrap(const char* library, const char* name, void* address, trace::Handler handler) {
  const FunctionPrototype* const prototype = find_prototype(library, name);
  if (!prototype || prototype->count > trace::kMostParameters) return address;
  Domain domain = kDriverDomain;
  auto id = ids_[domain].find(name);
  if (id == ids_[domain].end()) {
    domain = kRuntimeDomain;
    id = ids_[domain].find(name);
    if (id == ids_[domain].end()) return address;
  }
  const std::lock_guard lock(mutex_);
  void*& wrapped = wrapped_[{prototype, address}];
  if (wrapped) return wrapped;
  auto function = std::make_unique<Function>();
  function->prototype = prototype;
  function->domain = domain;
  function->id = id->second;
  function->target = address;
  function->interface =
      trace::call_interface(prototype->returns, prototype->first, prototype->count);
  if (!function->interface) return wrapped = address;
  describe(facts_.numbers, function.get());
  wrapped = trace::closure(function->interface, handler, function.get());
  if (!wrapped) return wrapped = address;
  function.release();  // NOLINT(bugprone-unused-return-value): lives as long as the closure.
  return wrapped;
}

bool Profiler::wants_call(Domain domain, std::uint32_t id) const {
  return wants(domain == kRuntimeDomain ? kRuntime : kDriver) ||
         calls_[domain][id].load(std::memory_order_relaxed) != 0;
}

const Subscriber* Profiler::subscriber_of(std::uint32_t domain, std::uint32_t id) const {
  const Subscriber* const found = subscriber_.load(std::memory_order_acquire);
  if (!found || callbacks_[domain][id].load(std::memory_order_relaxed) == 0) return nullptr;
  return found;
}

int Profiler::domain_of(std::uint32_t domain) const {
  const auto* const first = std::begin(facts_.numbers.domains);
  const auto* const found = std::find(first, std::end(facts_.numbers.domains), domain);
  return found == std::end(facts_.numbers.domains) ? -1 : static_cast<int>(found - first);
}

bool Profiler::is_subscribed(const void* subscriber) const {
  return subscriber && subscriber == subscriber_.load(std::memory_order_acquire);
}

Outcome Profiler::subscribe(void** subscriber, Callback callback, void* data) {
  if (!subscriber || !callback) return Outcome::kInvalidParameter;
  // Never freed: another thread may be about to call it.
  auto* const added = new Subscriber{callback, data};
  const Subscriber* nobody = nullptr;
  if (!subscriber_.compare_exchange_strong(nobody, added)) {
    delete added;
    return Outcome::kSubscribedAlready;
  }
  *subscriber = added;
  return Outcome::kDone;
}

Outcome Profiler::unsubscribe(const void* subscriber) {
  if (!is_subscribed(subscriber)) return Outcome::kInvalidParameter;
  enable_all_domains(false, subscriber);
  subscriber_.store(nullptr, std::memory_order_release);
  return Outcome::kDone;
}

Outcome Profiler::enable_callback(bool on, const void* subscriber, std::uint32_t domain,
                                  std::uint32_t id) {
  const int place = domain_of(domain);
  if (!is_subscribed(subscriber) || place < 0 || id == 0 || id >= callbacks_[place].size()) {
    return Outcome::kInvalidParameter;
  }
  callbacks_[place][id].store(on ? 1 : 0, std::memory_order_relaxed);
  observe();
  return Outcome::kDone;
}

Outcome Profiler::enable_domain(bool on, const void* subscriber, std::uint32_t domain) {
  const int place = domain_of(domain);
  if (!is_subscribed(subscriber) || place < 0) return Outcome::kInvalidParameter;
  fill(&callbacks_[place], on);
  observe();
  return Outcome::kDone;
}

Outcome Profiler::enable_all_domains(bool on, const void* subscriber) {
  if (!is_subscribed(subscriber)) return Outcome::kInvalidParameter;
  for (Wants& wants : callbacks_) fill(&wants, on);
  observe();
  return Outcome::kDone;
}

Outcome Profiler::callback_state(std::uint32_t* on, const void* subscriber, std::uint32_t domain,
                                 std::uint32_t id) const {
  const int place = domain_of(domain);
  if (!on || !is_subscribed(subscriber) || place < 0 || id >= callbacks_[place].size()) {
    return Outcome::kInvalidParameter;
  }
  *on = callbacks_[place][id].load(std::memory_order_relaxed);
  return Outcome::kDone;
}

// "cudaMalloc_v3020": the enumerator without what precedes the function in it.
Outcome Profiler::callback_name(std::uint32_t domain, std::uint32_t id, const char** name) const {
  const int place = domain_of(domain);
  if (!name || (place != kDriverDomain && place != kRuntimeDomain) ||
      (id != 0 && id >= callbacks_[place].size())) {
    return Outcome::kInvalidParameter;
  }
  const bool is_runtime = place == kRuntimeDomain;
  const char* const found =
      (is_runtime ? facts_.runtime_name : facts_.driver_name)(static_cast<std::int32_t>(id));
  if (!found) return Outcome::kInvalidParameter;
  *name = found + std::strlen(is_runtime ? facts_.runtime_prefix : facts_.driver_prefix);
  return Outcome::kDone;
}

Outcome Profiler::enable_kind(bool on, std::uint32_t kind) {
  const auto* const first = std::begin(facts_.numbers.kinds);
  const auto* const found = std::find(first, std::end(facts_.numbers.kinds), kind);
  if (found == std::end(facts_.numbers.kinds) || kind == 0) {
    return kind == 0 || kind >= facts_.numbers.kind_count ? Outcome::kInvalidKind
                                                          : Outcome::kNotCompatible;
  }
  const auto place = found - first;
  if (on && place == kContext && !kinds_[place].load()) {
    const std::lock_guard lock(mutex_);
    told_.clear();
  }
  const bool was_on = kinds_[place].exchange(on);
  if (on && place == kDevice && !was_on) add_devices();
  observe();
  return Outcome::kDone;
}

Outcome Profiler::enable_api(bool on, std::uint32_t domain, std::uint32_t id) {
  if (id == 0 || id >= calls_[domain].size()) return Outcome::kInvalidParameter;
  calls_[domain][id].store(on ? 1 : 0);
  observe();
  return Outcome::kDone;
}

void Profiler::fill(Wants* wants, bool on) {
  for (auto& wanted : *wants) wanted.store(on ? 1 : 0, std::memory_order_relaxed);
}

void Profiler::forget_wishes() {
  for (auto& kind : kinds_) kind.store(false);
  for (Wants& wants : calls_) fill(&wants, false);
  for (Wants& wants : callbacks_) fill(&wants, false);
  subscriber_.store(nullptr, std::memory_order_release);
}

// Under the lock from the first look on: of two threads that change something, the last one to
// look sees both changes.
void Profiler::observe() {
  const std::lock_guard lock(mutex_);
  const auto is_on = [](const auto& wanted) { return wanted.load() != 0; };
  const auto has_any = [&](const Wants& wants) {
    return std::any_of(wants.begin(), wants.end(), is_on);
  };
  const bool on = std::any_of(std::begin(kinds_), std::end(kinds_), is_on) ||
                  std::any_of(std::begin(calls_), std::end(calls_), has_any) ||
                  std::any_of(std::begin(callbacks_), std::end(callbacks_), has_any);
  if (std::exchange(is_observing_, on) != on) facts_.observe(on ? 1 : 0);
}

Outcome Profiler::flush() {
  const std::uint64_t start = now();
  works_.collect(&buffers_);
  if (wants(kOverhead)) {
    const OverheadLayout& at = facts_.layouts.overhead;
    Record record(at.size);
    record.set(at.kind, facts_.numbers.kinds[kOverhead])
        .set(at.overheadKind, facts_.numbers.flush)
        .set(at.objectKind, facts_.numbers.process)
        .set(at.objectId, static_cast<std::uint32_t>(getpid()))
        .set(at.start, start)
        .set(at.end, now());
    buffers_.add(record);
  }
  buffers_.deliver();
  return Outcome::kDone;
}

Outcome Profiler::finalize() {
  forget_wishes();
  flush();
  buffers_.let_go();
  buffers_.give(nullptr, nullptr);
  works_.change_clock(nullptr);
  observe();
  return Outcome::kDone;
}

bool Profiler::is_untold(const void* context) {
  const std::lock_guard lock(mutex_);
  return told_.insert(context).second;
}

void Profiler::add_devices() {
  const DeviceLayout& at = facts_.layouts.device;
  std::int32_t count = 0;
  facts_.musa.device_count(&count);
  for (std::int32_t i = 0; i < count; ++i) {
    char name[256] = "";
    facts_.musa.device_name(name, sizeof name, i);
    Record record(at.size);
    record.set(at.kind, facts_.numbers.kinds[kDevice])
        .set(at.id, static_cast<std::uint32_t>(i))
        .set(at.name, keep(name));
    buffers_.add(record);
  }
}

const char* Profiler::keep(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const std::string>& kept = names_[name];
  if (!kept) kept = std::make_unique<const std::string>(name);
  return kept->c_str();
}

std::uint32_t Profiler::size_of(std::uint32_t kind) {
  const Facts& facts = known()->facts_;
  const Layouts& layouts = facts.layouts;
  const std::uint32_t sizes[kKindCount] = {layouts.api.size,      layouts.api.size,
                                           layouts.kernel.size,   layouts.kernel.size,
                                           layouts.memcpy.size,   layouts.peer.size,
                                           layouts.memset.size,   layouts.synchronization.size,
                                           layouts.external.size, layouts.overhead.size,
                                           layouts.memory.size,   layouts.graph.size,
                                           layouts.device.size,   layouts.context.size};
  for (std::uint32_t i = 0; i < kKindCount; ++i) {
    if (facts.numbers.kinds[i] == kind) return sizes[i];
  }
  return 0;
}

void Profiler::before_fork() {
  Profiler& profiler = *known();
  profiler.mutex_.lock();
  profiler.works_.before_fork();
  profiler.buffers_.before_fork();
  for (Numbering* each :
       {&profiler.contexts_, &profiler.streams_, &profiler.graphs_, &profiler.events_}) {
    each->before_fork();
  }
}

// MUSA ends in the child, and nobody there has asked for records.
void Profiler::after_fork(bool is_child) {
  Profiler& profiler = *known();
  for (Numbering* each :
       {&profiler.events_, &profiler.graphs_, &profiler.streams_, &profiler.contexts_}) {
    each->after_fork();
  }
  if (is_child) {
    profiler.buffers_.forget();
    profiler.forget_wishes();
  }
  profiler.buffers_.after_fork();
  profiler.works_.after_fork(is_child);
  profiler.mutex_.unlock();
}

}  // namespace torchada::profiler
