// Calls one design and, in turn, its baseline, in a separate process. Where the loader places the
// libraries decides what collides in caches and predictors, and each process places them anew.
//
// usage: callers hot|cold|warm DESIGN   writes two doubles to stdout: nanoseconds per call of the
//                                       design and of its baseline
//        callers check                  writes how many functions are compared, how many are direct
//                                       in libcudart, and how many of those several programs use,
//                                       after calling each of them once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/calls.h"

namespace {

using bench::Calls;
using Clock = std::chrono::steady_clock;

// Larger than the second-level cache of any current CPU. Code that the third level still holds
// would also be there in a program that has done other work.
constexpr std::size_t kEvicted = 8 << 20;
constexpr std::size_t kLine = 64;
constexpr int kRounds = 15;
constexpr std::size_t kHotFunctions = 16;  // Several, so that one lucky placement does not decide.
constexpr std::uint64_t kHotCalls = 4000;

struct Design {
  const char* name;
  const Calls* calls;
  const Calls* baseline;
};

constexpr Design kDesigns[] = {
    {"direct", &bench::direct, &bench::direct},
    {"slot", &bench::slot, &bench::direct},
    {"compare", &bench::compare, &bench::direct},
    {"eager", &bench::eager, &bench::direct},
    {"forwarder", &bench::forwarder, &bench::direct},
    {"cudart", &bench::cudart, &bench::cudart_targets},
    {"used", &bench::used, &bench::used_targets},
#ifdef BENCH_IMPLIB
    {"implib", &bench::implib, &bench::direct},
#endif
};

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void evict_caches() {
  static std::vector<unsigned char> buffer(kEvicted, 1);
  unsigned sum = 0;
  for (std::size_t i = 0; i < buffer.size(); i += kLine) sum += buffer[i];
  __asm__ volatile("" : : "r"(sum) : "memory");  // Makes the compiler believe that the sum is used.
}

// Nanoseconds per call when one function is called again and again.
double hot(const Calls& calls) {
  const std::size_t step = calls.count / kHotFunctions;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < kHotFunctions; ++i) calls.loops[i * step](kHotCalls);
  return nanoseconds_since(start) / (kHotFunctions * kHotCalls);
}

// Nanoseconds per call when all functions are called in turn.
double warm(const Calls& calls) {
  calls.all();
  const Clock::time_point start = Clock::now();
  calls.all();
  return nanoseconds_since(start) / static_cast<double>(calls.count);
}

double cold(const Calls& calls) {
  evict_caches();
  Clock::now();  // Brings in the clock's own code and page.
  const Clock::time_point start = Clock::now();
  calls.all();
  return nanoseconds_since(start) / static_cast<double>(calls.count);
}

double median(std::array<double, kRounds>& values) {
  std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
  return values[kRounds / 2];
}

std::array<double, 2> compare(const Design& design, double (*measure)(const Calls&)) {
  std::array<double, kRounds> ours, theirs;
  // The first call resolves the slot. It is made here and not within the loops of hot(): if the
  // target of an indirect jump changes while its loop runs, the predictor of some CPUs treats it as
  // slower until it forgets the jump.
  design.calls->all();
  design.baseline->all();
  for (int i = 0; i < kRounds; ++i) {
    ours[i] = measure(*design.calls);
    theirs[i] = measure(*design.baseline);
  }
  return {median(ours), median(theirs)};
}

// A function that leads to a fallback instead of the backend would be a different measurement.
bool all_reach_the_backend() {
  for (const Design& design : kDesigns) {
    for (std::size_t i = 0; i < design.calls->count; ++i) {
      if (design.calls->functions[i](nullptr) == 0) continue;
      std::fprintf(stderr, "%s: %s does not reach the backend\n", design.name,
                   design.calls->names[i]);
      return false;
    }
  }
  return true;
}

int write(const std::array<double, 2>& numbers) {
  return std::fwrite(numbers.data(), sizeof numbers, 1, stdout) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string quantity = argc > 1 ? argv[1] : "";
  if (quantity == "check") {
    if (!all_reach_the_backend()) return 1;
    const double counts[] = {static_cast<double>(bench::direct.count),
                             static_cast<double>(bench::cudart.count),
                             static_cast<double>(bench::used.count)};
    return std::fwrite(counts, sizeof counts, 1, stdout) == 1 ? 0 : 1;
  }
  const auto measure = quantity == "hot" ? hot : quantity == "cold" ? cold : warm;
  for (const Design& design : kDesigns) {
    if (argc > 2 && std::string(argv[2]) == design.name) return write(compare(design, measure));
  }
  return 2;
}
