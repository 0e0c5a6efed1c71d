// The log of errors. MUSA keeps none that programs can read, so it is always empty, and what a
// program registers for its messages is never called.
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;

// A handle is the address of its place.
constexpr unsigned kCallbacks = 64;
char used[kCallbacks];

int require_driver(const char* function) {
  int count = 0;
  return outcome({function, "muDeviceGetCount"}, muDeviceGetCount(&count));
}

}  // namespace

extern "C" {

int torchada_adapter_cuLogsCurrent(unsigned* position, unsigned flags) {
  if (const int status = require_driver("cuLogsCurrent")) return status;
  if (!position || flags != 0) return fail(torchada::kInvalid);
  *position = 0;
  return 0;
}

int torchada_adapter_cuLogsDumpToMemory(unsigned*, char* text, size_t* size, unsigned flags) {
  if (const int status = require_driver("cuLogsDumpToMemory")) return status;
  if (!text || !size || *size == 0 || flags != 0) return fail(torchada::kInvalid);
  *text = '\0';
  *size = 0;
  return 0;
}

int torchada_adapter_cuLogsDumpToFile(unsigned*, const char* path, unsigned flags) {
  if (const int status = require_driver("cuLogsDumpToFile")) return status;
  if (!path || flags != 0) return fail(torchada::kInvalid);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return fail(torchada::kInvalid);
  close(file);
  return 0;
}

int torchada_adapter_cuLogsRegisterCallback(void* callback, void*, void** handle) {
  if (const int status = require_driver("cuLogsRegisterCallback")) return status;
  if (!callback) return fail(torchada::kInvalid);
  for (char& place : used) {
    if (__atomic_test_and_set(&place, __ATOMIC_ACQ_REL)) continue;
    if (handle) *handle = &place;
    return 0;
  }
  return fail(static_cast<int>(torchada::cuda::CUDA_ERROR_OUT_OF_MEMORY));
}

int torchada_adapter_cuLogsUnregisterCallback(void* handle) {
  if (const int status = require_driver("cuLogsUnregisterCallback")) return status;
  char* const place = static_cast<char*>(handle);
  const auto index = reinterpret_cast<uintptr_t>(place) - reinterpret_cast<uintptr_t>(used);
  if (index >= kCallbacks) return fail(torchada::kInvalid);
  char present = 1;
  const bool was_used =
      __atomic_compare_exchange_n(place, &present, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return was_used ? 0 : fail(torchada::kInvalid);
}

}  // extern "C"
