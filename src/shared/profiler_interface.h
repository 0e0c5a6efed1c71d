// What our CUPTI (stubs/cupti) and the companion's profiler (src/companion/profiler) tell each
// other. The library knows CUPTI's numbers and layouts, those of its CUDA major; the profiler knows
// calls and times. Plain C types only; see companion_interface.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace torchada::profiler {

enum class Outcome : int32_t {
  kDone,
  kInvalidParameter,
  kInvalidKind,
  kInvalidContext,
  kNotInitialized,
  kNotReady,
  kEndOfRecords,
  kQueueEmpty,
  kSizeNotSufficient,
  kSubscribedAlready,
  kOutOfMemory,
  kNotCompatible,  // A kind that CUPTI has and this profiler does not.
  kUnknown,
};

// Kinds of records, by their place in Numbers::kinds.
enum Kind : uint32_t {
  kRuntime,
  kDriver,
  kKernel,  // Kernels one after the other; here the same as the next.
  kConcurrentKernel,
  kMemcpy,
  kMemcpyPeer,
  kMemset,
  kSynchronization,
  kExternalCorrelation,
  kOverhead,
  kMemory,
  kGraphTrace,
  kDevice,
  kContext,
  kKindCount,
};

enum Domain : uint32_t {
  kDriverDomain,
  kRuntimeDomain,
  kResourceDomain,
  kSyncDomain,
  kDomainCount
};

// Of a record: its size and the offset of each member, in bytes.
#define RECORD(name, member) \
  struct name##Layout {      \
    uint32_t size;
#define MEMBER(name, member) uint32_t member;
#define END(name) \
  }               \
  ;
#include "src/shared/profiler_records.inc"
#undef RECORD
#undef MEMBER
#undef END

struct Layouts {
#define RECORD(name, member) name##Layout member;
#define MEMBER(name, member)
#define END(name)
#include "src/shared/profiler_records.inc"
#undef RECORD
#undef MEMBER
#undef END
};

// CUPTI's numbers.
struct Numbers {
  uint32_t kinds[kKindCount];
  uint32_t kind_count;  // All are less.
  uint32_t domains[kDomainCount];
  struct {
    uint32_t unknown, host_to_device, device_to_host, device_to_device, host_to_host,
        between_devices;
  } copy;
  struct {
    uint32_t unknown, pageable, pinned, device, managed;
  } memory;
  struct {
    uint32_t unknown, event, stream_wait_event, stream, context;
  } synchronization;
  uint32_t allocation, release;   // Of memory.
  uint32_t is_async;              // Flag of copies and of memory that is set.
  uint32_t regular, cooperative;  // Launches.
  uint32_t compute_api;
  uint32_t flush;           // A kind of overhead.
  uint32_t process;         // A kind of object.
  uint32_t external_count;  // Kinds of external correlation are less, and more than 0.
  uint32_t stream_synchronized, context_synchronized;  // Ids in kSyncDomain.
  struct {
    uint32_t stream_created, stream_destroyed, context_created, context_destroyed;
  } resources;                          // Ids in kResourceDomain.
  uint32_t resource_count, sync_count;  // Ids in these domains are less.
};

// What a callback gets for a call: CUpti_CallbackData, the same in every release.
struct CallbackData {
  uint32_t site;  // 0 before the call, 1 after it.
  const char* function;
  const void* parameters;
  void* result;
  const char* symbol;
  void* context;
  uint32_t context_id;
  uint64_t* correlation_data;
  uint32_t correlation;
};
// And for a stream or a context that the program waited for: CUpti_SynchronizeData.
struct SynchronizeData {
  void* context;
  void* stream;
};

// And for one that is made or destroyed: CUpti_ResourceData.
struct ResourceData {
  void* context;
  void* stream;
  void* descriptor;
};

using Callback = void (*)(void* data, uint32_t domain, uint32_t id, const void* details);
using RequestBuffer = void (*)(uint8_t** buffer, size_t* size, size_t* most_records);
using CompleteBuffer = void (*)(void* context, uint32_t stream, uint8_t* buffer, size_t size,
                                size_t valid);
using Clock = uint64_t (*)();

// What the library that loaded the profiler knows and can do.
struct Facts {
  int32_t abi;
  Layouts layouts;
  Numbers numbers;
  // The enumerator of an id in runtime or driver; null for none.
  const char* (*runtime_name)(int32_t id);
  const char* (*driver_name)(int32_t id);
  // What precedes the function in these names.
  const char* runtime_prefix;
  const char* driver_prefix;
  const char* (*kernel_name)(const void* kernel);  // Null if nobody knows it.
  void (*make_kernel)(const void* kernel);  // Its device code, before a launch takes the time.
  void (*observe)(int32_t on);              // See observe_calls_everywhere.
  struct {
    int32_t (*current_context)(void** context);
    int32_t (*device_of_current)(int32_t* device);
    int32_t (*device_count)(int32_t* count);
    int32_t (*device_name)(char* name, int32_t size, int32_t device);
    int32_t (*push_context)(void* context);
    int32_t (*pop_context)(void** context);
    int32_t (*make_event)(void** event, uint32_t flags);
    int32_t (*destroy_event)(void* event);
    int32_t (*record)(void* event, void* stream);
    int32_t (*query)(void* event);
    int32_t (*wait)(void* event);
    int32_t (*elapsed)(float* milliseconds, void* first, void* last);
    int32_t (*capture_status)(void* stream, int32_t* status);
    int32_t (*exchange_capture_mode)(int32_t* mode);
    // One of Numbers::memory.
    uint32_t (*memory_of)(const void* pointer);
    int32_t (*make_stream)(void** stream, uint32_t flags);
    void* per_thread_stream;
    int32_t not_ready;        // What query() returns for work that has not ended.
    int32_t relaxed_capture;  // A mode.
    uint32_t non_blocking;    // Flag of streams.
  } musa;
};

// What the library asks of the profiler. All may be called by any thread.
struct Engine {
  Outcome (*subscribe)(void** subscriber, Callback callback, void* data);
  Outcome (*unsubscribe)(void* subscriber);
  Outcome (*enable_callback)(int32_t on, void* subscriber, uint32_t domain, uint32_t id);
  Outcome (*enable_domain)(int32_t on, void* subscriber, uint32_t domain);
  Outcome (*enable_all_domains)(int32_t on, void* subscriber);
  Outcome (*callback_state)(uint32_t* on, void* subscriber, uint32_t domain, uint32_t id);
  Outcome (*callback_name)(uint32_t domain, uint32_t id, const char** name);
  Outcome (*register_buffers)(RequestBuffer request, CompleteBuffer complete);
  Outcome (*enable_kind)(int32_t on, uint32_t kind);
  Outcome (*enable_api)(int32_t on, uint32_t domain, uint32_t id);  // `domain`: a Domain.
  Outcome (*flush)(uint32_t flag);
  Outcome (*collect)();  // Makes the records of work that has ended, for which it asks MUSA.
  Outcome (*next_record)(uint8_t* buffer, size_t valid, void** record);
  Outcome (*dropped_records)(size_t* count);
  Outcome (*push_external)(uint32_t kind, uint64_t id);
  Outcome (*pop_external)(uint32_t kind, uint64_t* id);
  Outcome (*timestamp)(uint64_t* time);
  Outcome (*register_clock)(Clock clock);
  Outcome (*device_of_context)(void* context, uint32_t* id);
  Outcome (*context_id)(void* context, uint32_t* id);
  Outcome (*stream_id)(void* context, void* stream, int32_t per_thread, uint32_t* id);
  Outcome (*graph_id)(void* graph, uint32_t* id);
  Outcome (*set_thread_ids)(int32_t of_system);
  Outcome (*thread_ids)(int32_t* of_system);
  Outcome (*finalize)();
};

}  // namespace torchada::profiler
