// The handle of a cuBLASLt call: its own, or a cuBLAS handle.
#include <dlfcn.h>

#include <fstream>
#include <set>
#include <thread>

#include "tests/conformance/cublasLt_fixture.h"

namespace {

// Computes 3 * 5 with a handle, on the current device.
cublasStatus_t multiply(cublasLtHandle_t handle, float* product) {
  const Description description;
  const Layout layout(kFloat32, 1, 1, 1);
  const Buffer memory(12);
  const float factors[] = {3, 5, 0};
  EXPECT_OK(cudaMemcpy(memory, factors, 12, cudaMemcpyHostToDevice));
  auto* const numbers = reinterpret_cast<float*>(memory.bytes());
  const float one = 1;
  const float zero = 0;
  const cublasStatus_t status =
      cublasLtMatmul(handle, description, &one, numbers, layout, numbers + 1, layout, &zero,
                     numbers + 2, layout, numbers + 2, layout, nullptr, nullptr, 0, nullptr);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(product, numbers + 2, 4, cudaMemcpyDeviceToHost));
  return status;
}

void expect_works(cublasLtHandle_t handle) {
  float product = 0;
  EXPECT_CUBLASLT(SUCCESS, multiply(handle, &product));
  EXPECT_EQ(15, product);
}

TEST(LightHandles, cublasLtCreate_refuses_null) {
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtCreate(nullptr));
}

TEST(LightHandles, cublasLtCreate_gives_each_its_own) {
  std::set<cublasLtHandle_t> seen;
  std::vector<cublasLtHandle_t> handles(100);
  for (cublasLtHandle_t& handle : handles) {
    ASSERT_LIGHT_OK(cublasLtCreate(&handle));
    EXPECT_TRUE(seen.insert(handle).second);
  }
  expect_works(handles.front());
  expect_works(handles.back());
  for (const cublasLtHandle_t handle : handles) EXPECT_CUBLASLT(SUCCESS, cublasLtDestroy(handle));
}

TEST(LightHandles, cublasLtDestroy_takes_only_what_was_created) {
  cublasLtHandle_t handle = nullptr;
  ASSERT_LIGHT_OK(cublasLtCreate(&handle));
  EXPECT_CUBLASLT(SUCCESS, cublasLtDestroy(handle));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtDestroy(handle));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtDestroy(nullptr));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtDestroy(reinterpret_cast<cublasLtHandle_t>(not_an_object)));
}

// A destroyed handle is none, until its address is that of another, for example of cuBLAS.
TEST(LightHandles, cublasLtDestroy_leaves_the_address_to_others) {
  cublasLtHandle_t handle = nullptr;
  ASSERT_LIGHT_OK(cublasLtCreate(&handle));
  expect_works(handle);
  EXPECT_CUBLASLT(SUCCESS, cublasLtDestroy(handle));
  float product = 0;
  EXPECT_CUBLASLT(NOT_INITIALIZED, multiply(handle, &product));
  const LightHandle of_cublas(LightHandle::kOfCublas);
  expect_works(of_cublas);
}

TEST(LightHandles, cublasLtMatmul_takes_cublas_handles_after_each_other) {
  for (int i = 0; i < 3; ++i) {
    const LightHandle handle(LightHandle::kOfCublas);
    expect_works(handle);
  }
}

TEST(LightHandles, cublasLtMatmul_takes_a_cublas_handle_of_each_device) {
  for (const int device : {0, 1, 0}) {
    ASSERT_OK(cudaSetDevice(device));
    const LightHandle handle(LightHandle::kOfCublas);
    expect_works(handle);
  }
  EXPECT_OK(cudaSetDevice(0));
}

TEST(LightHandles, cublasLtMatmul_takes_any_handle_in_many_threads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      for (int round = 0; round < 20; ++round) {
        const LightHandle handle((i + round) % 2 == 0 ? LightHandle::kOfLt
                                                      : LightHandle::kOfCublas);
        expect_works(handle);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Programs that open only libcublas look up cuBLASLt functions there.
TEST(LightHandles, cublasLtCreate_and_all_other_names_are_found_on_the_handle_of_libcublas) {
  void* const library = dlopen("libcublas.so." CUDA_MAJOR_TEXT, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(nullptr, library) << dlerror();
  std::ifstream golden(GOLDEN_FOLDER "/libcublasLt.so." CUDA_MAJOR_TEXT ".symbols");
  int count = 0;
  for (std::string line; std::getline(golden, line);) {
    const size_t start = line.find("cublasLt");
    if (start == std::string::npos) continue;
    const size_t end = line.find_first_of(" @\t", start);
    const std::string name = line.substr(start, end == std::string::npos ? end : end - start);
    ++count;
    EXPECT_NE(nullptr, dlsym(library, name.c_str())) << name;
  }
  EXPECT_GT(count, 170);
  const auto create = reinterpret_cast<decltype(&cublasLtCreate)>(dlsym(library, "cublasLtCreate"));
  ASSERT_NE(nullptr, create);
  cublasLtHandle_t handle = nullptr;
  ASSERT_LIGHT_OK(create(&handle));
  expect_works(handle);
  EXPECT_CUBLASLT(SUCCESS, cublasLtDestroy(handle));
}

}  // namespace
