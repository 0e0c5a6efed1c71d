// cudaGetDriverEntryPoint: programs ask for functions of CUDA's driver by name and call them
// through types of their own. They get those of torchada's own driver library; without it none is
// found, and programs do without, as with an older driver.
#include "stubs/adapting/cuda_version.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/driver_library.h"
#include "stubs/reporting/log.h"

namespace {

using torchada::fail;
using torchada::kInvalidValue;
namespace cuda = torchada::cuda;

constexpr auto kPerThread = static_cast<unsigned long long>(cuda::cudaEnablePerThreadDefaultStream);
constexpr int kFound = 0;
constexpr int kNotFound = 1;  // Both numbers are the driver's, too.

TORCHADA_APART void say_not_found(const char* symbol) {
  torchada::Line line;
  line << "cudaGetDriverEntryPoint: " << symbol << " not found: this process is not offered "
       << torchada::kDriverLibrary << "; torchada run offers it";
  torchada::log(torchada::LogLevel::kInfo, line);
}

// 0, or the status to return. Checked in the same order as in the real library.
int find(const char* caller, const char* symbol, void** function, unsigned wanted,
         unsigned long long flags, int* result) {
  int version = 0;
  if (const int absent = musaDriverGetVersion(&version)) return torchada::told(caller, absent);
  if (!symbol || !function || flags > kPerThread) return fail(kInvalidValue);
  if (wanted > static_cast<unsigned>(torchada::driver_version())) return fail(kInvalidValue);
  if (const torchada::GetProcAddress get = torchada::driver_get_proc_address()) {
    // The flags have the same numbers. What the driver refuses was refused above.
    return get(symbol, function, static_cast<int>(wanted), flags, result) == 0
               ? 0
               : fail(kInvalidValue);
  }
  say_not_found(symbol);
  *function = nullptr;
  *result = kNotFound;
  return 0;
}

unsigned own_version() { return static_cast<unsigned>(torchada::cuda_version()); }

// What _ptsz means: the default is the thread's own stream.
unsigned long long per_thread(unsigned long long flags) { return flags == 0 ? kPerThread : flags; }

#if TORCHADA_ABI == 11

int find_or_fail(const char* symbol, void** function, unsigned long long flags) {
  int result = kFound;
  const int status =
      find("cudaGetDriverEntryPoint", symbol, function, own_version(), flags, &result);
  if (status != 0 || result == kFound) return status;
  return fail(static_cast<int>(cuda::cudaErrorSymbolNotFound));
}

#else

static_assert(cuda::cudaDriverEntryPointSuccess == kFound);
static_assert(cuda::cudaDriverEntryPointSymbolNotFound == kNotFound);

// From CUDA 12 on, "not found" is an answer, not an error.
int find_and_tell(const char* caller, const char* symbol, void** function, unsigned wanted,
                  unsigned long long flags, int* result) {
  int answer = kFound;
  const int status = find(caller, symbol, function, wanted, flags, &answer);
  if (status == 0 && result) *result = answer;
  return status;
}

#endif

}  // namespace

extern "C" {

#if TORCHADA_ABI == 11

int torchada_adapter_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                             unsigned long long flags) {
  return find_or_fail(symbol, function, flags);
}

int torchada_adapter_cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                  unsigned long long flags) {
  return find_or_fail(symbol, function, per_thread(flags));
}

#else

int torchada_adapter_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                             unsigned long long flags, int* result) {
  return find_and_tell("cudaGetDriverEntryPoint", symbol, function, own_version(), flags, result);
}

int torchada_adapter_cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                  unsigned long long flags, int* result) {
  return find_and_tell("cudaGetDriverEntryPoint", symbol, function, own_version(),
                       per_thread(flags), result);
}

int torchada_adapter_cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                                      unsigned version, unsigned long long flags,
                                                      int* result) {
  return find_and_tell("cudaGetDriverEntryPointByVersion", symbol, function, version, flags,
                       result);
}

int torchada_adapter_cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                           unsigned version,
                                                           unsigned long long flags, int* result) {
  return find_and_tell("cudaGetDriverEntryPointByVersion", symbol, function, version,
                       per_thread(flags), result);
}

#endif

}  // extern "C"
