#include "current_device.h"

#include <atomic>

#include "backend.h"
#include "lifetime.h"

namespace torchada {
namespace {

using GetDevice = int (*)(int*);
std::atomic<GetDevice> found{nullptr};

GetDevice find() {
  if (const GetDevice get = found.load(std::memory_order_acquire)) return get;
  const Target target = {0, 0, kNewestSdk};
  const Lookup lookup = find_in_backend(BackendLibrary::kMusart, &target, 1, "musaGetDevice");
  const auto get = reinterpret_cast<GetDevice>(lookup.address);
  if (get && lookup.settled) found.store(get, std::memory_order_release);
  return get;
}

}  // namespace

bool get_current_device(int* device) {
  Failure over;
  if (is_over(&over)) return false;
  const GetDevice get = find();
  return get && get(device) == 0;
}

}  // namespace torchada
