#include "src/command/info/child.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "declarations/cuda12.h"
#include "src/command/offered_libraries.h"
#include "src/shared/backend_table.h"

namespace torchada::info {
namespace {

using Json = nlohmann::json;

// The major whose declarations are included. Unversioned names stand for it.
constexpr char kRuntime[] = "libcudart.so.12";
constexpr char kBlas[] = "libcublas.so.12";
constexpr char kRandom[] = "libcurand.so.10";
constexpr char kCollectives[] = "libnccl.so.2";
constexpr char kDriver[] = "libcuda.so.1";

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      const char* why = dlerror();
      throw Broken(why != nullptr ? why : "cannot open " + path);
    }
  }

  template <typename Function>
  Function* find(Function* /*declared*/, const char* name) const {
    void* symbol = dlsym(handle_, name);
    if (symbol == nullptr) throw Broken(std::string(name) + " is not exported");
    return reinterpret_cast<Function*>(symbol);
  }

 private:
  void* handle_;
};

// The function of that name, with its declared type.
#define FIND(library, name) (library).find(static_cast<decltype(&(name))>(nullptr), #name)

// "12.9" for 12090.
std::string release(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number / 10 % 100);
}

class Runtime {
 public:
  explicit Runtime(const std::string& root) : library_(root + "/lib/" + kRuntime) {}

  void ask(Json* out) const {
    int count = 0;
    const cudaError_t status = FIND(library_, cudaGetDeviceCount)(&count);
    (*out)["devices"] = Json::array();
    if (status != cudaSuccess) {
      (*out)["no_devices"] = named(status);
      return;
    }
    for (int i = 0; i < count; ++i) (*out)["devices"].push_back(device(i));
  }

  std::string version() const {
    int number = 0;
    if (FIND(library_, cudaRuntimeGetVersion)(&number) != cudaSuccess) return "";
    return release(number);
  }

 private:
  std::string named(cudaError_t status) const {
    return std::string(FIND(library_, cudaGetErrorName)(status)) + " (" +
           std::to_string(static_cast<int>(status)) +
           "): " + FIND(library_, cudaGetErrorString)(status);
  }

  int attribute(cudaDeviceAttr which, int index) const {
    int value = 0;
    const auto get = FIND(library_, cudaDeviceGetAttribute);
    return get(&value, which, index) == cudaSuccess ? value : 0;
  }

  Json device(int index) const {
    Json out;
    cudaDeviceProp properties;
    std::memset(&properties, 0, sizeof properties);
    const cudaError_t status = FIND(library_, cudaGetDeviceProperties_v2)(&properties, index);
    if (status != cudaSuccess)
      throw Broken("device " + std::to_string(index) + ": " + named(status));
    out["name"] = std::string(properties.name, strnlen(properties.name, sizeof properties.name));
    char address[48];
    std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", properties.pciDomainID,
                  properties.pciBusID, properties.pciDeviceID);
    out["address"] = address;
    out["total_memory"] = static_cast<std::uint64_t>(properties.totalGlobalMem);
    out["major"] = attribute(cudaDevAttrComputeCapabilityMajor, index);
    out["minor"] = attribute(cudaDevAttrComputeCapabilityMinor, index);
    out["multiprocessors"] = attribute(cudaDevAttrMultiProcessorCount, index);
    out["warp_size"] = attribute(cudaDevAttrWarpSize, index);
    std::size_t available = 0;
    std::size_t total = 0;
    const bool told = FIND(library_, cudaSetDevice)(index) == cudaSuccess &&
                      FIND(library_, cudaMemGetInfo)(&available, &total) == cudaSuccess;
    out["free_memory"] = told ? static_cast<std::uint64_t>(available) : 0;
    return out;
  }

  Library library_;
};

// "2.28.9" for 22809, the numbering of NCCL since 2.9.
std::string collectives_version(const std::string& root) {
  const Library library(root + "/lib/" + kCollectives);
  int number = 0;
  if (FIND(library, ncclGetVersion)(&number) != ncclSuccess) return "";
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

std::string driver_version(const std::string& path) {
  const Library library(path);
  int number = 0;
  return FIND(library, cuDriverGetVersion)(&number) == CUDA_SUCCESS ? release(number) : "";
}

std::string blas_version(const std::string& root) {
  const Library library(root + "/lib/" + kBlas);
  int number = 0;
  if (FIND(library, cublasGetVersion_v2)(nullptr, &number) != CUBLAS_STATUS_SUCCESS) return "";
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

std::string random_version(const std::string& root) {
  const Library library(root + "/lib/" + kRandom);
  int number = 0;
  if (FIND(library, curandGetVersion)(&number) != CURAND_STATUS_SUCCESS) return "";
  return std::to_string(number / 1000) + "." + std::to_string(number / 100 % 10) + "." +
         std::to_string(number % 100);
}

int visit(dl_phdr_info* object, std::size_t /*size*/, void* data) {
  const char* path = object->dlpi_name;
  const char* slash = path == nullptr ? nullptr : std::strrchr(path, '/');
  const char* stem = torchada_backend_table.names[static_cast<int>(kRuntimeLibrary)];
  if (slash == nullptr || std::strncmp(slash + 1, stem, std::strlen(stem)) != 0 ||
      std::strncmp(slash + 1 + std::strlen(stem), ".so", 3) != 0) {
    return 0;
  }
  *static_cast<std::string*>(data) = path;
  return 1;
}

// The libmusart that our library opened. No CUDA function tells MUSA's version numbers.
void ask_musa(Json* out) {
  std::string path;
  dl_iterate_phdr(visit, &path);
  if (path.empty()) return;
  (*out)["musart"] = path;
  void* handle = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_NOW);
  if (handle == nullptr) return;
  const auto number = [&](const char* name) {
    using GetVersion = int(int*);
    auto* function = reinterpret_cast<GetVersion*>(dlsym(handle, name));
    int version = 0;
    return function != nullptr && function(&version) == 0 ? version : 0;
  };
  (*out)["sdk"] = torchada_sdk_of_runtime_version(number(kRuntimeVersionCall));
  (*out)["driver"] = number("musaDriverGetVersion");
}

}  // namespace

Json ask_libraries(const std::string& root) {
  Json out;
  try {
    const Runtime runtime(root);
    runtime.ask(&out);
    const auto add = [&](const char* library, const std::string& version, bool by_run = false) {
      out["versions"].push_back({{"library", library}, {"version", version}, {"by_run", by_run}});
    };
    add("CUDA", runtime.version());
    const std::filesystem::path libraries = root + "/lib";
    const std::filesystem::path driver = offered_file(kDriver, libraries);
    if (driver.empty()) throw Broken(std::string(kDriver) + " is missing; reinstall torchada");
    add("CUDA driver", driver_version(driver), driver.parent_path() != libraries);
    add("cuBLAS", blas_version(root));
    add("cuRAND", random_version(root));
    add("NCCL", collectives_version(root));
    ask_musa(&out);
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
  return out;
}

}  // namespace torchada::info
