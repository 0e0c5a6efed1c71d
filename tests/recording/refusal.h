// How each library answers a call that MUSA has no function for. Written by hand from CUDA's
// headers, not taken from the tables.
#pragma once

#include <string>

#include "decisions.h"
#include "invocation.h"

namespace recording {

struct RefusalStatus {
  int unsupported;
  int no_image;
};

// Why what `invocation` brought back is not the refusal that `decision` calls for; empty where it
// is.
std::string objection_to_refusal(const Decision& decision, const RefusalStatus& status,
                                 const Invocation& invocation);

}  // namespace recording
