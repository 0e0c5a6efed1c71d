// musaGetDeviceProperties by its plain name, which fills the struct of SDKs before 4.3.
#include <cstddef>
#include <cstring>

#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

#undef musaGetDeviceProperties

musaError_t musaGetDeviceProperties(struct musaDeviceProp* prop, int device) {
  musaDeviceProp all{};
  const musaError_t status = musa::get_device_properties(prop == nullptr ? nullptr : &all, device);
  if (prop != nullptr && status == musaSuccess) {
    std::memcpy(prop, &all, offsetof(musaDeviceProp, hostRegisterSupported));
  }
  return musart::recorded(status);
}
