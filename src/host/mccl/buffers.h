#pragma once

#include <mccl.h>

#include <cstddef>

namespace host_mccl {

// Whether MUSA knows the memory from the first to the last of `bytes` bytes. Work on memory that
// was freed or never allocated would end the process. NCCL answers the same if NCCL_CHECK_POINTERS
// asks it to look; by default its kernels fail.
mcclResult_t check_buffer(const char* caller, const char* role, const void* buffer,
                          std::size_t bytes);

}  // namespace host_mccl
