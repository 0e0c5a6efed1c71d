// What all work of a device shares: its memory, the time that it is busy, and its fault.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "musa_runtime_api.h"
#include "src/host/musa/device_identity.h"
#include "src/host/musa/shared_account.h"

namespace musa {

class DeviceState : public DeviceIdentity {
 public:
  // cppcheck-suppress uninitDerivedMemberVar
  DeviceState(const DeviceIdentity& identity, SharedAccount& account)
      : DeviceIdentity(identity), account_(account) {}

  // Counts memory as used. Returns false if all processes together leave less. Two processes that
  // ask for the last memory at the same time may both get false.
  bool reserve_memory(std::size_t bytes);
  void release_memory(std::size_t bytes);
  std::size_t free_memory() const {
    return account_.is_shared() ? shared_free_memory() : memory - in_use_.load();
  }

  // Where work on this device counts its time (busy_time.h).
  std::atomic<std::uint64_t>& busy_time();

  // Set when accepted work can no longer be done. Every wait reports it until the device is reset.
  std::atomic<musaError_t> fault{musaSuccess};
  // Does accepted work. If that finds no memory, this is the device's fault: nobody could catch it.
  template <typename Work>
  void do_accepted(const Work& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      fault.store(musaErrorMemoryAllocation);
    }
  }

 private:
  // What other processes leave.
  std::size_t left_by_others() const;
  std::size_t shared_free_memory() const;

  SharedAccount& account_;
  std::mutex account_mutex_;
  std::atomic<std::size_t> in_use_{0};  // by this process; written under the lock
  std::atomic<std::atomic<std::uint64_t>*> busy_time_{nullptr};
};

}  // namespace musa
