// Calls an adapter and, in turn, the MUSA function that it calls, in a separate process.
//
// usage: callers PAIR    writes two doubles to stdout: nanoseconds per call of both
//        callers check   whether each adapter reaches MUSA; writes nothing
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "benchmarks/adapted/functions.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 31;
constexpr std::uint64_t kCalls = 100000;

using Loop = int (*)(std::uint64_t calls);

// The values do not matter; they are read from memory, as in a program.
struct Values {
  void* handle = nullptr;
  int transa = 1, transb = 0, side = 1, fill = 0, diag = 1, m = 3, n = 4, k = 5, ld = 6;
  int type = 0, compute = 68, algorithm = -1, generator = 161;
  int musa_transa = 112, musa_transb = 111, musa_side = 142, musa_fill = 122, musa_diag = 132;
  int musa_algorithm = 0, musa_generator = 404;
  float* data = nullptr;
};
volatile Values given;

// Two loops that differ only in the callee and its numbers, with the same alignment.
#define ADAPTED_LOOP(name, ...)                                          \
  __attribute__((aligned(64), noinline)) int name(std::uint64_t calls) { \
    int failed = 0;                                                      \
    void* const h = given.handle;                                        \
    float* const p = given.data;                                         \
    const int m = given.m, n = given.n, k = given.k, ld = given.ld;      \
    const int type = given.type, compute = given.compute;                \
    for (; calls != 0; --calls) failed |= __VA_ARGS__;                   \
    static_cast<void>(h), static_cast<void>(p), static_cast<void>(m);    \
    static_cast<void>(n), static_cast<void>(k), static_cast<void>(ld);   \
    static_cast<void>(type), static_cast<void>(compute);                 \
    return failed;                                                       \
  }

ADAPTED_LOOP(sgemm,
             cublasSgemm_v2(h, given.transa, given.transb, m, n, k, p, p, ld, p, ld, p, p, ld))
ADAPTED_LOOP(sgemm_64,
             cublasSgemm_v2_64(h, given.transa, given.transb, m, n, k, p, p, ld, p, ld, p, p, ld))
ADAPTED_LOOP(sgemm_direct, mublasSgemm(h, given.musa_transa, given.musa_transb, m, n, k, p, p, ld,
                                       p, ld, p, p, ld))
ADAPTED_LOOP(strsm, cublasStrsm_v2(h, given.side, given.fill, given.transa, given.diag, m, n, p, p,
                                   ld, p, ld))
ADAPTED_LOOP(strsm_direct, mublasStrsm(h, given.musa_side, given.musa_fill, given.musa_transa,
                                       given.musa_diag, m, n, p, p, ld, p, ld))
ADAPTED_LOOP(saxpy, cublasSaxpy_v2(h, n, p, p, 1, p, 1))
ADAPTED_LOOP(saxpy_direct, mublasSaxpy(h, n, p, p, 1, p, 1))
ADAPTED_LOOP(gemm_ex, cublasGemmEx(h, given.transa, given.transb, m, n, k, p, p, type, ld, p, type,
                                   ld, p, p, type, ld, compute, given.algorithm))
ADAPTED_LOOP(gemm_ex_direct,
             adapted_gemm_ex(h, given.musa_transa, given.musa_transb, m, n, k, p, p, type, ld, p,
                             type, ld, p, p, type, ld, compute, given.musa_algorithm))
ADAPTED_LOOP(curand, curandCreateGenerator(reinterpret_cast<void**>(p), given.generator))
ADAPTED_LOOP(curand_direct,
             murandCreateGenerator(reinterpret_cast<void**>(p), given.musa_generator))
#undef ADAPTED_LOOP

struct Pair {
  const char* name;
  Loop adapted, direct;
};

constexpr Pair kPairs[] = {
    {"direct", sgemm_direct, sgemm_direct}, {"sgemm", sgemm, sgemm_direct},
    {"strsm", strsm, strsm_direct},         {"saxpy", saxpy, saxpy_direct},
    {"gemm_ex", gemm_ex, gemm_ex_direct},   {"sgemm_64", sgemm_64, sgemm_direct},
    {"curand", curand, curand_direct},
};

double nanoseconds(Loop loop) {
  const Clock::time_point start = Clock::now();
  loop(kCalls);
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
         static_cast<double>(kCalls);
}

double median(std::array<double, kRounds>* values) {
  std::nth_element(values->begin(), values->begin() + kRounds / 2, values->end());
  return (*values)[kRounds / 2];
}

// An adapter that refuses would be a different measurement.
int check() {
  for (const Pair& pair : kPairs) {
    if (pair.adapted(1) == 0 && pair.direct(1) == 0) continue;
    std::fprintf(stderr, "%s does not reach MUSA\n", pair.name);
    return 1;
  }
  return 0;
}

int measure(const Pair& pair) {
  std::array<double, kRounds> ours{}, theirs{};
  pair.adapted(1);  // The first call resolves; see the note on `hot` in README.md.
  for (std::size_t i = 0; i < kRounds; ++i) {
    ours[i] = nanoseconds(pair.adapted);
    theirs[i] = nanoseconds(pair.direct);
  }
  const double numbers[] = {median(&ours), median(&theirs)};
  return std::fwrite(numbers, sizeof numbers, 1, stdout) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (std::strcmp(argv[1], "check") == 0) return check();
  for (const Pair& pair : kPairs) {
    if (std::strcmp(argv[1], pair.name) == 0) return measure(pair);
  }
  return 2;
}
