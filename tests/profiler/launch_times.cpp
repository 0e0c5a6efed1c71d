// A tool that CUDA_INJECTION64_PATH names: says at its end when kernels began after their calls.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/profiler/cupti_calls.h"

namespace {

using namespace witness;

constexpr std::size_t kSize = 1 << 16;

std::map<std::uint32_t, std::uint64_t> calls;    // The time of each, by correlation.
std::map<std::uint32_t, std::uint64_t> kernels;  // Likewise.

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kSize));
  *size = kSize;
  *most = 0;
}

template <typename Record>
void note(const void* from, std::map<std::uint32_t, std::uint64_t>* to) {
  Record record;
  std::memcpy(&record, from, sizeof record);
  (*to)[record.correlation] = record.start;
}

void complete(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  void* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == kSuccess) {
    std::uint32_t kind = 0;
    std::memcpy(&kind, record, sizeof kind);
    if (kind == kConcurrentKernel) note<Kernel>(record, &kernels);
    if (kind == kRuntime) note<Api>(record, &calls);
  }
  std::free(buffer);
}

void tell() {
  cuptiActivityFlushAll(1);
  for (const auto& [correlation, start] : kernels) {
    std::fprintf(stderr, "a kernel began after %llu ms\n",
                 static_cast<unsigned long long>((start - calls[correlation]) / 1'000'000));
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const bool made = cuptiActivityRegisterCallbacks(request, complete) == kSuccess &&
                    cuptiActivityEnable(kConcurrentKernel) == kSuccess &&
                    cuptiActivityEnable(kRuntime) == kSuccess && std::atexit(tell) == 0;
  return made ? 1 : 0;
}
