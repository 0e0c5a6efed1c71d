#include "stubs/cupti/facts_for_profiler.h"

#include "facts.h"
#include "stubs/cupti/layouts.h"
#include "stubs/process/peers.h"

extern "C" {
// Emitted: the enumerator of a number, null if it is none.
TORCHADA_HIDDEN const char* torchada_text_cuptiGetCallbackName(int id);
TORCHADA_HIDDEN const char* torchada_text_cuptiEnableCallback(int id);
}

namespace torchada::cupti {
namespace {

#define NUMBER(name) static_cast<uint32_t>(cuda::CUPTI_##name)

profiler::Numbers numbers() {
  profiler::Numbers out{};
  uint32_t(&kinds)[profiler::kKindCount] = out.kinds;
  kinds[profiler::kRuntime] = NUMBER(ACTIVITY_KIND_RUNTIME);
  kinds[profiler::kDriver] = NUMBER(ACTIVITY_KIND_DRIVER);
  kinds[profiler::kKernel] = NUMBER(ACTIVITY_KIND_KERNEL);
  kinds[profiler::kConcurrentKernel] = NUMBER(ACTIVITY_KIND_CONCURRENT_KERNEL);
  kinds[profiler::kMemcpy] = NUMBER(ACTIVITY_KIND_MEMCPY);
  kinds[profiler::kMemcpyPeer] = NUMBER(ACTIVITY_KIND_MEMCPY2);
  kinds[profiler::kMemset] = NUMBER(ACTIVITY_KIND_MEMSET);
  kinds[profiler::kSynchronization] = NUMBER(ACTIVITY_KIND_SYNCHRONIZATION);
  kinds[profiler::kExternalCorrelation] = NUMBER(ACTIVITY_KIND_EXTERNAL_CORRELATION);
  kinds[profiler::kOverhead] = NUMBER(ACTIVITY_KIND_OVERHEAD);
  kinds[profiler::kMemory] = NUMBER(ACTIVITY_KIND_MEMORY2);
  kinds[profiler::kGraphTrace] = NUMBER(ACTIVITY_KIND_GRAPH_TRACE);
  kinds[profiler::kDevice] = NUMBER(ACTIVITY_KIND_DEVICE);
  kinds[profiler::kContext] = NUMBER(ACTIVITY_KIND_CONTEXT);
  out.kind_count = NUMBER(ACTIVITY_KIND_COUNT);
  out.domains[profiler::kDriverDomain] = NUMBER(CB_DOMAIN_DRIVER_API);
  out.domains[profiler::kRuntimeDomain] = NUMBER(CB_DOMAIN_RUNTIME_API);
  out.domains[profiler::kResourceDomain] = NUMBER(CB_DOMAIN_RESOURCE);
  out.domains[profiler::kSyncDomain] = NUMBER(CB_DOMAIN_SYNCHRONIZE);
  out.copy = {NUMBER(ACTIVITY_MEMCPY_KIND_UNKNOWN), NUMBER(ACTIVITY_MEMCPY_KIND_HTOD),
              NUMBER(ACTIVITY_MEMCPY_KIND_DTOH),    NUMBER(ACTIVITY_MEMCPY_KIND_DTOD),
              NUMBER(ACTIVITY_MEMCPY_KIND_HTOH),    NUMBER(ACTIVITY_MEMCPY_KIND_PTOP)};
  out.memory = {NUMBER(ACTIVITY_MEMORY_KIND_UNKNOWN), NUMBER(ACTIVITY_MEMORY_KIND_PAGEABLE),
                NUMBER(ACTIVITY_MEMORY_KIND_PINNED), NUMBER(ACTIVITY_MEMORY_KIND_DEVICE),
                NUMBER(ACTIVITY_MEMORY_KIND_MANAGED)};
  out.synchronization = {NUMBER(ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN),
                         NUMBER(ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE),
                         NUMBER(ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT),
                         NUMBER(ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE),
                         NUMBER(ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE)};
  out.allocation = NUMBER(ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION);
  out.release = NUMBER(ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE);
  out.is_async = NUMBER(ACTIVITY_FLAG_MEMCPY_ASYNC);
  static_assert(cuda::CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC == cuda::CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC);
  out.regular = NUMBER(ACTIVITY_LAUNCH_TYPE_REGULAR);
  out.cooperative = NUMBER(ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE);
  out.compute_api = NUMBER(ACTIVITY_COMPUTE_API_CUDA);
  out.flush = NUMBER(ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH);
  out.process = NUMBER(ACTIVITY_OBJECT_PROCESS);
  out.external_count = NUMBER(EXTERNAL_CORRELATION_KIND_SIZE);
  out.stream_synchronized = NUMBER(CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED);
  out.context_synchronized = NUMBER(CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED);
  out.resources = {
      NUMBER(CBID_RESOURCE_STREAM_CREATED), NUMBER(CBID_RESOURCE_STREAM_DESTROY_STARTING),
      NUMBER(CBID_RESOURCE_CONTEXT_CREATED), NUMBER(CBID_RESOURCE_CONTEXT_DESTROY_STARTING)};
  out.resource_count = NUMBER(CBID_RESOURCE_SIZE);
  out.sync_count = NUMBER(CBID_SYNCHRONIZE_SIZE);
  return out;
}

static_assert(cuda::sizeof_CUpti_CallbackData == sizeof(profiler::CallbackData));
static_assert(cuda::CUpti_CallbackData_correlationId ==
              offsetof(profiler::CallbackData, correlation));
static_assert(cuda::CUpti_CallbackData_contextUid == offsetof(profiler::CallbackData, context_id));
static_assert(cuda::CUpti_CallbackData_symbolName == offsetof(profiler::CallbackData, symbol));
static_assert(cuda::CUpti_CallbackData_functionParams ==
              offsetof(profiler::CallbackData, parameters));
static_assert(cuda::sizeof_CUpti_SynchronizeData == sizeof(profiler::SynchronizeData));
static_assert(cuda::sizeof_CUpti_ResourceData == sizeof(profiler::ResourceData));

// musaPointerAttributes begins with the type in every SDK, and has at most 88 bytes (musart.yaml).
uint32_t memory_of(const void* pointer) {
  alignas(8) unsigned char attributes[128] = {};
  int32_t type = 0;
  if (musaPointerGetAttributes(attributes, pointer) == 0) {
    __builtin_memcpy(&type, attributes, sizeof type);
  }
  switch (type) {
    case musa::musaMemoryTypeHost:
      return NUMBER(ACTIVITY_MEMORY_KIND_PINNED);
    case musa::musaMemoryTypeDevice:
      return NUMBER(ACTIVITY_MEMORY_KIND_DEVICE);
    case musa::musaMemoryTypeManaged:
      return NUMBER(ACTIVITY_MEMORY_KIND_MANAGED);
    default:
      return NUMBER(ACTIVITY_MEMORY_KIND_PAGEABLE);
  }
}

void observe(int32_t on) { observe_calls_everywhere(on != 0); }

}  // namespace

profiler::Facts facts_for_profiler() {
  profiler::Facts out{};
  out.abi = TORCHADA_ABI;
  out.layouts = layouts();
  out.numbers = numbers();
  out.runtime_name = torchada_text_cuptiGetCallbackName;
  out.driver_name = torchada_text_cuptiEnableCallback;
  out.runtime_prefix = "CUPTI_RUNTIME_TRACE_CBID_";
  out.driver_prefix = "CUPTI_DRIVER_TRACE_CBID_";
  out.kernel_name = name_of_kernel;
  out.make_kernel = make_kernel;
  out.observe = observe;
  out.musa.current_context = [](void** context) -> int32_t { return muCtxGetCurrent(context); };
  out.musa.device_of_current = [](int32_t* device) -> int32_t { return muCtxGetDevice(device); };
  out.musa.device_count = [](int32_t* count) -> int32_t { return muDeviceGetCount(count); };
  out.musa.device_name = [](char* name, int32_t size, int32_t device) -> int32_t {
    return muDeviceGetName(name, size, device);
  };
  out.musa.push_context = [](void* context) -> int32_t { return muCtxPushCurrent_v2(context); };
  out.musa.pop_context = [](void** context) -> int32_t { return muCtxPopCurrent_v2(context); };
  out.musa.make_event = [](void** event, uint32_t flags) -> int32_t {
    return musaEventCreateWithFlags(event, flags);
  };
  out.musa.destroy_event = [](void* event) -> int32_t { return musaEventDestroy(event); };
  out.musa.record = [](void* event, void* stream) -> int32_t {
    return musaEventRecord(event, stream);
  };
  out.musa.query = [](void* event) -> int32_t { return muEventQuery(event); };
  out.musa.wait = [](void* event) -> int32_t { return musaEventSynchronize(event); };
  out.musa.elapsed = [](float* milliseconds, void* first, void* last) -> int32_t {
    return musaEventElapsedTime(milliseconds, first, last);
  };
  out.musa.capture_status = [](void* stream, int32_t* status) -> int32_t {
    return musaStreamIsCapturing(stream, status);
  };
  out.musa.exchange_capture_mode = [](int32_t* mode) -> int32_t {
    return musaThreadExchangeStreamCaptureMode(mode);
  };
  out.musa.memory_of = memory_of;
  out.musa.not_ready = musa::MUSA_ERROR_NOT_READY;
  out.musa.relaxed_capture = musa::musaStreamCaptureModeRelaxed;
  out.musa.make_stream = [](void** stream, uint32_t flags) -> int32_t {
    return musaStreamCreateWithFlags(stream, flags);
  };
  out.musa.per_thread_stream = reinterpret_cast<void*>(uintptr_t{musa::musaStreamPerThread});
  out.musa.non_blocking = static_cast<uint32_t>(musa::musaStreamNonBlocking);
  return out;
}

}  // namespace torchada::cupti
