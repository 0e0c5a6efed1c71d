// Several devices and callbacks, which the stand-in refuses: the layout of musaLibXtDesc is not
// known, and callbacks are device code.
#include <mufftXt.h>

#include "src/host/mufft/plan.h"

namespace host_mufft {
namespace {

mufftResult refuse(mufftHandle plan) {
  return find_plan(plan) ? MUFFT_NOT_IMPLEMENTED : MUFFT_INVALID_PLAN;
}

}  // namespace
}  // namespace host_mufft

using namespace host_mufft;

extern "C" {

mufftResult mufftXtSetGPUs(mufftHandle plan, int, int*) { return refuse(plan); }

mufftResult mufftXtMalloc(mufftHandle plan, musaLibXtDesc**, mufftXtSubFormat) {
  return refuse(plan);
}

mufftResult mufftXtMemcpy(mufftHandle plan, void*, void*, mufftXtCopyType) { return refuse(plan); }

// No descriptor exists that could be freed.
mufftResult mufftXtFree(musaLibXtDesc*) { return MUFFT_NOT_IMPLEMENTED; }

mufftResult mufftXtExecDescriptor(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*, int) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorC2C(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*, int) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorR2C(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorC2R(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorZ2Z(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*, int) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorD2Z(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*) {
  return refuse(plan);
}

mufftResult mufftXtExecDescriptorZ2D(mufftHandle plan, musaLibXtDesc*, musaLibXtDesc*) {
  return refuse(plan);
}

mufftResult mufftXtQueryPlan(mufftHandle plan, void*, mufftXtQueryType) { return refuse(plan); }

mufftResult mufftXtSetCallback(mufftHandle plan, void**, mufftXtCallbackType, void**) {
  return refuse(plan);
}

mufftResult mufftXtClearCallback(mufftHandle plan, mufftXtCallbackType) { return refuse(plan); }

}  // extern "C"
