// cudaIpcOpenMemHandle. CUDA maps the memory on the device that is current, also if it lies on
// another one that the current one can reach. A MUSA that maps it only on its own device is asked
// with that device current.
#include "stubs/adapting/on_device.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attempt.h"

using namespace torchada;

namespace {

constexpr int kAlreadyEnabled = static_cast<int>(cuda::cudaErrorPeerAccessAlreadyEnabled);

bool can_reach(int from, int to) {
  int reaches = 0;
  return from != to && musaDeviceCanAccessPeer(&reaches, from, to) == 0 && reaches != 0;
}

bool opens_on(int device, void** address, const musaIpcMemHandle_t& handle, unsigned flags) {
  const OnDevice on_device(device);
  return !on_device.failed() && musaIpcOpenMemHandle(address, handle, flags) == 0;
}

// Whether the current device may use what was opened on another one.
bool enable(int device) {
  const int status = musaDeviceEnablePeerAccess(device, 0);
  return status == 0 || status == kAlreadyEnabled;
}

bool opens_elsewhere(void** address, const musaIpcMemHandle_t& handle, unsigned flags) {
  int current = 0;
  int count = 0;
  if (musaGetDevice(&current) != 0 || musaGetDeviceCount(&count) != 0) return false;
  for (int device = 0; device < count; ++device) {
    if (!can_reach(current, device) || !opens_on(device, address, handle, flags)) continue;
    if (enable(device)) return true;
    musaIpcCloseMemHandle(*address);
    return false;
  }
  return false;
}

}  // namespace

extern "C" int torchada_adapter_cudaIpcOpenMemHandle(void** address, musaIpcMemHandle_t handle,
                                                     unsigned flags) {
  const Attempt attempt;
  const int status = musaIpcOpenMemHandle(address, handle, flags);
  if (status == 0 || !address || status == static_cast<int>(cuda::cudaErrorInsufficientDriver)) {
    return told("cudaIpcOpenMemHandle", status);
  }
  const bool opened = opens_elsewhere(address, handle, flags);
  attempt.forget();
  return opened ? 0 : told(status);
}
