// Prints a sum over the bits of large products, which must not depend on the number of threads.
#include <mublas.h>
#include <musa_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr int kM = 700, kN = 333, kK = 260;  // Not multiples of what a kernel computes together.

template <typename T>
T* device_copy(const std::vector<T>& from) {
  void* out = nullptr;
  musaMalloc(&out, from.size() * sizeof(T));
  std::memcpy(out, from.data(), from.size() * sizeof(T));
  return static_cast<T*>(out);
}

template <typename T, typename Call>
std::uint64_t bits_after(Call call) {
  std::mt19937 dice(7);
  std::uniform_real_distribution<T> number(-1, 1);
  std::vector<T> a(kM * kM), b(kM * kM), c(kM * kM);
  for (std::vector<T>* matrix : {&a, &b, &c}) {
    for (T& one : *matrix) one = number(dice);
  }
  for (int i = 0; i < kM; ++i) a[static_cast<std::size_t>(i) * kM + i] += kM;  // For trsm.
  T* const device_a = device_copy(a);
  T* const device_b = device_copy(b);
  T* const device_c = device_copy(c);
  const T alpha = T(0.7);
  const T beta = T(-0.3);
  if (call(&alpha, device_a, device_b, &beta, device_c) != MUBLAS_STATUS_SUCCESS)
    std::puts("refused");
  musaDeviceSynchronize();
  std::uint64_t sum = 14695981039346656037U;
  for (const T* matrix : {device_b, device_c}) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(matrix);
    for (std::size_t i = 0; i < c.size() * sizeof(T); ++i) sum = (sum ^ bytes[i]) * 1099511628211U;
  }
  return sum;
}

void print(const char* what, std::uint64_t bits) {
  std::printf("%s %016llx\n", what, static_cast<unsigned long long>(bits));
}

}  // namespace

int main() {
  mublasHandle_t handle = nullptr;
  if (mublasCreate(&handle) != MUBLAS_STATUS_SUCCESS) return 1;
  const auto n = MUBLAS_OP_N;
  const auto t = MUBLAS_OP_T;
  const auto left = MUBLAS_SIDE_LEFT;
  const auto right = MUBLAS_SIDE_RIGHT;
  const auto upper = MUBLAS_FILL_MODE_UPPER;
  const auto diagonal = MUBLAS_DIAG_NON_UNIT;
  for (const auto trans_a : {n, t}) {
    for (const auto trans_b : {n, t}) {
      print("sgemm", bits_after<float>([&](auto alpha, auto a, auto b, auto beta, auto c) {
              return mublasSgemm(handle, trans_a, trans_b, kM, kN, kK, alpha, a, kM, b, kM, beta, c,
                                 kM);
            }));
      print("dgemm", bits_after<double>([&](auto alpha, auto a, auto b, auto beta, auto c) {
              return mublasDgemm(handle, trans_a, trans_b, kM, kN, kK, alpha, a, kM, b, kM, beta, c,
                                 kM);
            }));
    }
  }
  for (const auto side : {left, right}) {
    print("ssymm", bits_after<float>([&](auto alpha, auto a, auto b, auto beta, auto c) {
            return mublasSsymm(handle, side, upper, kN, kN, alpha, a, kM, b, kM, beta, c, kM);
          }));
    print("dtrmm", bits_after<double>([&](auto alpha, auto a, auto b, auto, auto c) {
            return mublasDtrmm(handle, side, upper, n, diagonal, kN, kN, alpha, a, kM, b, kM, c,
                               kM);
          }));
    print("dtrsm", bits_after<double>([&](auto alpha, auto a, auto b, auto, auto) {
            return mublasDtrsm(handle, side, upper, n, diagonal, kN, kN, alpha, a, kM, b, kM);
          }));
  }
  print("batch", bits_after<float>([&](auto alpha, auto a, auto b, auto beta, auto c) {
          return mublasSgemmStridedBatched(handle, n, n, 64, 64, 64, alpha, a, 64, 4096, b, 64,
                                           4096, beta, c, 64, 4096, 100);
        }));
  return 0;
}
