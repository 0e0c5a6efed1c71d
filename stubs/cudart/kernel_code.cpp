#include "stubs/cudart/kernel_code.h"

#include "stubs/cudart/no_image.h"
#include "stubs/resolving/backend.h"

namespace torchada {
namespace kernels {

bool says_not_found(int musa_status) { return musa_status == musa::MUSA_ERROR_NOT_FOUND; }

}  // namespace kernels

namespace {

constexpr int kNoImage = static_cast<int>(cuda::cudaErrorNoKernelImageForDevice);

bool has_driver() {
  return find_in_backend(BackendLibrary::kMusa, nullptr, 0, nullptr).result != Lookup::kNoBackend;
}

int refuse_because(const char* function, const RegisteredCode& code, const char* why) {
  report_no_image(function, code, why);
  return fail(kNoImage);
}

}  // namespace

int refuse_code(const char* function, const RegisteredCode& code) {
  return refuse_because(function, code, nullptr);
}

int enter_context(const char* function, void** context) {
  int status = muCtxGetCurrent(context);
  if (status == 0 && *context) return 0;
  // The runtime's context is made at its first use.
  if (const int made = musaFree(nullptr)) return told(function, made);
  status = muCtxGetCurrent(context);
  if (status == 0 && *context) return 0;
  if (!has_driver()) return kNoDriver;
  return fail(status != 0 ? status : static_cast<int>(cuda::cudaErrorDeviceUninitialized));
}

bool enter_again(const char* function, int status, void** context) {
  return status == static_cast<int>(cuda::cudaErrorContextIsDestroyed) && musaFree(nullptr) == 0 &&
         enter_context(function, context) == 0;
}

int enter_code(const char* function, const void* host, RegisteredCode* code, void** context) {
  if (!find_registered(host, code)) {
    const uint32_t number = kernels::number_of_function(host);
    if (number == 0) return fail(kInvalidValue);
    *code = {host, kernels::text_of(number), 0, CodeKind::kKernel, number};
  }
  if (code->kind != CodeKind::kKernel && code->kind != CodeKind::kVariable) {
    return refuse_because(function, *code,
                          "is a managed variable or one of the host's, which no kernel library "
                          "can give");
  }
  if (code->number == 0) {
    const bool is_kernel = code->kind == CodeKind::kKernel;
    code->number = kernels::number_of(
        code->name, is_kernel ? kernels::Kind::kKernel : kernels::Kind::kVariable, origin_of(host));
    if (code->number == 0) return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
    kernels::note_host(code->number, host);
    number_registered(host, code->number);
  }
  const int status = enter_context(function, context);
  return status != kNoDriver
             ? status
             : refuse_because(function, *code, "needs MUSA's driver library, which was not found");
}

}  // namespace torchada
