// Calls a function of the runtime and, in turn, the MUSA function that it leads to, in a separate
// process with or without TORCHADA_TRACE.
//
// usage: callers CALLS    writes two doubles to stdout: nanoseconds per call of both
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t calls = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (calls == 0) return 2;
  std::array<double, kRounds> ours{}, theirs{};
  if (cudaMemcpy(nullptr, nullptr, 0, 1) != 0) {
    std::fputs("cudaMemcpy does not reach MUSA\n", stderr);
    return 1;
  }
  for (std::size_t i = 0; i < kRounds; ++i) {
    ours[i] = nanoseconds(cudaMemcpy, calls);
    theirs[i] = nanoseconds(musaMemcpy, calls);
  }
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  const double numbers[] = {ours[kRounds / 2], theirs[kRounds / 2]};
  return std::fwrite(numbers, sizeof numbers, 1, stdout) == 1 ? 0 : 1;
}
