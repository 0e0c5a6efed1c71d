// cudaGetDriverEntryPoint: programs ask for functions of CUDA's driver by name and call them
// through types of their own. They get those of torchada's own driver library; without it none is
// found, and programs do without, as with an older driver.
#include "stubs/adapting/cuda_version.h"
#include "stubs/cudart/driver_library.h"
#include "stubs/cudart/via.h"
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

unsigned own_version() { return static_cast<unsigned>(torchada::cuda_version()); }

// 0, or the status to return. Checked in the same order as in the real library. No flags mean
// `meant`.
int find(const char* caller, const void* name, void* out, unsigned wanted, long long meant,
         unsigned long long flags, int* result) {
  const char* const symbol = static_cast<const char*>(name);
  void** const function = static_cast<void**>(out);
  int version = 0;
  if (const int absent = musaDriverGetVersion(&version)) return torchada::told(caller, absent);
  if (!symbol || !function || flags > kPerThread) return fail(kInvalidValue);
  if (wanted > static_cast<unsigned>(torchada::driver_version())) return fail(kInvalidValue);
  if (const torchada::GetProcAddress get = torchada::driver_get_proc_address()) {
    // The flags have the same numbers. What the driver refuses was refused above.
    const auto given = flags == 0 ? static_cast<unsigned long long>(meant) : flags;
    return get(symbol, function, static_cast<int>(wanted), given, result) == 0
               ? 0
               : fail(kInvalidValue);
  }
  say_not_found(symbol);
  *function = nullptr;
  *result = kNotFound;
  return 0;
}

}  // namespace

namespace torchada::via {

#if TORCHADA_ABI == 11

int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned long long flags) {
  int result = kFound;
  const int status = find(function.cuda, symbol, out, own_version(), meant, flags, &result);
  if (status != 0 || result == kFound) return status;
  return fail(static_cast<int>(cuda::cudaErrorSymbolNotFound));
}

#else

static_assert(cuda::cudaDriverEntryPointSuccess == kFound);
static_assert(cuda::cudaDriverEntryPointSymbolNotFound == kNotFound);

int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned long long flags, void* result) {
  return entry_point(function, meant, symbol, out, own_version(), flags, result);
}

// From CUDA 12 on, "not found" is an answer, not an error.
int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned version, unsigned long long flags, void* result) {
  int answer = kFound;
  const int status = find(function.cuda, symbol, out, version, meant, flags, &answer);
  if (status == 0 && result) *static_cast<int*>(result) = answer;
  return status;
}

#endif

}  // namespace torchada::via
