// Handles, and what belongs to each.
#pragma once

#include <mufft.h>

#include <memory>
#include <mutex>
#include <vector>

#include "src/host/mufft/request.h"
#include "src/host/mufft/transform.h"

namespace host_mufft {

// What one execution needs. It stays valid when the plan is destroyed.
struct Execution {
  std::shared_ptr<Transform> transform;
  std::shared_ptr<std::vector<Complex>> own_work;  // null if the caller gave a work area
  Complex* work = nullptr;
  musaStream_t stream = nullptr;
};

class Plan {
 public:
  // Plans once; MUFFT_INVALID_PLAN after that. *work_size receives bytes.
  mufftResult make(const Shape& shape, std::size_t* work_size);

  // These need a plan that is made, and give MUFFT_INVALID_PLAN before.
  mufftResult work_size(std::size_t* bytes) const;
  mufftResult set_stream(musaStream_t stream);
  mufftResult prepare(Execution* execution) const;

  mufftResult set_work_area(void* area);
  mufftResult set_auto_allocation(bool allocate);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Transform> transform_;  // null until the plan is made
  std::shared_ptr<std::vector<Complex>> own_work_;
  Complex* given_work_ = nullptr;
  musaStream_t stream_ = nullptr;
  int device_ = 0;
  bool allocates_ = true;
};

mufftResult create_plan(mufftHandle* handle);
// Null if the handle is not live.
std::shared_ptr<Plan> find_plan(mufftHandle handle);
// False if the handle is not live.
bool remove_plan(mufftHandle handle);

}  // namespace host_mufft
