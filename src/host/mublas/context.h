#pragma once

#include <mublas.h>

#include <memory>
#include <mutex>
#include <utility>

#include "src/host/mublas/in_stream.h"
#include "src/host/shared/operands.h"

namespace host_mublas {

// The settings of a handle. Each call copies them when it starts.
struct Settings {
  musaStream_t stream = nullptr;
  mublasPointerMode_t pointer_mode = MUBLAS_POINTER_MODE_HOST;
  mublasAtomicsMode_t atomics_mode = MUBLAS_ATOMICS_NOT_ALLOWED;
  mublasMath_t math_mode = MUBLAS_DEFAULT_MATH;

  bool scalars_on_host() const { return pointer_mode == MUBLAS_POINTER_MODE_HOST; }
};

class Context {
 public:
  Settings settings() const {
    const std::lock_guard lock(mutex_);
    return settings_;
  }

  template <typename Change>
  void change(Change change) {
    const std::lock_guard lock(mutex_);
    change(settings_);
  }

 private:
  mutable std::mutex mutex_;
  Settings settings_;
};

// Null if the handle is not live.
std::shared_ptr<Context> find_context(mublasHandle_t handle);

// Puts a computation that uses these operands into the stream of the call.
template <typename Work>
mublasStatus_t start(const Settings& settings, double cost, const host::Operands& operands,
                     Work work) {
  const auto checked = [operands, work = std::move(work)] {
    if (host::may_use(operands)) work();
  };
  return start_gated(settings.stream, checked, cost);
}

// The same for a computation that goes through its operands once. Those that work on parts of them
// again and again say what they cost.
template <typename Work>
mublasStatus_t start(const Settings& settings, const host::Operands& operands, Work work) {
  return start(settings, host::cost_of(operands), operands, std::move(work));
}

}  // namespace host_mublas
