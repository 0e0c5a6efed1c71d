#include "src/companion/trace/calls.h"

#include "src/companion/trace/record.h"
#include "src/companion/trace/recording.h"
#include "src/companion/trace/thread.h"

namespace torchada::trace {

namespace {

void call_target(ffi_cif* interface, void* target, void* result, void** arguments) {
  ffi_call(interface, reinterpret_cast<void (*)()>(target), result, arguments);
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
