// Versions, and the names of errors. What needs no initialisation answers without MUSA, too, as
// NVIDIA's library does without a driver.
#include "src/shared/text.h"
#include "stubs/adapting/cuda_version.h"
#include "stubs/nvml/text.h"

namespace {

using torchada::fail;
using torchada::nvml::Buffer;
using torchada::nvml::copy_text;

}  // namespace

extern "C" {

// Emitted; null for a number that is no status of NVML's.
TORCHADA_HIDDEN const char* torchada_text_nvmlErrorString(int code);

const char* torchada_adapter_nvmlErrorString(int result) {
  const char* const text = torchada_text_nvmlErrorString(result);
  return text ? text : "unknown NVML status";
}

int torchada_adapter_nvmlSystemGetDriverVersion(char* version, unsigned length) {
  const auto function = TORCHADA_NVML(SystemGetDriverVersion, SystemGetDriverVersion);
  return torchada::nvml::with_library([&](const void* library) {
    if (!version) return fail(torchada::kInvalid);
    void* system = nullptr;
    if (const int status = mtmlLibraryInitSystem(library, &system)) {
      return torchada::outcome(function, status);
    }
    Buffer buffer;
    const int status = mtmlSystemGetDriverVersion(system, buffer.text, Buffer::kSize);
    mtmlLibraryFreeSystem(system);
    if (status) return torchada::outcome(function, status);
    return copy_text(buffer.c_str(), version, length);
  });
}

// NVML's own version is that of its interface and then the driver's release; here MTML's follows,
// if there is one.
int torchada_adapter_nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  if (!version) return fail(torchada::kInvalid);
  torchada::Text<size_t{2} * Buffer::kSize> text;
  text << int64_t{torchada::kDriverVersion / 1000};
  const torchada::nvml::Lock lock;
  const void* const open = torchada::nvml::library();
  void* own = nullptr;
  if (open || mtmlLibraryInit(&own) == 0) {
    Buffer buffer;
    if (mtmlLibraryGetVersion(open ? open : own, buffer.text, Buffer::kSize) == 0) {
      text << "." << buffer.c_str();
    }
    if (own) mtmlLibraryShutDown(own);
  }
  return copy_text(text.c_str(), version, length);
}

}  // extern "C"
