// The functions that tell how much memory a plan needs as its work area. The stand-in's estimates
// are exact.
#include "src/host/mufft/plan.h"

namespace host_mufft {
namespace {

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

mufftResult estimate_for(mufftHandle plan, const Request& request, mufftType type,
                         std::size_t* work_size) {
  return find_plan(plan) ? estimate(request, type, work_size) : MUFFT_INVALID_PLAN;
}

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

extern "C" {

mufftResult mufftEstimate1d(int nx, mufftType type, int batch, size_t* work_size) {
  return estimate(simple_request({nx}, batch), type, work_size);
}

mufftResult mufftEstimate2d(int nx, int ny, mufftType type, size_t* work_size) {
  return estimate(simple_request({nx, ny}, 1), type, work_size);
}

mufftResult mufftEstimate3d(int nx, int ny, int nz, mufftType type, size_t* work_size) {
  return estimate(simple_request({nx, ny, nz}, 1), type, work_size);
}

mufftResult mufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, mufftType type, int batch,
                              size_t* work_size) {
  return estimate(many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch),
                  type, work_size);
}

mufftResult mufftGetSize1d(mufftHandle plan, int nx, mufftType type, int batch, size_t* work_size) {
  return estimate_for(plan, simple_request({nx}, batch), type, work_size);
}

mufftResult mufftGetSize2d(mufftHandle plan, int nx, int ny, mufftType type, size_t* work_size) {
  return estimate_for(plan, simple_request({nx, ny}, 1), type, work_size);
}

mufftResult mufftGetSize3d(mufftHandle plan, int nx, int ny, int nz, mufftType type,
                           size_t* work_size) {
  return estimate_for(plan, simple_request({nx, ny, nz}, 1), type, work_size);
}

mufftResult mufftGetSizeMany(mufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, mufftType type,
                             int batch, size_t* work_size) {
  return estimate_for(
      plan, many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch), type,
      work_size);
}

mufftResult mufftXtGetSizeMany(mufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist,
                               musaDataType_t input_type, long long int* onembed,
                               long long int ostride, long long int odist,
                               musaDataType_t output_type, long long int batch, size_t* work_size,
                               musaDataType_t execution_type) {
  if (!find_plan(plan)) return MUFFT_INVALID_PLAN;
  Format format;
  const mufftResult known = format_of(input_type, output_type, execution_type, &format);
  return estimate(many_request(rank, n, inembed, istride, idist, onembed, ostride, odist, batch),
                  known, format, work_size);
}

mufftResult mufftGetSize(mufftHandle plan, size_t* work_size) {
  const auto found = find_plan(plan);
  if (!found) return MUFFT_INVALID_PLAN;
  return work_size == nullptr ? MUFFT_INVALID_VALUE : found->work_size(work_size);
}

}  // extern "C"
