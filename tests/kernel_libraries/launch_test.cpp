// Kernels that a program registered with CUDA run from kernel libraries.
#include <thread>

#include "tests/kernel_libraries/program.h"

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                cudaStream_t stream);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                  void* stream);

namespace {

using Launch = Program;

int ones[2] = {1, 1};  // The stand-in's device is the host.

TEST_F(Launch, RunsEveryThread) {
  const Buffer data(1000 * sizeof(int));
  EXPECT_OK(start(&add, {4, 1, 1}, {250, 1, 1}, 0, nullptr, data.bytes(), 7));
  EXPECT_EQ(std::vector<int>(1000, 7), read<int>(data, 1000));
  EXPECT_OK(cudaGetLastError());
}

TEST_F(Launch, PassesTheShape) {
  const Buffer out(7 * sizeof(unsigned));
  EXPECT_OK(start(&shape, {2, 3, 4}, {5, 6, 7}, 1000, nullptr, out.bytes()));
  EXPECT_EQ((std::vector<unsigned>{2, 3, 4, 5, 6, 7, 1000}), read<unsigned>(out, 7));
}

TEST_F(Launch, PassesAStruct) {
  struct Box {
    char c;
    double d;
    int i[3];
  } const box{'x', 2.5, {1, 2, 3}};
  const Buffer out(3 * sizeof(double));
  EXPECT_OK(start(&unpack, box, out.bytes()));
  EXPECT_EQ((std::vector<double>{'x', 2.5, 321}), read<double>(out, 3));
}

TEST_F(Launch, GivesDynamicSharedMemory) {
  const Buffer data(256 * sizeof(int));
  std::vector<int> values(256);
  for (int i = 0; i < 256; ++i) values[static_cast<size_t>(i)] = i;
  ASSERT_OK(cudaMemcpy(data, values.data(), 1024, cudaMemcpyHostToDevice));
  EXPECT_OK(start(&reverse, {1, 1, 1}, {256, 1, 1}, 1024, nullptr, data.bytes()));
  EXPECT_EQ(std::vector<int>(values.rbegin(), values.rend()), read<int>(data, 256));
}

TEST_F(Launch, IsInOrderInAStream) {
  const Stream stream(cudaStreamNonBlocking);
  const Buffer data(256 * sizeof(int));
  for (int i = 1; i <= 100; ++i) {
    ASSERT_OK(start(&add, {1, 1, 1}, {256, 1, 1}, 0, stream, data.bytes(), i));
  }
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(std::vector<int>(256, 5050), read<int>(data, 256));
}

TEST_F(Launch, TakesTheFirstOfTwoImages) {
  testing::internal::CaptureStderr();
  const Buffer data(sizeof(int));
  EXPECT_OK(start(&add, data.bytes(), 3));
  EXPECT_OK(start(&add, data.bytes(), 3));
  EXPECT_EQ(6, read_int(data));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find(": _Z3addPii is in " FIRST_IMAGE
                                         ", which is used, and in " SECOND_IMAGE "\n"))
      << said;
  EXPECT_EQ(said.find("_Z3addPii"), said.rfind("_Z3addPii")) << "told twice";
  EXPECT_EQ(2, result_of(&second));
}

TEST_F(Launch, FindsInternalLinkage) {
  EXPECT_EQ(61, result_of(&hidden));
  EXPECT_EQ(71, result_of(&unnamed));
}

TEST_F(Launch, GuessesNoInternalLinkage) {
  testing::internal::CaptureStderr();
  const Buffer out(sizeof(int));
  EXPECT_ERROR(kNoImage, start(&both, out.bytes()));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos,
            said.find(": _Z4bothPi is a static kernel in both " FIRST_IMAGE " and " SECOND_IMAGE
                      ", so neither is used; name only one of them\n"))
      << said;
}

TEST_F(Launch, RefusesWhatNoImageHas) {
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage, start(&nowhere, nullptr));
  EXPECT_ERROR(kNoImage, start(&nowhere, nullptr));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(
      std::string::npos,
      said.find(
          "cudaLaunchKernel is not supported: kernel nowhere(int*) is in none of the 2 "
          "kernel libraries of TORCHADA_KERNELS: make an image from its source (torchada "
          "kernels build) and name it too; returning cudaErrorNoKernelImageForDevice (209)\n"))
      << said;
  EXPECT_EQ(said.find("nowhere(int*)"), said.rfind("nowhere(int*)")) << "told twice";
}

TEST_F(Launch, RefusesBadShapes) {
  const Buffer data(sizeof(int));
  EXPECT_ERROR(cudaErrorInvalidConfiguration,
               start(&add, {0, 1, 1}, {1, 1, 1}, 0, nullptr, data.bytes(), 1));
  EXPECT_ERROR(cudaErrorInvalidConfiguration,
               start(&add, {1, 1, 1}, {1, 0, 1}, 0, nullptr, data.bytes(), 1));
  EXPECT_EQ(cudaErrorInvalidResourceHandle,
            start(&add, {1, 1, 1}, {1, 1, 1}, 0, bad_stream(), data.bytes(), 1));
  static_cast<void>(cudaGetLastError());
  // An invalid stream must not cost the program its variables.
  EXPECT_OK(start(&add, data.bytes(), 1));
  EXPECT_EQ(1, read_int(data));
}

TEST_F(Launch, RefusesMissingArguments) {
  const Buffer data(sizeof(int));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaLaunchKernel(&add, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
  void* memory = data;
  void* arguments[] = {&memory, nullptr};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaLaunchKernel(&add, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr));
  EXPECT_EQ(0, read_int(data));
}

TEST_F(Launch, BadStreamsKeepVariables) {
  const int values[4] = {10, 20, 30, 40};
  ASSERT_OK(cudaMemcpyToSymbol(table, values, sizeof values, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(600, result_of(&sum));
  const Buffer out(sizeof(int));
  EXPECT_EQ(cudaErrorInvalidResourceHandle,
            start(&sum, {1, 1, 1}, {1, 1, 1}, 0, bad_stream(), out.bytes()));
  static_cast<void>(cudaGetLastError());
  EXPECT_EQ(600, result_of(&sum));
}

TEST_F(Launch, WithAConfiguration) {
  const Stream stream;
  const Buffer out(7 * sizeof(unsigned));
  cudaLaunchConfig_t config{};
  config.gridDim = {3, 2, 1};
  config.blockDim = {8, 4, 2};
  config.dynamicSmemBytes = 64;
  config.stream = stream;
  void* memory = out;
  void* arguments[] = {&memory};
  EXPECT_OK(cudaLaunchKernelExC(&config, &shape, arguments));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ((std::vector<unsigned>{3, 2, 1, 8, 4, 2, 64}), read<unsigned>(out, 7));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  config.gridDim.x = 9;
  EXPECT_OK(cudaLaunchKernelExC(&config, &shape, arguments));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(9u, read<unsigned>(out, 1)[0]);
  testing::internal::CaptureStderr();
  attribute.id = static_cast<cudaLaunchAttributeID>(60);
  EXPECT_ERROR(cudaErrorNotSupported, cudaLaunchKernelExC(&config, &shape, arguments));
  EXPECT_NE("", testing::internal::GetCapturedStderr());
}

// As kernel<<<grid, block, shared, stream>>>(...) does, with a launch in an argument.
TEST_F(Launch, ConfigurationsNest) {
  const Stream stream;
  ASSERT_EQ(0u, __cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 70, stream));
  for (unsigned i = 0; i < 300; ++i) {
    ASSERT_EQ(0u, __cudaPushCallConfiguration({i + 1, 1, 1}, {1, 1, 1}, i, nullptr));
  }
  std::thread other([] {
    dim3 none;
    size_t bytes = 0;
    void* nothing = nullptr;
    EXPECT_ERROR(cudaErrorMissingConfiguration,
                 __cudaPopCallConfiguration(&none, &none, &bytes, &nothing));
    EXPECT_EQ(0u, __cudaPushCallConfiguration({1, 1, 1}, {1, 1, 1}, 0, nullptr));
  });
  other.join();
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t popped = stream;
  for (unsigned i = 300; i-- > 0;) {
    ASSERT_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &popped));
    ASSERT_EQ(i + 1, grid.x);
    ASSERT_EQ(i, shared);
    ASSERT_EQ(nullptr, popped);
  }
  ASSERT_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &popped));
  EXPECT_EQ(3u, grid.z);
  EXPECT_EQ(4u, block.x);
  EXPECT_EQ(70u, shared);
  EXPECT_EQ(stream, popped);
}

TEST_F(Launch, FromManyThreads) {
  const Buffer data(16 * 64 * sizeof(int));
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      auto* const own = data.bytes() + t * 256;
      for (int i = 0; i < 50; ++i) {
        ASSERT_OK(start(&add, {1, 1, 1}, {64, 1, 1}, 0, cudaStreamPerThread, own, 1));
      }
      ASSERT_OK(cudaStreamSynchronize(cudaStreamPerThread));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::vector<int>(16 * 64, 50), read<int>(data, 16 * 64));
}

TEST_F(Launch, AfterAReset) {
  const int values[4] = {10, 20, 30, 40};
  ASSERT_OK(cudaMemcpyToSymbol(table, values, sizeof values, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(600, result_of(&sum));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(cudaDeviceReset());
    // The variables are as in the library again.
    EXPECT_EQ(510, result_of(&sum));
  }
}

// A module that is loaded where another was may have another kernel at the same address.
TEST_F(Launch, AtAnAddressOfAnotherKernel) {
  char kernel = 0;
  for (int round = 0; round < 3; ++round) {
    {
      const Module module;
      module.kernel(&kernel, "_Z3sumPi");
      for (int i = 0; i < 3; ++i) EXPECT_EQ(510, result_of(&kernel));
    }
    const Module module;
    module.kernel(&kernel, "_Z6secondPi");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(2, result_of(&kernel));
  }
}

// The first call after a reset may be one that names a kernel or a variable.
TEST_F(Launch, FirstAfterAReset) {
  EXPECT_EQ(2, result_of(&second));
  ASSERT_OK(cudaDeviceReset());
  cudaFuncAttributes attributes{};
  EXPECT_OK(cudaFuncGetAttributes(&attributes, &add));
  EXPECT_EQ(256, attributes.maxThreadsPerBlock);
  ASSERT_OK(cudaDeviceReset());
  const int values[4] = {10, 20, 30, 40};
  EXPECT_OK(cudaMemcpyToSymbol(table, values, sizeof values, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(600, result_of(&sum));
  ASSERT_OK(cudaDeviceReset());
  EXPECT_OK(start(&wait_for, {1, 1, 1}, {1, 1, 1}, 0, nullptr, ones));
  EXPECT_OK(cudaDeviceSynchronize());
}

// Handles of kernels are taken wherever an address of a kernel is.
TEST_F(Launch, ByAHandle) {
  cudaFunction_t function = nullptr;
  ASSERT_OK(cudaGetFuncBySymbol(&function, &add));
  const Buffer data(sizeof(int));
  EXPECT_OK(start(reinterpret_cast<const void*>(function), data.bytes(), 5));
  EXPECT_EQ(5, read_int(data));
#if CUDA_MAJOR >= 12
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(cudaGetKernel(&kernel, &add));
  EXPECT_OK(start(reinterpret_cast<const void*>(kernel), data.bytes(), 5));
  EXPECT_EQ(10, read_int(data));
#endif
  EXPECT_ERROR(kNoImage, cudaGetFuncBySymbol(&function, &nowhere));
}

}  // namespace
