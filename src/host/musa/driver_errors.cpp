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

#define ERROR(name, text) \
  { MUSA_ERROR_##name, "MUSA_ERROR_" #name, text }
// Sorted by code for the binary search.
constexpr StatusRow kStatuses[] = {
    {MUSA_SUCCESS, "MUSA_SUCCESS", "no error"},
    ERROR(INVALID_VALUE, "invalid value"),
    ERROR(OUT_OF_MEMORY, "out of memory"),
    ERROR(NOT_INITIALIZED, "not initialized"),
    ERROR(DEINITIALIZED, "deinitialized"),
    ERROR(PROFILER_DISABLED, "profiler disabled"),
    ERROR(PROFILER_NOT_INITIALIZED, "profiler not initialized"),
    ERROR(PROFILER_ALREADY_STARTED, "profiler already started"),
    ERROR(PROFILER_ALREADY_STOPPED, "profiler already stopped"),
    ERROR(STUB_LIBRARY, "the link stub was loaded instead of the driver"),
    ERROR(NO_DEVICE, "no device"),
    ERROR(INVALID_DEVICE, "invalid device"),
    ERROR(DEVICE_NOT_LICENSED, "device not licensed"),
    ERROR(INVALID_IMAGE, "invalid image"),
    ERROR(INVALID_CONTEXT, "invalid context"),
    ERROR(CONTEXT_ALREADY_CURRENT, "context already current"),
    ERROR(MAP_FAILED, "map failed"),
    ERROR(UNMAP_FAILED, "unmap failed"),
    ERROR(ARRAY_IS_MAPPED, "array is mapped"),
    ERROR(ALREADY_MAPPED, "already mapped"),
    ERROR(NO_BINARY_FOR_GPU, "no image for this device"),
    ERROR(ALREADY_ACQUIRED, "already acquired"),
    ERROR(NOT_MAPPED, "not mapped"),
    ERROR(NOT_MAPPED_AS_ARRAY, "not mapped as array"),
    ERROR(NOT_MAPPED_AS_POINTER, "not mapped as pointer"),
    ERROR(ECC_UNCORRECTABLE, "uncorrectable ECC error"),
    ERROR(UNSUPPORTED_LIMIT, "unsupported limit"),
    ERROR(CONTEXT_ALREADY_IN_USE, "context already in use"),
    ERROR(PEER_ACCESS_UNSUPPORTED, "peer access unsupported"),
    ERROR(INVALID_PTX, "invalid PTX"),
    ERROR(INVALID_GRAPHICS_CONTEXT, "invalid graphics context"),
    ERROR(MTLINK_UNCORRECTABLE, "mtlink uncorrectable"),
    ERROR(JIT_COMPILER_NOT_FOUND, "JIT compiler not found"),
    ERROR(UNSUPPORTED_PTX_VERSION, "unsupported PTX version"),
    ERROR(JIT_COMPILATION_DISABLED, "JIT compilation disabled"),
    ERROR(UNSUPPORTED_EXEC_AFFINITY, "unsupported exec affinity"),
    ERROR(INVALID_SOURCE, "invalid source"),
    ERROR(FILE_NOT_FOUND, "file not found"),
    ERROR(SHARED_OBJECT_SYMBOL_NOT_FOUND, "shared object symbol not found"),
    ERROR(SHARED_OBJECT_INIT_FAILED, "shared object init failed"),
    ERROR(OPERATING_SYSTEM, "operating system"),
    ERROR(INVALID_HANDLE, "invalid handle"),
    ERROR(ILLEGAL_STATE, "illegal state"),
    ERROR(NOT_FOUND, "not found"),
    ERROR(NOT_READY, "not ready"),
    ERROR(ILLEGAL_ADDRESS, "illegal address"),
    ERROR(LAUNCH_OUT_OF_RESOURCES, "launch out of resources"),
    ERROR(LAUNCH_TIMEOUT, "launch timeout"),
    ERROR(LAUNCH_INCOMPATIBLE_TEXTURING, "launch incompatible texturing"),
    ERROR(PEER_ACCESS_ALREADY_ENABLED, "peer access already enabled"),
    ERROR(PEER_ACCESS_NOT_ENABLED, "peer access not enabled"),
    ERROR(PRIMARY_CONTEXT_ACTIVE, "primary context active"),
    ERROR(CONTEXT_IS_DESTROYED, "context is destroyed"),
    ERROR(ASSERT, "assert"),
    ERROR(TOO_MANY_PEERS, "too many peers"),
    ERROR(HOST_MEMORY_ALREADY_REGISTERED, "host memory already registered"),
    ERROR(HOST_MEMORY_NOT_REGISTERED, "host memory not registered"),
    ERROR(HARDWARE_STACK_ERROR, "hardware stack error"),
    ERROR(ILLEGAL_INSTRUCTION, "illegal instruction"),
    ERROR(MISALIGNED_ADDRESS, "misaligned address"),
    ERROR(INVALID_ADDRESS_SPACE, "invalid address space"),
    ERROR(INVALID_PC, "invalid program counter"),
    ERROR(LAUNCH_FAILED, "launch failed"),
    ERROR(COOPERATIVE_LAUNCH_TOO_LARGE, "cooperative launch too large"),
    ERROR(NOT_PERMITTED, "not permitted"),
    ERROR(NOT_SUPPORTED, "not supported"),
    ERROR(SYSTEM_NOT_READY, "system not ready"),
    ERROR(SYSTEM_DRIVER_MISMATCH, "system driver mismatch"),
    ERROR(COMPAT_NOT_SUPPORTED_ON_DEVICE, "compat not supported on device"),
    ERROR(MPS_CONNECTION_FAILED, "MPS connection failed"),
    ERROR(MPS_RPC_FAILURE, "MPS RPC failure"),
    ERROR(MPS_SERVER_NOT_READY, "MPS server not ready"),
    ERROR(MPS_MAX_CLIENTS_REACHED, "MPS max clients reached"),
    ERROR(MPS_MAX_CONNECTIONS_REACHED, "MPS max connections reached"),
    ERROR(STREAM_CAPTURE_UNSUPPORTED, "stream capture unsupported"),
    ERROR(STREAM_CAPTURE_INVALIDATED, "stream capture invalidated"),
    ERROR(STREAM_CAPTURE_MERGE, "stream capture merge"),
    ERROR(STREAM_CAPTURE_UNMATCHED, "stream capture unmatched"),
    ERROR(STREAM_CAPTURE_UNJOINED, "stream capture unjoined"),
    ERROR(STREAM_CAPTURE_ISOLATION, "stream capture isolation"),
    ERROR(STREAM_CAPTURE_IMPLICIT, "stream capture implicit"),
    ERROR(CAPTURED_EVENT, "captured event"),
    ERROR(STREAM_CAPTURE_WRONG_THREAD, "stream capture wrong thread"),
    ERROR(TIMEOUT, "timeout"),
    ERROR(GRAPH_EXEC_UPDATE_FAILURE, "graph exec update failure"),
    ERROR(EXTERNAL_DEVICE, "external device"),
    ERROR(INVALID_CLUSTER_SIZE, "invalid cluster size"),
    ERROR(UNKNOWN, "unknown"),
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
