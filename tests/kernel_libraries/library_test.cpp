// Libraries of device code that a program loads through the runtime, and handles of kernels.
#include "tests/kernel_libraries/program.h"

#if CUDA_MAJOR >= 12

#include <fstream>
#include <iterator>

namespace {

constexpr const char* kPtx = ".version 7.0\n.target sm_70\n";

class Libraries : public Program {
 protected:
  static cudaError_t load(cudaLibrary_t* library, const void* code) {
    return cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  }
  static const void* as_host(cudaKernel_t kernel) { return reinterpret_cast<const void*>(kernel); }

  // The line that a failing call prints.
  template <typename Call>
  static std::string line_of(cudaError_t error, Call call) {
    testing::internal::CaptureStderr();
    EXPECT_ERROR(error, call());
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Libraries, OfNvidiasCodeKnowNames) {
  cudaLibrary_t library = nullptr;
  ASSERT_OK(load(&library, kPtx));
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z6secondPi"));
  EXPECT_EQ(2, result_of(as_host(kernel)));
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z6hiddenPi"));
  EXPECT_EQ(61, result_of(as_host(kernel)));
  void* address = nullptr;
  size_t bytes = 0;
  ASSERT_OK(cudaLibraryGetGlobal(&address, &bytes, library, "table"));
  EXPECT_EQ(16u, bytes);
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), read<int>(address, 4));
  ASSERT_OK(cudaLibraryGetGlobal(nullptr, &bytes, library, "table"));
  const std::string said =
      line_of(kNoImage, [&] { return cudaLibraryGetKernel(&kernel, library, "_Z6absentPi"); });
  EXPECT_NE(
      std::string::npos,
      said.find("cudaLibraryGetKernel is not supported with name=absent(int*): it is in none "
                "of the 2 kernel libraries of TORCHADA_KERNELS: make an image from its source "
                "(torchada kernels build) and name it too; returning "
                "cudaErrorNoKernelImageForDevice (209)\n"))
      << said;
  EXPECT_ERROR(kNoImage, cudaLibraryGetGlobal(&address, &bytes, library, "absent"));
  ASSERT_OK(cudaLibraryUnload(library));
  EXPECT_NE(cudaSuccess, cudaLibraryGetKernel(&kernel, library, "_Z6secondPi"));
  EXPECT_NE(cudaSuccess, cudaLibraryUnload(library));
  static_cast<void>(cudaGetLastError());
}

TEST_F(Libraries, OfNvidiasFilesKnowNames) {
  const std::string path = testing::TempDir() + "kernels-" + std::to_string(getpid()) + ".ptx";
  std::ofstream(path) << kPtx;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(
      cudaLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z6secondPi"));
  EXPECT_EQ(2, result_of(as_host(kernel)));
  EXPECT_OK(cudaLibraryUnload(library));
  EXPECT_EQ(0, remove(path.c_str()));
  EXPECT_NE(cudaSuccess, cudaLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0,
                                                 nullptr, nullptr, 0));
}

// MUSA's own code needs no kernel library.
TEST_F(Libraries, OfMusasCode) {
  unsetenv("TORCHADA_KERNELS");
  std::ifstream file(FIRST_IMAGE, std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  cudaLibrary_t library = nullptr;
  ASSERT_OK(load(&library, image.data()));
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z3sumPi"));
  EXPECT_EQ(510, result_of(as_host(kernel)));
  const char* name = nullptr;
  ASSERT_OK(cudaFuncGetName(&name, as_host(kernel)));
  EXPECT_STREQ("_Z3sumPi", name);
  EXPECT_ERROR(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&kernel, library, "_Z6absentPi"));
  void* table = nullptr;
  ASSERT_OK(cudaLibraryGetGlobal(&table, nullptr, library, "table"));
  const int values[4] = {10, 20, 30, 40};
  ASSERT_OK(cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice));
  EXPECT_EQ(600, result_of(as_host(kernel)));
  // A graph takes and tells the handle.
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  const Buffer out(sizeof(int));
  void* address = out;
  void* arguments[] = {&address};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = params.blockDim = {1, 1, 1};
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaKernelNodeParams told{};
  ASSERT_OK(cudaGraphKernelNodeGetParams(node, &told));
  EXPECT_EQ(params.func, told.func);
  EXPECT_OK(cudaGraphDestroy(graph));
  ASSERT_OK(cudaLibraryUnload(library));
  EXPECT_NE(cudaSuccess, start(as_host(kernel), out.bytes()));
  EXPECT_NE(cudaSuccess, cudaLibraryUnload(library));
}

TEST_F(Libraries, WithoutKernelLibrariesAreRefused) {
  unsetenv("TORCHADA_KERNELS");
  cudaLibrary_t library = nullptr;
  const std::string said = line_of(kNoImage, [&] { return load(&library, kPtx); });
  EXPECT_NE(
      std::string::npos,
      said.find("cudaLibraryLoadData is not supported with code=PTX: NVIDIA's device code "
                "does not run on MUSA: make an image from its source (torchada kernels build) and "
                "start the program with torchada run --kernels=IMAGE; returning "
                "cudaErrorNoKernelImageForDevice (209)\n"))
      << said;
}

TEST_F(Libraries, RefuseWhatMusaLacks) {
  cudaLibrary_t library = nullptr;
  cudaLibraryOption option = cudaLibraryHostUniversalFunctionAndDataTable;
  void* value = nullptr;
  const auto load_with_option = [&] {
    return cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, &option, &value, 1);
  };
  EXPECT_NE(std::string::npos,
            line_of(cudaErrorNotSupported, load_with_option)
                .find("libraryOptions=cudaLibraryHostUniversalFunctionAndDataTable"));
  option = static_cast<cudaLibraryOption>(77);
  EXPECT_ERROR(cudaErrorInvalidValue, load_with_option());
  option = cudaLibraryBinaryIsPreserved;
  ASSERT_OK(load_with_option());
  unsigned count = 0;
  EXPECT_ERROR(cudaErrorNotSupported, cudaLibraryGetKernelCount(&count, library));
  void* managed = nullptr;
  EXPECT_ERROR(cudaErrorNotSupported, cudaLibraryGetManaged(&managed, nullptr, library, "managed"));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaLibraryGetKernel(nullptr, library, "_Z6secondPi"));
  cudaKernel_t kernel = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaLibraryGetKernel(&kernel, library, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, load(nullptr, kPtx));
  EXPECT_ERROR(cudaErrorInvalidValue, load(&library, nullptr));
}

// A handle is good for every function that takes a kernel.
TEST_F(Libraries, GiveHandlesLikeThoseOfRegisteredKernels) {
  cudaLibrary_t library = nullptr;
  ASSERT_OK(load(&library, kPtx));
  cudaKernel_t kernel = nullptr, registered = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z3addPii"));
  ASSERT_OK(cudaGetKernel(&registered, &add));
  EXPECT_EQ(registered, kernel);
  const char* name = nullptr;
  ASSERT_OK(cudaFuncGetName(&name, as_host(kernel)));
  EXPECT_STREQ("_Z3addPii", name);
  cudaFuncAttributes attributes{};
  ASSERT_OK(cudaFuncGetAttributes(&attributes, as_host(kernel)));
  EXPECT_EQ(256, attributes.maxThreadsPerBlock);
  const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  ASSERT_OK(cudaKernelSetAttributeForDevice(kernel, most, 4000, 0));
  ASSERT_OK(cudaFuncGetAttributes(&attributes, &add));
  EXPECT_EQ(4000, attributes.maxDynamicSharedSizeBytes);
  const std::string said = line_of(cudaErrorNotSupported, [&] {
    return cudaKernelSetAttributeForDevice(kernel, most, 4000, 7);
  });
  EXPECT_NE(std::string::npos,
            said.find("cudaKernelSetAttributeForDevice is not supported with device=7"))
      << said;
  int blocks = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, as_host(kernel), 64, 0));
  EXPECT_LT(0, blocks);
}

// Only a program with the handle of a kernel that it did not register has nothing else to be told.
TEST_F(Libraries, GiveKernelsToGraphs) {
  cudaLibrary_t library = nullptr;
  ASSERT_OK(load(&library, kPtx));
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_ZL4bothPi"));
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  const Buffer out(sizeof(int));
  void* address = out;
  void* arguments[] = {&address};
  cudaKernelNodeParams params{}, told{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = params.blockDim = {1, 1, 1};
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  ASSERT_OK(cudaGraphKernelNodeGetParams(node, &told));
  EXPECT_EQ(params.func, told.func);
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT_EQ(1, read_int(out));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

// Neither a kernel nor what was unloaded, nor a neighbour or other memory, is a library.
void expect_no_library(const std::vector<void*>& others) {
  for (void* other : others) {
    auto* const handle = static_cast<cudaLibrary_t>(other);
    cudaKernel_t kernel = nullptr;
    void* address = nullptr;
    EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaLibraryGetKernel(&kernel, handle, "_Z3sumPi"));
    EXPECT_ERROR(cudaErrorInvalidResourceHandle,
                 cudaLibraryGetGlobal(&address, nullptr, handle, "table"));
    EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaLibraryUnload(handle));
  }
}

TEST_F(Libraries, AreNothingElse) {
  std::ifstream file(FIRST_IMAGE, std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  for (const char* code : {kPtx, image.c_str()}) {
    cudaLibrary_t library = nullptr, gone = nullptr;
    cudaKernel_t kernel = nullptr;
    ASSERT_OK(load(&gone, code));
    ASSERT_OK(cudaLibraryUnload(gone));
    ASSERT_OK(load(&library, code));
    ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z3sumPi"));
    char memory[64] = {};
    expect_no_library({kernel, gone, memory, reinterpret_cast<char*>(library) + 8});
    EXPECT_EQ(510, result_of(as_host(kernel)));
    EXPECT_OK(cudaLibraryUnload(library));
  }
}

TEST_F(Libraries, AfterAReset) {
  cudaLibrary_t library = nullptr;
  ASSERT_OK(load(&library, kPtx));
  cudaKernel_t kernel = nullptr;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(cudaLibraryGetKernel(&kernel, library, "_Z6secondPi"));
    EXPECT_EQ(2, result_of(as_host(kernel)));
    ASSERT_OK(cudaDeviceReset());
  }
}

}  // namespace

#endif
