// Puts the simulated machine together. Runtime knows devices and streams, and not what is built
// upon them.
#include "src/host/musa/config.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/runtime.h"

namespace musa {
namespace {

std::atomic<bool> initialized{false};

}  // namespace

Runtime::Runtime() {
  const Config config = read_config();
  account = std::make_unique<SharedAccount>(config.account);
  for (const int physical : config.visible_devices) {
    devices.push_back(std::make_unique<Device>(
        DeviceIdentity{device_count(), physical, config.memory_per_device}, *account));
    Device& device = *devices.back();
    device.default_pool = device.current_pool = make_default_pool(device.ordinal);
  }
  arm_fork_guard();
  initialized.store(!devices.empty());
}

bool is_initialized() { return initialized.load(std::memory_order_acquire); }

}  // namespace musa
