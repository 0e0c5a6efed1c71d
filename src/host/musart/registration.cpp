// What mcc makes programs call. Nothing of their device code is looked at: it is for a GPU, so it
// is noted, and refused when the program uses it and can handle an error.
#include "src/host/musart/registration.h"

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "musa_registration.h"
#include "src/host/musart/error.h"
#include "src/host/shared/never_destroyed.h"
#include "src/host/shared/say.h"

namespace musart {
namespace {

// Its address is the handle of what a file of the program has registered.
struct Binary {
  void* unused = nullptr;
};

struct Code {
  const Binary* owner;
  const char* kind;
  std::string name;
  bool told = false;
};

struct Registered {
  std::mutex mutex;
  std::map<void**, std::unique_ptr<Binary>> binaries;
  std::map<const void*, Code> code;
};

Registered& registered() { return host::never_destroyed<Registered>(); }

// Calls of static constructors: nobody could handle an exception.
template <typename Body>
void guarded(Body&& body) noexcept {
  try {
    Registered& all = registered();
    const std::lock_guard lock(all.mutex);
    body(all);
  } catch (const std::bad_alloc&) {
    host::say("no memory to register device code; its kernels will count as unknown");
  }
}

void note(void** handle, const void* address, const char* kind, const char* name) {
  guarded([&](Registered& all) {
    const auto binary = all.binaries.find(handle);
    if (binary == all.binaries.end() || address == nullptr || name == nullptr) return;
    all.code[address] = {binary->second.get(), kind, name};
  });
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  musaStream_t stream;
};

// The arguments of a launch are computed between push and pop, and may launch kernels themselves.
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

}  // namespace

musaError_t why_no_code(const void* host, musaError_t unknown) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  const auto found = all.code.find(host);
  if (found == all.code.end()) return unknown;
  Code& code = found->second;
  if (!code.told) {
    host::say(std::string(code.kind) + " " + code.name +
              " is not available: its device code is for a GPU of Moore Threads, and this is a "
              "CPU; returning musaErrorNoKernelImageForDevice (209)");
    code.told = true;
  }
  return musaErrorNoKernelImageForDevice;
}

}  // namespace musart

using musart::configurations;

void** __musaRegisterFatBinary(void*) {
  void** handle = nullptr;
  musart::guarded([&](musart::Registered& all) {
    auto made = std::make_unique<musart::Binary>();
    void** const address = &made->unused;
    all.binaries.emplace(address, std::move(made));
    handle = address;
  });
  return handle;
}

// When a library is closed, and at exit.
void __musaUnregisterFatBinary(void** fatCubinHandle) {
  musart::guarded([&](musart::Registered& all) {
    const auto binary = all.binaries.find(fatCubinHandle);
    if (binary == all.binaries.end()) return;
    std::erase_if(all.code,
                  [&](const auto& code) { return code.second.owner == binary->second.get(); });
    all.binaries.erase(binary);
  });
}

void __musaRegisterFunction(void** fatCubinHandle, const char* hostFun, char*,
                            const char* deviceName, int, struct uint3*, struct uint3*, struct dim3*,
                            struct dim3*, int*) {
  musart::note(fatCubinHandle, hostFun, "kernel", deviceName);
}

void __musaRegisterVar(void** fatCubinHandle, char* hostVar, char*, const char* deviceName, int,
                       size_t, int, int) {
  musart::note(fatCubinHandle, hostVar, "variable", deviceName);
}

unsigned int __musaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         musaStream_t stream) {
  try {
    configurations().push_back({gridDim, blockDim, sharedMem, stream});
    return musaSuccess;
  } catch (const std::bad_alloc&) {
    return musart::recorded(musaErrorMemoryAllocation);
  }
}

musaError_t __musaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream) {
  if (configurations().empty()) return musart::recorded(musaErrorMissingConfiguration);
  const musart::Configuration last = configurations().back();
  configurations().pop_back();
  *gridDim = last.grid;
  *blockDim = last.block;
  *sharedMem = last.shared_bytes;
  *static_cast<musaStream_t*>(stream) = last.stream;
  return musaSuccess;
}
