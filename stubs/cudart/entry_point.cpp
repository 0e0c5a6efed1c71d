// cudaGetDriverEntryPoint: programs ask for functions of CUDA's driver by name and call them
// through types of their own. MUSA's driver has functions of similar names, but nobody has compared
// their types. So none is found, and programs do without it, as with an older driver.
#include "stubs/cudart/answers.h"
#include "stubs/cudart/cuda_version.h"
#include "stubs/log.h"

namespace {

using torchada::fail;
using torchada::kInvalidValue;
namespace cuda = torchada::cuda;

// 0 if the arguments are valid, otherwise the status to return.
int check(const char* caller, const char* symbol, void* const* function, unsigned long long flags) {
  int version = 0;
  // Checked before the arguments, as in the real library.
  if (const int absent = musaDriverGetVersion(&version)) return torchada::told(caller, absent);
  const auto last = static_cast<unsigned long long>(cuda::cudaEnablePerThreadDefaultStream);
  return symbol && function && flags <= last ? 0 : fail(kInvalidValue);
}

void say_not_found(const char* symbol) {
  torchada::Line line;
  line << "cudaGetDriverEntryPoint: " << symbol
       << " not found: CUDA driver functions have no MUSA counterpart";
  torchada::log(torchada::LogLevel::kInfo, line);
}

#if TORCHADA_ABI == 11

int find(const char* symbol, void** function, unsigned long long flags) {
  if (const int refused = check("cudaGetDriverEntryPoint", symbol, function, flags)) return refused;
  say_not_found(symbol);
  *function = nullptr;
  return fail(static_cast<int>(cuda::cudaErrorSymbolNotFound));
}

#else

// From CUDA 12 on, "not found" is an answer, not an error.
int find(const char* symbol, void** function, unsigned long long flags, int* result) {
  if (const int refused = check("cudaGetDriverEntryPoint", symbol, function, flags)) return refused;
  say_not_found(symbol);
  *function = nullptr;
  if (result) *result = static_cast<int>(cuda::cudaDriverEntryPointSymbolNotFound);
  return 0;
}

int find_by_version(const char* symbol, void** function, unsigned wanted, unsigned long long flags,
                    int* result) {
  if (const int refused = check("cudaGetDriverEntryPointByVersion", symbol, function, flags))
    return refused;
  // Newer than our driver.
  if (wanted > static_cast<unsigned>(torchada::cuda_version())) return fail(kInvalidValue);
  return find(symbol, function, flags, result);
}

#endif

}  // namespace

extern "C" {

#if TORCHADA_ABI == 11

int torchada_adapter_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                             unsigned long long flags) {
  return find(symbol, function, flags);
}

int torchada_adapter_cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                  unsigned long long flags) {
  return find(symbol, function, flags);
}

#else

int torchada_adapter_cudaGetDriverEntryPoint(const char* symbol, void** function,
                                             unsigned long long flags, int* result) {
  return find(symbol, function, flags, result);
}

int torchada_adapter_cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                                  unsigned long long flags, int* result) {
  return find(symbol, function, flags, result);
}

int torchada_adapter_cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                                      unsigned version, unsigned long long flags,
                                                      int* result) {
  return find_by_version(symbol, function, version, flags, result);
}

int torchada_adapter_cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                           unsigned version,
                                                           unsigned long long flags, int* result) {
  return find_by_version(symbol, function, version, flags, result);
}

#endif

}  // extern "C"
