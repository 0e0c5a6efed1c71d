#include "stubs/loading/opening.h"

#include <atomic>

#include "stubs/loading/environment_map.h"
#include "stubs/process/peers.h"
#include "stubs/system/loader.h"

namespace torchada {
namespace {

// Whether this library opened MUSA for a call that only tells, and nothing has worked with MUSA
// since.
std::atomic<bool> opened_to_tell{false};

void map_environment_of_loaded() {
  const bool is_in_time = take_opening_to_tell_elsewhere();
  if (is_in_time) map_environment_in_first();
  // Another thread may have opened it for another replacement library and not have come so far yet.
  map_visible_devices_in_first();
  if (!is_in_time) report_late_environment();
}

}  // namespace

bool open_installation(bool only_tells, Backend* backend) {
  if (!in_base_namespace()) return false;  // A second MUSA would run beside the first.
  if (use_loaded_installation(backend)) {
    if (!only_tells) map_environment_of_loaded();
    return true;
  }
  // Programs ask first, and then choose devices by CUDA_VISIBLE_DEVICES, also in a child of fork().
  if (!only_tells) map_environment_in_first();
  if (!open_new_installation(backend)) return false;
  if (only_tells) opened_to_tell.store(true, std::memory_order_release);
  settle_on_first(backend);
  if (!only_tells) map_visible_devices_in_first();
  return true;
}

bool take_opening_to_tell() {
  return opened_to_tell.load(std::memory_order_acquire) &&
         opened_to_tell.exchange(false, std::memory_order_acq_rel);
}

void map_environment_for_work() {
  if (!take_opening_to_tell() && !take_opening_to_tell_elsewhere()) return;
  map_environment_in_first();
  map_visible_devices_in_first();
}

}  // namespace torchada
