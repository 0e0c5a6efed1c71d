// The functions that plan.
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

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

extern "C" {

mufftResult mufftPlan1d(mufftHandle* plan, int nx, mufftType type, int batch) {
  return new_plan(plan, simple_request({nx}, batch), type);
}

mufftResult mufftPlan2d(mufftHandle* plan, int nx, int ny, mufftType type) {
  return new_plan(plan, simple_request({nx, ny}, 1), type);
}

mufftResult mufftPlan3d(mufftHandle* plan, int nx, int ny, int nz, mufftType type) {
  return new_plan(plan, simple_request({nx, ny, nz}, 1), type);
}

mufftResult mufftPlanMany(mufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, mufftType type, int batch) {
  return new_plan(
      plan, many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch), type);
}

mufftResult mufftMakePlan1d(mufftHandle plan, int nx, mufftType type, int batch,
                            size_t* work_size) {
  return make_plan(plan, simple_request({nx}, batch), type, work_size);
}

mufftResult mufftMakePlan2d(mufftHandle plan, int nx, int ny, mufftType type, size_t* work_size) {
  return make_plan(plan, simple_request({nx, ny}, 1), type, work_size);
}

mufftResult mufftMakePlan3d(mufftHandle plan, int nx, int ny, int nz, mufftType type,
                            size_t* work_size) {
  return make_plan(plan, simple_request({nx, ny, nz}, 1), type, work_size);
}

mufftResult mufftMakePlanMany(mufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, mufftType type,
                              int batch, size_t* work_size) {
  return make_plan(plan,
                   many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch),
                   type, work_size);
}

mufftResult mufftXtMakePlanMany(mufftHandle plan, int rank, long long int* n,
                                long long int* inembed, long long int istride, long long int idist,
                                musaDataType_t input_type, long long int* onembed,
                                long long int ostride, long long int odist,
                                musaDataType_t output_type, long long int batch, size_t* work_size,
                                musaDataType_t execution_type) {
  Format format;
  const mufftResult known = format_of(input_type, output_type, execution_type, &format);
  return make_plan(plan,
                   many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch),
                   known, format, work_size);
}

}  // extern "C"
