#include "src/companion/profiler/observation.h"

#include <cerrno>
#include <cstring>
#include <exception>

#include "src/companion/profiler/call_records.h"
#include "src/companion/profiler/callbacks.h"
#include "src/companion/trace/closure.h"
#include "src/companion/trace/thread.h"

namespace torchada::profiler {
namespace {

void begin(Profiler* profiler, Call* call) {
  const Function& function = *call->function;
  call->correlation = profiler->next_correlation();
  call->subscriber = profiler->subscriber_of(function.domain, function.id);
  profiler->facts().musa.current_context(&call->context);
  if (function.role == Role::kLaunch && (call->subscriber || profiler->wants_kernels())) {
    call->kernel = kernel_name(profiler, *call);
  }
  if (function.role == Role::kFree) {
    call->freed = pointer(read(function.places.pointer, call->arguments));
  }
  if (call->subscriber) {
    copy_parameters(call);
    notify(profiler, call, kEnter);
  }
  if (function.role == Role::kDestroy) notify_destroying(profiler, *call);
  call->start = now();
  add_externals(profiler, *call);
  if (is_timed(*profiler, function)) begin_work(profiler, call);
}

void end(Profiler* profiler, Call* call) {
  const Function& function = *call->function;
  const bool succeeded = status_of(*call) == 0;
  end_work(profiler, call);
  const std::uint64_t end = now();
  // The first call of a thread makes its context.
  if (!call->context) profiler->facts().musa.current_context(&call->context);
  if (profiler->wants(kContext) && call->context && profiler->is_untold(call->context)) {
    add_context(profiler, *call);
  }
  if (profiler->wants_call(function.domain, function.id)) add_call(profiler, *call, end);
  if (function.role == Role::kSynchronize && profiler->wants(kSynchronization)) {
    add_synchronization(profiler, *call, end);
  }
  const bool is_memory = function.role == Role::kAllocate || function.role == Role::kFree;
  if (is_memory && succeeded && profiler->wants(kMemory)) add_memory(profiler, *call, end);
  if (function.role == Role::kSynchronize && succeeded) notify_synchronized(profiler, *call);
  if (function.role == Role::kMake && succeeded) notify_created(profiler, *call);
  // Not if the program has unsubscribed meanwhile.
  if (call->subscriber && profiler->subscriber_of(function.domain, function.id)) {
    notify(profiler, call, kExit);
  }
  // What has been waited for has ended by now: a tool may leave out what ends after its own end.
  const bool has_waited = function.role == Role::kSynchronize && succeeded;
  if (has_waited || profiler->works().are_many()) profiler->works().collect(&profiler->buffers());
  profiler->buffers().hold();
  if (profiler->buffers().is_much()) profiler->buffers().deliver();
}

// The program's memory may have run out: then there is no record, but there is the call.
template <typename Part>
void do_apart(Profiler* profiler, Call* call, Part part) {
  const int program_errno = errno;
  {
    const trace::Work work;
    try {
      part(profiler, call);
    } catch (const std::exception&) {
      profiler->buffers().drop();
    }
  }
  errno = program_errno;
}

void call_target(ffi_cif* interface, const Function& function, void* result, void** arguments) {
  ffi_call(interface, reinterpret_cast<void (*)()>(function.target), result, arguments);
}

}  // namespace

// Exceptions, and threads that end, pass through this frame and that of ffi_call: see
// trace/recording.cpp. A call inside another one of CUDA is not the program's. The stack grows
// down, so that one has a higher frame; with a lower frame it was left without returning.
void on_observed(ffi_cif* interface, void* result, void** arguments, void* data) {
  const auto& function = *static_cast<const Function*>(data);
  Profiler* const profiler = Profiler::known();
  ThreadState& thread = thread_state();
  const void* const frame = __builtin_frame_address(0);
  if (thread.busy || (thread.observed && thread.observed > frame)) {
    return call_target(interface, function, result, arguments);
  }
  Call call;  // NOLINT(cppcoreguidelines-pro-type-member-init): most of it is room.
  std::memset(&call, 0, offsetof(Call, parameters));
  call.function = &function;
  call.arguments = arguments;
  call.result = result;
  do_apart(profiler, &call, begin);
  thread.observed = frame;
  call_target(interface, function, result, arguments);
  thread.observed = nullptr;
  do_apart(profiler, &call, end);
}

}  // namespace torchada::profiler
