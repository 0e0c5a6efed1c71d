// Names and texts of every status, for the runtime and the driver: most have the same number in
// both. The texts are our own.
#include <algorithm>
#include <iterator>

#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

struct Row {
  int code;
  const char* name;         // null if the runtime does not have it
  const char* driver_name;  // null if the driver does not have it
  const char* text;
};

// Does not compile with two names for different numbers.
constexpr int same(int code, int driver_code) {
  return code == driver_code ? code : throw "different numbers";
}

#define ERROR(name, driver_name, text)                                  \
  {                                                                     \
    same(musaError##name, MUSA_ERROR_##driver_name), "musaError" #name, \
        "MUSA_ERROR_" #driver_name, text                                \
  }
#define RUNTIME_ERROR(name, text) \
  { musaError##name, "musaError" #name, nullptr, text }
#define DRIVER_ERROR(name, text) \
  { MUSA_ERROR_##name, nullptr, "MUSA_ERROR_" #name, text }
constexpr Row kRows[] = {
    {musaSuccess, "musaSuccess", "MUSA_SUCCESS", "no error"},
    ERROR(InvalidValue, INVALID_VALUE, "invalid argument"),
    ERROR(MemoryAllocation, OUT_OF_MEMORY, "out of memory"),
    ERROR(InitializationError, NOT_INITIALIZED, "initialization error"),
    ERROR(MusartUnloading, DEINITIALIZED, "the runtime is being unloaded"),
    ERROR(ProfilerDisabled, PROFILER_DISABLED, "profiler disabled"),
    ERROR(ProfilerNotInitialized, PROFILER_NOT_INITIALIZED, "profiler not initialized"),
    ERROR(ProfilerAlreadyStarted, PROFILER_ALREADY_STARTED, "profiler already started"),
    ERROR(ProfilerAlreadyStopped, PROFILER_ALREADY_STOPPED, "profiler already stopped"),
    RUNTIME_ERROR(InvalidConfiguration, "invalid configuration"),
    RUNTIME_ERROR(InvalidPitchValue, "invalid pitch argument"),
    RUNTIME_ERROR(InvalidSymbol, "invalid symbol"),
    RUNTIME_ERROR(InvalidHostPointer, "invalid host pointer"),
    RUNTIME_ERROR(InvalidDevicePointer, "invalid device pointer"),
    RUNTIME_ERROR(InvalidTexture, "invalid texture"),
    RUNTIME_ERROR(InvalidTextureBinding, "invalid texture binding"),
    RUNTIME_ERROR(InvalidChannelDescriptor, "invalid channel descriptor"),
    RUNTIME_ERROR(InvalidMemcpyDirection, "invalid copy direction for memcpy"),
    RUNTIME_ERROR(AddressOfConstant, "address of constant"),
    RUNTIME_ERROR(TextureFetchFailed, "texture fetch failed"),
    RUNTIME_ERROR(TextureNotBound, "texture not bound"),
    RUNTIME_ERROR(SynchronizationError, "synchronization error"),
    RUNTIME_ERROR(InvalidFilterSetting, "invalid filter setting"),
    RUNTIME_ERROR(InvalidNormSetting, "invalid norm setting"),
    RUNTIME_ERROR(MixedDeviceExecution, "mixed device execution"),
    RUNTIME_ERROR(NotYetImplemented, "not yet implemented"),
    RUNTIME_ERROR(MemoryValueTooLarge, "memory value too large"),
    ERROR(StubLibrary, STUB_LIBRARY, "stub library"),
    RUNTIME_ERROR(InsufficientDriver, "driver version is insufficient for the runtime version"),
    RUNTIME_ERROR(CallRequiresNewerDriver, "call requires newer driver"),
    RUNTIME_ERROR(InvalidSurface, "invalid surface"),
    RUNTIME_ERROR(DuplicateVariableName, "duplicate variable name"),
    RUNTIME_ERROR(DuplicateTextureName, "duplicate texture name"),
    RUNTIME_ERROR(DuplicateSurfaceName, "duplicate surface name"),
    RUNTIME_ERROR(DevicesUnavailable, "devices unavailable"),
    RUNTIME_ERROR(IncompatibleDriverContext, "incompatible driver context"),
    RUNTIME_ERROR(MissingConfiguration, "missing configuration"),
    RUNTIME_ERROR(PriorLaunchFailure, "prior launch failure"),
    RUNTIME_ERROR(LaunchMaxDepthExceeded, "launch max depth exceeded"),
    RUNTIME_ERROR(LaunchFileScopedTex, "launch file scoped tex"),
    RUNTIME_ERROR(LaunchFileScopedSurf, "launch file scoped surf"),
    RUNTIME_ERROR(SyncDepthExceeded, "sync depth exceeded"),
    RUNTIME_ERROR(LaunchPendingCountExceeded, "launch pending count exceeded"),
    RUNTIME_ERROR(InvalidDeviceFunction, "invalid device function"),
    ERROR(NoDevice, NO_DEVICE, "no MUSA-capable device is detected"),
    ERROR(InvalidDevice, INVALID_DEVICE, "invalid device ordinal"),
    ERROR(DeviceNotLicensed, DEVICE_NOT_LICENSED, "device not licensed"),
    RUNTIME_ERROR(SoftwareValidityNotEstablished, "software validity not established"),
    RUNTIME_ERROR(StartupFailure, "startup failure"),
    ERROR(InvalidKernelImage, INVALID_IMAGE, "invalid kernel image"),
    ERROR(DeviceUninitialized, INVALID_CONTEXT, "invalid device context"),
    DRIVER_ERROR(CONTEXT_ALREADY_CURRENT, "context already current"),
    ERROR(MapBufferObjectFailed, MAP_FAILED, "mapping of buffer object failed"),
    ERROR(UnmapBufferObjectFailed, UNMAP_FAILED, "unmap buffer object failed"),
    ERROR(ArrayIsMapped, ARRAY_IS_MAPPED, "array is mapped"),
    ERROR(AlreadyMapped, ALREADY_MAPPED, "already mapped"),
    ERROR(NoKernelImageForDevice, NO_BINARY_FOR_GPU,
          "no kernel image is available for execution on the device"),
    ERROR(AlreadyAcquired, ALREADY_ACQUIRED, "already acquired"),
    ERROR(NotMapped, NOT_MAPPED, "not mapped"),
    ERROR(NotMappedAsArray, NOT_MAPPED_AS_ARRAY, "not mapped as array"),
    ERROR(NotMappedAsPointer, NOT_MAPPED_AS_POINTER, "not mapped as pointer"),
    ERROR(ECCUncorrectable, ECC_UNCORRECTABLE, "ECC uncorrectable"),
    ERROR(UnsupportedLimit, UNSUPPORTED_LIMIT, "limit is not supported on this device"),
    ERROR(DeviceAlreadyInUse, CONTEXT_ALREADY_IN_USE, "device already in use"),
    ERROR(PeerAccessUnsupported, PEER_ACCESS_UNSUPPORTED, "peer access unsupported"),
    ERROR(InvalidPtx, INVALID_PTX, "invalid ptx"),
    ERROR(InvalidGraphicsContext, INVALID_GRAPHICS_CONTEXT, "invalid graphics context"),
    ERROR(MtlinkUncorrectable, MTLINK_UNCORRECTABLE, "mtlink uncorrectable"),
    ERROR(JitCompilerNotFound, JIT_COMPILER_NOT_FOUND, "jit compiler not found"),
    ERROR(UnsupportedPtxVersion, UNSUPPORTED_PTX_VERSION, "unsupported ptx version"),
    ERROR(JitCompilationDisabled, JIT_COMPILATION_DISABLED, "jit compilation disabled"),
    ERROR(UnsupportedExecAffinity, UNSUPPORTED_EXEC_AFFINITY, "unsupported exec affinity"),
    ERROR(InvalidSource, INVALID_SOURCE, "invalid source"),
    ERROR(FileNotFound, FILE_NOT_FOUND, "file not found"),
    ERROR(SharedObjectSymbolNotFound, SHARED_OBJECT_SYMBOL_NOT_FOUND,
          "shared object symbol not found"),
    ERROR(SharedObjectInitFailed, SHARED_OBJECT_INIT_FAILED, "shared object init failed"),
    ERROR(OperatingSystem, OPERATING_SYSTEM, "an operating system call failed"),
    ERROR(InvalidResourceHandle, INVALID_HANDLE, "invalid resource handle"),
    ERROR(IllegalState, ILLEGAL_STATE, "illegal state"),
    ERROR(SymbolNotFound, NOT_FOUND, "symbol not found"),
    ERROR(NotReady, NOT_READY, "device not ready"),
    ERROR(IllegalAddress, ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ERROR(LaunchOutOfResources, LAUNCH_OUT_OF_RESOURCES, "launch out of resources"),
    ERROR(LaunchTimeout, LAUNCH_TIMEOUT, "launch timeout"),
    ERROR(LaunchIncompatibleTexturing, LAUNCH_INCOMPATIBLE_TEXTURING,
          "launch incompatible texturing"),
    ERROR(PeerAccessAlreadyEnabled, PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    ERROR(PeerAccessNotEnabled, PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled"),
    ERROR(SetOnActiveProcess, PRIMARY_CONTEXT_ACTIVE,
          "cannot be set while the device is active in this process"),
    ERROR(ContextIsDestroyed, CONTEXT_IS_DESTROYED, "context is destroyed"),
    ERROR(Assert, ASSERT, "assert"),
    ERROR(TooManyPeers, TOO_MANY_PEERS, "too many peers"),
    ERROR(HostMemoryAlreadyRegistered, HOST_MEMORY_ALREADY_REGISTERED,
          "part or all of the requested memory range is already mapped"),
    ERROR(HostMemoryNotRegistered, HOST_MEMORY_NOT_REGISTERED,
          "pointer does not correspond to a registered memory region"),
    ERROR(HardwareStackError, HARDWARE_STACK_ERROR, "hardware stack error"),
    ERROR(IllegalInstruction, ILLEGAL_INSTRUCTION, "illegal instruction"),
    ERROR(MisalignedAddress, MISALIGNED_ADDRESS, "misaligned address"),
    ERROR(InvalidAddressSpace, INVALID_ADDRESS_SPACE, "invalid address space"),
    ERROR(InvalidPc, INVALID_PC, "invalid pc"),
    ERROR(LaunchFailure, LAUNCH_FAILED, "unspecified launch failure"),
    ERROR(CooperativeLaunchTooLarge, COOPERATIVE_LAUNCH_TOO_LARGE, "cooperative launch too large"),
    ERROR(NotPermitted, NOT_PERMITTED, "operation not permitted"),
    ERROR(NotSupported, NOT_SUPPORTED, "operation not supported"),
    ERROR(SystemNotReady, SYSTEM_NOT_READY, "system not ready"),
    ERROR(SystemDriverMismatch, SYSTEM_DRIVER_MISMATCH, "system driver mismatch"),
    ERROR(CompatNotSupportedOnDevice, COMPAT_NOT_SUPPORTED_ON_DEVICE,
          "compat not supported on device"),
    ERROR(MpsConnectionFailed, MPS_CONNECTION_FAILED, "mps connection failed"),
    ERROR(MpsRpcFailure, MPS_RPC_FAILURE, "mps rpc failure"),
    ERROR(MpsServerNotReady, MPS_SERVER_NOT_READY, "mps server not ready"),
    ERROR(MpsMaxClientsReached, MPS_MAX_CLIENTS_REACHED, "mps max clients reached"),
    ERROR(MpsMaxConnectionsReached, MPS_MAX_CONNECTIONS_REACHED, "mps max connections reached"),
    ERROR(StreamCaptureUnsupported, STREAM_CAPTURE_UNSUPPORTED, "stream capture unsupported"),
    ERROR(StreamCaptureInvalidated, STREAM_CAPTURE_INVALIDATED, "stream capture invalidated"),
    ERROR(StreamCaptureMerge, STREAM_CAPTURE_MERGE, "stream capture merge"),
    ERROR(StreamCaptureUnmatched, STREAM_CAPTURE_UNMATCHED, "stream capture unmatched"),
    ERROR(StreamCaptureUnjoined, STREAM_CAPTURE_UNJOINED, "stream capture unjoined"),
    ERROR(StreamCaptureIsolation, STREAM_CAPTURE_ISOLATION, "stream capture isolation"),
    ERROR(StreamCaptureImplicit, STREAM_CAPTURE_IMPLICIT, "stream capture implicit"),
    ERROR(CapturedEvent, CAPTURED_EVENT, "captured event"),
    ERROR(StreamCaptureWrongThread, STREAM_CAPTURE_WRONG_THREAD, "stream capture wrong thread"),
    ERROR(Timeout, TIMEOUT, "timeout"),
    ERROR(GraphExecUpdateFailure, GRAPH_EXEC_UPDATE_FAILURE, "graph exec update failure"),
    ERROR(ExternalDevice, EXTERNAL_DEVICE, "external device"),
    ERROR(InvalidClusterSize, INVALID_CLUSTER_SIZE, "invalid cluster size"),
    ERROR(Unknown, UNKNOWN, "unknown error"),
    RUNTIME_ERROR(ApiFailureBase, "api failure base"),
};

const Row* row_of(int code) {
  const auto* const row = std::ranges::find(kRows, code, &Row::code);
  return row == std::end(kRows) ? nullptr : row;
}

const char* text_or_unknown(musaError_t error, const char* Row::*member) {
  const Row* row = row_of(error);
  return row != nullptr && row->name != nullptr ? row->*member : "unrecognized error code";
}

MUresult give_text(MUresult code, const char** result, const char* Row::*member) {
  if (result == nullptr) return MUSA_ERROR_INVALID_VALUE;
  const Row* row = row_of(code);
  const bool known = row != nullptr && row->driver_name != nullptr;
  *result = known ? row->*member : nullptr;
  return known ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
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
      const Row* row = row_of(status);
      const bool has_it = row != nullptr && row->driver_name != nullptr;
      return has_it ? static_cast<MUresult>(status) : MUSA_ERROR_UNKNOWN;
    }
  }
}

const char* error_name(musaError_t error) { return text_or_unknown(error, &Row::name); }

const char* error_text(musaError_t error) { return text_or_unknown(error, &Row::text); }

}  // namespace musa

MUresult muGetErrorName(MUresult error, const char** pStr) {
  return musa::give_text(error, pStr, &musa::Row::driver_name);
}

MUresult muGetErrorString(MUresult error, const char** pStr) {
  return musa::give_text(error, pStr, &musa::Row::text);
}
