#pragma once

#include <mccl.h>

namespace host_mccl {

// Remembers the message for mcclGetLastError and returns `code`.
[[gnu::format(printf, 2, 3)]] mcclResult_t fail(mcclResult_t code, const char* format, ...);

// The result that this version of MCCL returns when another rank is lost.
mcclResult_t remote_error();

// Like fail(), for a failed MUSA call named `what`. Success passes through.
mcclResult_t check_musa(musaError_t status, const char* what);

}  // namespace host_mccl
