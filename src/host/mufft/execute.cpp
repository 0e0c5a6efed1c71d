// The functions that execute a plan. The work runs in the plan's stream.
#include <mufftXt.h>

#include <optional>

#include "src/host/mufft/plan.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/operands.h"
#include "src/host/shared/stream_work.h"

namespace host_mufft {
namespace {

// What an execution reads and writes. A work area of its own needs no check.
host::Operands operands_of(const Execution& execution, const void* in, const void* out) {
  const Shape& shape = execution.transform->shape();
  const std::size_t real = shape.format.is_double ? sizeof(double) : sizeof(float);
  const auto side = [&](const void* start, const Layout& layout, bool is_real) {
    const Layout& used = is_real && in == out ? shape.real_in_place : layout;
    return host::elements(start, is_real ? real : 2 * real,
                          static_cast<std::int64_t>(shape.extent(used, is_real)));
  };
  const bool given = execution.own_work == nullptr;
  return {side(in, shape.input, shape.format.kind == Kind::real_to_complex),
          side(out, shape.output, shape.format.kind == Kind::complex_to_real),
          host::array(execution.work, given ? static_cast<std::int64_t>(shape.volume()) : 0)};
}

// Without `format`, every plan will do.
mufftResult execute(mufftHandle handle, const std::optional<Format>& format, const void* in,
                    void* out, int direction) {
  const auto plan = find_plan(handle);
  if (!plan) return MUFFT_INVALID_PLAN;
  Execution execution;
  const mufftResult status = plan->prepare(&execution);
  if (status != MUFFT_SUCCESS) return status;
  const Format planned = execution.transform->shape().format;
  if (format && *format != planned) return MUFFT_INVALID_TYPE;
  if (in == nullptr || out == nullptr) return MUFFT_INVALID_VALUE;
  if (planned.kind == Kind::complex_to_complex && direction != MUFFT_FORWARD &&
      direction != MUFFT_INVERSE) {
    return MUFFT_INVALID_VALUE;
  }
  const bool inverse = direction == MUFFT_INVERSE;
  const auto work = [execution, in, out, inverse, operands = operands_of(execution, in, out)] {
    if (host::may_use(operands)) execution.transform->run(in, out, inverse, execution.work);
  };
  return host::enqueue(execution.stream, work) == musaSuccess ? MUFFT_SUCCESS : MUFFT_EXEC_FAILED;
}

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

#define MUFFT_EXECUTE(count, function, kind, is_double, direction) \
  HOST_ANSWER(mufftResult, count, function, execute(a0, Format{kind, is_double}, a1, a2, direction))
MUFFT_EXECUTE(4, mufftExecC2C, Kind::complex_to_complex, false, a3)
MUFFT_EXECUTE(3, mufftExecR2C, Kind::real_to_complex, false, MUFFT_FORWARD)
MUFFT_EXECUTE(3, mufftExecC2R, Kind::complex_to_real, false, MUFFT_INVERSE)
MUFFT_EXECUTE(4, mufftExecZ2Z, Kind::complex_to_complex, true, a3)
MUFFT_EXECUTE(3, mufftExecD2Z, Kind::real_to_complex, true, MUFFT_FORWARD)
MUFFT_EXECUTE(3, mufftExecZ2D, Kind::complex_to_real, true, MUFFT_INVERSE)
HOST_ANSWER(mufftResult, 4, mufftXtExec, execute(a0, std::nullopt, a1, a2, a3))
