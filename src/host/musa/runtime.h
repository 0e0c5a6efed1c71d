// The simulated machine: its devices, and what they share.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "src/host/musa/allocation_table.h"
#include "src/host/musa/contexts.h"
#include "src/host/musa/device_state.h"
#include "src/host/musa/error.h"
#include "src/host/musa/memory_gate.h"
#include "src/host/musa/shared_account.h"
#include "src/host/musa/stream.h"

namespace musa {

class Pool;

struct Limits {
  std::size_t stack_size = 1024;
  std::size_t printf_fifo_size = std::size_t{1} << 20;
  std::size_t malloc_heap_size = std::size_t{8} << 20;
  std::size_t sync_depth = 2;
  std::size_t pending_launches = 2048;
  std::size_t l2_fetch_granularity = 64;
  std::size_t persisting_l2_size = 0;
};

class Device : public DeviceState {
 public:
  Device(const DeviceIdentity& identity, SharedAccount& account);

  const musaDeviceProp properties;  // all but the number of processors

  // Submits work to a stream of this device in the order that the legacy default stream requires.
  // Returns its position.
  std::uint64_t submit(const std::shared_ptr<Stream>& stream, std::function<void()> run);
  // The same for the legacy stream, but runs the work immediately if it need not wait for anything.
  // `bytes` says how much there is to do.
  void run_on_legacy(std::function<void()> run, std::size_t bytes, bool wait_for_completion);
  // Stream::begin_here(), in the order that the legacy default stream requires.
  bool begin_here(const std::shared_ptr<Stream>& stream);
  // What a synchronous call on `stream` must wait for.
  std::vector<Milestone> pending_before(const std::shared_ptr<Stream>& stream);
  std::vector<Milestone> pending_everywhere();

  const std::shared_ptr<Stream>& legacy_stream() const { return legacy_; }
  std::shared_ptr<Stream> add_stream(unsigned int flags, int priority);
  void remove_stream(const std::shared_ptr<Stream>& stream);

  // The settings that a program can make, guarded by settings_mutex.
  std::mutex settings_mutex;
  Limits limits;
  musaFuncCache cache_config = musaFuncCachePreferNone;
  unsigned int flags = musaDeviceScheduleAuto;
  std::set<int> peers;
  std::shared_ptr<Pool> default_pool;
  std::shared_ptr<Pool> current_pool;

 private:
  void forget_finished_streams();
  std::vector<Milestone> ordering_of(const std::shared_ptr<Stream>& stream);

  std::mutex submit_mutex_;
  std::shared_ptr<Stream> legacy_;
  std::vector<std::shared_ptr<Stream>> streams_;
};

class Runtime {
 public:
  // Made at first use and never destroyed: streams may still be running while the process exits.
  static Runtime& get() {
    Runtime* const made = made_.load(std::memory_order_acquire);
    return made != nullptr ? *made : make();
  }

  std::unique_ptr<SharedAccount> account;
  std::vector<std::unique_ptr<Device>> devices;
  AllocationTable allocations;
  MemoryGate gate;

  int device_count() const { return static_cast<int>(devices.size()); }
  // Null if the device does not exist.
  Device* device(int ordinal) {
    if (ordinal < 0 || ordinal >= device_count()) return nullptr;
    return devices[static_cast<std::size_t>(ordinal)].get();
  }
  // The calling thread's device: that of its current context, otherwise the chosen one. Valid in
  // every body run by api().
  int current_ordinal() {
    const int chosen = chosen_device();
    return chosen >= 0 ? chosen : first_valid();
  }
  Device& chosen() { return *device(current_ordinal()); }
  // The same for calls that need a context: the device's primary one becomes current if none is.
  Device& current() {
    const int ready = device_ready();
    return *devices[static_cast<std::size_t>(ready >= 0 ? ready : make_current())];
  }
  void set_valid_devices(std::vector<int> ordinals);

 private:
  Runtime();
  static Runtime& make();
  int first_valid();
  int make_current();

  static constinit inline std::atomic<Runtime*> made_{nullptr};
  std::mutex valid_mutex_;
  std::vector<int> valid_devices_;
};

// Whether muInit or a function of the runtime has found a device.
bool is_initialized();

// An API function that needs a device.
template <typename Body>
musaError_t api(Body&& body) noexcept {
  return api_call([&]() -> musaError_t {
    Runtime& runtime = Runtime::get();
    if (runtime.devices.empty()) return musaErrorNoDevice;
    if (context_is_lost()) return musaErrorContextIsDestroyed;
    return body(runtime);
  });
}

// Waits for the milestones; refused on a stream's own thread. Returns the device's fault, if any.
musaError_t wait_all(Device& device, const std::vector<Milestone>& milestones);

}  // namespace musa
