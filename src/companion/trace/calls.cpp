#include "calls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "thread.h"
#include "tracer.h"

namespace torchada::trace {

thread_local Thread thread;

namespace {

// Left by exceptions and cancelled threads as well.
class Inside {
 public:
  Inside() { ++thread.depth; }
  ~Inside() { --thread.depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

// Answers that something goes on, which are no failures.
bool is_status_of_failure(const ValueType& type, std::int32_t status) {
  if (status == 0) return false;
  const char* name = enumerator_name(type, status);
  return !name ||
         (std::strcmp(name, "cudaErrorNotReady") != 0 && std::strcmp(name, "ncclInProgress") != 0);
}

bool has_failed(const Traced& traced, const void* result) {
  if (!traced.returns_status) return false;
  return is_status_of_failure(type_at(traced.prototype->returns),
                              *static_cast<const std::int32_t*>(result));
}

void count(Counters* counters, std::int64_t duration, bool failed) {
  const auto time = static_cast<std::uint64_t>(duration);
  counters->calls.fetch_add(1, std::memory_order_relaxed);
  counters->nanoseconds.fetch_add(time, std::memory_order_relaxed);
  if (failed) counters->errors.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t longest = counters->longest.load(std::memory_order_relaxed);
  while (time > longest && !counters->longest.compare_exchange_weak(longest, time)) {
  }
}

void call_target(ffi_cif* interface, void* target, void* result, void** arguments) {
  ffi_call(interface, reinterpret_cast<void (*)()>(target), result, arguments);
}

// A call of which more is wanted than its time.
class Recording {
 public:
  Recording(const Traced& traced, void* result, void** arguments)
      : traced_(traced), result_(result), arguments_(arguments) {
    call_ = {&traced, arguments, nullptr, nullptr, 0, 0, thread.depth, false};
  }

  void run() {
    int program_errno = errno;
    prepare();
    errno = program_errno;
    call_.start = now();
    {
      const Inside inside;
      call_target(traced_.interface, traced_.target, result_, passed_);
    }
    call_.duration = now() - call_.start;
    program_errno = errno;
    finish();
    errno = program_errno;
  }

 private:
  void prepare() {
    const Work work;
    Tracer& tracer = Tracer::get();
    std::copy_n(arguments_, traced_.cares.size(), passed_);
    for (std::uint32_t i = 0; i < traced_.cares.size(); ++i) {
      if (traced_.cares[i] != Care::kCallback) continue;
      auto* function = reinterpret_cast<void*>(word_at(arguments_[i]));
      if (!function) continue;
      callbacks_[i] = tracer.callbacks().wrap(traced_, i, function);
      passed_[i] = &callbacks_[i];
    }
    if (traced_.allocation) {
      if (!frees(*traced_.allocation)) caller_ = calling_address();
      pending_ = tracer.allocations().before_call(call_);
    }
    if (!traced_.is_recorded) return;
    before_ = read_before(tracer.options().format, traced_, arguments_);
    if (!before_.empty()) call_.before = &before_;
    if (!tracer.options().begin) return;
    call_.start = now();
    Buffer record;
    write_begin(&record, tracer.options().format, call_);
    if (record.size() > 0) tracer.write(record);
  }

  void finish() {
    const Work work;
    Tracer& tracer = Tracer::get();
    call_.result = result_;
    call_.failed = has_failed(traced_, result_);
    count(traced_.counters, call_.duration, call_.failed);
    give_back_callbacks();
    if (traced_.allocation) tracer.allocations().after_call(call_, pending_, caller_);
    if (!traced_.is_recorded) return;
    Buffer record;
    write_call(&record, tracer.options().format, call_);
    tracer.write(record);
  }

  // Who asks for a callback gets the one that was passed.
  void give_back_callbacks() {
    for (std::uint32_t i = 0; i < traced_.cares.size(); ++i) {
      if (traced_.cares[i] != Care::kCallbackOut || call_.failed) continue;
      auto** place = reinterpret_cast<void**>(word_at(arguments_[i]));
      if (!place) continue;
      void* original = Tracer::get().callbacks().unwrap(*place);
      if (original != *place) *place = original;
    }
  }

  const Traced& traced_;
  void* const result_;
  void** const arguments_;
  void* passed_[kMostParameters];
  void* callbacks_[kMostParameters];
  Call call_;
  std::vector<std::string> before_;
  Allocations::Pending pending_;
  std::uint64_t caller_ = 0;
};

void on_call(ffi_cif* interface, void* result, void** arguments, void* data) {
  const Traced& traced = *static_cast<const Traced*>(data);
  if (thread.busy) return call_target(interface, traced.target, result, arguments);
  if (traced.is_recorded || traced.allocation) return Recording(traced, result, arguments).run();
  const std::int64_t start = now();
  {
    const Inside inside;
    call_target(interface, traced.target, result, arguments);
  }
  count(traced.counters, now() - start, has_failed(traced, result));
}

void on_callback(ffi_cif* interface, void* result, void** arguments, void* data) {
  const Callback& callback = *static_cast<const Callback*>(data);
  if (thread.busy) return call_target(interface, callback.function, result, arguments);
  Call call{nullptr, arguments, result, nullptr, now(), 0, thread.depth, false};
  {
    const Inside inside;
    call_target(interface, callback.function, result, arguments);
  }
  call.duration = now() - call.start;
  const int program_errno = errno;
  {
    const Work work;
    Tracer& tracer = Tracer::get();
    Buffer record;
    write_callback_call(&record, tracer.options().format, callback, call);
    tracer.write(record);
  }
  errno = program_errno;
}

void* closure(ffi_cif* interface, void (*handler)(ffi_cif*, void*, void**, void*), void* data) {
  void* code = nullptr;
  auto* out = static_cast<ffi_closure*>(ffi_closure_alloc(sizeof(ffi_closure), &code));
  if (!out) return nullptr;
  if (ffi_prep_closure_loc(out, interface, handler, data, code) == FFI_OK) return code;
  ffi_closure_free(out);
  return nullptr;
}

}  // namespace

void* closure_for(Traced* traced) { return closure(traced->interface, on_call, traced); }

void* closure_for(Callback* callback) {
  return closure(callback->interface, on_callback, callback);
}

}  // namespace torchada::trace
