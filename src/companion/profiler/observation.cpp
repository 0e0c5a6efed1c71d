#include "src/companion/profiler/observation.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

#include "src/companion/profiler/external.h"
#include "src/companion/profiler/profiler.h"
#include "src/companion/trace/closure.h"
#include "src/companion/trace/thread.h"

namespace torchada::profiler {
namespace {

// Where a program learns of a call: before it is made, and after it.
enum Site : std::uint32_t { kEnter, kExit };

// Nothing in it needs to be cleaned up: an exception of the program may leave the call.
struct Call {
  const Function* function;
  void** arguments;
  void* result;
  std::uint32_t correlation;
  std::uint64_t start;
  std::uint64_t correlation_data;  // The program's own, from entry to exit.
  const Subscriber* subscriber;    // That was called at entry.
  void* stream;
  void* context;
  Timed* work;  // Owned. Lost where an exception leaves the call.
  const char* kernel;
  void* freed;  // What a call that frees was given.
  alignas(16) unsigned char parameters[1024];
};

std::uint32_t thread_number(const Profiler& profiler) {
  if (profiler.thread_ids_of_system.load()) {
    return static_cast<std::uint32_t>(trace::thread_id());
  }
  return static_cast<std::uint32_t>(pthread_self());
}

std::int32_t status_of(const Call& call) { return *static_cast<std::int32_t*>(call.result); }

void* pointer(std::uint64_t value) { return reinterpret_cast<void*>(value); }

// The struct of the parameters that a callback gets: in their order, as a compiler lays it out.
void copy_parameters(Call* call) {
  const Function& function = *call->function;
  for (std::uint32_t i = 0; i < function.prototype->count; ++i) {
    const std::uint32_t size = type_at(prototype_members[function.prototype->first + i].type).size;
    if (function.offsets[i] + size > sizeof call->parameters) return;
    std::memcpy(call->parameters + function.offsets[i], call->arguments[i], size);
  }
}

std::uint32_t context_number(Profiler* profiler, const void* context) {
  return context ? profiler->contexts().of(context) : 0;
}

void notify(Profiler* profiler, Call* call, Site site) {
  const Function& function = *call->function;
  CallbackData data{};
  data.site = site;
  data.function = function.name();
  data.parameters = call->parameters;
  data.result = site == kExit ? call->result : nullptr;
  data.symbol = call->kernel;
  data.context = call->context;
  data.context_id = context_number(profiler, call->context);
  data.correlation_data = &call->correlation_data;
  data.correlation = call->correlation;
  call->subscriber->callback(call->subscriber->data,
                             profiler->facts().numbers.domains[function.domain], function.id,
                             &data);
}

std::uint32_t current_device(const Profiler& profiler) {
  std::int32_t device = 0;
  profiler.facts().musa.device_of_current(&device);
  return static_cast<std::uint32_t>(device);
}

Kind kind_of(const Profiler& profiler, const Function& function) {
  switch (function.role) {
    case Role::kLaunch:
      return profiler.wants(kConcurrentKernel) ? kConcurrentKernel : kKernel;
    case Role::kCopy:
      return kMemcpy;
    case Role::kSet:
      return kMemset;
    case Role::kGraph:
      return kGraphTrace;
    default:
      return kKindCount;
  }
}

bool is_timed(const Profiler& profiler, const Function& function) {
  const Kind kind = kind_of(profiler, function);
  return kind != kKindCount && profiler.wants(kind);
}

std::uint64_t bytes_of(const Call& call) {
  const Function& function = *call.function;
  if (function.places.bytes.empty()) return 0;
  std::uint64_t out = function.element;
  for (const Place& place : function.places.bytes) out *= read(place, call.arguments);
  return out;
}

// The stream that the call names, as MUSA knows it.
void* stream_of(const Profiler& profiler, const Call& call) {
  const Function& function = *call.function;
  void* const stream = pointer(read(function.places.stream, call.arguments));
  return stream == nullptr && function.is_per_thread ? profiler.facts().musa.per_thread_stream
                                                     : stream;
}

struct WhereFields {
  std::uint32_t device, context, stream, correlation;
};

void set_where(Profiler* profiler, const Call& call, const WhereFields& at, Record* record) {
  record->set(at.device, current_device(*profiler))
      .set(at.context, context_number(profiler, call.context))
      .set(at.stream, profiler->streams().of(call.stream, call.context))
      .set(at.correlation, call.correlation);
}

Record kernel_record(Profiler* profiler, const Call& call) {
  const KernelLayout& at = profiler->facts().layouts.kernel;
  const Numbers& numbers = profiler->facts().numbers;
  const Places& places = call.function->places;
  Record out(at.size);
  const auto axis = [&](const std::optional<Place>& place) {
    return static_cast<std::int32_t>(read(place, call.arguments));
  };
  out.set(at.kind, numbers.kinds[kind_of(*profiler, *call.function)])
      .set(at.gridX, axis(places.grid[0]))
      .set(at.gridY, axis(places.grid[1]))
      .set(at.gridZ, axis(places.grid[2]))
      .set(at.blockX, axis(places.block[0]))
      .set(at.blockY, axis(places.block[1]))
      .set(at.blockZ, axis(places.block[2]))
      .set(at.dynamicSharedMemory, axis(places.shared))
      .set(at.gridId, std::int64_t{call.correlation})
      .set(at.name, call.kernel)
      .set(at.launchType,
           static_cast<std::uint8_t>(call.function->is_cooperative ? numbers.cooperative
                                                                   : numbers.regular));
  set_where(profiler, call, {at.deviceId, at.contextId, at.streamId, at.correlationId}, &out);
  return out;
}

// What a copy goes from or to. Where no pointer tells, the name of the function does.
std::uint32_t memory_of(const Profiler& profiler, const Call& call,
                        const std::optional<Place>& place) {
  const std::uint64_t address = read(place, call.arguments);
  return address == 0 ? profiler.facts().numbers.memory.unknown
                      : profiler.facts().musa.memory_of(pointer(address));
}

std::uint32_t direction_of(const Numbers& numbers, std::uint32_t from, std::uint32_t to) {
  const auto is_host = [&](std::uint32_t memory) {
    return memory == numbers.memory.pageable || memory == numbers.memory.pinned;
  };
  if (from == numbers.memory.unknown || to == numbers.memory.unknown) return numbers.copy.unknown;
  if (is_host(from)) return is_host(to) ? numbers.copy.host_to_host : numbers.copy.host_to_device;
  return is_host(to) ? numbers.copy.device_to_host : numbers.copy.device_to_device;
}

Record copy_record(Profiler* profiler, const Call& call) {
  const MemcpyLayout& at = profiler->facts().layouts.memcpy;
  const Numbers& numbers = profiler->facts().numbers;
  const Places& places = call.function->places;
  const std::uint32_t from = memory_of(*profiler, call, places.from);
  const std::uint32_t to = memory_of(*profiler, call, places.to);
  Record out(at.size);
  out.set(at.kind, numbers.kinds[kMemcpy])
      .set(at.copyKind, static_cast<std::uint8_t>(direction_of(numbers, from, to)))
      .set(at.srcKind, static_cast<std::uint8_t>(from))
      .set(at.dstKind, static_cast<std::uint8_t>(to))
      .set(at.flags,
           static_cast<std::uint8_t>(call.function->is_asynchronous ? numbers.is_async : 0))
      .set(at.bytes, bytes_of(call));
  set_where(profiler, call, {at.deviceId, at.contextId, at.streamId, at.correlationId}, &out);
  return out;
}

Record set_record(Profiler* profiler, const Call& call) {
  const MemsetLayout& at = profiler->facts().layouts.memset;
  const Numbers& numbers = profiler->facts().numbers;
  const Places& places = call.function->places;
  Record out(at.size);
  out.set(at.kind, numbers.kinds[kMemset])
      .set(at.value, static_cast<std::uint32_t>(read(places.value, call.arguments)))
      .set(at.bytes, bytes_of(call))
      .set(at.memoryKind, static_cast<std::uint16_t>(memory_of(*profiler, call, places.to)))
      .set(at.flags,
           static_cast<std::uint16_t>(call.function->is_asynchronous ? numbers.is_async : 0));
  set_where(profiler, call, {at.deviceId, at.contextId, at.streamId, at.correlationId}, &out);
  return out;
}

Record graph_record(Profiler* profiler, const Call& call) {
  const GraphLayout& at = profiler->facts().layouts.graph;
  Record out(at.size);
  const void* const graph = pointer(read(call.function->places.graph, call.arguments));
  out.set(at.kind, profiler->facts().numbers.kinds[kGraphTrace])
      .set(at.graphId, profiler->graphs().of(graph));
  set_where(profiler, call, {at.deviceId, at.contextId, at.streamId, at.correlationId}, &out);
  return out;
}

void begin_work(Profiler* profiler, Call* call) {
  call->stream = stream_of(*profiler, *call);
  std::unique_ptr<Timed> work = profiler->works().begin(call->stream, &profiler->buffers());
  if (!work) return;
  const Layouts& layouts = profiler->facts().layouts;
  switch (call->function->role) {
    case Role::kLaunch:
      work->start = layouts.kernel.start;
      work->end = layouts.kernel.end;
      work->record = kernel_record(profiler, *call);
      break;
    case Role::kCopy:
      work->start = layouts.memcpy.start;
      work->end = layouts.memcpy.end;
      work->record = copy_record(profiler, *call);
      break;
    case Role::kSet:
      work->start = layouts.memset.start;
      work->end = layouts.memset.end;
      work->record = set_record(profiler, *call);
      break;
    default:
      work->start = layouts.graph.start;
      work->end = layouts.graph.end;
      work->record = graph_record(profiler, *call);
  }
  call->work = work.release();
}

void end_work(Profiler* profiler, Call* call) {
  if (!call->work) return;
  std::unique_ptr<Timed> work(call->work);
  call->work = nullptr;
  if (status_of(*call) == 0) {
    profiler->works().end(std::move(work), call->stream, &profiler->buffers());
  } else {
    profiler->works().forget(std::move(work));
  }
}

void add_call(Profiler* profiler, const Call& call, std::uint64_t end) {
  const ApiLayout& at = profiler->facts().layouts.api;
  const Function& function = *call.function;
  const Kind kind = function.domain == kRuntimeDomain ? kRuntime : kDriver;
  Record out(at.size);
  out.set(at.kind, profiler->facts().numbers.kinds[kind])
      .set(at.cbid, function.id)
      .set(at.start, call.start)
      .set(at.end, end)
      .set(at.processId, static_cast<std::uint32_t>(getpid()))
      .set(at.threadId, thread_number(*profiler))
      .set(at.correlationId, call.correlation)
      .set(at.returnValue, static_cast<std::uint32_t>(status_of(call)));
  profiler->buffers().add(out);
}

void add_synchronization(Profiler* profiler, const Call& call, std::uint64_t end) {
  const SynchronizationLayout& at = profiler->facts().layouts.synchronization;
  const Function& function = *call.function;
  Record out(at.size);
  const void* const stream = stream_of(*profiler, call);
  out.set(at.kind, profiler->facts().numbers.kinds[kSynchronization])
      .set(at.type, function.synchronization)
      .set(at.start, call.start)
      .set(at.end, end)
      .set(at.correlationId, call.correlation)
      .set(at.contextId, context_number(profiler, call.context));
  if (function.places.stream) out.set(at.streamId, profiler->streams().of(stream, call.context));
  if (function.places.event) {
    const void* const event = pointer(read(function.places.event, call.arguments));
    out.set(at.cudaEventId, profiler->events().of(event));
  }
  profiler->buffers().add(out);
}

void add_memory(Profiler* profiler, const Call& call, std::uint64_t end) {
  const MemoryLayout& at = profiler->facts().layouts.memory;
  const Numbers& numbers = profiler->facts().numbers;
  const Function& function = *call.function;
  const bool is_free = function.role == Role::kFree;
  void* address = call.freed;
  if (!is_free && function.places.pointer_out) {
    void* const out = pointer(read(function.places.pointer_out, call.arguments));
    if (out) std::memcpy(&address, out, sizeof address);
  }
  Record out(at.size);
  out.set(at.kind, numbers.kinds[kMemory])
      .set(at.memoryOperationType, is_free ? numbers.release : numbers.allocation)
      .set(at.memoryKind,
           is_free ? numbers.memory.unknown : profiler->facts().musa.memory_of(address))
      .set(at.correlationId, call.correlation)
      .set(at.address, reinterpret_cast<std::uint64_t>(address))
      .set(at.bytes, bytes_of(call))
      .set(at.timestamp, end)
      .set(at.processId, static_cast<std::uint32_t>(getpid()))
      .set(at.deviceId, current_device(*profiler))
      .set(at.contextId, context_number(profiler, call.context))
      .set(at.isAsync, std::uint32_t{function.is_asynchronous});
  profiler->buffers().add(out);
}

void add_context(Profiler* profiler, const Call& call) {
  const ContextLayout& at = profiler->facts().layouts.context;
  Record out(at.size);
  out.set(at.kind, profiler->facts().numbers.kinds[kContext])
      .set(at.contextId, context_number(profiler, call.context))
      .set(at.deviceId, current_device(*profiler))
      .set(at.computeApiKind, static_cast<std::uint16_t>(profiler->facts().numbers.compute_api))
      .set(at.nullStreamId,
           static_cast<std::uint16_t>(profiler->streams().of(nullptr, call.context)));
  profiler->buffers().add(out);
}

void add_externals(Profiler* profiler, const Call& call) {
  if (!profiler->wants(kExternalCorrelation)) return;
  const ExternalLayout& at = profiler->facts().layouts.external;
  for (const auto& [kind, id] : externals()) {
    Record out(at.size);
    out.set(at.kind, profiler->facts().numbers.kinds[kExternalCorrelation])
        .set(at.externalKind, kind)
        .set(at.externalId, id)
        .set(at.correlationId, call.correlation);
    profiler->buffers().add(out);
  }
}

void notify_synchronized(Profiler* profiler, const Call& call) {
  const Numbers& numbers = profiler->facts().numbers;
  const std::uint32_t waited = call.function->synchronization;
  const bool is_stream = waited == numbers.synchronization.stream;
  if (!is_stream && waited != numbers.synchronization.context) return;
  const std::uint32_t id = is_stream ? numbers.stream_synchronized : numbers.context_synchronized;
  const Subscriber* const subscriber = profiler->subscriber_of(kSyncDomain, id);
  if (!subscriber) return;
  const SynchronizeData data{call.context, is_stream ? stream_of(*profiler, call) : nullptr};
  subscriber->callback(subscriber->data, numbers.domains[kSyncDomain], id, &data);
}

// Records always have a name.
const char* kernel_name(Profiler* profiler, const Call& call) {
  const auto* const kernel = pointer(read(call.function->places.kernel, call.arguments));
  const char* const name = profiler->facts().kernel_name(kernel);
  return profiler->keep(name ? name : "unknown");
}

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
  // Not if the program has unsubscribed meanwhile.
  if (call->subscriber && profiler->subscriber_of(function.domain, function.id)) {
    notify(profiler, call, kExit);
  }
  if (profiler->works().are_many()) profiler->works().collect(&profiler->buffers());
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
