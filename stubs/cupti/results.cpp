// What needs neither calls nor a device: the version and the names of statuses.
#include "facts.h"
#include "stubs/table.h"

namespace {

// CUPTI_API_VERSION of the newest release of each major. A macro, so no table has it; without a
// driver NVIDIA's library of CUDA 13 does not tell it.
#if TORCHADA_ABI == 11
constexpr uint32_t kVersion = 18;
#elif TORCHADA_ABI == 12
constexpr uint32_t kVersion = 28;
#else
constexpr uint32_t kVersion = 130500;
#endif

}  // namespace

extern "C" {

// Emitted; null for a number that is no status.
TORCHADA_HIDDEN const char* torchada_text_cuptiGetResultString(int code);

int torchada_adapter_cuptiGetVersion(uint32_t* version) {
  if (!version) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  *version = kVersion;
  return torchada::cuda::CUPTI_SUCCESS;
}

int torchada_adapter_cuptiGetResultString(int code, const char** text) {
  if (!text) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  const char* const found = torchada_text_cuptiGetResultString(code);
  *text = found ? found : "<unknown>";
  if (!found) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  return torchada::cuda::CUPTI_SUCCESS;
}

// The same, but any number has a message.
int torchada_adapter_cuptiGetErrorMessage(int code, const char** text) {
  if (!text) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  torchada_adapter_cuptiGetResultString(code, text);
  return torchada::cuda::CUPTI_SUCCESS;
}

}  // extern "C"
