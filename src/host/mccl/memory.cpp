// Memory for collectives and its registration. On the CPU all memory serves equally well, so
// registering only has to keep its bookkeeping honest.
#include <mccl.h>

#include <atomic>
#include <cstdint>

#include "communicator.h"
#include "errors.h"

using namespace host_mccl;

extern "C" {

mcclResult_t mcclMemAlloc(void** ptr, size_t size) {
  if (ptr == nullptr || size == 0) {
    return fail(mcclInvalidArgument, "mcclMemAlloc: ptr is null or size is 0");
  }
  return check_musa(musaMalloc(ptr, size), "musaMalloc");
}

mcclResult_t mcclMemFree(void* ptr) { return check_musa(musaFree(ptr), "musaFree"); }

mcclResult_t mcclCommRegister(const mcclComm_t comm, void* buff, size_t size, void** handle) {
  static std::atomic<std::uintptr_t> next_handle{0};
  constexpr auto kCaller = "mcclCommRegister";
  const auto communicator = find_communicator(comm, kCaller);
  if (!communicator) return mcclInvalidArgument;
  if (buff == nullptr || size == 0 || handle == nullptr) {
    return fail(mcclInvalidArgument, "%s: a pointer is null or size is 0", kCaller);
  }
  auto* const registration = reinterpret_cast<void*>(++next_handle);
  const std::lock_guard lock(communicator->mutex);
  communicator->registrations.insert(registration);
  *handle = registration;
  return mcclSuccess;
}

mcclResult_t mcclCommDeregister(const mcclComm_t comm, void* handle) {
  constexpr auto kCaller = "mcclCommDeregister";
  const auto communicator = find_communicator(comm, kCaller);
  if (!communicator) return mcclInvalidArgument;
  const std::lock_guard lock(communicator->mutex);
  if (communicator->registrations.erase(handle) != 0) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %p was not registered here", kCaller, handle);
}

}  // extern "C"
