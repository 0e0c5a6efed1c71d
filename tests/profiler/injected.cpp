// A tool that CUDA_INJECTION64_PATH names: counts the program's fills and says so at its end.
#include <cstdio>
#include <cstring>

#include "tests/profiler/cupti_calls.h"

namespace {

int fills;

void on_call(void*, std::uint32_t, std::uint32_t, const void* details) {
  const auto& call = *static_cast<const witness::CallbackData*>(details);
  if (call.site == 0 && std::strcmp(call.function, "cudaMemset") == 0) ++fills;
}

__attribute__((destructor)) void end() { std::printf("injected: %d fills\n", fills); }

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  void* subscriber = nullptr;
  return cuptiSubscribe(&subscriber, on_call, nullptr) == witness::kSuccess &&
                 cuptiEnableDomain(1, subscriber, witness::kRuntimeApi) == witness::kSuccess
             ? 1
             : 0;
}
