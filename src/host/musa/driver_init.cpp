// What works before muInit, and muInit.
#include <dlfcn.h>

#include <string>

#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// Found in this file, whatever else the process has loaded.
void* own_function(const std::string& name) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&muInit), &self) == 0) return nullptr;
  void* const library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = dlsym(library, name.c_str());
  Dl_info owner{};
  const bool own =
      found != nullptr && dladdr(found, &owner) != 0 && owner.dli_fbase == self.dli_fbase;
  dlclose(library);
  return own ? found : nullptr;
}

musaError_t find_function(const char* symbol, void** function, unsigned long long flags) {
  if (symbol == nullptr || function == nullptr ||
      flags > MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
    return musaErrorInvalidValue;
  }
  *function = nullptr;
  // No SDK was seen to have functions of the driver for programs with a default stream per thread.
  if (flags == MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) return musaErrorNotSupported;
  const std::string name = symbol;
  if (!name.starts_with("mu")) return musaErrorSymbolNotFound;
  // A name stands for its newest version.
  *function = own_function(name + "_v2");
  if (*function == nullptr) *function = own_function(name);
  return *function != nullptr ? musaSuccess : musaErrorSymbolNotFound;
}

}  // namespace
}  // namespace musa

MUresult muInit(unsigned int Flags) {
  return musa::driver_status(musa::api_call([&]() -> musaError_t {
    if (Flags != 0) return musaErrorInvalidValue;
    return musa::Runtime::get().devices.empty() ? musaErrorNoDevice : musaSuccess;
  }));
}

MUresult muDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return MUSA_ERROR_INVALID_VALUE;
  *driverVersion = musa::driver_version();
  return MUSA_SUCCESS;
}

MUresult muGetProcAddress(const char* symbol, void** pfn, int, muuint64_t flags) {
  return musa::driver_status(
      musa::api_call([&] { return musa::find_function(symbol, pfn, flags); }));
}
