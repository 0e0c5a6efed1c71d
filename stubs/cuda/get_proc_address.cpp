// cuGetProcAddress: programs ask for the driver's functions by name and version, most of them
// before they call anything else. The answer is always a function of this library. A program that
// gets MUSA's instead would pass it CUDA's numbers.
#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/cuda_version.h"
#include "stubs/cuda/entry_points.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"

namespace {

using torchada::Found;
namespace cuda = torchada::cuda;

constexpr uint64_t kLegacyStream = cuda::CU_GET_PROC_ADDRESS_LEGACY_STREAM;
constexpr uint64_t kPerThreadStream = cuda::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

// 0, or the status for arguments that are refused.
int find(const char* name, void** function, int version, uint64_t flags, Found* found) {
  if (!name || !function) return torchada::fail(torchada::kInvalid);
  // At most one of them.
  if (flags != 0 && flags != kLegacyStream && flags != kPerThreadStream)
    return torchada::fail(torchada::kInvalid);
  if (version > torchada::driver_version()) return torchada::fail(torchada::kInvalid);
  *found = torchada::find_entry_point(name, version, flags == kPerThreadStream, function);
  if (*found != Found::kFunction) {
    torchada::Line line;
    line << "cuGetProcAddress: " << name
         << (*found == Found::kNoSuchName ? " is no function of CUDA's driver"
                                          : " is newer than the version asked for, ");
    if (*found == Found::kNeedsNewerVersion) line << version;
    torchada::log(torchada::LogLevel::kInfo, line);
  }
  return 0;
}

}  // namespace

extern "C" {

// Of CUDA 11.3 to 11.8: what is not found is an error.
int torchada_adapter_cuGetProcAddress(const char* name, void** function, int version,
                                      uint64_t flags) {
  Found found = Found::kFunction;
  if (const int refused = find(name, function, version, flags, &found)) return refused;
  return found == Found::kFunction ? 0
                                   : torchada::fail(static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND));
}

// From CUDA 12.0 on, "not found" is an answer.
int torchada_adapter_cuGetProcAddress_v2(const char* name, void** function, int version,
                                         uint64_t flags, int* result) {
  Found found = Found::kFunction;
  if (const int refused = find(name, function, version, flags, &found)) return refused;
  if (result) *result = static_cast<int>(found);
  return 0;
}

}  // extern "C"
