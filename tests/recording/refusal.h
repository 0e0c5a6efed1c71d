// How a library answers a call for which MUSA has no function.
#pragma once

#include <string>

#include "tests/recording/cuda_libraries.h"
#include "tests/recording/decisions.h"
#include "tests/recording/invocation.h"

namespace recording {

// Why the result of `invocation` is not the refusal that `decision` requires; empty if it is.
std::string objection_to_refusal(const Decision& decision, const CudaLibrary& library,
                                 const Invocation& invocation);

}  // namespace recording
