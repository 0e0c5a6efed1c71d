#include "src/host/mccl/engine.h"

#include <dlfcn.h>

#include <mutex>

namespace host_mccl {
namespace {

// Relative to the directory of this library. All trees share the file.
constexpr const char* kFile = "../../libexec/libmccl_engine.so";

// The engine finds symbols in itself and its dependencies before those of the program, and offers
// none to the program: its gloo and a gloo of the program do not mix. Sanitizers refuse
// RTLD_DEEPBIND.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kApart = RTLD_LOCAL;
#else
constexpr int kApart = RTLD_LOCAL | RTLD_DEEPBIND;
#endif

std::string folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_engine), &info) == 0) return "";
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

struct Opened {
  const MCCLEngineCalls* calls = nullptr;
  std::string error;
};

Opened open_engine() {
  void* const library = dlopen((folder() + kFile).c_str(), RTLD_NOW | kApart);
  if (library == nullptr) return {nullptr, dlerror()};
  const auto entry =
      reinterpret_cast<decltype(&mccl_engine_calls)>(dlsym(library, MCCL_ENGINE_ENTRY));
  if (entry == nullptr || entry()->version != MCCL_ENGINE_VERSION) {
    return {nullptr, std::string(kFile) + " is from another version"};
  }
  return {entry(), ""};
}

}  // namespace

const MCCLEngineCalls* find_engine(std::string& error) {
  static const auto& opened = *new Opened(open_engine());
  error = opened.error;
  return opened.calls;
}

}  // namespace host_mccl
