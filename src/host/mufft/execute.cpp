// The functions that execute a plan. The work runs in the plan's stream.
#include "src/host/mufft/plan.h"
#include "src/host/shared/stream_work.h"

namespace host_mufft {
namespace {

// `format` is null if every plan will do.
mufftResult execute(mufftHandle handle, const Format* format, const void* in, void* out,
                    int direction) {
  const auto plan = find_plan(handle);
  if (!plan) return MUFFT_INVALID_PLAN;
  Execution execution;
  const mufftResult status = plan->prepare(&execution);
  if (status != MUFFT_SUCCESS) return status;
  const Format planned = execution.transform->shape().format;
  if (format != nullptr && *format != planned) return MUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr) return MUFFT_INVALID_VALUE;
  if (planned.kind == Kind::complex_to_complex && direction != MUFFT_FORWARD &&
      direction != MUFFT_INVERSE) {
    return MUFFT_INVALID_VALUE;
  }
  const bool inverse = direction == MUFFT_INVERSE;
  const auto work = [execution, in, out, inverse] {
    execution.transform->run(in, out, inverse, execution.work);
  };
  return host::enqueue(execution.stream, work) == musaSuccess ? MUFFT_SUCCESS : MUFFT_EXEC_FAILED;
}

mufftResult execute_as(mufftHandle handle, Format format, const void* in, void* out,
                       int direction) {
  return execute(handle, &format, in, out, direction);
}

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

extern "C" {

mufftResult mufftExecC2C(mufftHandle plan, mufftComplex* idata, mufftComplex* odata,
                         int direction) {
  return execute_as(plan, {Kind::complex_to_complex, false}, idata, odata, direction);
}

mufftResult mufftExecR2C(mufftHandle plan, mufftReal* idata, mufftComplex* odata) {
  return execute_as(plan, {Kind::real_to_complex, false}, idata, odata, MUFFT_FORWARD);
}

mufftResult mufftExecC2R(mufftHandle plan, mufftComplex* idata, mufftReal* odata) {
  return execute_as(plan, {Kind::complex_to_real, false}, idata, odata, MUFFT_INVERSE);
}

mufftResult mufftExecZ2Z(mufftHandle plan, mufftDoubleComplex* idata, mufftDoubleComplex* odata,
                         int direction) {
  return execute_as(plan, {Kind::complex_to_complex, true}, idata, odata, direction);
}

mufftResult mufftExecD2Z(mufftHandle plan, mufftDoubleReal* idata, mufftDoubleComplex* odata) {
  return execute_as(plan, {Kind::real_to_complex, true}, idata, odata, MUFFT_FORWARD);
}

mufftResult mufftExecZ2D(mufftHandle plan, mufftDoubleComplex* idata, mufftDoubleReal* odata) {
  return execute_as(plan, {Kind::complex_to_real, true}, idata, odata, MUFFT_INVERSE);
}

mufftResult mufftXtExec(mufftHandle plan, void* input, void* output, int direction) {
  return execute(plan, nullptr, input, output, direction);
}

}  // extern "C"
