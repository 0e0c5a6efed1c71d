// Modules and libraries of NVIDIA's images, which stand for what kernel libraries have.
#include <fstream>
#include <iterator>

#include "tests/conformance/cuda_driver.h"
#include "tests/kernel_libraries/program.h"

namespace {

constexpr CUresult kNoBinary = CUDA_ERROR_NO_BINARY_FOR_GPU;
constexpr const char* kPtx = ".version 7.0\n.target sm_70\n";

class Modules : public Driver {
 protected:
  void SetUp() override {
    setenv("TORCHADA_KERNELS", FIRST_IMAGE ":" SECOND_IMAGE, 1);
    Driver::SetUp();
  }
  template <typename... Arguments>
  static CUresult start(CUfunction kernel, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr);
  }
  static CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr memory = 0;
    EXPECT_CU(cuMemAlloc_v2(&memory, bytes));
    EXPECT_CU(cuMemsetD8_v2(memory, 0, bytes));
    return memory;
  }
  static int read_int(CUdeviceptr memory) {
    int value = -1;
    EXPECT_CU(cuMemcpyDtoH_v2(&value, memory, sizeof value));
    return value;
  }
  static int result_of(CUfunction kernel) {
    const CUdeviceptr out = allocate(sizeof(int));
    EXPECT_CU(start(kernel, out));
    const int value = read_int(out);
    EXPECT_CU(cuMemFree_v2(out));
    return value;
  }
};

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
  EXPECT_NE(std::string::npos,
            said.find("cuModuleGetFunction is not supported with name=_Z7nowherePi: it is in none "
                      "of the 2 kernel libraries of TORCHADA_KERNELS; compile its source for MUSA "
                      "with mcc; returning CUDA_ERROR_NO_BINARY_FOR_GPU (209)\n"))
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

std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

enum Kind { kModule, kFunction, kLibrary, kKernel, kNone };

struct HandleCall {
  const char* name;
  Kind takes;
  CUresult (*call)(void* x);
};

#define CALL(kind, function, ...)                                              \
  {                                                                            \
#function, kind, [](void* x) -> CUresult { return function(__VA_ARGS__); } \
  }
#define MODULE static_cast<CUmodule>(x)
#define FUNCTION static_cast<CUfunction>(x)
#define LIBRARY static_cast<CUlibrary>(x)
#define KERNEL static_cast<CUkernel>(x)

// Where results go.
void* given = nullptr;
size_t given_bytes = 0;
int told = 0;
template <typename T>
T* result() {
  return reinterpret_cast<T*>(&given);
}

constexpr CUfunction_attribute kThreads = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
constexpr CUfunction_attribute kShared = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

const std::vector<HandleCall> kHandleCalls = {
    CALL(kModule, cuModuleGetFunction, result<CUfunction>(), MODULE, "_Z3sumPi"),
    CALL(kModule, cuModuleGetGlobal_v2, result<CUdeviceptr>(), &given_bytes, MODULE, "table"),
    CALL(kLibrary, cuLibraryGetKernel, result<CUkernel>(), LIBRARY, "_Z3sumPi"),
    CALL(kLibrary, cuLibraryGetGlobal, result<CUdeviceptr>(), &given_bytes, LIBRARY, "table"),
    CALL(kLibrary, cuLibraryGetModule, result<CUmodule>(), LIBRARY),
    CALL(kFunction, cuFuncGetAttribute, &told, kThreads, FUNCTION),
    CALL(kFunction, cuFuncSetAttribute, FUNCTION, kShared, 0),
    CALL(kFunction, cuFuncSetCacheConfig, FUNCTION, CU_FUNC_CACHE_PREFER_L1),
    CALL(kFunction, cuFuncSetSharedMemConfig, FUNCTION, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE),
    CALL(kFunction, cuFuncGetModule, result<CUmodule>(), FUNCTION),
    CALL(kFunction, cuFuncIsLoaded, result<CUfunctionLoadingState>(), FUNCTION),
    CALL(kFunction, cuFuncLoad, FUNCTION),
    CALL(kKernel, cuKernelGetAttribute, &told, kThreads, KERNEL, 0),
    CALL(kKernel, cuKernelSetAttribute, kShared, 0, KERNEL, 0),
    CALL(kKernel, cuKernelSetCacheConfig, KERNEL, CU_FUNC_CACHE_PREFER_L1, 0),
    CALL(kKernel, cuKernelGetLibrary, result<CUlibrary>(), KERNEL),
    CALL(kKernel, cuKernelGetFunction, result<CUfunction>(), KERNEL),
    CALL(kModule, cuModuleUnload, MODULE),
    CALL(kLibrary, cuLibraryUnload, LIBRARY),
};

// A module with a function, and a library with a kernel that nobody asked about as a function.
struct Loaded {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;

  void load(const char* image, const char* of_module, const char* of_library) {
    ASSERT_CU(cuModuleLoadData(&module, image));
    ASSERT_CU(cuModuleGetFunction(&function, module, of_module));
    ASSERT_CU(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_CU(cuLibraryGetKernel(&kernel, library, of_library));
  }
};

// CUDA documents that launches and questions about occupancy take both kinds of functions.
void expect_launched(CUfunction function) {
  CUdeviceptr out = 0;
  ASSERT_CU(cuMemAlloc_v2(&out, sizeof(int)));
  void* arguments[] = {&out};
  EXPECT_CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&told, function, 32, 0));
  EXPECT_CU(cuMemFree_v2(out));
}

// `is_by_name`: the module is none of MUSA's, so that nobody can say which it is.
void expect_told_apart(const Loaded& live, const std::vector<void*>& dead, bool is_by_name) {
  char stack[64] = {};
  std::vector<std::pair<Kind, void*>> handles = {
      {kModule, live.module},   {kFunction, live.function},
      {kLibrary, live.library}, {kKernel, live.kernel},
      {kNone, stack},           {kNone, nullptr}};
  // The next place of a table may be that of the other module.
  const int next = is_by_name ? 4 : 8;
  for (size_t i = 0; i < 4; ++i) {
    handles.emplace_back(kNone, static_cast<char*>(handles[i].second) + next);
  }
  for (void* each : dead) handles.emplace_back(kNone, each);
  for (const HandleCall& call : kHandleCalls) {
    for (size_t i = 0; i < handles.size(); ++i) {
      const auto& [kind, handle] = handles[i];
      if (kind == call.takes) continue;
      const CUresult status = call.call(handle);
      // Null is an invalid value for some, as documented.
      EXPECT_TRUE(status == CUDA_ERROR_INVALID_HANDLE ||
                  (!handle && status == CUDA_ERROR_INVALID_VALUE))
          << call.name << " with handle " << i << ": " << status;
    }
  }
  expect_launched(live.function);
  expect_launched(reinterpret_cast<CUfunction>(live.kernel));
  const std::string last = is_by_name ? "cuFuncGetModule cuKernelGetLibrary" : "";
  for (const HandleCall& call : kHandleCalls) {
    if (last.find(call.name) != std::string::npos) continue;
    for (const auto& [kind, handle] : handles) {
      if (kind != call.takes) continue;
      EXPECT_EQ(CUDA_SUCCESS, call.call(handle)) << call.name;
      if (std::string(call.name) == "cuKernelGetLibrary") {
        EXPECT_EQ(live.library, given);
      }
    }
  }
}

// Twice, so that what was destroyed may come again as something else.
TEST_F(Modules, AreNoLibraries) {
  unsetenv("TORCHADA_KERNELS");
  const std::string image = content_of(FIRST_IMAGE);
  std::vector<void*> dead;
  for (int i = 0; i < 2; ++i) {
    Loaded live;
    live.load(image.c_str(), "_ZL4bothPi", "_Z3sumPi");
    expect_told_apart(live, dead, false);
    dead = {live.library};
  }
}

TEST_F(Modules, OfNamesAreNoLibraries) {
  Loaded live;
  live.load(kPtx, "_Z6hiddenPi", "_Z3sumPi");
  expect_told_apart(live, {}, true);
}

// What was given as both is both.
TEST_F(Modules, KernelsTellTheirFunctions) {
  unsetenv("TORCHADA_KERNELS");
  const std::string image = content_of(FIRST_IMAGE);
  Loaded live;
  live.load(image.c_str(), "_ZL4bothPi", "_Z3sumPi");
  CUfunction function = nullptr;
  ASSERT_CU(cuKernelGetFunction(&function, live.kernel));
  EXPECT_CU(cuFuncGetAttribute(&told, kThreads, function));
  CUmodule module = nullptr;
  ASSERT_CU(cuLibraryGetModule(&module, live.library));
  EXPECT_NE(static_cast<void*>(module), static_cast<void*>(live.library));
  CUmodule of_function = nullptr;
  ASSERT_CU(cuFuncGetModule(&of_function, function));
  EXPECT_EQ(module, of_function);
  // Functions of the library's module, too.
  ASSERT_CU(cuModuleGetFunction(&function, module, "_ZL4bothPi"));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE,
            cuKernelGetAttribute(&told, kThreads, reinterpret_cast<CUkernel>(function), 0));
  CUkernel kernel = nullptr;
  ASSERT_CU(cuLibraryGetKernel(&kernel, live.library, "_ZL4bothPi"));
  EXPECT_CU(cuKernelGetAttribute(&told, kThreads, kernel, 0));
  EXPECT_CU(cuFuncGetAttribute(&told, kThreads, function));
  // Many, of which most end again.
  std::vector<CUlibrary> libraries(300);
  std::vector<CUkernel> kernels(libraries.size());
  for (size_t i = 0; i < libraries.size(); ++i) {
    ASSERT_CU(
        cuLibraryLoadData(&libraries[i], image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_CU(cuLibraryGetKernel(&kernels[i], libraries[i], "_Z3sumPi"));
  }
  for (size_t i = 1; i < libraries.size(); ++i) ASSERT_CU(cuLibraryUnload(libraries[i]));
  CUlibrary owner = nullptr;
  EXPECT_CU(cuKernelGetLibrary(&owner, kernels[0]));
  EXPECT_EQ(libraries[0], owner);
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuFuncLoad(reinterpret_cast<CUfunction>(kernels[0])));
  EXPECT_CU(cuKernelGetLibrary(&owner, live.kernel));
  EXPECT_EQ(live.library, owner);
}

// CUDA documents that a cudaKernel_t is a CUkernel.
TEST_F(Modules, KernelsOfTheRuntimeAreKernels) {
  unsetenv("TORCHADA_KERNELS");
  const std::string image = content_of(FIRST_IMAGE);
  cudaLibrary_t library = nullptr;
  ASSERT_OK(cudaLibraryLoadData(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t of_runtime = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&of_runtime, library, "_Z3sumPi"));
  const auto kernel = reinterpret_cast<CUkernel>(of_runtime);
  EXPECT_CU(cuKernelGetAttribute(&told, kThreads, kernel, 0));
  CUfunction function = nullptr;
  ASSERT_CU(cuKernelGetFunction(&function, kernel));
  expect_launched(function);
  EXPECT_CU(cuKernelGetAttribute(&told, kThreads, kernel, 0));
  CUlibrary owner = nullptr;
  ASSERT_CU(cuKernelGetLibrary(&owner, kernel));
  EXPECT_EQ(static_cast<void*>(library), static_cast<void*>(owner));
  // The module behind its library, and others, are no libraries of the runtime.
  CUmodule module = nullptr, other = nullptr;
  ASSERT_CU(cuFuncGetModule(&module, function));
  ASSERT_CU(cuModuleLoadData(&other, image.c_str()));
  for (CUmodule each : {module, other}) {
    EXPECT_EQ(cudaErrorInvalidResourceHandle,
              cudaLibraryUnload(reinterpret_cast<cudaLibrary_t>(each)));
  }
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaGetLastError());
  ASSERT_OK(cudaLibraryUnload(library));
}

// CUDA declares both as struct CUlib_st*.
cudaLibrary_t of_runtime(CUlibrary library) { return reinterpret_cast<cudaLibrary_t>(library); }
CUlibrary of_driver(cudaLibrary_t library) { return reinterpret_cast<CUlibrary>(library); }

// One of the driver's and one of the runtime's.
std::vector<CUlibrary> load_by_both(const char* image) {
  CUlibrary driver = nullptr;
  cudaLibrary_t runtime = nullptr;
  EXPECT_CU(cuLibraryLoadData(&driver, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cudaLibraryLoadData(&runtime, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_NE(driver, of_driver(runtime));
  return {driver, of_driver(runtime)};
}

// What a kernel leaves, launched by the runtime.
int result_by_runtime(cudaKernel_t kernel) {
  const Buffer out(sizeof(int));
  void* address = out;
  void* arguments[] = {&address};
  EXPECT_OK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), {1, 1, 1}, {1, 1, 1}, arguments,
                             0, nullptr));
  int value = 0;
  EXPECT_OK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

void expect_dead(CUlibrary library) {
  CUkernel kernel = nullptr;
  CUdeviceptr address = 0;
  CUmodule module = nullptr;
  cudaKernel_t runtimes = nullptr;
  void* global = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, library, "_Z3sumPi"));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetGlobal(&address, nullptr, library, "table"));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetModule(&module, library));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaLibraryGetKernel(&runtimes, of_runtime(library), "_Z3sumPi"));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaLibraryGetGlobal(&global, nullptr, of_runtime(library), "table"));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaLibraryUnload(of_runtime(library)));
}

// `missing`: what is said of a name that the library lacks.
void expect_shared(const char* image, int missing) {
  for (const bool unloaded_by_driver : {true, false}) {
    for (CUlibrary library : load_by_both(image)) {
      CUkernel kernel = nullptr;
      cudaKernel_t runtimes = nullptr;
      ASSERT_CU(cuLibraryGetKernel(&kernel, library, "_Z3sumPi"));
      ASSERT_OK(cudaLibraryGetKernel(&runtimes, of_runtime(library), "_Z3sumPi"));
      EXPECT_EQ(static_cast<void*>(kernel), static_cast<void*>(runtimes));
      CUdeviceptr address = 0;
      void* global = nullptr;
      size_t bytes = 0, runtimes_bytes = 0;
      ASSERT_CU(cuLibraryGetGlobal(&address, &bytes, library, "table"));
      ASSERT_OK(cudaLibraryGetGlobal(&global, &runtimes_bytes, of_runtime(library), "table"));
      EXPECT_EQ(address, reinterpret_cast<CUdeviceptr>(global));
      EXPECT_EQ(16u, bytes);
      EXPECT_EQ(bytes, runtimes_bytes);
      const int values[4] = {10, 20, 30, 40};
      ASSERT_CU(cuMemcpyHtoD_v2(address, values, sizeof values));
      EXPECT_EQ(600, result_by_runtime(runtimes));
      // Each door's own words for what is missing, and an error of the runtime's only from there.
      EXPECT_EQ(missing, cuLibraryGetKernel(&kernel, library, "_Z7absentPi"));
      EXPECT_EQ(missing, cuLibraryGetGlobal(&address, nullptr, library, "absent"));
      EXPECT_EQ(cudaSuccess, cudaGetLastError());
      EXPECT_ERROR(missing, cudaLibraryGetKernel(&runtimes, of_runtime(library), "_Z7absentPi"));
      EXPECT_ERROR(missing, cudaLibraryGetGlobal(&global, nullptr, of_runtime(library), "absent"));
      // No module is behind the same handle.
      EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(reinterpret_cast<CUmodule>(library)));
      if (unloaded_by_driver) {
        EXPECT_CU(cuLibraryUnload(library));
      } else {
        EXPECT_OK(cudaLibraryUnload(of_runtime(library)));
      }
      expect_dead(library);
    }
  }
  EXPECT_ERROR(cudaErrorInvalidValue, cudaLibraryUnload(nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(nullptr));
}

TEST_F(Modules, LibrariesAreTheRuntimesToo) {
  unsetenv("TORCHADA_KERNELS");
  const std::string image = content_of(FIRST_IMAGE);
  expect_shared(image.c_str(), cudaErrorSymbolNotFound);
  for (CUlibrary library : load_by_both(image.c_str())) {
    CUmodule module = nullptr;
    ASSERT_CU(cuLibraryGetModule(&module, library));
    CUfunction function = nullptr;
    ASSERT_CU(cuModuleGetFunction(&function, module, "_Z3sumPi"));
    EXPECT_EQ(510, result_of(function));
    ASSERT_CU(cuLibraryUnload(library));
  }
}

TEST_F(Modules, LibrariesOfNamesAreTheRuntimesToo) {
  expect_shared(kPtx, cudaErrorNoKernelImageForDevice);
  const std::vector<CUlibrary> libraries = load_by_both(kPtx);
  CUmodule module = nullptr;
  EXPECT_CU(cuLibraryGetModule(&module, libraries[0]));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuLibraryGetModule(&module, libraries[1]));
}

// The runtime takes a kernel that only the driver gave.
TEST_F(Modules, KernelsAreTheRuntimesToo) {
  const std::string image = content_of(FIRST_IMAGE);
  for (const char* code : {image.c_str(), kPtx}) {
    for (CUlibrary library : load_by_both(code)) {
      CUkernel kernel = nullptr;
      ASSERT_CU(cuLibraryGetKernel(&kernel, library, "_Z3sumPi"));
      const auto runtimes = reinterpret_cast<cudaKernel_t>(kernel);
      EXPECT_LT(0, result_by_runtime(runtimes));
      const auto* const symbol = reinterpret_cast<const void*>(kernel);
      const char* name = nullptr;
      ASSERT_OK(cudaFuncGetName(&name, symbol));
      EXPECT_STREQ("_Z3sumPi", name);
      cudaFuncAttributes attributes{};
      ASSERT_OK(cudaFuncGetAttributes(&attributes, symbol));
      EXPECT_OK(cudaKernelSetAttributeForDevice(
          runtimes, cudaFuncAttributeMaxDynamicSharedMemorySize, 400, 0));
      EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuFuncLoad(reinterpret_cast<CUfunction>(kernel)));
    }
  }
}

// What cuLinkComplete made of several images is a library of the driver's only.
TEST_F(Modules, LibrariesOfLinkedImages) {
  unsetenv("TORCHADA_KERNELS");
  std::string first = content_of(FIRST_IMAGE), second = content_of(SECOND_IMAGE);
  CUlinkState link = nullptr;
  ASSERT_CU(cuLinkCreate_v2(0, nullptr, nullptr, &link));
  for (std::string* each : {&first, &second}) {
    ASSERT_CU(cuLinkAddData_v2(link, CU_JIT_INPUT_CUBIN, each->data(), each->size(), nullptr, 0,
                               nullptr, nullptr));
  }
  void* image = nullptr;
  size_t size = 0;
  ASSERT_CU(cuLinkComplete(link, &image, &size));
  CUlibrary library = nullptr;
  ASSERT_CU(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t kernel = nullptr;
  ASSERT_OK(cudaLibraryGetKernel(&kernel, of_runtime(library), "_Z6secondPi"));
  EXPECT_EQ(2, result_by_runtime(kernel));
  CUlibrary owner = nullptr;
  EXPECT_CU(cuKernelGetLibrary(&owner, reinterpret_cast<CUkernel>(kernel)));
  EXPECT_EQ(library, owner);
  ASSERT_OK(cudaLibraryUnload(of_runtime(library)));
  expect_dead(library);
  ASSERT_CU(cuLinkDestroy(link));
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
