#include "stubs/cuda/runtime.h"

namespace torchada::driver {

// Both have the same number for what both know. Below 100 the runtime has errors of its own.
int status_of_runtime(int error) {
  switch (error) {
    case musa::musaErrorInvalidConfiguration:
    case musa::musaErrorInvalidPitchValue:
    case musa::musaErrorInvalidHostPointer:
    case musa::musaErrorInvalidDevicePointer:
    case musa::musaErrorInvalidTexture:
    case musa::musaErrorInvalidTextureBinding:
    case musa::musaErrorInvalidChannelDescriptor:
    case musa::musaErrorInvalidMemcpyDirection:
    case musa::musaErrorInvalidFilterSetting:
    case musa::musaErrorInvalidNormSetting:
    case musa::musaErrorMemoryValueTooLarge:
    case musa::musaErrorInvalidSurface:
    case musa::musaErrorMissingConfiguration:
      return static_cast<int>(cuda::CUDA_ERROR_INVALID_VALUE);
    case musa::musaErrorInvalidSymbol:
      return static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND);
    case musa::musaErrorInvalidDeviceFunction:
      return static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE);
    case musa::musaErrorNotYetImplemented:
      return static_cast<int>(cuda::CUDA_ERROR_NOT_SUPPORTED);
    case musa::musaErrorIncompatibleDriverContext:
      return static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT);
    case musa::musaErrorPriorLaunchFailure:
      return static_cast<int>(cuda::CUDA_ERROR_LAUNCH_FAILED);
    case musa::musaErrorLaunchMaxDepthExceeded:
    case musa::musaErrorSyncDepthExceeded:
    case musa::musaErrorLaunchPendingCountExceeded:
      return static_cast<int>(cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    case musa::musaErrorInsufficientDriver:
    case musa::musaErrorCallRequiresNewerDriver:
      return static_cast<int>(cuda::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
    default:
      return error;  // status_to_cuda turns numbers that MUresult lacks into CUDA_ERROR_UNKNOWN.
  }
}

}  // namespace torchada::driver
