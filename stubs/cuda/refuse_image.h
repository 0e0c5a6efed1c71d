// Refuses an image of device code that NVIDIA made, or that is none. A row whose adapter includes
// this lists muCtxGetDevice among its calls.
#pragma once

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/kernels/demangled.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/reporting/refusal.h"

namespace torchada::driver {

// What MUSA says about the caller comes before what is wrong with the image: a driver that is not
// initialised, a thread without a context.
inline int refuse_image(const char* function, const char* parameter,
                        const kernels::ImageFinding& found) {
  int device = 0;
  if (const int status = outcome({function, "muCtxGetDevice"}, muCtxGetDevice(&device))) {
    return status;
  }
  if (found.kind != kernels::ImageFinding::kNvidia) {
    return kernels::refuse_wrong_image(function, parameter, found);
  }
  return refuse_argument(function, parameter, found.text, kernels::kNvidiaCode,
                         static_cast<int>(cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

}  // namespace torchada::driver
