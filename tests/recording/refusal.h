// How each library answers a call for which MUSA has no function. Written by hand from CUDA's
// headers, not taken from the tables.
#pragma once

#include <string>

#include "tests/recording/decisions.h"
#include "tests/recording/invocation.h"

namespace recording {

struct RefusalStatus {
  int unsupported;
  int no_image;
};

// Why the result of `invocation` is not the refusal that `decision` requires; empty if it is.
std::string objection_to_refusal(const Decision& decision, const RefusalStatus& status,
                                 const Invocation& invocation);

}  // namespace recording
