#include "src/companion/trace/recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>

#include "src/companion/trace/thread.h"
#include "src/companion/trace/tracer.h"

namespace torchada::trace {

namespace {

// A status that says that work is still going on is not a failure.
bool is_status_of_failure(const ValueType& type, std::int32_t status) {
  if (status == 0) return false;
  const char* name = enumerator_name(type, status);
  return !name ||
         (std::strcmp(name, "cudaErrorNotReady") != 0 && std::strcmp(name, "ncclInProgress") != 0);
}

void call_target(ffi_cif* interface, void* target, void* result, void** arguments) {
  ffi_call(interface, reinterpret_cast<void (*)()>(target), result, arguments);
}

}  // namespace

bool has_failed(const Traced& traced, const void* result) {
  if (!traced.returns_status) return false;
  return is_status_of_failure(type_at(traced.prototype->returns),
                              *static_cast<const std::int32_t*>(result));
}

void count_time(Counters* counters, std::int64_t duration, bool failed) {
  const auto time = static_cast<std::uint64_t>(duration);
  counters->nanoseconds.fetch_add(time, std::memory_order_relaxed);
  if (failed) counters->errors.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t longest = counters->longest.load(std::memory_order_relaxed);
  while (time > longest && !counters->longest.compare_exchange_weak(longest, time)) {
  }
}

Recording::Recording(const Traced* traced, const Callback* callback, void* result, void** arguments,
                     const void* frame)
    : traced_(traced),
      callback_(callback),
      result_(result),
      arguments_(arguments),
      frame_(frame),
      outer_(thread_state().innermost),
      call_{traced, arguments, nullptr, nullptr, 0, 0, outer_ ? outer_->call_.depth + 1 : 0,
            false} {}

Recording* Recording::begin(const Traced& traced, void* result, void** arguments,
                            const void* frame) {
  return begin(&traced, nullptr, result, arguments, frame);
}

Recording* Recording::begin(const Callback& callback, void* result, void** arguments,
                            const void* frame) {
  return begin(nullptr, &callback, result, arguments, frame);
}

Recording* Recording::begin(const Traced* traced, const Callback* callback, void* result,
                            void** arguments, const void* frame) {
  const int program_errno = errno;
  Recording* out = nullptr;
  {
    const Work work;
    try {
      // The stack grows down: a call around this one has a higher frame. Calls with lower frames
      // were left without returning.
      ThreadState& thread = thread_state();
      while (thread.innermost && thread.innermost->frame_ <= frame) thread.innermost->abandon();
      std::unique_ptr<Recording> made(new Recording(traced, callback, result, arguments, frame));
      made->prepare();
      out = made.release();
      thread.innermost = out;
    } catch (const std::exception&) {
      out = nullptr;
    }
  }
  errno = program_errno;
  if (out) out->call_.start = now();
  return out;
}

// Copies the arguments, because the stack that holds them may be gone when the record is written.
void Recording::keep_arguments() {
  const std::uint32_t first = traced_ ? traced_->prototype->first : callback_->parameters().first;
  const std::uint32_t count = traced_ ? traced_->prototype->count : callback_->parameters().count;
  const auto words_of = [&](std::uint32_t index) {
    return (type_at(prototype_members[first + index].type).size + 7) / 8;
  };
  std::size_t words = 0;
  for (std::uint32_t i = 0; i < count; ++i) words += words_of(i);
  values_.resize(words);
  std::uint64_t* place = values_.data();
  for (std::uint32_t i = 0; i < count; place += words_of(i), ++i) {
    std::memcpy(place, arguments_[i], type_at(prototype_members[first + i].type).size);
    kept_[i] = place;
  }
  call_.arguments = kept_;
}

void Recording::prepare() {
  keep_arguments();
  if (!traced_) return;
  Tracer& tracer = Tracer::get();
  std::copy_n(arguments_, traced_->cares.size(), passed_);
  for (std::uint32_t i = 0; i < traced_->cares.size(); ++i) {
    if (traced_->cares[i] != Care::kCallback) continue;
    auto* function = reinterpret_cast<void*>(word_at(arguments_[i]));
    if (!function) continue;
    callbacks_[i] = tracer.callbacks().wrap(*traced_, i, function, on_callback);
    passed_[i] = &callbacks_[i];
  }
  if (traced_->allocation) {
    if (!frees(*traced_->allocation)) caller_ = calling_address();
    pending_ = tracer.allocations().before_call(call_);
  }
  if (!traced_->is_recorded) return;
  tracer.announce();
  before_ = read_before(tracer.options().format, *traced_, arguments_);
  if (!before_.empty()) call_.before = &before_;
  if (!tracer.options().begin) return;
  call_.start = now();
  Buffer record;
  write_begin(&record, tracer.options().format, call_);
  if (record.size() > 0) tracer.write(record);
}

void Recording::end() {
  const std::int64_t ended = now();
  const int program_errno = errno;
  {
    const Work work;
    ThreadState& thread = thread_state();
    while (thread.innermost && thread.innermost != this) thread.innermost->abandon();
    thread.innermost = outer_;
    // A call that only seemed to have been left (this happens with calls on other stacks) already
    // has its record.
    if (!is_abandoned_) {
      const std::unique_ptr<Recording> self(this);
      try {
        call_.duration = ended - call_.start;
        call_.result = result_;
        finish();
      } catch (const std::exception&) {
        Output::complain("out of memory: a call is not recorded");
      }
    }
  }
  errno = program_errno;
}

void Recording::finish() {
  if (traced_) {
    call_.failed = has_failed(*traced_, result_);
    count_time(traced_->counters, call_.duration, call_.failed);
    give_back_callbacks();
    if (traced_->allocation) Tracer::get().allocations().after_call(call_, pending_, caller_);
  }
  write();
}

void Recording::write() {
  if (traced_ && !traced_->is_recorded) return;
  Tracer& tracer = Tracer::get();
  Buffer record;
  if (traced_) {
    write_call(&record, tracer.options().format, call_);
  } else {
    write_callback_call(&record, tracer.options().format, *callback_, call_);
  }
  tracer.write(record);
}

// A program that asks for a callback gets back the function that it passed.
void Recording::give_back_callbacks() {
  for (std::uint32_t i = 0; i < traced_->cares.size(); ++i) {
    if (traced_->cares[i] != Care::kCallbackOut || call_.failed) continue;
    auto** place = reinterpret_cast<void**>(word_at(arguments_[i]));
    if (!place) continue;
    void* original = Tracer::get().callbacks().unwrap(*place);
    if (original != *place) *place = original;
  }
}

// Keeps the object: if the call ends after all, end() still needs it.
void Recording::abandon() {
  thread_state().innermost = outer_;
  is_abandoned_ = true;
  call_.duration = now() - call_.start;
  try {
    write();
  } catch (const std::exception&) {
    Output::complain("out of memory: a call is not recorded");
  }
}

void Recording::abandon_all() {
  const Work work;
  ThreadState& thread = thread_state();
  while (thread.innermost) thread.innermost->abandon();
}

// Exceptions, and threads that end, pass through the frames of these two functions and of ffi_call.
// These frames must have nothing to clean up: the program's unwinder passes them, and the C++
// library in here has a different one.
void on_call(ffi_cif* interface, void* result, void** arguments, void* data) {
  const Traced& traced = *static_cast<const Traced*>(data);
  if (thread_state().busy) return call_target(interface, traced.target, result, arguments);
  traced.counters->calls.fetch_add(1, std::memory_order_relaxed);
  if (traced.is_recorded || traced.allocation) {
    Recording* recording = Recording::begin(traced, result, arguments, __builtin_frame_address(0));
    call_target(interface, traced.target, result, recording ? recording->passed() : arguments);
    if (recording) recording->end();
    return;
  }
  const std::int64_t start = now();
  call_target(interface, traced.target, result, arguments);
  count_time(traced.counters, now() - start, has_failed(traced, result));
}

void on_callback(ffi_cif* interface, void* result, void** arguments, void* data) {
  const Callback& callback = *static_cast<const Callback*>(data);
  if (thread_state().busy) return call_target(interface, callback.function, result, arguments);
  Recording* recording = Recording::begin(callback, result, arguments, __builtin_frame_address(0));
  call_target(interface, callback.function, result, arguments);
  if (recording) recording->end();
}

}  // namespace torchada::trace
