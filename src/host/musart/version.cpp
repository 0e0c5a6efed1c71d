#include "src/host/musart/error.h"

namespace {

musaError_t give_version(int* version) {
  if (version == nullptr) return musart::record_error(musaErrorInvalidValue);
  *version = MUSART_VERSION;
  return musaSuccess;
}

}  // namespace

// Neither call needs a device, so neither starts the runtime.
musaError_t musaRuntimeGetVersion(int* runtimeVersion) { return give_version(runtimeVersion); }

// The CPU needs no driver. Its version is that of the runtime.
musaError_t musaDriverGetVersion(int* driverVersion) { return give_version(driverVersion); }
