// Times, and the numbers by which records name contexts, streams and graphs.
#include "stubs/cupti/engine.h"

namespace {

using torchada::cupti::by_engine;
using torchada::profiler::Engine;

}  // namespace

extern "C" {

int torchada_adapter_cuptiGetTimestamp(uint64_t* time) {
  return by_engine([&](const Engine& engine) { return engine.timestamp(time); });
}

int torchada_adapter_cuptiActivityRegisterTimestampCallback(void* clock) {
  return by_engine([&](const Engine& engine) {
    return engine.register_clock(reinterpret_cast<torchada::profiler::Clock>(clock));
  });
}

int torchada_adapter_cuptiGetDeviceId(void* context, uint32_t* id) {
  return by_engine([&](const Engine& engine) { return engine.device_of_context(context, id); });
}

int torchada_adapter_cuptiGetContextId(void* context, uint32_t* id) {
  return by_engine([&](const Engine& engine) { return engine.context_id(context, id); });
}

int torchada_adapter_cuptiGetStreamId(void* context, void* stream, uint32_t* id) {
  return by_engine([&](const Engine& engine) { return engine.stream_id(context, stream, 0, id); });
}

int torchada_adapter_cuptiGetStreamIdEx(void* context, void* stream, uint8_t per_thread,
                                        uint32_t* id) {
  return by_engine(
      [&](const Engine& engine) { return engine.stream_id(context, stream, per_thread, id); });
}

int torchada_adapter_cuptiGetGraphId(void* graph, uint32_t* id) {
  return by_engine([&](const Engine& engine) { return engine.graph_id(graph, id); });
}

int torchada_adapter_cuptiGetGraphExecId(void* graph, uint32_t* id) {
  return torchada_adapter_cuptiGetGraphId(graph, id);
}

int torchada_adapter_cuptiSetThreadIdType(int type) {
  const bool of_system = type == torchada::cuda::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  if (!of_system && type != torchada::cuda::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT) {
    return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  }
  return by_engine([&](const Engine& engine) { return engine.set_thread_ids(of_system); });
}

int torchada_adapter_cuptiGetThreadIdType(int* type) {
  int32_t of_system = 0;
  if (!type) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  const int status = by_engine([&](const Engine& engine) { return engine.thread_ids(&of_system); });
  if (status == torchada::cuda::CUPTI_SUCCESS) {
    *type = static_cast<int>(of_system ? torchada::cuda::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM
                                       : torchada::cuda::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT);
  }
  return status;
}

}  // extern "C"
