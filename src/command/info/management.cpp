#include "src/command/info/management.h"

#include <dlfcn.h>

#include "src/command/musa_files.h"

namespace torchada::info {
namespace {

using Json = nlohmann::json;

// The status is 0 for success; objects are pointers.
class Management {
 public:
  explicit Management(void* handle) : handle_(handle) {}

  // Whether the function exists and succeeded.
  template <typename... Arguments>
  bool ask(const char* name, Arguments... arguments) const {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(handle_, name));
    return function != nullptr && function(arguments...) == 0;
  }

 private:
  void* const handle_;
};

Json ask_device(const Management& mtml, const void* library, const std::string& address) {
  Json out = Json::object();
  void* device = nullptr;
  void* memory = nullptr;
  void* gpu = nullptr;
  // MTML writes eight digits of the domain, CUDA four.
  if (!mtml.ask("mtmlLibraryInitDeviceByPciSbdf", library, ("0000" + address).c_str(), &device)) {
    return out;
  }
  unsigned long long used = 0;
  if (mtml.ask("mtmlDeviceInitMemory", static_cast<const void*>(device), &memory) &&
      mtml.ask("mtmlMemoryGetUsed", static_cast<const void*>(memory), &used)) {
    out["used"] = used;
  }
  unsigned int busy = 0;
  if (mtml.ask("mtmlDeviceInitGpu", static_cast<const void*>(device), &gpu) &&
      mtml.ask("mtmlGpuGetUtilization", static_cast<const void*>(gpu), &busy)) {
    out["busy"] = busy;
  }
  return out;
}

}  // namespace

Json ask_management(const std::string& musart, const std::vector<std::string>& addresses) {
  Json out = Json::object();
  const MusaFiles files = read_musa_files(musart);
  const auto file = files.libraries.find("mtml");
  if (file == files.libraries.end() || !file->second.error.empty()) return out;
  void* const handle = dlopen(file->second.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return out;
  const Management mtml(handle);
  void* library = nullptr;
  if (!mtml.ask("mtmlLibraryInit", &library)) return out;
  char version[32] = "";
  if (mtml.ask("mtmlLibraryGetVersion", static_cast<const void*>(library),
               static_cast<char*>(version), static_cast<unsigned int>(sizeof version))) {
    out["version"] = version;
  }
  for (const std::string& address : addresses) {
    out["devices"][address] = ask_device(mtml, library, address);
  }
  return out;
}

}  // namespace torchada::info
