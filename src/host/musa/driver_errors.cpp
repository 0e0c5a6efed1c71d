// Names and texts of the driver's statuses. The texts are our own.
#include <algorithm>
#include <iterator>

#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

struct StatusRow {
  MUresult code;
  const char* name;
  const char* text;
};

// Sorted by code for the binary search.
constexpr StatusRow kStatuses[] = {
    {MUSA_SUCCESS, "MUSA_SUCCESS", "no error"},
    {MUSA_ERROR_INVALID_VALUE, "MUSA_ERROR_INVALID_VALUE", "invalid value"},
    {MUSA_ERROR_OUT_OF_MEMORY, "MUSA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {MUSA_ERROR_NOT_INITIALIZED, "MUSA_ERROR_NOT_INITIALIZED", "not initialized"},
    {MUSA_ERROR_DEINITIALIZED, "MUSA_ERROR_DEINITIALIZED", "deinitialized"},
    {MUSA_ERROR_PROFILER_DISABLED, "MUSA_ERROR_PROFILER_DISABLED", "profiler disabled"},
    {MUSA_ERROR_PROFILER_NOT_INITIALIZED, "MUSA_ERROR_PROFILER_NOT_INITIALIZED",
     "profiler not initialized"},
    {MUSA_ERROR_PROFILER_ALREADY_STARTED, "MUSA_ERROR_PROFILER_ALREADY_STARTED",
     "profiler already started"},
    {MUSA_ERROR_PROFILER_ALREADY_STOPPED, "MUSA_ERROR_PROFILER_ALREADY_STOPPED",
     "profiler already stopped"},
    {MUSA_ERROR_STUB_LIBRARY, "MUSA_ERROR_STUB_LIBRARY",
     "the link stub was loaded instead of the driver"},
    {MUSA_ERROR_NO_DEVICE, "MUSA_ERROR_NO_DEVICE", "no device"},
    {MUSA_ERROR_INVALID_DEVICE, "MUSA_ERROR_INVALID_DEVICE", "invalid device"},
    {MUSA_ERROR_DEVICE_NOT_LICENSED, "MUSA_ERROR_DEVICE_NOT_LICENSED", "device not licensed"},
    {MUSA_ERROR_INVALID_IMAGE, "MUSA_ERROR_INVALID_IMAGE", "invalid image"},
    {MUSA_ERROR_INVALID_CONTEXT, "MUSA_ERROR_INVALID_CONTEXT", "invalid context"},
    {MUSA_ERROR_CONTEXT_ALREADY_CURRENT, "MUSA_ERROR_CONTEXT_ALREADY_CURRENT",
     "context already current"},
    {MUSA_ERROR_MAP_FAILED, "MUSA_ERROR_MAP_FAILED", "map failed"},
    {MUSA_ERROR_UNMAP_FAILED, "MUSA_ERROR_UNMAP_FAILED", "unmap failed"},
    {MUSA_ERROR_ARRAY_IS_MAPPED, "MUSA_ERROR_ARRAY_IS_MAPPED", "array is mapped"},
    {MUSA_ERROR_ALREADY_MAPPED, "MUSA_ERROR_ALREADY_MAPPED", "already mapped"},
    {MUSA_ERROR_NO_BINARY_FOR_GPU, "MUSA_ERROR_NO_BINARY_FOR_GPU", "no image for this device"},
    {MUSA_ERROR_ALREADY_ACQUIRED, "MUSA_ERROR_ALREADY_ACQUIRED", "already acquired"},
    {MUSA_ERROR_NOT_MAPPED, "MUSA_ERROR_NOT_MAPPED", "not mapped"},
    {MUSA_ERROR_NOT_MAPPED_AS_ARRAY, "MUSA_ERROR_NOT_MAPPED_AS_ARRAY", "not mapped as array"},
    {MUSA_ERROR_NOT_MAPPED_AS_POINTER, "MUSA_ERROR_NOT_MAPPED_AS_POINTER", "not mapped as pointer"},
    {MUSA_ERROR_ECC_UNCORRECTABLE, "MUSA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error"},
    {MUSA_ERROR_UNSUPPORTED_LIMIT, "MUSA_ERROR_UNSUPPORTED_LIMIT", "unsupported limit"},
    {MUSA_ERROR_CONTEXT_ALREADY_IN_USE, "MUSA_ERROR_CONTEXT_ALREADY_IN_USE",
     "context already in use"},
    {MUSA_ERROR_PEER_ACCESS_UNSUPPORTED, "MUSA_ERROR_PEER_ACCESS_UNSUPPORTED",
     "peer access unsupported"},
    {MUSA_ERROR_INVALID_PTX, "MUSA_ERROR_INVALID_PTX", "invalid PTX"},
    {MUSA_ERROR_INVALID_GRAPHICS_CONTEXT, "MUSA_ERROR_INVALID_GRAPHICS_CONTEXT",
     "invalid graphics context"},
    {MUSA_ERROR_MTLINK_UNCORRECTABLE, "MUSA_ERROR_MTLINK_UNCORRECTABLE", "mtlink uncorrectable"},
    {MUSA_ERROR_JIT_COMPILER_NOT_FOUND, "MUSA_ERROR_JIT_COMPILER_NOT_FOUND",
     "JIT compiler not found"},
    {MUSA_ERROR_UNSUPPORTED_PTX_VERSION, "MUSA_ERROR_UNSUPPORTED_PTX_VERSION",
     "unsupported PTX version"},
    {MUSA_ERROR_JIT_COMPILATION_DISABLED, "MUSA_ERROR_JIT_COMPILATION_DISABLED",
     "JIT compilation disabled"},
    {MUSA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "MUSA_ERROR_UNSUPPORTED_EXEC_AFFINITY",
     "unsupported exec affinity"},
    {MUSA_ERROR_INVALID_SOURCE, "MUSA_ERROR_INVALID_SOURCE", "invalid source"},
    {MUSA_ERROR_FILE_NOT_FOUND, "MUSA_ERROR_FILE_NOT_FOUND", "file not found"},
    {MUSA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "MUSA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND",
     "shared object symbol not found"},
    {MUSA_ERROR_SHARED_OBJECT_INIT_FAILED, "MUSA_ERROR_SHARED_OBJECT_INIT_FAILED",
     "shared object init failed"},
    {MUSA_ERROR_OPERATING_SYSTEM, "MUSA_ERROR_OPERATING_SYSTEM", "operating system"},
    {MUSA_ERROR_INVALID_HANDLE, "MUSA_ERROR_INVALID_HANDLE", "invalid handle"},
    {MUSA_ERROR_ILLEGAL_STATE, "MUSA_ERROR_ILLEGAL_STATE", "illegal state"},
    {MUSA_ERROR_NOT_FOUND, "MUSA_ERROR_NOT_FOUND", "not found"},
    {MUSA_ERROR_NOT_READY, "MUSA_ERROR_NOT_READY", "not ready"},
    {MUSA_ERROR_ILLEGAL_ADDRESS, "MUSA_ERROR_ILLEGAL_ADDRESS", "illegal address"},
    {MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES, "MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "launch out of resources"},
    {MUSA_ERROR_LAUNCH_TIMEOUT, "MUSA_ERROR_LAUNCH_TIMEOUT", "launch timeout"},
    {MUSA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "MUSA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING",
     "launch incompatible texturing"},
    {MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
     "peer access already enabled"},
    {MUSA_ERROR_PEER_ACCESS_NOT_ENABLED, "MUSA_ERROR_PEER_ACCESS_NOT_ENABLED",
     "peer access not enabled"},
    {MUSA_ERROR_PRIMARY_CONTEXT_ACTIVE, "MUSA_ERROR_PRIMARY_CONTEXT_ACTIVE",
     "primary context active"},
    {MUSA_ERROR_CONTEXT_IS_DESTROYED, "MUSA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {MUSA_ERROR_ASSERT, "MUSA_ERROR_ASSERT", "assert"},
    {MUSA_ERROR_TOO_MANY_PEERS, "MUSA_ERROR_TOO_MANY_PEERS", "too many peers"},
    {MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "host memory already registered"},
    {MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED, "MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "host memory not registered"},
    {MUSA_ERROR_HARDWARE_STACK_ERROR, "MUSA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
    {MUSA_ERROR_ILLEGAL_INSTRUCTION, "MUSA_ERROR_ILLEGAL_INSTRUCTION", "illegal instruction"},
    {MUSA_ERROR_MISALIGNED_ADDRESS, "MUSA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {MUSA_ERROR_INVALID_ADDRESS_SPACE, "MUSA_ERROR_INVALID_ADDRESS_SPACE", "invalid address space"},
    {MUSA_ERROR_INVALID_PC, "MUSA_ERROR_INVALID_PC", "invalid program counter"},
    {MUSA_ERROR_LAUNCH_FAILED, "MUSA_ERROR_LAUNCH_FAILED", "launch failed"},
    {MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "cooperative launch too large"},
    {MUSA_ERROR_NOT_PERMITTED, "MUSA_ERROR_NOT_PERMITTED", "not permitted"},
    {MUSA_ERROR_NOT_SUPPORTED, "MUSA_ERROR_NOT_SUPPORTED", "not supported"},
    {MUSA_ERROR_SYSTEM_NOT_READY, "MUSA_ERROR_SYSTEM_NOT_READY", "system not ready"},
    {MUSA_ERROR_SYSTEM_DRIVER_MISMATCH, "MUSA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system driver mismatch"},
    {MUSA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "MUSA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "compat not supported on device"},
    {MUSA_ERROR_MPS_CONNECTION_FAILED, "MUSA_ERROR_MPS_CONNECTION_FAILED", "MPS connection failed"},
    {MUSA_ERROR_MPS_RPC_FAILURE, "MUSA_ERROR_MPS_RPC_FAILURE", "MPS RPC failure"},
    {MUSA_ERROR_MPS_SERVER_NOT_READY, "MUSA_ERROR_MPS_SERVER_NOT_READY", "MPS server not ready"},
    {MUSA_ERROR_MPS_MAX_CLIENTS_REACHED, "MUSA_ERROR_MPS_MAX_CLIENTS_REACHED",
     "MPS max clients reached"},
    {MUSA_ERROR_MPS_MAX_CONNECTIONS_REACHED, "MUSA_ERROR_MPS_MAX_CONNECTIONS_REACHED",
     "MPS max connections reached"},
    {MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "stream capture unsupported"},
    {MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "MUSA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "stream capture invalidated"},
    {MUSA_ERROR_STREAM_CAPTURE_MERGE, "MUSA_ERROR_STREAM_CAPTURE_MERGE", "stream capture merge"},
    {MUSA_ERROR_STREAM_CAPTURE_UNMATCHED, "MUSA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "stream capture unmatched"},
    {MUSA_ERROR_STREAM_CAPTURE_UNJOINED, "MUSA_ERROR_STREAM_CAPTURE_UNJOINED",
     "stream capture unjoined"},
    {MUSA_ERROR_STREAM_CAPTURE_ISOLATION, "MUSA_ERROR_STREAM_CAPTURE_ISOLATION",
     "stream capture isolation"},
    {MUSA_ERROR_STREAM_CAPTURE_IMPLICIT, "MUSA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "stream capture implicit"},
    {MUSA_ERROR_CAPTURED_EVENT, "MUSA_ERROR_CAPTURED_EVENT", "captured event"},
    {MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "stream capture wrong thread"},
    {MUSA_ERROR_TIMEOUT, "MUSA_ERROR_TIMEOUT", "timeout"},
    {MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "graph exec update failure"},
    {MUSA_ERROR_EXTERNAL_DEVICE, "MUSA_ERROR_EXTERNAL_DEVICE", "external device"},
    {MUSA_ERROR_INVALID_CLUSTER_SIZE, "MUSA_ERROR_INVALID_CLUSTER_SIZE", "invalid cluster size"},
    {MUSA_ERROR_UNKNOWN, "MUSA_ERROR_UNKNOWN", "unknown"},
};

const StatusRow* status_row(MUresult code) {
  const auto* row =
      std::lower_bound(std::begin(kStatuses), std::end(kStatuses), code,
                       [](const StatusRow& entry, MUresult wanted) { return entry.code < wanted; });
  return row != std::end(kStatuses) && row->code == code ? row : nullptr;
}

MUresult give_text(MUresult code, const char** result, const char* StatusRow::*member) {
  if (result == nullptr) return MUSA_ERROR_INVALID_VALUE;
  const StatusRow* row = status_row(code);
  *result = row != nullptr ? row->*member : nullptr;
  return row != nullptr ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
}

}  // namespace

MUresult driver_status(musaError_t status) {
  switch (status) {
    case musaErrorInvalidConfiguration:
    case musaErrorInvalidPitchValue:
    case musaErrorInvalidMemcpyDirection:
      return MUSA_ERROR_INVALID_VALUE;
    case musaErrorInvalidSymbol:
      return MUSA_ERROR_NOT_FOUND;
    case musaErrorInvalidDeviceFunction:
      return MUSA_ERROR_INVALID_HANDLE;
    default: {
      const auto same = static_cast<MUresult>(status);
      return status_row(same) != nullptr ? same : MUSA_ERROR_UNKNOWN;
    }
  }
}

}  // namespace musa

MUresult muGetErrorName(MUresult error, const char** pStr) {
  return musa::give_text(error, pStr, &musa::StatusRow::name);
}

MUresult muGetErrorString(MUresult error, const char** pStr) {
  return musa::give_text(error, pStr, &musa::StatusRow::text);
}
