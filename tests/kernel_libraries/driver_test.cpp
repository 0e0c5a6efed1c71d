// Modules and libraries of NVIDIA's images, which stand for what kernel libraries have.
#include "tests/kernel_libraries/modules.h"

namespace {

TEST_F(Modules, GiveKernels) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z3addPii"));
  const CUdeviceptr data = allocate(sizeof(int));
  EXPECT_CU(start(function, data, 5));
  EXPECT_EQ(5, read_int(data));
  // The arguments in one piece.
  struct {
    CUdeviceptr data;
    int value;
  } arguments{data, 30};
  size_t size = sizeof arguments;
  void* extra[] = {reinterpret_cast<void*>(1), &arguments, reinterpret_cast<void*>(2), &size,
                   nullptr};
  EXPECT_CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_EQ(35, read_int(data));
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  EXPECT_EQ(2, result_of(function));
  EXPECT_CU(cuModuleUnload(module));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, module, "_Z3addPii"));
  EXPECT_NE(CUDA_SUCCESS, cuModuleUnload(module));
}

TEST_F(Modules, GiveVariables) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadDataEx(&module, kPtx, 0, nullptr, nullptr));
  CUdeviceptr table = 0;
  size_t bytes = 0;
  ASSERT_CU(cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
  EXPECT_EQ(16u, bytes);
  ASSERT_CU(cuModuleGetGlobal_v2(&table, nullptr, module, "table"));
  ASSERT_CU(cuMemsetD32_v2(table, 100, 4));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z3sumPi"));
  EXPECT_EQ(900, result_of(function));
  testing::internal::CaptureStderr();
  EXPECT_EQ(kNoBinary, cuModuleGetGlobal_v2(&table, &bytes, module, "nowhere"));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find(
                                   "cuModuleGetGlobal_v2 is not supported with name=nowhere: it is "
                                   "in none of the 2 kernel libraries of TORCHADA_KERNELS"));
}

TEST_F(Modules, RefuseNamesThatAreNowhere) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(kNoBinary, cuModuleGetFunction(&function, module, "_Z7nowherePi"));
  const std::string long_name(3000, 'x');
  EXPECT_EQ(kNoBinary, cuModuleGetFunction(&function, module, long_name.c_str()));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(
      std::string::npos,
      said.find("cuModuleGetFunction is not supported with name=nowhere(int*): it is in none "
                "of the 2 kernel libraries of TORCHADA_KERNELS: make an image from its source "
                "(torchada kernels build) and name it too; returning CUDA_ERROR_NO_BINARY_FOR_GPU "
                "(209)\n"))
      << said;
  EXPECT_NE(std::string::npos, said.find("xxx...: it is in none of")) << said;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&function, module, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(nullptr, module, "_Z3addPii"));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(nullptr, kPtx));
}

TEST_F(Modules, AreNotMusas) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  CUmodule owner = nullptr;
  expect_refused("cuFuncGetModule is not supported with hfunc=(from a kernel library)",
                 [&] { return cuFuncGetModule(&owner, function); });
  CUtexref texture = nullptr;
  expect_refused("cuModuleGetTexRef is not supported with hmod=",
                 [&] { return cuModuleGetTexRef(&texture, module, "texture"); });
  CUsurfref surface = nullptr;
  expect_refused("cuModuleGetSurfRef is not supported with hmod=",
                 [&] { return cuModuleGetSurfRef(&surface, module, "surface"); });
  int value = 0;
  EXPECT_CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(256, value);
}

TEST_F(Modules, OfTheirContext) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUcontext other = nullptr;
  ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
  // The module's context is not the current one; the function is still one of its own.
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  CUmodule own = nullptr;
  CUfunction in_other = nullptr;
  ASSERT_CU(cuModuleLoadData(&own, kPtx));
  ASSERT_CU(cuModuleGetFunction(&in_other, own, "_Z6secondPi"));
  EXPECT_NE(function, in_other);
  EXPECT_EQ(2, result_of(in_other));
  ASSERT_CU(cuCtxSetCurrent(context_));
  EXPECT_EQ(2, result_of(function));
  // A new context may get the handle of the destroyed one. It has nothing of it.
  for (int i = 0; i < 4; ++i) {
    ASSERT_CU(cuCtxDestroy_v2(other));
    ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
    ASSERT_CU(cuModuleLoadData(&own, kPtx));
    ASSERT_CU(cuModuleGetFunction(&in_other, own, "_Z6secondPi"));
    EXPECT_EQ(2, result_of(in_other));
  }
  ASSERT_CU(cuCtxDestroy_v2(other));
  ASSERT_CU(cuCtxSetCurrent(context_));
}

TEST_F(Modules, AfterAReset) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  EXPECT_EQ(2, result_of(function));
  ASSERT_CU(cuDevicePrimaryCtxReset_v2(0));
  ASSERT_CU(cuDevicePrimaryCtxRetain(&context_, 0));
  ASSERT_CU(cuCtxSetCurrent(context_));
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  EXPECT_EQ(2, result_of(function));
}

// The driver ends the context in which the runtime has kernels, and the other way round.
TEST_F(Modules, BesideTheRuntime) {
  const Module registered;
  registered.kernel(&second, "_Z6secondPi");
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  for (int i = 0; i < 3; ++i) {
    void* out = nullptr;
    ASSERT_OK(cudaMalloc(&out, sizeof(int)));
    void* arguments[] = {&out};
    ASSERT_OK(cudaLaunchKernel(&second, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr));
    ASSERT_OK(cudaDeviceSynchronize());
    EXPECT_EQ(2, read_int(address_of(out)));
    ASSERT_CU(cuModuleLoadData(&module, kPtx));
    ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
    EXPECT_EQ(2, result_of(function));
    if (i == 0) {
      ASSERT_CU(cuDevicePrimaryCtxReset_v2(0));
    } else {
      ASSERT_OK(cudaDeviceReset());
    }
    ASSERT_CU(cuDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_CU(cuCtxSetCurrent(context_));
  }
}

TEST_F(Modules, AsLibraries) {
  CUlibrary library = nullptr;
  ASSERT_CU(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  ASSERT_CU(cuLibraryGetKernel(&kernel, library, "_Z6hiddenPi"));
  CUfunction function = nullptr;
  ASSERT_CU(cuKernelGetFunction(&function, kernel));
  EXPECT_EQ(61, result_of(function));
  CUdeviceptr table = 0;
  size_t bytes = 0;
  ASSERT_CU(cuLibraryGetGlobal(&table, &bytes, library, "table"));
  EXPECT_EQ(16u, bytes);
  CUmodule module = nullptr;
  ASSERT_CU(cuLibraryGetModule(&module, library));
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  CUlibrary owner = nullptr;
  expect_refused("cuKernelGetLibrary is not supported with kernel=(from a kernel library)",
                 [&] { return cuKernelGetLibrary(&owner, kernel); });
  EXPECT_EQ(kNoBinary, cuLibraryGetKernel(&kernel, library, "_Z7nowherePi"));
  EXPECT_CU(cuLibraryUnload(library));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
}

// nvrtcGetPTXSize counts the zero that ends a text, and programs write it into files.
TEST_F(Modules, LoadFilesThatEndWithAZero) {
  unsetenv("TORCHADA_KERNELS");
  std::string image = content_of(FIRST_IMAGE) + '\0';
  const std::string path = testing::TempDir() + "image-" + std::to_string(getpid()) + ".ptx";
  std::ofstream(path, std::ios::binary) << image;
  CUmodule module = nullptr;
  EXPECT_CU(cuModuleLoad(&module, path.c_str()));
  EXPECT_CU(cuModuleLoadData(&module, image.data()));
  CUlibrary library = nullptr;
  EXPECT_CU(
      cuLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaLibrary_t runtimes = nullptr;
  EXPECT_OK(
      cudaLibraryLoadFromFile(&runtimes, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  for (const bool from_file : {true, false}) {
    CUlinkState link = nullptr;
    ASSERT_CU(cuLinkCreate_v2(0, nullptr, nullptr, &link));
    EXPECT_CU(from_file
                  ? cuLinkAddFile_v2(link, CU_JIT_INPUT_PTX, path.c_str(), 0, nullptr, nullptr)
                  : cuLinkAddData_v2(link, CU_JIT_INPUT_PTX, image.data(), image.size(), nullptr, 0,
                                     nullptr, nullptr));
    void* linked = nullptr;
    size_t size = 0;
    ASSERT_CU(cuLinkComplete(link, &linked, &size));
    ASSERT_CU(cuModuleLoadData(&module, linked));
    CUfunction function = nullptr;
    ASSERT_CU(cuModuleGetFunction(&function, module, "_Z3sumPi"));
    EXPECT_EQ(510, result_of(function));
    EXPECT_CU(cuLinkDestroy(link));
  }
  EXPECT_EQ(0, remove(path.c_str()));
}

// Where the size can be known: the arguments in one piece have one.
TEST_F(Modules, CheckTheSizeOfArguments) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z3addPii"));
  const CUdeviceptr data = allocate(sizeof(int));
  const struct {
    CUdeviceptr data;
    int value;
    char more[52];
  } arguments{data, 30, {}};
  size_t size = 12;
  void* extra[] = {reinterpret_cast<void*>(1),
                   const_cast<void*>(static_cast<const void*>(&arguments)),
                   reinterpret_cast<void*>(2), &size, nullptr};
  const auto launch = [&](void** pointers, void** pieces) {
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, pieces);
  };
  EXPECT_CU(launch(nullptr, extra));
  for (const size_t wrong : {size_t{0}, size_t{8}, size_t{11}, size_t{32}, size_t{64}}) {
    size = wrong;
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(nullptr, extra)) << wrong;
  }
  size = 12;
  int value = 1;
  void* pointers[] = {const_cast<CUdeviceptr*>(&arguments.data), &value};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(pointers, extra)) << "both ways at once";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(nullptr, nullptr));
  EXPECT_EQ(30, read_int(data)) << "a refused launch ran";
  // The same in a node of a graph.
  CUgraph graph = nullptr;
  ASSERT_CU(cuGraphCreate(&graph, 0));
  CUDA_KERNEL_NODE_PARAMS params{};
  params.func = function;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.extra = extra;
  CUgraphNode node = nullptr;
  size = 8;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &params));
  size = 12;
  EXPECT_CU(cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &params));
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(Modules, UnloadedWhileTheirKernelsRun) {
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUfunction function = nullptr;
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z8wait_forPi"));
  const KernelGate gate;
  const Stream stream(cudaStreamNonBlocking);
  void* flags = gate.flags();
  void* pointers[] = {&flags};
  ASSERT_CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, pointers, nullptr));
  gate.wait_for_the_kernel();
  EXPECT_CU(cuModuleUnload(module));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, module, "_Z8wait_forPi"));
  EXPECT_EQ(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  // Another module has the same kernels meanwhile.
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  ASSERT_CU(cuModuleGetFunction(&function, module, "_Z6secondPi"));
  CUstream other = nullptr;
  ASSERT_CU(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr out = address_of(flags) + sizeof(int);
  CUdeviceptr argument = out;
  void* arguments[] = {&argument};
  EXPECT_CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, other, arguments, nullptr));
  EXPECT_CU(cuStreamSynchronize(other));
  EXPECT_CU(cuStreamDestroy_v2(other));
  EXPECT_EQ(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  gate.open();
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(2, read_int(out));
  EXPECT_CU(cuModuleUnload(module));
}

// Each has variables of its own, and one does not wait for the other's kernels.
TEST_F(Modules, InTwoContexts) {
  CUcontext other = nullptr;
  ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
  const auto function_in = [](CUcontext context, const char* name) {
    EXPECT_CU(cuCtxSetCurrent(context));
    CUmodule module = nullptr;
    EXPECT_CU(cuModuleLoadData(&module, kPtx));
    CUfunction function = nullptr;
    EXPECT_CU(cuModuleGetFunction(&function, module, name));
    return function;
  };
  EXPECT_EQ(510, result_of(function_in(context_, "_Z3sumPi")));
  EXPECT_EQ(510, result_of(function_in(other, "_Z3sumPi")));
  CUmodule module = nullptr;
  ASSERT_CU(cuModuleLoadData(&module, kPtx));
  CUdeviceptr table = 0;
  ASSERT_CU(cuModuleGetGlobal_v2(&table, nullptr, module, "table"));
  ASSERT_CU(cuMemsetD32_v2(table, 100, 4));
  EXPECT_EQ(900, result_of(function_in(other, "_Z3sumPi")));
  EXPECT_EQ(510, result_of(function_in(context_, "_Z3sumPi")));
  const CUfunction sum = function_in(context_, "_Z3sumPi");
  const CUdeviceptr out = allocate(sizeof(int));
  const CUfunction wait_for = function_in(other, "_Z8wait_forPi");
  const CUdeviceptr flags = allocate(2 * sizeof(int));
  CUdeviceptr argument = flags;
  void* arguments[] = {&argument};
  CUstream kernels = nullptr, copies = nullptr;
  ASSERT_CU(cuStreamCreate(&kernels, CU_STREAM_NON_BLOCKING));
  ASSERT_CU(cuStreamCreate(&copies, CU_STREAM_NON_BLOCKING));
  EXPECT_CU(cuLaunchKernel(wait_for, 1, 1, 1, 1, 1, 1, 0, kernels, arguments, nullptr));
  ASSERT_CU(cuCtxSetCurrent(context_));
  EXPECT_CU(start(sum, out));
  EXPECT_EQ(510, read_int(out));
  ASSERT_CU(cuCtxSetCurrent(other));
  EXPECT_EQ(CUDA_ERROR_NOT_READY, cuStreamQuery(kernels));
  EXPECT_CU(cuMemsetD32Async(flags, 1, 1, copies));
  EXPECT_CU(cuStreamSynchronize(kernels));
  ASSERT_CU(cuCtxDestroy_v2(other));
  EXPECT_EQ(510, result_of(function_in(context_, "_Z3sumPi")));
}

TEST_F(Modules, ThousandsOfThem) {
  std::vector<CUmodule> modules(5000);
  for (CUmodule& module : modules) ASSERT_CU(cuModuleLoadData(&module, kPtx));
  for (CUmodule module : modules) ASSERT_CU(cuModuleUnload(module));
}

TEST_F(Modules, NeedAContext) {
  ASSERT_CU(cuCtxSetCurrent(nullptr));
  CUmodule module = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(&module, kPtx));
  ASSERT_CU(cuCtxSetCurrent(context_));
}

TEST_F(Modules, WithoutTheVariableTheyAreRefused) {
  unsetenv("TORCHADA_KERNELS");
  CUmodule module = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(kNoBinary, cuModuleLoadData(&module, kPtx));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find(
                                   "cuModuleLoadData is not supported with image=PTX: NVIDIA's "
                                   "device code does not run on MUSA"));
}

}  // namespace
