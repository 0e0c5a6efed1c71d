// A program with its own BLAS beside muBLAS: neither may get the other's functions.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mublas.h>

#include <algorithm>
#include <filesystem>

#include "tests/host/shared/device.h"

namespace {

int calls_of_own_blas = 0;

template <typename Function>
Function* loaded(const char* name) {
  static void* const library = dlopen(LIBRARY_FILE, RTLD_NOW | RTLD_GLOBAL);
  EXPECT_NE(library, nullptr) << dlerror();
  auto* const function = reinterpret_cast<Function*>(dlsym(library, name));
  EXPECT_NE(function, nullptr) << name;
  return function;
}

std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

}  // namespace

extern "C" {

void cblas_sgemm() { ++calls_of_own_blas; }
void sgemm_() { ++calls_of_own_blas; }
void openblas_set_num_threads() { ++calls_of_own_blas; }

}  // extern "C"

namespace {

TEST(MublasIsolation, ComputesWithItsOwnBlas) {
  mublasHandle_t handle = nullptr;
  ASSERT_EQ(loaded<decltype(mublasCreate)>("mublasCreate")(&handle), MUBLAS_STATUS_SUCCESS);
  const host_tests::DeviceArray<float> a({1, 2, 3, 4}), b({1, 0, 0, 1}), c({0, 0, 0, 0});
  const float one = 1, zero = 0;
  EXPECT_EQ(
      loaded<decltype(mublasSgemm)>("mublasSgemm")(handle, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, 2, &one,
                                                   a.data(), 2, b.data(), 2, &zero, c.data(), 2),
      MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(musaStreamSynchronize(nullptr), musaSuccess);
  EXPECT_EQ(c.values(), a.values());
  EXPECT_EQ(calls_of_own_blas, 0);
  EXPECT_EQ(loaded<decltype(mublasDestroy)>("mublasDestroy")(handle), MUBLAS_STATUS_SUCCESS);
}

TEST(MublasIsolation, LeavesTheProgramItsOwnBlas) {
  loaded<decltype(mublasCreate)>("mublasCreate");
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "cblas_sgemm"), reinterpret_cast<void*>(cblas_sgemm));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "sgemm_"), reinterpret_cast<void*>(sgemm_));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "cblas_dgemm"), nullptr);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "dgemm_"), nullptr);
}

TEST(MublasIsolation, StartsNoThreads) {
  const auto before = threads();
  loaded<decltype(mublasCreate)>("mublasCreate");
  EXPECT_EQ(threads(), before);
}

}  // namespace
