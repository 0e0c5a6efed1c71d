// Calls a function of the runtime and, in turn, the MUSA function that it leads to, in a separate
// process with or without TORCHADA_TRACE, or with a profiler.
//
// usage: callers CALLS [CUPTI subscribed|called|recorded]
//                         writes two doubles to stdout: nanoseconds per call of both
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
int cudaMemcpy(void* to, const void* from, std::size_t size, int kind);
int musaMemcpy(void* to, const void* from, std::size_t size, int kind);
}

namespace {

using Clock = std::chrono::steady_clock;
using Copy = int (*)(void*, const void*, std::size_t, int);

constexpr int kRounds = 101;  // Short ones, so that most are not disturbed.

double nanoseconds(Copy copy, std::uint64_t calls) {
  const Clock::time_point start = Clock::now();
  for (std::uint64_t i = 0; i < calls; ++i) copy(nullptr, nullptr, i, 1);
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
         static_cast<double>(calls);
}

// CUpti_CallbackDomain, CUpti_ActivityKind, CUPTI_SUCCESS (cupti_callbacks.h, cupti_activity.h).
constexpr std::uint32_t kRuntimeApi = 2, kRuntime = 5;
constexpr int kSuccess = 0;
constexpr std::size_t kBufferBytes = 1 << 20;

std::uint64_t calls_seen;

void see(void*, std::uint32_t, std::uint32_t, const void*) { ++calls_seen; }

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *buffer = static_cast<std::uint8_t*>(std::malloc(kBufferBytes));
  *size = kBufferBytes;
  *most = 0;
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  calls_seen += valid;
  std::free(buffer);
}

template <typename... Types>
bool call(void* library, const char* name, Types... arguments) {
  const auto function = reinterpret_cast<int (*)(Types...)>(dlsym(library, name));
  return function && function(arguments...) == kSuccess;
}

// Lets a profiler of this process see calls, as far as `mode` says.
bool profile(const char* cupti, const char* mode) {
  void* const library = dlopen(cupti, RTLD_NOW);
  if (!library) return false;
  if (std::strcmp(mode, "recorded") == 0) {
    return call(library, "cuptiActivityRegisterCallbacks", give_buffer, take_buffer) &&
           call(library, "cuptiActivityEnable", kRuntime);
  }
  void* subscriber = nullptr;
  const std::uint32_t on = 1;
  return call(library, "cuptiSubscribe", &subscriber, see, static_cast<void*>(nullptr)) &&
         (std::strcmp(mode, "called") != 0 ||
          call(library, "cuptiEnableDomain", on, subscriber, kRuntimeApi));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t calls = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (calls == 0 || (argc != 2 && argc != 4)) return 2;
  if (argc == 4 && !profile(argv[2], argv[3])) {
    std::fprintf(stderr, "%s: no profiler (%s)\n", argv[2], argv[3]);
    return 1;
  }
  std::array<double, kRounds> ours{}, theirs{};
  if (cudaMemcpy(nullptr, nullptr, 0, 1) != 0) {
    std::fputs("cudaMemcpy does not reach MUSA\n", stderr);
    return 1;
  }
  for (std::size_t i = 0; i < kRounds; ++i) {
    ours[i] = nanoseconds(cudaMemcpy, calls);
    theirs[i] = nanoseconds(musaMemcpy, calls);
  }
  const bool sees = argc == 4 && std::strcmp(argv[3], "subscribed") != 0;
  if (argc == 4 && std::strcmp(argv[3], "recorded") == 0) {
    call(dlopen(argv[2], RTLD_NOW), "cuptiActivityFlushAll", std::uint32_t{0});
  }
  if (sees != (calls_seen != 0)) {
    std::fprintf(stderr, "the profiler saw %llu\n", static_cast<unsigned long long>(calls_seen));
    return 1;
  }
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  const double numbers[] = {ours[kRounds / 2], theirs[kRounds / 2]};
  return std::fwrite(numbers, sizeof numbers, 1, stdout) == 1 ? 0 : 1;
}
