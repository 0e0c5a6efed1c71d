// Memory for collectives and its registration. On the CPU all memory serves equally well, so
// registration only keeps its books.
#include <mccl.h>

#include <atomic>
#include <cstdint>

#include "src/host/mccl/communicator.h"
#include "src/host/mccl/errors.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/handle_table.h"

namespace host_mccl {
namespace {

using Handles = std::unordered_set<void*>;

template <typename Handle>
mcclResult_t enter(const char* caller, mcclComm_t comm, Handles Communicator::*handles, void* buff,
                   size_t size, Handle* handle) {
  static host::HandleNumbers<host::HandleKind::kRegistration> numbers;
  const auto communicator = find_communicator(comm, caller);
  if (!communicator) return mcclInvalidArgument;
  if (buff == nullptr || size == 0 || handle == nullptr) {
    return fail(mcclInvalidArgument, "%s: a pointer is null or size is 0", caller);
  }
  auto* const registration = reinterpret_cast<void*>(numbers.next());
  const std::lock_guard lock(communicator->mutex);
  ((*communicator).*handles).insert(registration);
  *handle = static_cast<Handle>(registration);
  return mcclSuccess;
}

mcclResult_t leave(const char* caller, mcclComm_t comm, Handles Communicator::*handles,
                   void* handle) {
  const auto communicator = find_communicator(comm, caller);
  if (!communicator) return mcclInvalidArgument;
  const std::lock_guard lock(communicator->mutex);
  if (((*communicator).*handles).erase(handle) != 0) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %p is not registered with this communicator", caller,
              handle);
}

}  // namespace
}  // namespace host_mccl

using namespace host_mccl;

mcclResult_t mcclMemAlloc(void** ptr, size_t size) {
  if (ptr == nullptr || size == 0) {
    return fail(mcclInvalidArgument, "mcclMemAlloc: ptr is null or size is 0");
  }
  return check_musa(musaMalloc(ptr, size), "musaMalloc");
}

mcclResult_t mcclMemFree(void* ptr) { return check_musa(musaFree(ptr), "musaFree"); }

HOST_ANSWER(mcclResult_t, 4, mcclCommRegister,
            enter("mcclCommRegister", a0, &Communicator::registrations, a1, a2, a3))
HOST_ANSWER(mcclResult_t, 2, mcclCommDeregister,
            leave("mcclCommDeregister", a0, &Communicator::registrations, a1))
HOST_ANSWER(mcclResult_t, 2, mcclCommWindowDeregister,
            leave("mcclCommWindowDeregister", a0, &Communicator::windows, a1))

mcclResult_t mcclCommWindowRegister(mcclComm_t comm, void* buff, size_t size, mcclWindow_t* win,
                                    int winFlags) {
  constexpr auto kCaller = "mcclCommWindowRegister";
  if ((winFlags & ~MCCL_WIN_COLL_SYMMETRIC) != 0) {
    return fail(mcclInvalidArgument, "%s: unknown flags %#x", kCaller,
                static_cast<unsigned int>(winFlags));
  }
  return enter(kCaller, comm, &Communicator::windows, buff, size, win);
}
