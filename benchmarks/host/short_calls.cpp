// What the stand-in takes for calls whose work is short: in nanoseconds, and with the argument
// --count for callgrind to count instructions (instructions_test.py). Where the work is OpenBLAS's,
// what OpenBLAS takes by itself is subtracted.
#include <cblas.h>
#include <mublas.h>
#include <musa_runtime_api.h>
#include <semaphore.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/results.h"
#include "benchmarks/samples.h"

// Callgrind writes its counts whenever this is entered.
extern "C" __attribute__((noinline)) void instructions_mark() { asm volatile("" ::: "memory"); }

namespace {

using Work = std::function<void()>;

struct Case {
  std::string name;
  double at_most;  // Nanoseconds; 0 for no expectation.
  int calls;
  Work ours, theirs;  // One call each; `theirs` may be empty.
};

void check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

void finish() { check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize"); }

musaStream_t stream() {
  musaStream_t made = nullptr;
  check(musaStreamCreate(&made) == musaSuccess, "musaStreamCreate");
  return made;
}

Case enqueue(musaStream_t stream) {
  return {"enqueue of an empty operation",
          200,
          20000,
          [=] {
            const auto nothing = [](void*) {};
            check(musaLaunchHostFunc(stream, nothing, nullptr) == musaSuccess,
                  "musaLaunchHostFunc");
          },
          {}};
}

// Whole numbers, so that sums are exact.
float* matrix(int n) {
  const std::size_t count = static_cast<std::size_t>(n) * n;
  void* memory = nullptr;
  check(musaMalloc(&memory, count * sizeof(float)) == musaSuccess, "musaMalloc");
  auto* const numbers = static_cast<float*>(memory);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 17) - 8.0F;
  return numbers;
}

Case sgemm(int n) {
  const float* const a = matrix(n);
  const float* const b = matrix(n);
  float* const c = matrix(n);
  mublasHandle_t handle = nullptr;
  check(mublasCreate(&handle) == MUBLAS_STATUS_SUCCESS, "mublasCreate");
  return {"sgemm, n = " + std::to_string(n) + ", more than OpenBLAS", 300, 1000,
          [=] {
            const float one = 1.0F;
            const float zero = 0.0F;
            check(mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c,
                              n) == MUBLAS_STATUS_SUCCESS,
                  "mublasSgemm");
          },
          [=] {
            cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0F, a, n, b, n, 0.0F,
                        c, n);
          }};
}

Case allocation() {
  return {"malloc and free of 4 MiB",
          0,
          200,
          [] {
            void* memory = nullptr;
            check(musaMalloc(&memory, std::size_t{4} << 20) == musaSuccess, "musaMalloc");
            check(musaFree(memory) == musaSuccess, "musaFree");
          },
          {}};
}

void* device_memory(std::size_t bytes) {
  void* memory = nullptr;
  check(musaMalloc(&memory, bytes) == musaSuccess, "musaMalloc");
  return memory;
}

Case attributes() {
  void* const memory = device_memory(4096);
  return {"attributes of a pointer",
          0,
          20000,
          [=] {
            musaPointerAttributes told;
            check(musaPointerGetAttributes(&told, memory) == musaSuccess,
                  "musaPointerGetAttributes");
          },
          {}};
}

Case small_copy() {
  void* const to = device_memory(4096);
  void* from = nullptr;
  check(musaMallocHost(&from, 4096) == musaSuccess, "musaMallocHost");
  return {"copy of 256 bytes to the device",
          0,
          5000,
          [=] {
            check(musaMemcpy(to, from, 256, musaMemcpyHostToDevice) == musaSuccess, "musaMemcpy");
          },
          {}};
}

Case stream_allocation(musaStream_t stream) {
  return {"mallocAsync and freeAsync of 256 bytes",
          0,
          500,
          [=] {
            void* memory = nullptr;
            check(musaMallocAsync(&memory, 256, stream) == musaSuccess, "musaMallocAsync");
            check(musaFreeAsync(memory, stream) == musaSuccess, "musaFreeAsync");
          },
          {}};
}

void repeat(int calls, const Work& call) {
  for (int i = 0; i < calls; ++i) call();
}

// Of one call; with `to_the_end`, until its work is done too.
double nanoseconds(int calls, const Work& call, bool to_the_end) {
  const auto start = std::chrono::steady_clock::now();
  repeat(calls, call);
  if (to_the_end) finish();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
             .count() /
         calls;
}

void measure(const Case& each) {
  constexpr int kRepetitions = 50;
  bench::Samples samples;
  for (int i = -2; i < kRepetitions; ++i) {
    const double ours = nanoseconds(each.calls, each.ours, static_cast<bool>(each.theirs));
    finish();
    const double theirs = each.theirs ? nanoseconds(each.calls, each.theirs, false) : 0;
    if (i >= 0) samples.add(each.name, "call", ours - theirs);
  }
  const bench::Spread spread = samples.spread(each.name, "call");
  std::printf("%-40s %8.0f ns (%.0f-%.0f)", each.name.c_str(), spread.median, spread.low,
              spread.high);
  if (each.at_most != 0) std::printf(", expected at most %.0f", each.at_most);
  std::printf("\n");
  bench::save_result(each.name, "call", "ns", spread, {each.at_most, 0});
}

// Marks before and after each loop; `theirs` has loops of its own.
void count(const Case& each) {
  constexpr int kCalls = 1000;
  for (const Work* work : {&each.ours, &each.theirs}) {
    if (*work) repeat(10, *work);
    instructions_mark();
    if (*work) repeat(kCalls, *work);
    if (each.theirs) finish();  // What another thread does for the call counts.
    instructions_mark();
  }
  std::printf("%s\n", each.name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const musaStream_t used = stream();
  if (argc > 1 && std::strcmp(argv[1], "--count") == 0) {
    // The stream's thread waits meanwhile: what it does is not part of the call.
    sem_t release;
    check(sem_init(&release, 0, 0) == 0, "sem_init");
    const auto wait = [](void* semaphore) { sem_wait(static_cast<sem_t*>(semaphore)); };
    for (const Case& each : {sgemm(16), attributes(), small_copy()}) count(each);
    check(musaLaunchHostFunc(used, wait, &release) == musaSuccess, "musaLaunchHostFunc");
    count(enqueue(used));
    sem_post(&release);
    finish();
    return 0;
  }
  for (const Case& each : {enqueue(used), sgemm(16), sgemm(32), sgemm(64), allocation(),
                           stream_allocation(used), attributes(), small_copy()}) {
    measure(each);
  }
  return 0;
}
