// The functions that plan, and those that tell how much memory a plan needs as its work area. The
// stand-in's estimates are exact.
#include <mufftXt.h>

#include "src/host/mufft/plan.h"

namespace host_mufft {
namespace {

mufftResult make_plan(mufftHandle handle, const Request& request, mufftResult known, Format format,
                      std::size_t* work_size) {
  const auto plan = find_plan(handle);
  if (!plan) return MUFFT_INVALID_PLAN;
  if (work_size == nullptr) return MUFFT_INVALID_VALUE;
  if (known != MUFFT_SUCCESS) return known;
  Shape shape;
  const mufftResult status = make_shape(request, format, &shape);
  return status == MUFFT_SUCCESS ? plan->make(shape, work_size) : status;
}

mufftResult make_plan(mufftHandle handle, const Request& request, mufftType type,
                      std::size_t* work_size) {
  Format format;
  const mufftResult known = format_of(type, &format);
  return make_plan(handle, request, known, format, work_size);
}

// *handle changes only if the plan is made.
mufftResult new_plan(mufftHandle* handle, const Request& request, mufftType type) {
  if (handle == nullptr) return MUFFT_INVALID_VALUE;
  mufftHandle created = nullptr;
  mufftResult status = create_plan(&created);
  if (status != MUFFT_SUCCESS) return status;
  std::size_t work_size = 0;
  status = make_plan(created, request, type, &work_size);
  if (status == MUFFT_SUCCESS) {
    *handle = created;
  } else {
    remove_plan(created);
  }
  return status;
}

mufftResult estimate(const Request& request, mufftResult known, Format format,
                     std::size_t* work_size) {
  if (work_size == nullptr) return MUFFT_INVALID_VALUE;
  if (known != MUFFT_SUCCESS) return known;
  Shape shape;
  const mufftResult status = make_shape(request, format, &shape);
  if (status == MUFFT_SUCCESS) *work_size = Transform::work_bytes(shape);
  return status;
}

mufftResult estimate(const Request& request, mufftType type, std::size_t* work_size) {
  Format format;
  const mufftResult known = format_of(type, &format);
  return estimate(request, known, format, work_size);
}

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

// The four functions for each way to say what a plan is for.
#define MUFFT_PLANNING(way, args, request)                                                      \
  mufftResult mufftPlan##way(mufftHandle* plan, args) { return new_plan(plan, request, type); } \
  mufftResult mufftMakePlan##way(mufftHandle plan, args, size_t* work_size) {                   \
    return make_plan(plan, request, type, work_size);                                           \
  }                                                                                             \
  mufftResult mufftEstimate##way(args, size_t* work_size) {                                     \
    return estimate(request, type, work_size);                                                  \
  }                                                                                             \
  mufftResult mufftGetSize##way(mufftHandle plan, args, size_t* work_size) {                    \
    return find_plan(plan) ? estimate(request, type, work_size) : MUFFT_INVALID_PLAN;           \
  }
#define MUFFT_MANY many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch)
MUFFT_PLANNING(1d, MUFFT_ARGS_1D, simple_request({nx}, batch))
MUFFT_PLANNING(2d, MUFFT_ARGS_2D, (simple_request({nx, ny}, 1)))
MUFFT_PLANNING(3d, MUFFT_ARGS_3D, (simple_request({nx, ny, nz}, 1)))
MUFFT_PLANNING(Many, MUFFT_ARGS_MANY, MUFFT_MANY)

mufftResult mufftXtMakePlanMany(mufftHandle plan, MUFFT_ARGS_XTMANY) {
  Format format;
  const mufftResult known = format_of(input_type, output_type, execution_type, &format);
  return make_plan(plan, MUFFT_MANY, known, format, work_size);
}

mufftResult mufftXtGetSizeMany(mufftHandle plan, MUFFT_ARGS_XTMANY) {
  if (!find_plan(plan)) return MUFFT_INVALID_PLAN;
  Format format;
  const mufftResult known = format_of(input_type, output_type, execution_type, &format);
  return estimate(MUFFT_MANY, known, format, work_size);
}

mufftResult mufftGetSize(mufftHandle plan, size_t* work_size) {
  const auto found = find_plan(plan);
  if (!found) return MUFFT_INVALID_PLAN;
  return work_size == nullptr ? MUFFT_INVALID_VALUE : found->work_size(work_size);
}
