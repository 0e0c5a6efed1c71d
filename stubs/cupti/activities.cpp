// Records, and the buffers that the program gives for them.
#include "stubs/cupti/accepted.h"
#include "stubs/cupti/engine.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::cupti::accepted;
using torchada::cupti::by_engine;
using torchada::profiler::CompleteBuffer;
using torchada::profiler::Engine;
using torchada::profiler::RequestBuffer;

// Attributes say how much memory CUPTI takes on the device and how. Nothing is taken there, so they
// are kept and have no effect.
constexpr int kAttributes = 32;
size_t attributes[kAttributes];

bool is_attribute(int attribute) { return attribute >= 0 && attribute < kAttributes; }

// Most are sizes, some one byte.
bool fits(const size_t* size) { return size && (*size == 1 || *size == 4 || *size == 8); }

}  // namespace

extern "C" {

int torchada_adapter_cuptiActivityRegisterCallbacks(void* request, void* complete) {
  return by_engine([&](const Engine& engine) {
    return engine.register_buffers(reinterpret_cast<RequestBuffer>(request),
                                   reinterpret_cast<CompleteBuffer>(complete));
  });
}

int torchada_adapter_cuptiActivityEnable(uint32_t kind) {
  const int status = by_engine([&](const Engine& engine) { return engine.enable_kind(1, kind); });
  if (status != torchada::cuda::CUPTI_ERROR_NOT_COMPATIBLE) return status;
  return torchada::refuse_enumerator("cuptiActivityEnable", 0, kind,
                                     "torchada does not write such records", status);
}

int torchada_adapter_cuptiActivityDisable(uint32_t kind) {
  return by_engine([&](const Engine& engine) { return engine.enable_kind(0, kind); });
}

// Records come from all contexts or from none.
int torchada_adapter_cuptiActivityEnableContext(void* context, uint32_t kind) {
  if (!context) return torchada::cuda::CUPTI_ERROR_INVALID_CONTEXT;
  accepted("cuptiActivityEnableContext", "its context is one of all that are enabled");
  return torchada_adapter_cuptiActivityEnable(kind);
}

int torchada_adapter_cuptiActivityDisableContext(void* context, uint32_t kind) {
  if (!context) return torchada::cuda::CUPTI_ERROR_INVALID_CONTEXT;
  return torchada_adapter_cuptiActivityDisable(kind);
}

int torchada_adapter_cuptiActivityEnableRuntimeApi(uint32_t id, uint8_t on) {
  return by_engine([&](const Engine& engine) {
    return engine.enable_api(on != 0, torchada::profiler::kRuntimeDomain, id);
  });
}

int torchada_adapter_cuptiActivityEnableDriverApi(uint32_t id, uint8_t on) {
  return by_engine([&](const Engine& engine) {
    return engine.enable_api(on != 0, torchada::profiler::kDriverDomain, id);
  });
}

// All are written.
int torchada_adapter_cuptiActivityEnableAllSyncRecords(uint8_t) {
  return torchada::cuda::CUPTI_SUCCESS;
}

int torchada_adapter_cuptiActivityEnableLatencyTimestamps(uint8_t) {
  return accepted("cuptiActivityEnableLatencyTimestamps",
                  "when a kernel was queued and submitted nobody knows, so it is 0 in each record");
}

int torchada_adapter_cuptiActivityEnableLaunchAttributes(uint8_t) {
  return accepted("cuptiActivityEnableLaunchAttributes", "attributes are 0 in each record");
}

int torchada_adapter_cuptiActivityFlushAll(uint32_t flag) {
  return by_engine([&](const Engine& engine) { return engine.flush(flag); });
}

int torchada_adapter_cuptiActivityFlush(void*, uint32_t, uint32_t flag) {
  return torchada_adapter_cuptiActivityFlushAll(flag);
}

int torchada_adapter_cuptiActivityFlushPeriod(uint32_t) {
  return accepted("cuptiActivityFlushPeriod",
                  "buffers are returned when they are full and at each flush");
}

int torchada_adapter_cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, void** record) {
  return by_engine([&](const Engine& engine) { return engine.next_record(buffer, valid, record); });
}

int torchada_adapter_cuptiActivityGetNumDroppedRecords(void*, uint32_t, size_t* count) {
  return by_engine([&](const Engine& engine) { return engine.dropped_records(count); });
}

int torchada_adapter_cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id) {
  return by_engine([&](const Engine& engine) { return engine.push_external(kind, id); });
}

int torchada_adapter_cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t* id) {
  return by_engine([&](const Engine& engine) { return engine.pop_external(kind, id); });
}

int torchada_adapter_cuptiActivitySetAttribute(int attribute, const size_t* size,
                                               const void* value) {
  if (!is_attribute(attribute) || !fits(size) || !value) {
    return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  }
  size_t kept = 0;
  __builtin_memcpy(&kept, value, *size);
  __atomic_store_n(&attributes[attribute], kept, __ATOMIC_RELAXED);
  return accepted("cuptiActivitySetAttribute", "the device gives no memory for records");
}

int torchada_adapter_cuptiActivityGetAttribute(int attribute, const size_t* size, void* value) {
  if (!is_attribute(attribute) || !fits(size) || !value) {
    return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  }
  const size_t kept = __atomic_load_n(&attributes[attribute], __ATOMIC_RELAXED);
  __builtin_memcpy(value, &kept, *size);
  return torchada::cuda::CUPTI_SUCCESS;
}

}  // extern "C"
