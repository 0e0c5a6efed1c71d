#include "src/companion/profiler/call_records.h"

#include <pthread.h>
#include <unistd.h>

#include <cstring>

#include "src/companion/profiler/external.h"
#include "src/companion/profiler/within.h"
#include "src/companion/trace/thread.h"

namespace torchada::profiler {
namespace {

std::uint32_t thread_number(const Profiler& profiler) {
  if (profiler.thread_ids_of_system.load()) {
    return static_cast<std::uint32_t>(trace::thread_id());
  }
  return static_cast<std::uint32_t>(pthread_self());
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
      return function.is_between_devices ? kMemcpyPeer : kMemcpy;
    case Role::kSet:
      return kMemset;
    case Role::kGraph:
      return kGraphTrace;
    default:
      return kKindCount;
  }
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

// What the records of copies on a device and between devices have in common.
template <typename Layout>
Record record_of_copy(Profiler* profiler, const Call& call, const Layout& at, std::uint32_t kind,
                      std::uint32_t from, std::uint32_t to) {
  const Numbers& numbers = profiler->facts().numbers;
  Record out(at.size);
  out.set(at.kind, numbers.kinds[kind_of(*profiler, *call.function)])
      .set(at.copyKind, static_cast<std::uint8_t>(kind))
      .set(at.srcKind, static_cast<std::uint8_t>(from))
      .set(at.dstKind, static_cast<std::uint8_t>(to))
      .set(at.flags,
           static_cast<std::uint8_t>(call.function->is_asynchronous ? numbers.is_async : 0))
      .set(at.bytes, bytes_of(call));
  set_where(profiler, call, {at.deviceId, at.contextId, at.streamId, at.correlationId}, &out);
  return out;
}

Record copy_record(Profiler* profiler, const Call& call) {
  const Places& places = call.function->places;
  const std::uint32_t from = memory_of(*profiler, call, places.from);
  const std::uint32_t to = memory_of(*profiler, call, places.to);
  return record_of_copy(profiler, call, profiler->facts().layouts.memcpy,
                        direction_of(profiler->facts().numbers, from, to), from, to);
}

std::uint32_t device_of(const Profiler& profiler, void* context) {
  const Within within(profiler.facts().musa, context);
  return within.entered() ? current_device(profiler) : 0;
}

// Where it goes from or to: the runtime names a device, the driver a context.
void set_side(Profiler* profiler, const Call& call, const Side& side, std::uint32_t device_at,
              std::uint32_t context_at, Record* record) {
  void* const context = pointer(read(side.context, call.arguments));
  record
      ->set(device_at, context ? device_of(*profiler, context)
                               : static_cast<std::uint32_t>(read(side.device, call.arguments)))
      .set(context_at, context_number(profiler, context));
}

Record peer_record(Profiler* profiler, const Call& call) {
  const PeerLayout& at = profiler->facts().layouts.peer;
  const Numbers& numbers = profiler->facts().numbers;
  const Places& places = call.function->places;
  Record out = record_of_copy(profiler, call, at, numbers.copy.between_devices,
                              numbers.memory.device, numbers.memory.device);
  set_side(profiler, call, places.from_side, at.srcDeviceId, at.srcContextId, &out);
  set_side(profiler, call, places.to_side, at.dstDeviceId, at.dstContextId, &out);
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

}  // namespace

bool is_timed(const Profiler& profiler, const Function& function) {
  const Kind kind = kind_of(profiler, function);
  return kind != kKindCount && profiler.wants(kind);
}

void begin_work(Profiler* profiler, Call* call) {
  if (call->function->role == Role::kLaunch) profiler->facts().make_kernel(kernel_of(*call));
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
      if (call->function->is_between_devices) {
        work->start = layouts.peer.start;
        work->end = layouts.peer.end;
        work->record = peer_record(profiler, *call);
        break;
      }
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
  void* const address = is_free ? call.freed : written_at(function.places.pointer_out, call);
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

}  // namespace torchada::profiler
