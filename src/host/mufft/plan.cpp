#include "src/host/mufft/plan.h"

#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>

#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace host_mufft {
namespace {

using Plans = host::HandleTable<host::HandleKind::kPlan, mufftHandle, Plan>;

Plans& plans() { return host::never_destroyed<Plans>(); }

}  // namespace

mufftResult Plan::make(const Shape& shape, std::size_t* work_size) {
  const std::lock_guard lock(mutex_);
  if (transform_) return MUFFT_INVALID_PLAN;
  std::size_t free = 0;
  std::size_t total = 0;
  if (musaGetDevice(&device_) != musaSuccess || musaMemGetInfo(&free, &total) != musaSuccess) {
    return MUFFT_SETUP_FAILED;
  }
  // A device would have too little memory too. Without this, the system might end the process.
  const std::size_t work = Transform::work_bytes(shape);
  if (work > free || Transform::own_bytes(shape) > free - work) return MUFFT_ALLOC_FAILED;
  try {
    auto transform = std::make_shared<Transform>(shape);
    if (allocates_) own_work_ = std::make_shared<std::vector<Complex>>(shape.volume());
    transform_ = std::move(transform);
  } catch (const std::bad_alloc&) {
    return MUFFT_ALLOC_FAILED;
  } catch (const std::length_error&) {
    return MUFFT_ALLOC_FAILED;
  }
  *work_size = work;
  return MUFFT_SUCCESS;
}

mufftResult Plan::work_size(std::size_t* bytes) const {
  const std::lock_guard lock(mutex_);
  if (!transform_) return MUFFT_INVALID_PLAN;
  *bytes = Transform::work_bytes(transform_->shape());
  return MUFFT_SUCCESS;
}

// muFFT refuses a stream before the plan is made (FlagGems, see mufft.h); cuFFT does not.
mufftResult Plan::set_stream(musaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (!transform_) return MUFFT_INVALID_PLAN;
  stream_ = stream;
  return MUFFT_SUCCESS;
}

mufftResult Plan::prepare(Execution* execution) const {
  const std::lock_guard lock(mutex_);
  if (!transform_) return MUFFT_INVALID_PLAN;
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MUFFT_SETUP_FAILED;
  if (device != device_) return MUFFT_INVALID_DEVICE;
  *execution = {transform_, nullptr, given_work_, stream_};
  if (execution->work != nullptr) return MUFFT_SUCCESS;
  if (!own_work_) return MUFFT_NO_WORKSPACE;
  execution->own_work = own_work_;
  execution->work = own_work_->data();
  return MUFFT_SUCCESS;
}

mufftResult Plan::set_work_area(void* area) {
  if (reinterpret_cast<std::uintptr_t>(area) % alignof(Complex) != 0) return MUFFT_INVALID_VALUE;
  const std::lock_guard lock(mutex_);
  given_work_ = static_cast<Complex*>(area);
  own_work_.reset();
  return MUFFT_SUCCESS;
}

mufftResult Plan::set_auto_allocation(bool allocate) {
  const std::lock_guard lock(mutex_);
  allocates_ = allocate;
  return MUFFT_SUCCESS;
}

mufftResult create_plan(mufftHandle* handle) {
  if (handle == nullptr) return MUFFT_INVALID_VALUE;
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MUFFT_SETUP_FAILED;
  try {
    *handle = plans().insert(std::make_shared<Plan>());
  } catch (const std::bad_alloc&) {
    return MUFFT_ALLOC_FAILED;
  }
  return MUFFT_SUCCESS;
}

std::shared_ptr<Plan> find_plan(mufftHandle handle) { return plans().find(handle); }

bool remove_plan(mufftHandle handle) { return plans().remove(handle) != nullptr; }

}  // namespace host_mufft

using namespace host_mufft;

mufftResult mufftCreate(mufftHandle* plan) { return create_plan(plan); }

mufftResult mufftDestroy(mufftHandle plan) {
  return remove_plan(plan) ? MUFFT_SUCCESS : MUFFT_INVALID_PLAN;
}

mufftResult mufftSetStream(mufftHandle plan, musaStream_t stream) {
  const auto found = find_plan(plan);
  return found ? found->set_stream(stream) : MUFFT_INVALID_PLAN;
}

mufftResult mufftSetWorkArea(mufftHandle plan, void* work_area) {
  const auto found = find_plan(plan);
  return found ? found->set_work_area(work_area) : MUFFT_INVALID_PLAN;
}

mufftResult mufftSetAutoAllocation(mufftHandle plan, int auto_allocate) {
  const auto found = find_plan(plan);
  return found ? found->set_auto_allocation(auto_allocate != 0) : MUFFT_INVALID_PLAN;
}
