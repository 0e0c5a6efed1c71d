// Names and texts of every error code. The texts are our own.
#include <algorithm>
#include <iterator>

#include "src/host/musart/error.h"

namespace musart {
namespace {

struct ErrorRow {
  musaError_t code;
  const char* name;
  const char* text;
};

#define ROW(code, text) \
  { code, #code, text }
// Sorted by code for the binary search in error_row().
constexpr ErrorRow kErrors[] = {
    ROW(musaSuccess, "no error"),
    ROW(musaErrorInvalidValue, "invalid argument"),
    ROW(musaErrorMemoryAllocation, "out of memory"),
    ROW(musaErrorInitializationError, "initialization error"),
    ROW(musaErrorMusartUnloading, "the runtime is being unloaded"),
    ROW(musaErrorProfilerDisabled, "profiler disabled"),
    ROW(musaErrorProfilerNotInitialized, "profiler not initialized"),
    ROW(musaErrorProfilerAlreadyStarted, "profiler already started"),
    ROW(musaErrorProfilerAlreadyStopped, "profiler already stopped"),
    ROW(musaErrorInvalidConfiguration, "invalid configuration"),
    ROW(musaErrorInvalidPitchValue, "invalid pitch argument"),
    ROW(musaErrorInvalidSymbol, "invalid symbol"),
    ROW(musaErrorInvalidHostPointer, "invalid host pointer"),
    ROW(musaErrorInvalidDevicePointer, "invalid device pointer"),
    ROW(musaErrorInvalidTexture, "invalid texture"),
    ROW(musaErrorInvalidTextureBinding, "invalid texture binding"),
    ROW(musaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ROW(musaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROW(musaErrorAddressOfConstant, "address of constant"),
    ROW(musaErrorTextureFetchFailed, "texture fetch failed"),
    ROW(musaErrorTextureNotBound, "texture not bound"),
    ROW(musaErrorSynchronizationError, "synchronization error"),
    ROW(musaErrorInvalidFilterSetting, "invalid filter setting"),
    ROW(musaErrorInvalidNormSetting, "invalid norm setting"),
    ROW(musaErrorMixedDeviceExecution, "mixed device execution"),
    ROW(musaErrorNotYetImplemented, "not yet implemented"),
    ROW(musaErrorMemoryValueTooLarge, "memory value too large"),
    ROW(musaErrorStubLibrary, "stub library"),
    ROW(musaErrorInsufficientDriver, "driver version is insufficient for the runtime version"),
    ROW(musaErrorCallRequiresNewerDriver, "call requires newer driver"),
    ROW(musaErrorInvalidSurface, "invalid surface"),
    ROW(musaErrorDuplicateVariableName, "duplicate variable name"),
    ROW(musaErrorDuplicateTextureName, "duplicate texture name"),
    ROW(musaErrorDuplicateSurfaceName, "duplicate surface name"),
    ROW(musaErrorDevicesUnavailable, "devices unavailable"),
    ROW(musaErrorIncompatibleDriverContext, "incompatible driver context"),
    ROW(musaErrorMissingConfiguration, "missing configuration"),
    ROW(musaErrorPriorLaunchFailure, "prior launch failure"),
    ROW(musaErrorLaunchMaxDepthExceeded, "launch max depth exceeded"),
    ROW(musaErrorLaunchFileScopedTex, "launch file scoped tex"),
    ROW(musaErrorLaunchFileScopedSurf, "launch file scoped surf"),
    ROW(musaErrorSyncDepthExceeded, "sync depth exceeded"),
    ROW(musaErrorLaunchPendingCountExceeded, "launch pending count exceeded"),
    ROW(musaErrorInvalidDeviceFunction, "invalid device function"),
    ROW(musaErrorNoDevice, "no MUSA-capable device is detected"),
    ROW(musaErrorInvalidDevice, "invalid device ordinal"),
    ROW(musaErrorDeviceNotLicensed, "device not licensed"),
    ROW(musaErrorSoftwareValidityNotEstablished, "software validity not established"),
    ROW(musaErrorStartupFailure, "startup failure"),
    ROW(musaErrorInvalidKernelImage, "invalid kernel image"),
    ROW(musaErrorDeviceUninitialized, "invalid device context"),
    ROW(musaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    ROW(musaErrorUnmapBufferObjectFailed, "unmap buffer object failed"),
    ROW(musaErrorArrayIsMapped, "array is mapped"),
    ROW(musaErrorAlreadyMapped, "already mapped"),
    ROW(musaErrorNoKernelImageForDevice,
        "no kernel image is available for execution on the device"),
    ROW(musaErrorAlreadyAcquired, "already acquired"),
    ROW(musaErrorNotMapped, "not mapped"),
    ROW(musaErrorNotMappedAsArray, "not mapped as array"),
    ROW(musaErrorNotMappedAsPointer, "not mapped as pointer"),
    ROW(musaErrorECCUncorrectable, "ECC uncorrectable"),
    ROW(musaErrorUnsupportedLimit, "limit is not supported on this device"),
    ROW(musaErrorDeviceAlreadyInUse, "device already in use"),
    ROW(musaErrorPeerAccessUnsupported, "peer access unsupported"),
    ROW(musaErrorInvalidPtx, "invalid ptx"),
    ROW(musaErrorInvalidGraphicsContext, "invalid graphics context"),
    ROW(musaErrorMtlinkUncorrectable, "mtlink uncorrectable"),
    ROW(musaErrorJitCompilerNotFound, "jit compiler not found"),
    ROW(musaErrorUnsupportedPtxVersion, "unsupported ptx version"),
    ROW(musaErrorJitCompilationDisabled, "jit compilation disabled"),
    ROW(musaErrorUnsupportedExecAffinity, "unsupported exec affinity"),
    ROW(musaErrorInvalidSource, "invalid source"),
    ROW(musaErrorFileNotFound, "file not found"),
    ROW(musaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    ROW(musaErrorSharedObjectInitFailed, "shared object init failed"),
    ROW(musaErrorOperatingSystem, "an operating system call failed"),
    ROW(musaErrorInvalidResourceHandle, "invalid resource handle"),
    ROW(musaErrorIllegalState, "illegal state"),
    ROW(musaErrorSymbolNotFound, "symbol not found"),
    ROW(musaErrorNotReady, "device not ready"),
    ROW(musaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROW(musaErrorLaunchOutOfResources, "launch out of resources"),
    ROW(musaErrorLaunchTimeout, "launch timeout"),
    ROW(musaErrorLaunchIncompatibleTexturing, "launch incompatible texturing"),
    ROW(musaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ROW(musaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ROW(musaErrorSetOnActiveProcess, "cannot be set while the device is active in this process"),
    ROW(musaErrorContextIsDestroyed, "context is destroyed"),
    ROW(musaErrorAssert, "assert"),
    ROW(musaErrorTooManyPeers, "too many peers"),
    ROW(musaErrorHostMemoryAlreadyRegistered,
        "part or all of the requested memory range is already mapped"),
    ROW(musaErrorHostMemoryNotRegistered,
        "pointer does not correspond to a registered memory region"),
    ROW(musaErrorHardwareStackError, "hardware stack error"),
    ROW(musaErrorIllegalInstruction, "illegal instruction"),
    ROW(musaErrorMisalignedAddress, "misaligned address"),
    ROW(musaErrorInvalidAddressSpace, "invalid address space"),
    ROW(musaErrorInvalidPc, "invalid pc"),
    ROW(musaErrorLaunchFailure, "unspecified launch failure"),
    ROW(musaErrorCooperativeLaunchTooLarge, "cooperative launch too large"),
    ROW(musaErrorNotPermitted, "operation not permitted"),
    ROW(musaErrorNotSupported, "operation not supported"),
    ROW(musaErrorSystemNotReady, "system not ready"),
    ROW(musaErrorSystemDriverMismatch, "system driver mismatch"),
    ROW(musaErrorCompatNotSupportedOnDevice, "compat not supported on device"),
    ROW(musaErrorMpsConnectionFailed, "mps connection failed"),
    ROW(musaErrorMpsRpcFailure, "mps rpc failure"),
    ROW(musaErrorMpsServerNotReady, "mps server not ready"),
    ROW(musaErrorMpsMaxClientsReached, "mps max clients reached"),
    ROW(musaErrorMpsMaxConnectionsReached, "mps max connections reached"),
    ROW(musaErrorStreamCaptureUnsupported, "stream capture unsupported"),
    ROW(musaErrorStreamCaptureInvalidated, "stream capture invalidated"),
    ROW(musaErrorStreamCaptureMerge, "stream capture merge"),
    ROW(musaErrorStreamCaptureUnmatched, "stream capture unmatched"),
    ROW(musaErrorStreamCaptureUnjoined, "stream capture unjoined"),
    ROW(musaErrorStreamCaptureIsolation, "stream capture isolation"),
    ROW(musaErrorStreamCaptureImplicit, "stream capture implicit"),
    ROW(musaErrorCapturedEvent, "captured event"),
    ROW(musaErrorStreamCaptureWrongThread, "stream capture wrong thread"),
    ROW(musaErrorTimeout, "timeout"),
    ROW(musaErrorGraphExecUpdateFailure, "graph exec update failure"),
    ROW(musaErrorExternalDevice, "external device"),
    ROW(musaErrorInvalidClusterSize, "invalid cluster size"),
    ROW(musaErrorUnknown, "unknown error"),
    ROW(musaErrorApiFailureBase, "api failure base"),
};

const ErrorRow* error_row(musaError_t code) {
  const auto* row = std::lower_bound(
      std::begin(kErrors), std::end(kErrors), code,
      [](const ErrorRow& entry, musaError_t wanted) { return entry.code < wanted; });
  return row != std::end(kErrors) && row->code == code ? row : nullptr;
}

}  // namespace

const char* error_name(musaError_t error) {
  const ErrorRow* row = error_row(error);
  return row != nullptr ? row->name : "unrecognized error code";
}

const char* error_text(musaError_t error) {
  const ErrorRow* row = error_row(error);
  return row != nullptr ? row->text : "unrecognized error code";
}

}  // namespace musart
