// A handle of one kind is never taken for another: modules and libraries, functions and kernels,
// those of the driver and those of the runtime.
#include "tests/kernel_libraries/modules.h"

namespace {

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
    CALL(kFunction, cuFuncSetBlockShape, FUNCTION, 1, 1, 1),
    CALL(kFunction, cuFuncSetSharedSize, FUNCTION, 0),
    CALL(kFunction, cuParamSetSize, FUNCTION, 0),
    CALL(kFunction, cuParamSeti, FUNCTION, 0, 0),
    CALL(kFunction, cuParamSetf, FUNCTION, 0, 0.0F),
    CALL(kFunction, cuParamSetv, FUNCTION, 0, &told, sizeof told),
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

}  // namespace
