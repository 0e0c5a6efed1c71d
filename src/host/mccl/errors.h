#pragma once

#include <mccl.h>

namespace host_mccl {

// Remembers the message for mcclGetLastError and returns `code`.
[[gnu::format(printf, 2, 3)]] mcclResult_t fail(mcclResult_t code, const char* format, ...);

// What this version of MCCL says when another rank is lost.
mcclResult_t remote_error();

// The same for a failed MUSA call named `what`; success passes through.
mcclResult_t check_musa(musaError_t status, const char* what);

}  // namespace host_mccl
